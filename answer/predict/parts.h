/* Internal interface of predict: selection of samples, and prediction by dataset and by profile.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_PREDICT_PARTS_H
#define PM_ANSWER_PREDICT_PARTS_H

#include "model/transfer/learned.h"
#include "program/suite/suite.h"

/* Names of the selected programs, variants and sizes: NULL-terminated lists; NULL: all. */
typedef struct {
    const char *const *programs, *const *variants, *const *sizes;
} pm_wanted;

pm_wanted pm_wanted_of(const pm_predict_options *options);
bool pm_is_wanted(const pm_wanted *wanted, const pm_sample *sample);
/* Returns PM_BAD_INPUT if a name is unknown, or if no sample of `list` has a selected program,
 * variant and size. The error lists the valid names. */
pm_status pm_wanted_check(const pm_wanted *wanted, const pm_dataset *list, pm_error *err);

/* Sums the predictions by program, variant and size. missing: samples that could not be predicted;
 * the total of their group is unknown. */
pm_status pm_predictions_sum(pm_predictions *predictions, const pm_sample *const *missing,
                             size_t missing_count, pm_error *err);

/* ---- own.c: the user's programs ---------------------------------------------------------------
 */

/* Records in `result` where the register counts of one more trace come from. The origin is
 * "estimate" if any trace has estimates. */
void pm_note_registers(pm_predictions *result, const char *source);

/* Finds the programs of options->workloads. Checks that the names in options exist. */
pm_status pm_own_find(pm_session *session, const pm_predict_options *options,
                      const pm_programs **programs, pm_error *err);
/* Traces the selected kernels of the programs for the target, and adds a row of counters for each
 * kernel to rows. Stores in *result where the register counts come from; result may be NULL. A
 * workload that fails is left out with a notice. If all fail, the first error is raised. */
pm_status pm_own_count(pm_session *session, const pm_programs *programs, const pm_wanted *wanted,
                       const char *target, pm_dataset *rows, pm_predictions *result, pm_error *err);
/* Adds the selected rows of the dataset `from`, with their own counters, to `rows`. Omits rows that
 * `rows` has already, and rows of the suite's programs. Logs a notice if counters are of another
 * GPU. */
pm_status pm_own_take(pm_session *session, const pm_dataset *from, const pm_wanted *wanted,
                      const char *target, pm_dataset *rows, pm_error *err);

/* ---- with.c: additional training rows
 * ------------------------------------------------------------ */

/* Adds the rows of options->with to copies of *target and *source (may be NULL), and replaces the
 * pointers. The session owns the copies. Without options->with the pointers do not change. */
pm_status pm_with_rows(pm_session *session, const pm_model_options *options,
                       const pm_dataset **target, const pm_dataset **source, pm_error *err);

/* ---- prediction by dataset and by profile ------------------------------------------------------
 */

/* Predicts like pm_predict, but only the selected samples. */
pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted,
                                  pm_leave_out leave_out, const pm_model_options *options,
                                  pm_error *err);

/* Computes the errors and the coverage of a validation, which must have samples. */
void pm_validation_summarize(pm_memory *memory, pm_validation *validation);

/* Input of predictions by the units model, a model of the times that a GPU's functional units
 * need. */
typedef struct {
    const pm_dataset *from; /* the samples to predict; NULL: all traced samples of the target */
    /* Dataset of the target; may be NULL. Its times are reported next to the predictions, and take
     * precedence over those of the target's other datasets. */
    const pm_dataset *own;
    const pm_programs *programs; /* programs to predict instead of `from`; NULL: none */
    pm_learn how;
} pm_basis;

/* Predicts like pm_predict_on, by the units model (model/units/units.h). */
pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_basis *basis, pm_error *err);

#endif
