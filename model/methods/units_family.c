/* The units model as candidates of a blend: un, from code counters on a GPU with a profile, uw,
 * from what warps wait for, and uc, from active cycles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/units/units.h"

typedef struct {
    const pm_training *t;
    const pm_units *units;
    double *unseen; /* n: log time of a training row by the fit without its program */
    double *residual, *reciprocal; /* n, sorted */
} workspace;

/* The training rows without their programs: each fit starts where that of all programs ended. */
static void predict_unseen(pm_memory *memory, workspace *w, const pm_units_rows *rows,
                           const double *all)
{
    const pm_training *t = w->t;

    for (size_t g = 0; g < t->groups; g++) {
        double parameters[PM_UNITS_PARAMETERS];

        memcpy(parameters, all, sizeof parameters);
        pm_require(memory, pm_units_fit(w->units, rows, g, parameters, memory->err));
        for (size_t i = t->start[g]; i < t->start[g + 1]; i++)
            w->unseen[i] = pm_units_log_time(w->units, parameters, t->row[i], NULL);
    }
}

/* The distribution of a prediction is that of the residuals of programs unseen. */
static void sort_residuals(workspace *w)
{
    const pm_training *t = w->t;

    for (size_t i = 0; i < t->n; i++)
        w->residual[i] = t->z[i] - w->unseen[i];
    gsl_sort(w->residual, 1, t->n);
    for (size_t i = 0; i < t->n; i++)
        w->reciprocal[i] = exp(w->residual[0] - w->residual[i]);
}

static double quantile(const workspace *w, double q)
{
    pm_between_samples place = pm_quantile_place(NULL, w->t->n, q);

    return pm_place_between(place, w->residual[place.below], w->residual[place.above]);
}

static void fill(workspace *w, const double *all, pm_candidate *c)
{
    const pm_training *t = w->t;
    double point = w->residual[pm_tilt(NULL, w->reciprocal, t->n)];
    double lo = quantile(w, 0.05), hi = quantile(w, 0.95);

    for (size_t i = 0; i < t->n; i++)
        c->inner[i] = (pm_spread){w->unseen[i] + point, w->unseen[i] + lo, w->unseen[i] + hi};
    for (size_t i = 0; i < t->m; i++) {
        double center = pm_units_log_time(w->units, all, t->test[i], NULL);

        c->outer[i] = (pm_spread){center + point, center + lo, center + hi};
    }
}

/* units may be NULL: there is no such candidate. */
static void add(pm_memory *memory, const pm_training *t, const pm_units *units, const char *letter,
                pm_candidates *list)
{
    const pm_units_rows rows = {t->n, t->groups, t->row, t->start, t->group, t->z};
    double all[PM_UNITS_PARAMETERS];
    workspace w = {.t = t, .units = units};

    if (!units)
        return;
    w.unseen = pm_take(memory, t->n, sizeof *w.unseen);
    w.residual = pm_take(memory, t->n, sizeof *w.residual);
    w.reciprocal = pm_take(memory, t->n, sizeof *w.reciprocal);
    memcpy(all, units->prior, sizeof all);
    pm_require(memory, pm_units_fit(units, &rows, t->groups, all, memory->err));
    predict_unseen(memory, &w, &rows, all);
    sort_residuals(&w);
    fill(&w, all, pm_candidates_add(memory, list, t, "u", letter));
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
