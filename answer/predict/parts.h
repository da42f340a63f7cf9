/* Types and functions of `perfmodel predict`. They select the measured kernels (samples), and
 * predict times from the target GPU's own dataset or from its properties in devices.csv (its
 * profile).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_PREDICT_PARTS_H
#define PM_ANSWER_PREDICT_PARTS_H

#include "model/transfer/learned.h"
#include "program/suite/suite.h"

/* Selection of the kernel runs (samples) whose times are predicted, by the names of programs,
 * variants and sizes. Each member is a NULL-terminated list; a list that is NULL selects all. */
typedef struct {
    const char *const *programs, *const *variants, *const *sizes;
} pm_wanted;

pm_wanted pm_wanted_of(const pm_predict_options *options);
bool pm_is_wanted(const pm_wanted *wanted, const pm_sample *sample);
/* Returns PM_BAD_INPUT if a name is unknown, or if no sample of `list` has a selected program,
 * variant and size. The error lists the valid names. */
pm_status pm_wanted_check(const pm_wanted *wanted, const pm_dataset *list, pm_error *err);

/* Sums the predicted times of the kernels of each program, variant and size.
 * missing[missing_count]: kernels that could not be predicted; the sum that they belong to is
 * unknown (NaN). */
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
/* Traces the selected workloads of the programs as the target would run them, and adds a row of
 * counters for each kernel to `rows`. Stores in *result where the register counts come from; result
 * may be NULL. A workload that fails is left out with a notice. If all fail, the first error is
 * raised. */
pm_status pm_own_count(pm_session *session, const pm_programs *programs, const pm_wanted *wanted,
                       const char *target, pm_dataset *rows, pm_predictions *result, pm_error *err);
/* Copies the selected rows of the dataset `from` to `rows`, with their counters in `from`. Omits
 * rows that `rows` already has, and rows of the suite's programs. Logs a notice if the counters
 * were traced or measured for another GPU than the target. */
pm_status pm_own_take(pm_session *session, const pm_dataset *from, const pm_wanted *wanted,
                      const char *target, pm_dataset *rows, pm_error *err);

/* ---- with.c: additional training rows
 * ------------------------------------------------------------ */

/* Makes copies of the datasets *target and *source (which may be NULL) to which the rows of the
 * datasets in options->with are added, and sets the pointers to the copies. The session owns the
 * copies. If options->with is NULL, the pointers do not change. */
pm_status pm_with_rows(pm_session *session, const pm_model_options *options,
                       const pm_dataset **target, const pm_dataset **source, pm_error *err);

/* ---- prediction by dataset and by profile ------------------------------------------------------
 */

/* Predicts like pm_predict, but only those rows of the dataset `target` whose program, variant and
 * size `wanted` selects. */
pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted,
                                  pm_leave_out leave_out, const pm_model_options *options,
                                  pm_error *err);

/* Computes the mean and median relative error of a validation, and the fraction of its samples
 * (kernels with predicted and measured times) that are inside their 90 % intervals. The validation
 * must have samples. */
void pm_validation_summarize(pm_memory *memory, pm_validation *validation);

/* Input of predictions by the units model, a model of the times that a GPU's functional units
 * need. */
typedef struct {
    /* dataset with the kernels to predict; NULL: all kernels, variants and sizes that were traced
     * for the target */
    const pm_dataset *from;
    /* Dataset of the target; may be NULL. The times in it are reported next to the predictions. If
     * another dataset of the target has a time of the same kernel, variant and size, the time in
     * `own` is used. */
    const pm_dataset *own;
    const pm_programs *programs; /* programs to predict instead of `from`; NULL: none */
    pm_learn how;                /* selects the GPUs from whose times the units model learns */
} pm_basis;

/* Does what pm_predict_on does, but always by the units model (model/units/units.h). */
pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_basis *basis, pm_error *err);

#endif
