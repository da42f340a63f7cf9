/* What predictions are made of: which samples they are asked for, and the two ways to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PREDICT_PARTS_H
#define PM_PREDICT_PARTS_H

#include "perfmodel.h"

/* NULL-terminated lists; NULL: all. */
typedef struct {
    const char *const *programs, *const *variants, *const *sizes;
} pm_wanted;

pm_wanted pm_wanted_of(const pm_predict_options *options);
bool pm_is_wanted(const pm_wanted *wanted, const pm_sample *sample);
/* PM_BAD_INPUT, with the right names, if a name is that of no sample, or if no sample has a
 * program, a variant and a size of these together. */
pm_status pm_wanted_check(const pm_wanted *wanted, const pm_dataset *list, pm_error *err);

/* pm_predict of the samples that are wanted. */
pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted,
                                  pm_leave_out leave_out, const pm_model_options *options,
                                  pm_error *err);

/* pm_predict_on with basis profile. from is the samples to predict; NULL: all traced ones of the
 * target. own: the target's dataset, whose times stand beside the predictions before those of its
 * others; may be NULL. */
pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_dataset *from, const pm_dataset *own, pm_error *err);

#endif
