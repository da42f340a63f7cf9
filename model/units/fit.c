/* Fits the parameters of the units model (times of a GPU's functional units) by nonlinear least
 * squares. See units.h.
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
#include "model/units/normal.h"
#include "model/units/units.h"

enum { MOST_STEPS = 50, ROUNDS = 5, ROUNDS_BESIDE = 2 };
/* Least change of a row's weight (its square root) for which another round of the robust fit is
 * done. */
static const double SETTLED = .02;
static const double TOLERANCE = 1e-6, TOLERANCE_OF_ROUND = 1e-4;

/* Weighted residuals of the training rows for the parameters `at`, and their derivatives by the
 * parameters. filled: true if they were computed. */
typedef struct {
    bool filled;
    double at[PM_UNITS_PARAMETERS];
    double *residual; /* residual[row]: residual of the row */
    /* derivatives of the residuals by the parameters: a matrix with a row for each training row and
     * a column for each parameter */
    double *slope;
} sheet;

typedef struct {
    const pm_units *units;
    const pm_units_rows *rows;
    size_t left_out;
    size_t n; /* number of rows outside of the fold left_out */
    /* The members below cache the residuals and derivatives of the most recent vector of
     * parameters, because computing powers and logarithms takes most of the time. The cache is hit
     * twice: the solver asks for the residuals first and later for the derivatives of the same
     * vector; and the fits of the cross-validation, of which each leaves out a different fold,
     * start at the same vector. */
    /* residuals and derivatives of all rows at the start values; valid if start.filled is true */
    sheet start;
    /* residuals and derivatives of the rows outside of the fold left_out, at the parameters that
     * the solver is trying */
    sheet now;
    double *holds; /* holds[row]: square root of the row's robust weight, at most 1 */
} fit;

static bool takes_part(const fit *s, size_t group)
{
    return pm_units_fold(s->rows, group) != s->left_out;
}

static size_t rows_of(const fit *s, size_t group)
{
    return s->rows->start[group + 1] - s->rows->start[group];
}

static bool make_sheet(const fit *s, sheet *found)
{
    found->residual = calloc(s->rows->n + 1, sizeof *found->residual);
    found->slope = calloc(s->rows->n * s->units->parameters + 1, sizeof *found->slope);
    return found->residual && found->slope;
}

static bool make_holds(fit *s)
{
    s->holds = calloc(s->rows->n + 1, sizeof *s->holds);
    return s->holds != NULL;
}

static void free_sheet(sheet *found)
{
    free(found->residual);
    free(found->slope);
}

static void fill_group(const fit *s, const pm_units_values *v, size_t group, sheet *found)
{
    const size_t p = s->units->parameters, *start = s->rows->start + group;
    const double weight = 1 / (PM_UNITS_PROGRAM_SPREAD * sqrt((double)rows_of(s, group)));

    for (size_t i = start[0]; i < start[1]; i++) {
        double *slope = found->slope + i * p;
        double log_time = pm_units_log_time_by(s->units, v, s->rows->row[i], slope);

        found->residual[i] = weight * (log_time - s->rows->log_time[i]);
        for (size_t k = 0; k < p; k++)
            slope[k] *= weight;
    }
}

static void fill_sheet(const fit *s, const double *x, sheet *found)
{
    const pm_units_values v = pm_units_values_of(s->units, x);

    found->filled = true;
    memcpy(found->at, x, s->units->parameters * sizeof *x);
    for (size_t g = 0; g < s->rows->groups; g++)
        if (takes_part(s, g))
            fill_group(s, &v, g, found);
}

static bool is_at(const fit *s, const sheet *found, const double *x)
{
    return found->filled && memcmp(found->at, x, s->units->parameters * sizeof *x) == 0;
}

static const sheet *find_sheet(fit *s, const double *x)
{
    if (is_at(s, &s->start, x))
        return &s->start;
    if (!is_at(s, &s->now, x))
        fill_sheet(s, x, &s->now);
    return &s->now;
}

/* Callback of GSL: computes the weighted residuals of the rows into f, followed by the differences
 * of the parameters from their priors. */
static int residuals(const gsl_vector *x, void *data, gsl_vector *f)
{
    fit *s = data;
    const pm_units *u = s->units;
    const sheet *found;
    size_t place = 0;

    if (pm_cancelled(&u->cancel))
        return GSL_EBADFUNC; /* GSL ends the iterations */
    found = find_sheet(s, x->data);
    for (size_t i = 0; i < s->rows->n; i++) {
        if (!takes_part(s, s->rows->group[i]))
            continue;
        if (!isfinite(found->residual[i]))
            return GSL_EDOM;
        gsl_vector_set(f, place++, s->holds[i] * found->residual[i]);
    }
    for (size_t k = 0; k < u->parameters; k++)
        gsl_vector_set(f, place + k, (gsl_vector_get(x, k) - u->prior[k]) / u->spread[k]);
    return GSL_SUCCESS;
}

static int slopes(const gsl_vector *x, void *data, gsl_matrix *j)
{
    fit *s = data;
    const pm_units *u = s->units;
    const sheet *found = find_sheet(s, x->data);
    size_t place = 0;

    gsl_matrix_set_zero(j);
    for (size_t i = 0; i < s->rows->n; i++) {
        const double *slope = found->slope + i * u->parameters;
        double *to;

        if (!takes_part(s, s->rows->group[i]))
            continue;
        to = gsl_matrix_ptr(j, place++, 0);
        for (size_t k = 0; k < u->parameters; k++)
            to[k] = s->holds[i] * slope[k];
    }
    for (size_t k = 0; k < u->parameters; k++)
        gsl_matrix_set(j, place + k, k, 1 / u->spread[k]);
    return GSL_SUCCESS;
}

