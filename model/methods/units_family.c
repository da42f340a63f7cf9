/* The units model as candidates of a blend: un, from code counters on a GPU with a profile, uw,
 * from what warps wait for, and uc, from active cycles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <string.h>

#include "model/units/units.h"

/* log time of the training rows without their programs: each fit starts where that of all programs
 * ended. */
static void predict_unseen(pm_memory *memory, const pm_training *t, const pm_units *units,
                           const pm_units_rows *rows, const double *all, double *unseen)
{
    for (size_t g = 0; g < t->groups; g++) {
        double parameters[PM_UNITS_PARAMETERS];

        memcpy(parameters, all, sizeof parameters);
        pm_require(memory, pm_units_fit(units, rows, g, parameters, memory->err));
        for (size_t i = t->start[g]; i < t->start[g + 1]; i++)
            unseen[i] = pm_units_log_time(units, parameters, t->row[i], NULL);
    }
}

/* The distribution of a prediction is that of the residuals of programs unseen. */
static pm_spread spread_of(pm_memory *memory, const pm_training *t, const double *unseen)
{
    double *residual = pm_take(memory, t->n, sizeof *residual);
    double *reciprocal = pm_take(memory, t->n, sizeof *reciprocal);

    for (size_t i = 0; i < t->n; i++)
        residual[i] = t->z[i] - unseen[i];
    gsl_sort(residual, 1, t->n);
    pm_reciprocals(residual, t->n, reciprocal);
    return pm_spread_of(residual, NULL, reciprocal, t->n);
}

/* units may be NULL: there is no such candidate. */
static void add(pm_memory *memory, const pm_training *t, const pm_units *units, const char *letter,
                pm_candidates *list)
{
    const pm_units_rows rows = {.n = t->n,
                                .groups = t->groups,
                                .row = t->row,
                                .start = t->start,
                                .group = t->group,
                                .log_time = t->z};
    double all[PM_UNITS_PARAMETERS], *unseen;
    pm_candidate *c;
    pm_spread spread;

    if (!units)
        return;
    unseen = pm_take(memory, t->n, sizeof *unseen);
    memcpy(all, units->prior, sizeof all);
    pm_require(memory, pm_units_fit(units, &rows, t->groups, all, memory->err));
    predict_unseen(memory, t, units, &rows, all, unseen);
    spread = spread_of(memory, t, unseen);
    c = pm_candidates_add(memory, list, t, "u", letter);
    for (size_t i = 0; i < t->n; i++)
        c->inner[i] = pm_spread_moved(spread, unseen[i]);
    for (size_t i = 0; i < t->m; i++)
        c->outer[i] = pm_spread_moved(spread, pm_units_log_time(units, all, t->test[i], NULL));
}

void pm_units_family(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    /* Counters of another GPU say what the code does there: the profile is that GPU's, and its own
     * time is the better guide. */
    if (t->problem->source_t)
        return;
    add(memory, t, pm_units_of_code(memory, t->problem, &t->problem->profile, false), "n", list);
    add(memory, t, pm_units_of_cycles(memory, t->problem, t->row, t->n), "c", list);
}

void pm_waits_family(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    add(memory, t, pm_units_of_code(memory, t->problem, &t->problem->profile, true), "w", list);
}

void pm_sum_family(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    pm_units *units = pm_units_of_code(memory, t->problem, &t->problem->profile, true);

    if (units)
        pm_units_take_turns(units);
    add(memory, t, units, "s", list);
}
