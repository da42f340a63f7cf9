/* Finds the distribution of the errors of a transferred model (fitted on other GPUs) on programs
 * whose class of similar programs was left out of the fit. The prediction intervals come from it.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's program is no more similar to the training programs than programs of different classes
 * are to each other. Therefore the residuals come from fits without the residual's class. If a
 * program or class is left out, all residuals are computed again from fits that have not seen it
 * either. Otherwise its times would influence the interval.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <string.h>

#include "model/transfer/parts.h"

/* LEAST_CLASSES: the inner cross-validation leaves out classes if there are at least this many,
 * otherwise programs. LEAST_FOLDS: least number of folds of programs. */
enum { P = PM_UNITS_PARAMETERS, LEAST_CLASSES = 4, LEAST_FOLDS = 2 };

static bool stays(const pm_transfer_set *set, size_t group)
{
    return set->cut->fold[group] != set->left_out;
}

/* cut: division of the programs or classes into folds. Returns the number of its folds that still
 * have a program after the fold that `set` leaves out is removed from the training rows. */
static size_t count_folds(pm_trained *trained, const pm_transfer_set *set,
                          const pm_transfer_cut *cut)
{
    bool *has = pm_take(&trained->scratch, cut->folds, sizeof *has);
    size_t count = 0;

    for (size_t g = 0; g < trained->rows.of.groups; g++)
        has[cut->fold[g]] = has[cut->fold[g]] || stays(set, g);
    for (size_t f = 0; f < cut->folds; f++)
        count += has[f];
    return count;
}

static const pm_transfer_cut *choose_inner(pm_trained *trained, const pm_transfer_set *set)
{
    if (count_folds(trained, set, &trained->kinds) >= LEAST_CLASSES)
        return &trained->kinds;
    if (count_folds(trained, set, &trained->programs) < LEAST_FOLDS)
        pm_leave(&trained->memory, PM_BAD_INPUT,
                 "where a class is left out there are too few programs of others to learn from; "
                 "collect more (perfmodel collect), or leave out programs alone");
    return &trained->programs;
}

/* Returns the training rows that are not in the set's left-out fold. Their folds are those of
 * set->inner, which an inner cross-validation leaves out in turn. */
static pm_units_rows rest_of(pm_trained *trained, const pm_transfer_set *set)
{
    const pm_units_rows *rows = &trained->rows.of;
    pm_memory *memory = &trained->scratch;
    size_t n = 0, groups = 0;
    size_t *row = pm_take(memory, rows->n, sizeof *row);
    size_t *start = pm_take(memory, rows->groups + 1, sizeof *start);
    size_t *group = pm_take(memory, rows->n, sizeof *group);
    size_t *fold = pm_take(memory, rows->groups, sizeof *fold);
    double *log_time = pm_take(memory, rows->n, sizeof *log_time);

    for (size_t g = 0; g < rows->groups; g++) {
        if (!stays(set, g))
            continue;
        for (size_t i = rows->start[g]; i < rows->start[g + 1]; i++, n++) {
            row[n] = rows->row[i];
            group[n] = groups;
            log_time[n] = rows->log_time[i];
        }
        fold[groups] = set->inner->fold[g];
        start[++groups] = n;
    }
    return (pm_units_rows){.n = n,
                           .groups = groups,
                           .row = row,
                           .start = start,
                           .group = group,
                           .log_time = log_time,
                           .folds = set->inner->folds,
                           .fold = fold,
                           .robust = true};
}

void pm_transfer_spread(pm_trained *trained, pm_transfer_set *set)
{
    const pm_units *units = trained->rows.units;
    pm_units_rows rest;
    double *residual, *reciprocal;

    set->inner = choose_inner(trained, set);
    rest = rest_of(trained, set);
    residual = pm_take(&trained->scratch, rest.n, sizeof *residual);
    reciprocal = pm_take(&trained->scratch, rest.n, sizeof *reciprocal);
    set->without = pm_take(&trained->memory, rest.folds * P, sizeof *set->without);
    pm_require(&trained->memory,
               pm_units_fit_folds(units, &rest, set->fitted, set->without, trained->memory.err));
    for (size_t i = 0; i < rest.n; i++)
        residual[i] =
            rest.log_time[i] - pm_units_log_time(units, set->without + rest.fold[rest.group[i]] * P,
                                                 rest.row[i], NULL);
    gsl_sort(residual, 1, rest.n);
    pm_reciprocals(residual, rest.n, reciprocal);
    set->spread = pm_spread_of(residual, NULL, reciprocal, rest.n);
    set->spread.lo = fmin(set->spread.lo, 0);
    set->spread.hi = fmax(set->spread.hi, 0);
}
