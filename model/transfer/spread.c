/* What a carried model gets wrong of programs that it has not seen. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For a program that is left out the other programs' residuals are made anew, by fits that have
 * seen neither: those of the model that has seen it would tell of its times.
 */
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/transfer/parts.h"

enum { P = PM_UNITS_PARAMETERS };

/* Residuals of n rows, which get sorted; room: n more. */
static pm_spread spread_of(double *residual, size_t n, double *room)
{
    pm_spread spread;
    pm_between_samples place;

    gsl_sort(residual, 1, n);
    for (size_t i = 0; i < n; i++)
        room[i] = exp(residual[0] - residual[i]);
    spread.point = residual[pm_tilt(NULL, room, n)];
    place = pm_quantile_place(NULL, n, 0.05);
    spread.lo = fmin(pm_place_between(place, residual[place.below], residual[place.above]), 0);
    place = pm_quantile_place(NULL, n, 0.95);
    spread.hi = fmax(pm_place_between(place, residual[place.below], residual[place.above]), 0);
    return spread;
}

/* The rows of all groups but one; freed with free_subset, also where making it failed. */
typedef struct {
    size_t *row, *start, *group;
    double *log_time;
    pm_units_rows view;
} subset;

static void free_subset(subset *s)
{
    free(s->row);
    free(s->start);
    free(s->group);
    free(s->log_time);
}

static pm_status make_subset(const pm_transfer_rows *rows, size_t left_out, subset *s,
                             pm_error *err)
{
    size_t n = 0, groups = 0;

    *s = (subset){.row = calloc(rows->n, sizeof *s->row),
                  .start = calloc(rows->groups + 1, sizeof *s->start),
                  .group = calloc(rows->n, sizeof *s->group),
                  .log_time = calloc(rows->n, sizeof *s->log_time)};
    if (!s->row || !s->start || !s->group || !s->log_time)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", rows->n);
    for (size_t g = 0; g < rows->groups; g++) {
        if (g == left_out)
            continue;
        for (size_t i = rows->start[g]; i < rows->start[g + 1]; i++, n++) {
            s->row[n] = rows->row[i];
            s->group[n] = groups;
            s->log_time[n] = rows->log_time[i];
        }
        s->start[++groups] = n;
    }
    s->view = (pm_units_rows){n, groups, s->row, s->start, s->group, s->log_time};
    return PM_OK;
}

/* By fits without each of the rest's groups in turn, which start from the one without left_out. */
static pm_status find_residuals(const pm_transfer *carry, const pm_units_rows *rest,
                                size_t left_out, double *residual, pm_error *err)
{
    const pm_transfer_rows *rows = &carry->rows;
    const bool all = left_out == rows->groups;
    pm_status status = PM_OK;

    for (size_t g = 0; status == PM_OK && g < rest->groups; g++) {
        double parameters[P];

        memcpy(parameters, carry->fitted + (all ? g : left_out) * P, sizeof parameters);
        if (!all)
            status = pm_units_fit(rows->units, rest, g, parameters, err);
        for (size_t i = rest->start[g]; i < rest->start[g + 1]; i++)
            residual[i] =
                rest->log_time[i] - pm_units_log_time(rows->units, parameters, rest->row[i], NULL);
    }
    return status;
}

pm_status pm_transfer_spread(const pm_transfer *carry, size_t left_out, pm_spread *spread,
                             pm_error *err)
{
    const size_t n = carry->rows.n;
    double *residual = calloc(n, sizeof *residual), *room = calloc(n, sizeof *room);
    subset rest;
    pm_status status = make_subset(&carry->rows, left_out, &rest, err);

    if (status == PM_OK && (!residual || !room))
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    if (status == PM_OK)
        status = find_residuals(carry, &rest.view, left_out, residual, err);
    if (status == PM_OK)
        *spread = spread_of(residual, rest.view.n, room);
    free_subset(&rest);
    free(residual);
    free(room);
    return status;
}
