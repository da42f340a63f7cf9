/* Fits the parameters of the units model by nonlinear least squares. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "model/units/units.h"

enum { MOST_STEPS = 50 };
static const double TOLERANCE = 1e-6;

typedef struct {
    const pm_units *units;
    const pm_units_rows *rows;
    size_t left_out;
    size_t n; /* rows that take part */
} fit;

static bool takes_part(const fit *s, size_t i)
{
    return pm_units_fold(s->rows, s->rows->group[i]) != s->left_out;
}

static double weight(const fit *s, size_t i)
{
    size_t g = s->rows->group[i];

    return 1 /
           (PM_UNITS_PROGRAM_SPREAD * sqrt((double)(s->rows->start[g + 1] - s->rows->start[g])));
}

/* Residuals: of the rows, weighted, then of the parameters against their priors. */
static int residuals(const gsl_vector *x, void *data, gsl_vector *f)
{
    const fit *s = data;
    const pm_units *u = s->units;
    const pm_units_values v = pm_units_values_of(u, x->data);
    size_t place = 0;

    for (size_t i = 0; i < s->rows->n; i++) {
        double r;

        if (!takes_part(s, i))
            continue;
        r = pm_units_log_time_by(u, &v, s->rows->row[i], NULL) - s->rows->log_time[i];

        if (!isfinite(r))
            return GSL_EDOM;
        gsl_vector_set(f, place++, weight(s, i) * r);
    }
    for (size_t k = 0; k < u->parameters; k++)
        gsl_vector_set(f, place + k, (gsl_vector_get(x, k) - u->prior[k]) / u->spread[k]);
    return GSL_SUCCESS;
}

static int slopes(const gsl_vector *x, void *data, gsl_matrix *j)
{
    const fit *s = data;
    const pm_units *u = s->units;
    const pm_units_values v = pm_units_values_of(u, x->data);
    size_t place = 0;

    gsl_matrix_set_zero(j);
    for (size_t i = 0; i < s->rows->n; i++) {
        double slope[PM_UNITS_PARAMETERS];

        if (!takes_part(s, i))
            continue;
        pm_units_log_time_by(u, &v, s->rows->row[i], slope);
        for (size_t k = 0; k < u->parameters; k++)
            gsl_matrix_set(j, place, k, weight(s, i) * slope[k]);
        place++;
    }
    for (size_t k = 0; k < u->parameters; k++)
        gsl_matrix_set(j, place + k, k, 1 / u->spread[k]);
    return GSL_SUCCESS;
}

pm_status pm_units_fit(const pm_units *units, const pm_units_rows *rows, size_t left_out,
                       double *parameters, pm_error *err)
{
    fit s = {units, rows, left_out, 0};
    gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf functions = {
        .f = residuals, .df = slopes, .p = units->parameters, .params = &s};
    gsl_vector_view start = gsl_vector_view_array(parameters, units->parameters);
    gsl_multifit_nlinear_workspace *w;
    bool fitted;
    int info;

    for (size_t i = 0; i < rows->n; i++)
        s.n += takes_part(&s, i);
    functions.n = s.n + units->parameters;
    /* The normal equations are well enough conditioned: the priors see to it. */
    options.solver = gsl_multifit_nlinear_solver_cholesky;
    pm_gsl_begin();
    w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, functions.n, functions.p);
    fitted = w && gsl_multifit_nlinear_init(&start.vector, &functions, w) == GSL_SUCCESS;
    if (fitted) /* where it stops short of the tolerance, it stands well enough */
        gsl_multifit_nlinear_driver(MOST_STEPS, TOLERANCE, TOLERANCE, TOLERANCE, NULL, NULL, &info,
                                    w);
    fitted = fitted && isfinite(gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w)));
    for (size_t k = 0; fitted && k < units->parameters; k++)
        parameters[k] = gsl_vector_get(gsl_multifit_nlinear_position(w), k);
    gsl_multifit_nlinear_free(w);
    pm_gsl_end();
    if (!w)
        return pm_fail(err, PM_FAILED, "out of memory for fitting %zu rows", s.n);
    return fitted ? PM_OK
                  : pm_fail(err, PM_FAILED,
                            "no rates of units explain the %zu rows: are their "
                            "counters right?",
                            s.n);
}

/* ---- from one GPU to another --------------------------------------------------------------- */

struct pm_units_ratio {
    const pm_units *from, *to;
    double parameters[PM_UNITS_PARAMETERS];
};

const pm_units_ratio *pm_units_ratio_fit(pm_memory *memory, const pm_training *t)
{
    pm_units_ratio *ratio = pm_take(memory, 1, sizeof *ratio);
    double *log_time = pm_take(memory, t->n, sizeof *log_time);
    const pm_units_rows rows = {.n = t->n,
                                .groups = t->groups,
                                .row = t->row,
                                .start = t->start,
                                .group = t->group,
                                .log_time = log_time};

    ratio->from = pm_units_of_code(memory, t->problem, &t->problem->source_profile, false);
    if (ratio->from)
        ratio->to = pm_units_of_code(memory, t->problem, &t->problem->profile, false);
    if (!ratio->to)
        return ratio;
    for (size_t i = 0; i < t->n; i++)
        log_time[i] = log(t->problem->source_t[t->row[i]]);
    memcpy(ratio->parameters, ratio->from->prior, sizeof ratio->parameters);
    pm_require(memory, pm_units_fit(ratio->from, &rows, t->groups, ratio->parameters, memory->err));
    return ratio;
}

double pm_units_log_ratio(const pm_units_ratio *ratio, size_t row)
{
    return ratio->to ? pm_units_log_time(ratio->to, ratio->parameters, row, NULL) -
                           pm_units_log_time(ratio->from, ratio->parameters, row, NULL)
                     : 0;
}
