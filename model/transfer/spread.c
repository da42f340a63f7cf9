/* What a carried model gets wrong of programs that it has not seen. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For a program that is left out the other programs' residuals are made anew, by fits that have
 * seen neither: those of the model that has seen it would tell of its times.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS };

/* The rows of all folds but one; their groups keep their folds. */
static pm_units_rows rest_of(pm_memory *memory, const pm_units_rows *rows, size_t left_out)
{
    size_t n = 0, groups = 0;
    size_t *row = pm_take(memory, rows->n, sizeof *row);
    size_t *start = pm_take(memory, rows->groups + 1, sizeof *start);
    size_t *group = pm_take(memory, rows->n, sizeof *group);
    size_t *fold = pm_take(memory, rows->groups, sizeof *fold);
    double *log_time = pm_take(memory, rows->n, sizeof *log_time);

    for (size_t g = 0; g < rows->groups; g++) {
        if (pm_units_fold(rows, g) == left_out)
            continue;
        for (size_t i = rows->start[g]; i < rows->start[g + 1]; i++, n++) {
            row[n] = rows->row[i];
            group[n] = groups;
            log_time[n] = rows->log_time[i];
        }
        fold[groups] = pm_units_fold(rows, g);
        start[++groups] = n;
    }
    return (pm_units_rows){n, groups, row, start, group, log_time, pm_units_folds(rows), fold};
}

/* By fits without each of the rest's folds in turn, which start from the one without left_out. */
static void find_residuals(pm_memory *memory, const pm_transfer *carry, const pm_units_rows *rest,
                           size_t left_out, double *residual)
{
    const pm_units *units = carry->rows.units;
    const double *sets = carry->fitted;

    if (left_out < rest->folds) {
        double *without = pm_take(memory, rest->folds * P, sizeof *without);

        pm_require(memory, pm_units_fit_folds(units, rest, carry->fitted + left_out * P, without,
                                              memory->err));
        sets = without;
    }
    for (size_t i = 0; i < rest->n; i++)
        residual[i] =
            rest->log_time[i] -
            pm_units_log_time(units, sets + rest->fold[rest->group[i]] * P, rest->row[i], NULL);
}

pm_spread pm_transfer_spread(pm_memory *memory, const pm_transfer *carry, size_t left_out)
{
    const pm_units_rows rest = rest_of(memory, &carry->rows.of, left_out);
    double *residual = pm_take(memory, rest.n, sizeof *residual);
    double *reciprocal = pm_take(memory, rest.n, sizeof *reciprocal);
    pm_spread spread;

    find_residuals(memory, carry, &rest, left_out, residual);
    gsl_sort(residual, 1, rest.n);
    pm_reciprocals(residual, rest.n, reciprocal);
    spread = pm_spread_of(residual, NULL, reciprocal, rest.n);
    spread.lo = fmin(spread.lo, 0);
    spread.hi = fmax(spread.hi, 0);
    return spread;
}
