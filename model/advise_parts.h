/* What advice is made of, while it is made. See advise.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_ADVISE_PARTS_H
#define PM_MODEL_ADVISE_PARTS_H

#include "carry.h"
#include "collector/count_rows.h"
#include "collector/workload.h"
#include "layout/search.h"
#include "perfmodel.h"

/* What the versions' rewrites are measured against. */
typedef struct pm_rewrite_base pm_rewrite_base;

typedef struct {
    const pm_advise_options *options;
    const pm_program *program;
    pm_program *own; /* the same, if it is out of a workload file */
    const char *size;
    pm_known_gpu target;
    pm_known_gpu *gpus; /* that the model learns from, where these are others than the target */
    size_t gpu_count;
    pm_carry *carry;
    pm_dataset *rows;    /* counters of the candidates */
    pm_carried *carried; /* what is predicted for each of rows; NULL: nothing yet */
    pm_counting counting;
    pm_rewrite_base *plain; /* NULL: the base has not been traced yet */
    pm_advice *advice;      /* its choices are the candidates that were traced */
    size_t expected;        /* choices there will be, as far as is known; 0: not yet */
} pm_advising;

/* Traces the plain source; where it has structs, searches layouts, traces what was found and
 * appends it to the choices. A layout that cannot be made is left out with a notice. */
pm_status pm_advise_candidates(pm_advising *advising, pm_error *err);
/* Traces what the program lists beside its base, and stagings of the base and of its best layouts,
 * which the choices are ranked by then to tell. One that cannot be made is left out with a notice.
 */
pm_status pm_advise_staged(pm_advising *advising, pm_error *err);
/* Traces one more version. *added is false where it cannot be made. */
pm_status pm_advise_trace(pm_advising *advising, const char *variant, bool *added, pm_error *err);

/* How much of the base, which comes first, a version rewrites. */
pm_status pm_advise_rewrite(pm_advising *advising, const pm_workload *workload,
                            pm_rewrite_size *size, pm_error *err);
void pm_advise_rewrite_free(pm_rewrite_base *base);

/* Whether a variant is a version in local memory: of a program without layouts any but the base. */
bool pm_advise_is_staged(const pm_program *program, const char *variant);
/* Learns what there is to learn: from the target's own times where its datasets have enough of
 * them, else from other GPUs' by its profile (advice->basis). To be undone by pm_advise_forget. */
pm_status pm_advise_learn(pm_advising *advising, pm_error *err);
void pm_advise_forget(pm_advising *advising);
/* Predicts all choices and ranks them: their times, gains and why. */
pm_status pm_advise_predict(pm_advising *advising, pm_error *err);
/* Predicted seconds of a choice's kernels, or of one (not NULL). */
double pm_advise_time(const pm_advising *advising, const char *variant, const char *kernel);
/* Slopes of the log of a choice's time by the model's parameters. */
void pm_advise_slope(const pm_advising *advising, const char *variant,
                     double slope[PM_UNITS_PARAMETERS]);

/* Fills lo, hi and chance of the choices; NaN where there are too few versions of other programs.
 */
pm_status pm_advise_spread(pm_advising *advising, pm_error *err);

#endif
