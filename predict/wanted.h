/* Which samples predictions are asked for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PREDICT_WANTED_H
#define PM_PREDICT_WANTED_H

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
                                  const pm_dataset *source, const pm_wanted *wanted, bool leave_out,
                                  const pm_model_options *options, pm_error *err);

#endif
