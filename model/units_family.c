/* The units model as candidates of a blend: un, from code counters on a GPU with a profile, uw,
 * from what warps wait for, and uc, from active cycles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "units.h"

typedef struct {
    const pm_training *t;
    const pm_units *units;
    double *unseen; /* n: log time of a training row by the fit without its program */
    double *residual, *reciprocal; /* n, sorted */
} workspace;

static pm_status allocate(workspace *w, const pm_training *t, const pm_units *units, pm_error *err)
{
    *w = (workspace){.t = t,
                     .units = units,
                     .unseen = calloc(t->n, sizeof(double)),
                     .residual = calloc(t->n, sizeof(double)),
                     .reciprocal = calloc(t->n, sizeof(double))};
    if (!w->unseen || !w->residual || !w->reciprocal)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", t->n);
    return PM_OK;
}

static void release(workspace *w)
{
    free(w->unseen);
    free(w->residual);
    free(w->reciprocal);
}

/* The training rows without their programs: each fit starts where that of all programs ended. */
static pm_status predict_unseen(workspace *w, const double *all, pm_error *err)
{
    const pm_training *t = w->t;
    const pm_units_rows rows = {t->n, t->groups, t->row, t->start, t->group, t->z};

    for (size_t g = 0; g < t->groups; g++) {
        double parameters[PM_UNITS_PARAMETERS];

        memcpy(parameters, all, sizeof parameters);
        if (pm_units_fit(w->units, &rows, g, parameters, err) != PM_OK)
            return PM_FAILED;
        for (size_t i = t->start[g]; i < t->start[g + 1]; i++)
            w->unseen[i] = pm_units_log_time(w->units, parameters, t->row[i], NULL);
    }
    return PM_OK;
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
    pm_place place = pm_quantile_place(NULL, w->t->n, q);

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

static pm_status add(const pm_training *t, const pm_units *units, const char *letter,
                     pm_candidates *list, pm_error *err)
{
    const pm_units_rows rows = {t->n, t->groups, t->row, t->start, t->group, t->z};
    workspace w;
    double all[PM_UNITS_PARAMETERS];
    pm_candidate *c = pm_candidates_add(list, t, "u", letter, err);
    pm_status status = allocate(&w, t, units, err);

    if (!c)
        status = PM_FAILED;
    memcpy(all, units->prior, sizeof all);
    if (status == PM_OK)
        status = pm_units_fit(units, &rows, t->groups, all, err);
    if (status == PM_OK)
        status = predict_unseen(&w, all, err);
    if (status == PM_OK) {
        sort_residuals(&w);
        fill(&w, all, c);
    }
    release(&w);
    return status;
}

pm_status pm_units_family(const pm_training *t, pm_candidates *list, pm_error *err)
{
    pm_units *units;
    pm_status status;

    /* Counters of another GPU say what the code does there: the profile is that GPU's, and its own
     * time is the better guide. */
    if (t->problem->source_t)
        return PM_OK;
    status = pm_units_of_code(t->problem, &t->problem->profile, false, &units, err);
    if (status == PM_OK && units)
        status = add(t, units, "n", list, err);
    pm_units_free(units);
    if (status != PM_OK)
        return status;
    status = pm_units_of_cycles(t->problem, t->row, t->n, &units, err);
    if (status == PM_OK && units)
        status = add(t, units, "c", list, err);
    pm_units_free(units);
    return status;
}

static pm_status add_waits(const pm_training *t, bool sum, pm_candidates *list, pm_error *err)
{
    pm_units *units;
    pm_status status = pm_units_of_code(t->problem, &t->problem->profile, true, &units, err);

    if (status == PM_OK && units && sum)
        pm_units_take_turns(units);
    if (status == PM_OK && units)
        status = add(t, units, sum ? "s" : "w", list, err);
    pm_units_free(units);
    return status;
}

pm_status pm_waits_family(const pm_training *t, pm_candidates *list, pm_error *err)
{
    return add_waits(t, false, list, err);
}

pm_status pm_sum_family(const pm_training *t, pm_candidates *list, pm_error *err)
{
    return add_waits(t, true, list, err);
}
