/* What predictions are made of: which samples they are asked for, and the two ways to them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PREDICT_PARTS_H
#define PM_PREDICT_PARTS_H

#include "model/transfer/learned.h"
#include "suite/suite.h"

/* NULL-terminated lists; NULL: all. */
typedef struct {
    const char *const *programs, *const *variants, *const *sizes;
} pm_wanted;

pm_wanted pm_wanted_of(const pm_predict_options *options);
bool pm_is_wanted(const pm_wanted *wanted, const pm_sample *sample);
/* PM_BAD_INPUT, with the right names, if a name is that of no sample, or if no sample has a
 * program, a variant and a size of these together. */
pm_status pm_wanted_check(const pm_wanted *wanted, const pm_dataset *list, pm_error *err);

/* Adds up the predictions by program, variant and size. missing: samples that could not be
 * predicted, without which a total is unknown. */
pm_status pm_predictions_sum(pm_predictions *predictions, const pm_sample *const *missing,
                             size_t missing_count, pm_error *err);

/* ---- own.c: programs that are the user's ----------------------------------------------------- */

/* Notes where the registers of one more trace are from. */
void pm_note_registers(pm_predictions *result, const char *source);

/* The programs of options->workloads, with the names that options choose checked. */
pm_status pm_own_find(pm_session *session, const pm_predict_options *options,
                      const pm_programs **programs, pm_error *err);
/* Adds what the target would count of each of their kernels that is wanted, program by program, and
 * notes it in result (may be NULL). One that cannot be counted is left out with a notice; if all
 * are, the first failure is the caller's. */
pm_status pm_own_count(pm_session *session, const pm_programs *programs, const pm_wanted *wanted,
                       const char *target, pm_dataset *rows, pm_predictions *result, pm_error *err);
/* Adds the rows of a dataset that are wanted, not there yet and of no program of the suite, with
 * their own counters. A notice tells of those that are not by the target's rules. */
pm_status pm_own_take(pm_session *session, const pm_dataset *from, const pm_wanted *wanted,
                      const char *target, pm_dataset *rows, pm_error *err);

/* ---- with.c: rows that are learned from, too ---------------------------------------------------
 */

/* The target, and the source where there is one, with the rows of options->with. They are the
 * session's, or the same as before where there are none. */
pm_status pm_with_rows(pm_session *session, const pm_model_options *options,
                       const pm_dataset **target, const pm_dataset **source, pm_error *err);

/* ---- the two ways ---------------------------------------------------------------------------- */

/* pm_predict of the samples that are wanted. */
pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted,
                                  pm_leave_out leave_out, const pm_model_options *options,
                                  pm_error *err);

/* Fills the errors and the coverage of a validation that has samples. */
void pm_validation_summarize(pm_memory *memory, pm_validation *validation);

/* What predictions by the units model start from. */
typedef struct {
    const pm_dataset *from; /* the samples to predict; NULL: all traced ones of the target */
    const pm_dataset *own;  /* the target's dataset, whose times stand beside the predictions before
                             * those of its others; may be NULL */
    const pm_programs *programs; /* that are predicted in place of from; NULL: none */
    pm_learn how;
} pm_basis;

/* pm_predict_on by the units model. */
pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_basis *basis, pm_error *err);

#endif
