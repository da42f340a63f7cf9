/* What carrying a model to another GPU is made of. See transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_PARTS_H
#define PM_MODEL_TRANSFER_PARTS_H

#include "model/spread.h"
#include "model/transfer/transfer.h"
#include "samples/table.h"

/* Samples with their work, program by program. */
typedef struct {
    pm_units *units;
    pm_units_rows of;     /* of which rows of units */
    const char **program; /* a member a group */
} pm_transfer_rows;

struct pm_transfer {
    pm_memory memory; /* of all below */
    const pm_known_gpu *gpus;
    size_t gpu_count;
    const pm_known_gpu *target;
    bool seen; /* the target is one of gpus */
    /* Of development to the nearest of gpus; 0: it is one of them, or of the architecture of one.
     */
    double years;
    pm_transfer_rows rows; /* learned from */
    double *fitted;        /* (folds + 1) x PM_UNITS_PARAMETERS: without each fold, then with all */
    pm_spread spread;      /* what the fits get wrong of the programs that they have not seen */
    /* For the target: fitted, moved by its own samples where there are any. A program of its own
     * has the fold that it has in rows, else one behind the folds of rows and the set with all. */
    pm_transfer_rows own;
    double *moved;      /* as fitted, for (folds of rows + 1 + own.groups) sets; NULL: none */
    double *covariance; /* PM_UNITS_PARAMETERS squared, by row */
};

/* The samples of the GPUs that are traced and measured, at most PM_TRANSFER_MOST of each program on
 * each, evenly spaced in its times. */
enum { PM_TRANSFER_MOST = 24 };
/* With more than PM_TRANSFER_ALONE programs, PM_TRANSFER_FOLDS folds of them are left out in place
 * of one at a time. */
enum { PM_TRANSFER_ALONE = 40, PM_TRANSFER_FOLDS = 10 };
void pm_transfer_rows_fill(pm_memory *memory, pm_transfer_rows *rows, const pm_known_gpu *gpus,
                           size_t count);
/* The group of a program; their number where it is in none. */
size_t pm_transfer_group(const pm_transfer_rows *rows, const char *program);
/* The fold of a program; pm_units_folds where it is in none. */
size_t pm_transfer_fold(const pm_transfer_rows *rows, const char *program);

/* log of measured over modelled time of programs that a fit has not seen: quantiles, and the point
 * of least expected relative error. left_out: a fold that none of these fits has seen, and that is
 * not among the residuals (the number of folds: none). */
pm_spread pm_transfer_spread(pm_memory *memory, const pm_transfer *carry, size_t left_out);

#endif
