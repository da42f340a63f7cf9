/* Fits the parameters of the units model by nonlinear least squares. See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "units.h"

enum { MOST_STEPS = 50 };
static const double TOLERANCE = 1e-6;

typedef struct {
    const pm_units *units;
    const pm_units_rows *rows;
    size_t left_out;
    size_t n; /* rows that take part */
} fit;

/* Training rows of one program stand together: those that take part are the rows before and behind
 * the one left out. */
static size_t next_row(const fit *s, size_t i)
{
    return s->left_out < s->rows->groups && i == s->rows->start[s->left_out]
               ? s->rows->start[s->left_out + 1]
               : i;
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
    size_t place = 0;

    for (size_t i = next_row(s, 0); i < s->rows->n; i = next_row(s, i + 1)) {
        double r = pm_units_log_time(u, x->data, s->rows->row[i], NULL) - s->rows->log_time[i];

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
    size_t place = 0;

    gsl_matrix_set_zero(j);
    for (size_t i = next_row(s, 0); i < s->rows->n; i = next_row(s, i + 1), place++) {
        double slope[PM_UNITS_PARAMETERS];

        pm_units_log_time(u, x->data, s->rows->row[i], slope);
        for (size_t k = 0; k < u->parameters; k++)
            gsl_matrix_set(j, place, k, weight(s, i) * slope[k]);
    }
    for (size_t k = 0; k < u->parameters; k++)
        gsl_matrix_set(j, place + k, k, 1 / u->spread[k]);
    return GSL_SUCCESS;
}

pm_status pm_units_fit(const pm_units *units, const pm_units_rows *rows, size_t left_out,
                       double *parameters, pm_error *err)
{
    fit s = {units, rows, left_out, rows->n};
    gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf functions = {
        .f = residuals, .df = slopes, .p = units->parameters, .params = &s};
    gsl_vector_view start = gsl_vector_view_array(parameters, units->parameters);
    gsl_multifit_nlinear_workspace *w;
    int info;

    if (left_out < rows->groups)
        s.n -= rows->start[left_out + 1] - rows->start[left_out];
    functions.n = s.n + units->parameters;
    /* The normal equations are well enough conditioned: the priors see to it. */
    options.solver = gsl_multifit_nlinear_solver_cholesky;
    w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, functions.n, functions.p);
    if (!w)
        return pm_fail(err, PM_FAILED, "out of memory for fitting %zu rows", s.n);
    if (gsl_multifit_nlinear_init(&start.vector, &functions, w) == GSL_SUCCESS) {
        gsl_multifit_nlinear_driver(MOST_STEPS, TOLERANCE, TOLERANCE, TOLERANCE, NULL, NULL, &info,
                                    w);
        for (size_t k = 0; k < units->parameters; k++)
            parameters[k] = gsl_vector_get(gsl_multifit_nlinear_position(w), k);
    }
    gsl_multifit_nlinear_free(w);
    return PM_OK;
}

/* ---- from one GPU to another --------------------------------------------------------------- */

static pm_status ratio_of(const pm_units *from, const pm_units *to, const pm_training *t,
                          double *train, double *test, pm_error *err)
{
    double parameters[PM_UNITS_PARAMETERS];
    double *log_time = calloc(t->n, sizeof *log_time);
    const pm_units_rows rows = {t->n, t->groups, t->row, t->start, t->group, log_time};
    pm_status status;

    if (!log_time)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", t->n);
    for (size_t i = 0; i < t->n; i++)
        log_time[i] = log(t->problem->source_t[t->row[i]]);
    memcpy(parameters, from->prior, sizeof parameters);
    status = pm_units_fit(from, &rows, t->groups, parameters, err);
    free(log_time);
    for (size_t i = 0; status == PM_OK && i < t->n; i++)
        train[i] = pm_units_log_time(to, parameters, t->row[i], NULL) -
                   pm_units_log_time(from, parameters, t->row[i], NULL);
    for (size_t i = 0; status == PM_OK && i < t->m; i++)
        test[i] = pm_units_log_time(to, parameters, t->test[i], NULL) -
                  pm_units_log_time(from, parameters, t->test[i], NULL);
    return status;
}

pm_status pm_units_ratio(const pm_training *t, double *train, double *test, pm_error *err)
{
    pm_units *from = NULL, *to = NULL;
    pm_status status = pm_units_of_code(t->problem, &t->problem->source_profile, false, &from, err);

    memset(train, 0, t->n * sizeof *train);
    memset(test, 0, t->m * sizeof *test);
    if (status == PM_OK && from)
        status = pm_units_of_code(t->problem, &t->problem->profile, false, &to, err);
    if (status == PM_OK && from && to)
        status = ratio_of(from, to, t, train, test, err);
    pm_units_free(from);
    pm_units_free(to);
    return status;
}