static pm_status out_of_memory(const fit *s, pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for fitting %zu rows", s->n);
}

static pm_status solve(fit *s, double *parameters, pm_error *err)
{
    const size_t p = s->units->parameters;
    gsl_multifit_nlinear_parameters options = gsl_multifit_nlinear_default_parameters();
    gsl_multifit_nlinear_fdf functions = {
        .f = residuals, .df = slopes, .n = s->n + p, .p = p, .params = s};
    gsl_vector_view start = gsl_vector_view_array(parameters, p);
    const double tolerance = s->rows->robust ? TOLERANCE_OF_ROUND : TOLERANCE;
    gsl_multifit_nlinear_workspace *w;
    bool fitted;
    int info;

    /* This solver of the normal equations is accurate enough, because the priors keep the equations
     * well conditioned. */
    options.solver = &pm_normal_solver;
    pm_gsl_begin();
    w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &options, functions.n, p);
    fitted = w && gsl_multifit_nlinear_init(&start.vector, &functions, w) == GSL_SUCCESS;
    if (fitted) /* the parameters are used even if the solver has not converged to the tolerance */
        gsl_multifit_nlinear_driver(MOST_STEPS, tolerance, tolerance, tolerance, NULL, NULL, &info,
                                    w);
    fitted = fitted && isfinite(gsl_blas_dnrm2(gsl_multifit_nlinear_residual(w)));
    for (size_t k = 0; fitted && k < p; k++)
        parameters[k] = gsl_vector_get(gsl_multifit_nlinear_position(w), k);
    gsl_multifit_nlinear_free(w);
    pm_gsl_end();
    if (!w)
        return out_of_memory(s, err);
    if (pm_cancelled(&s->units->cancel))
        return pm_fail(err, PM_FAILED, "interrupted");
    return fitted ? PM_OK
                  : pm_fail(err, PM_FAILED,
                            "no rates of units explain the %zu rows: are their "
                            "counters right?",
                            s->n);
}

/* Computes the square root of each row's robust weight from its residual, Cauchy's 1 / (1 + r^2)
 * (Holland and Welsch, Commun. Stat. A 6, 1977). Returns the largest change. */
static double weigh(fit *s, const double *parameters)
{
    const sheet *found = find_sheet(s, parameters);
    double most = 0;

    for (size_t i = 0; i < s->rows->n; i++) {
        const size_t group = s->rows->group[i];
        double off, hold;

        if (!takes_part(s, group))
            continue;
        off = found->residual[i] * sqrt((double)rows_of(s, group));
        hold = 1 / sqrt(1 + off * off);
        most = fmax(most, fabs(hold - s->holds[i]));
        s->holds[i] = hold;
    }
    return most;
}

/* Fits the parameters and computes new robust weights in turn until the weights hardly change. If
 * `beside` is true, fewer rounds are needed, because the start values are the result of a fit to
 * nearly the same rows. */
static pm_status solve_in_rounds(fit *s, double *parameters, bool beside, pm_error *err)
{
    const unsigned rounds = !s->rows->robust ? 1 : beside ? ROUNDS_BESIDE : ROUNDS;
    pm_status status = PM_OK;

    for (size_t i = 0; i < s->rows->n; i++)
        s->holds[i] = 1;
    if (beside && s->rows->robust)
        weigh(s, parameters);
    for (unsigned round = 0; status == PM_OK && round < rounds; round++) {
        status = solve(s, parameters, err);
        if (status == PM_OK && round + 1 < rounds && weigh(s, parameters) < SETTLED)
            break;
    }
    return status;
}

static void leave_out(fit *s, size_t fold)
{
    s->left_out = fold;
    s->now.filled = false;
    s->n = 0;
    for (size_t g = 0; g < s->rows->groups; g++)
        s->n += takes_part(s, g) ? rows_of(s, g) : 0;
}

pm_status pm_units_fit(const pm_units *units, const pm_units_rows *rows, size_t left_out,
                       double *parameters, pm_error *err)
{
    fit s = {.units = units, .rows = rows};
    pm_status status;

    leave_out(&s, left_out);
    status = make_sheet(&s, &s.now) && make_holds(&s) ? solve_in_rounds(&s, parameters, false, err)
                                                      : out_of_memory(&s, err);
    free_sheet(&s.now);
    free(s.holds);
    return status;
}

pm_status pm_units_fit_folds(const pm_units *units, const pm_units_rows *rows, const double *start,
                             double *sets, pm_error *err)
{
    const size_t folds = pm_units_folds(rows);
    fit s = {.units = units, .rows = rows, .left_out = folds, .n = rows->n};
    pm_status status = make_sheet(&s, &s.start) && make_sheet(&s, &s.now) && make_holds(&s)
                           ? PM_OK
                           : out_of_memory(&s, err);

    if (status == PM_OK)
        fill_sheet(&s, start, &s.start);
    for (size_t f = 0; status == PM_OK && f < folds; f++) {
        double *parameters = sets + f * PM_UNITS_PARAMETERS;

        memcpy(parameters, start, units->parameters * sizeof *start);
        leave_out(&s, f);
        if (s.n < rows->n)
            status = solve_in_rounds(&s, parameters, true, err);
    }
    free_sheet(&s.start);
    free_sheet(&s.now);
    free(s.holds);
    return status;
}

/* ---- ratio of the times on two GPUs -------------------------------------------------------- */

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

    /* The ratio of the times on two GPUs needs the work on both. The counters of a GPU do not
     * describe the work of a CPU, nor the other way round, so the source must be of the same kind
     * as the target. */
    if (t->problem->source_profile.loops == t->problem->profile.loops)
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
