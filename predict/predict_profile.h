/* Predictions for a GPU from its profile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PREDICT_PREDICT_PROFILE_H
#define PM_PREDICT_PREDICT_PROFILE_H

#include "perfmodel.h"

/* pm_predict_on with basis profile. from is the samples to predict; NULL: all traced ones of the
 * target. own: the target's dataset, whose times stand beside the predictions before those of its
 * others; may be NULL. */
pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_dataset *from, const pm_dataset *own, pm_error *err);

#endif
