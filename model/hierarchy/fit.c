/* Fits one model of kernel times to the measured times on many GPUs at once, with parameters of
 * each GPU. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The method is Gauss-Newton with robust weights (iteratively reweighted least squares). Each round
 * linearizes the model at the last parameters and solves the linear least-squares problem for all
 * unknowns. Each program has one random effect here. It is eliminated first (Schur complement),
 * because nothing else couples programs. After that, the prior standard deviations are estimated.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "model/hierarchy/parts.h"

enum { P = PM_UNITS_PARAMETERS, ROUNDS = 8, ROUNDS_BEFORE_WIDTHS = 2, ROUNDS_BEFORE_SHARES = 4 };

/* The prior standard deviations of the parameters are estimated from the GPUs and from start values
 * (pm_units_apart). A start value counts as much as this number of GPUs. */
static const double HELD_BY = 4;
/* Standard deviations of the two components of a program's random effect on log time: ON_ALL for
 * the component that is equal on all GPUs, ON_ONE for the component of a single GPU. The sum of
 * their squares is PM_UNITS_PROGRAM_SPREAD squared. */
static const double ON_ALL = .12, ON_ONE = .12;
/* Scale of Cauchy's robust weight of a row with the residual r, 1 / (1 + (r / (FAR ON_ONE))^2), in
 * multiples of ON_ONE. */
static const double FAR = 1.5;
/* Largest change of a parameter (a logarithm) in a round. */
static const double MOST_STEP = .7;
static const double SETTLED = .005;

typedef struct {
    pm_hierarchy *h;
    pm_memory memory; /* for the fit only */
    /* matrix with a row per program and a column per GPU: number of training rows (measured run
     * times) of the program on the GPU */
    double *cell;
    double *hold;   /* hold[row]: square root of the row's robust weight */
    double *offset; /* offset[program]: random effect of the program */
    /* gpus x gpus matrix: inverse of R, the correlation of the GPUs' parameters */
    gsl_matrix *common;
    /* The members below are used in one round of the fit. */
    /* size x size matrix of the normal equations; after the round, their inverse */
    gsl_matrix *normal;
    gsl_vector *right;
    /* programs x size matrix: row p is Z_p, the weighted sum of the Jacobian's rows of program p */
    double *with;
    /* weight[program]: precision (1 / variance) of the program's random effect: the precision of
     * its prior plus the robust weights of the program's rows */
    double *weight;
    double *pull;
} fit;

static void relate(fit *f)
{
    double log_determinant;

    if (!pm_prior_relate(f->h->rows, &f->h->relation, f->common, &log_determinant))
        pm_leave(&f->memory, PM_FAILED, "the GPUs cannot be told apart: is a year absurd?");
}

static void start(fit *f)
{
    pm_hierarchy *h = f->h;
    const pm_hierarchy_rows *rows = h->rows;

    h->size = (rows->gpus + 1) * P;
    h->parameters = pm_take(&h->memory, h->size, sizeof *h->parameters);
    h->residual = pm_take(&h->memory, rows->n, sizeof *h->residual);
    memcpy(h->width, pm_units_apart, sizeof pm_units_apart);
    for (size_t i = 0; i < h->size; i++)
        h->parameters[i] = rows->units->prior[i % P];
    f->cell = pm_take(&f->memory, rows->programs * rows->gpus, sizeof *f->cell);
    f->hold = pm_take(&f->memory, rows->n, sizeof *f->hold);
    f->offset = pm_take(&f->memory, rows->programs, sizeof *f->offset);
    for (size_t i = 0; i < rows->n; i++) {
        f->hold[i] = 1;
        f->cell[rows->of[i].program * rows->gpus + rows->of[i].gpu] += h->seen[i];
    }
    f->normal = pm_take_matrix(&f->memory, h->size, h->size);
    f->right = pm_take_vector(&f->memory, h->size);
    f->with = pm_take(&f->memory, rows->programs * h->size, sizeof *f->with);
    f->weight = pm_take(&f->memory, rows->programs, sizeof *f->weight);
    f->pull = pm_take(&f->memory, rows->programs, sizeof *f->pull);
    f->common = pm_take_matrix(&f->memory, rows->gpus, rows->gpus);
    pm_prior_start(h);
    relate(f);
}

/* ---- the equations -------------------------------------------------------------------------- */

static double weight_of(const fit *f, size_t row)
{
    const pm_hierarchy_row *of = &f->h->rows->of[row];
    const double cell = f->cell[of->program * f->h->rows->gpus + of->gpu];

    return f->hold[row] * f->hold[row] / (ON_ONE * ON_ONE * cell);
}

static void add_row(fit *f, size_t row, const pm_units_values *values)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    const size_t first = rows->of[row].gpu * P, program = rows->of[row].program;
    const double weight = weight_of(f, row);
    double *with = f->with + program * f->h->size + first;
    double slope[P], right;

    right =
        rows->log_time[row] - pm_units_log_time_by(rows->units, values, rows->place[row], slope);
    for (size_t k = 0; k < P; k++)
        right += slope[k] * f->h->parameters[first + k];
    for (size_t a = 0; a < P; a++) {
        double *to = gsl_matrix_ptr(f->normal, first + a, first);

        for (size_t b = 0; b < P; b++)
            to[b] += weight * slope[a] * slope[b];
        *gsl_vector_ptr(f->right, first + a) += weight * slope[a] * right;
        with[a] += weight * slope[a];
    }
    f->weight[program] += weight;
    f->pull[program] += weight * right;
}

/* Eliminates the random effect of a program from the normal equations of the parameters. */
static void eliminate(fit *f, size_t program)
{
    const size_t size = f->h->size, gpus = f->h->rows->gpus;
    const double *with = f->with + program * size, *cell = f->cell + program * gpus;
    const double share = 1 / f->weight[program];

    for (size_t g = 0; g < gpus; g++) {
        if (cell[g] == 0)
            continue;
        for (size_t a = g * P; a < (g + 1) * P; a++) {
            double *to = gsl_matrix_ptr(f->normal, a, 0);

            for (size_t k = 0; k < gpus; k++)
                for (size_t b = k * P; cell[k] > 0 && b < (k + 1) * P; b++)
                    to[b] -= with[a] * share * with[b];
            *gsl_vector_ptr(f->right, a) -= with[a] * share * f->pull[program];
        }
    }
}

static void add_prior(fit *f)
{
    const pm_units *units = f->h->rows->units;
    const size_t all = f->h->rows->gpus * P;

    pm_prior_add(f->h, f->common, f->normal);
    for (size_t k = 0; k < P; k++)
        *gsl_vector_ptr(f->right, all + k) +=
            units->prior[k] / (units->spread[k] * units->spread[k]);
}

static void assemble(fit *f)
{
    const pm_hierarchy_rows *rows = f->h->rows;
    pm_units_values *values = pm_take(&f->memory, rows->gpus, sizeof *values);

    for (size_t g = 0; g < rows->gpus; g++)
        values[g] = pm_units_values_of(rows->units, f->h->parameters + g * P);
    gsl_matrix_set_zero(f->normal);
    gsl_vector_set_zero(f->right);
    memset(f->with, 0, rows->programs * f->h->size * sizeof *f->with);
    for (size_t p = 0; p < rows->programs; p++) {
        f->weight[p] = 1 / (ON_ALL * ON_ALL);
        f->pull[p] = 0;
    }
    for (size_t i = 0; i < rows->n; i++)
        if (f->h->seen[i]) {
            pm_go_on(&f->memory);
            add_row(f, i, &values[rows->of[i].gpu]);
        }
    for (size_t p = 0; p < rows->programs; p++) {
        pm_go_on(&f->memory);
        eliminate(f, p);
    }
}

/* ---- a round -------------------------------------------------------------------------------- */

static double move(fit *f)
{
    pm_hierarchy *h = f->h;
    gsl_vector *found = pm_take_vector(&f->memory, h->size);
    double most = 0;

    if (gsl_linalg_cholesky_decomp1(f->normal) != GSL_SUCCESS ||
        gsl_linalg_cholesky_solve(f->normal, f->right, found) != GSL_SUCCESS)
        pm_leave(&f->memory, PM_FAILED,
                 "no rates of units explain the %zu rows: are their counters right?", h->n);
    for (size_t i = 0; i < h->size; i++) {
        const double step = gsl_vector_get(found, i) - h->parameters[i];

        if (!isfinite(step))
            pm_leave(&f->memory, PM_FAILED,
                     "no rates of units explain the %zu rows: are their counters right?", h->n);
        most = fmax(most, fabs(step));
        h->parameters[i] += fmin(fmax(step, -MOST_STEP), MOST_STEP);
    }
    for (size_t p = 0; p < h->rows->programs; p++) {
        double sum = f->pull[p];

        for (size_t i = 0; i < h->size; i++)
            sum -= f->with[p * h->size + i] * h->parameters[i];
        f->offset[p] = sum / f->weight[p];
    }
    return most;
}

static void find_residuals(fit *f)
{
    pm_hierarchy *h = f->h;
    const pm_hierarchy_rows *rows = h->rows;

    for (size_t i = 0; i < rows->n; i++) {
        const pm_hierarchy_row *of = &rows->of[i];
        double off;

        if (!h->seen[i])
            continue;
        h->residual[i] =
            rows->log_time[i] -
            pm_units_log_time(rows->units, h->parameters + of->gpu * P, rows->place[i], NULL);
        off = (h->residual[i] - f->offset[of->program]) / (FAR * ON_ONE);
        f->hold[i] = 1 / sqrt(1 + off * off);
    }
}

static void find_shapes(fit *f)
{
    pm_hierarchy *h = f->h;
    const pm_hierarchy_rows *rows = h->rows;

    h->shape = pm_take(&h->memory, rows->n, PM_UNITS_SHAPE * sizeof *h->shape);
    for (size_t i = 0; i < rows->n; i++)
        if (h->seen[i]) {
            const pm_units_values v =
                pm_units_values_of(rows->units, h->parameters + rows->of[i].gpu * P);

            pm_units_shape(rows->units, &v, rows->place[i], h->shape + i * PM_UNITS_SHAPE);
        }
}

/* Returns the posterior covariance of the differences theta_k,a - theta_0k and theta_k,b -
 * theta_0k. theta_k,a and theta_k,b are parameter k of the GPUs a and b, and theta_0k is its mean
 * over all GPUs. */
static double open_of(const fit *f, size_t k, size_t a, size_t b)
{
    const size_t all = f->h->rows->gpus * P + k, x = a * P + k, y = b * P + k;

    return gsl_matrix_get(f->normal, x, y) - gsl_matrix_get(f->normal, x, all) -
           gsl_matrix_get(f->normal, all, y) + gsl_matrix_get(f->normal, all, all);
}

/* Estimates the prior standard deviations s_k of the parameters k (MacKay, Neural Comput. 4, 1992).
 * There are G GPUs with the correlation matrix R. d_g = theta_k,g - theta_0k is the difference of
 * GPU g's parameter from the mean. Then
 *
 *     s_k^2 = (HELD_BY apart_k^2 + d' R^-1 d) / (HELD_BY + gamma),
 *     gamma = G - tr(R^-1 Cov(d)) / s_k^2,
 *
 * where gamma is the effective number of GPUs that determine s_k. If it is 0, s_k stays near its
 * start value apart_k (pm_units_apart). */
static void find_widths(fit *f)
{
    pm_hierarchy *h = f->h;
    const size_t gpus = h->rows->gpus;

    for (size_t k = 0; k < P; k++) {
        const double *at = h->parameters, all = at[gpus * P + k];
        double apart_by = 0, open = 0;

        for (size_t a = 0; a < gpus; a++)
            for (size_t b = 0; b < gpus; b++) {
                const double common = gsl_matrix_get(f->common, a, b);

                apart_by += common * (at[a * P + k] - all) * (at[b * P + k] - all);
                open += common * open_of(f, k, a, b);
            }
        open /= h->width[k] * h->width[k];
        h->tell[k] = HELD_BY + fmax((double)gpus - open, 0);
        h->width[k] = sqrt((HELD_BY * pm_units_apart[k] * pm_units_apart[k] + fmax(apart_by, 0)) /
                           h->tell[k]);
    }
}

static void learn(void *user)
{
    fit *f = user;
    double moved = INFINITY;

    f->memory = pm_memory_beside(&f->h->memory);
    start(f);
    for (unsigned round = 0; round < ROUNDS && moved > SETTLED; round++) {
        assemble(f);
        if (round == ROUNDS_BEFORE_SHARES) {
            pm_prior_find_shares(f->h, f->normal, f->right, &f->memory);
            relate(f);
        }
        pm_go_on(&f->memory);
        memcpy(f->h->width_of_fit, f->h->width, sizeof f->h->width);
        add_prior(f);
        moved = move(f);
        find_residuals(f);
        if (round < ROUNDS_BEFORE_SHARES)
            moved = INFINITY;
        pm_go_on(&f->memory);
        if (round < ROUNDS_BEFORE_WIDTHS)
            continue;
        if (gsl_linalg_cholesky_invert(f->normal) != GSL_SUCCESS)
            pm_leave(&f->memory, PM_FAILED, "out of memory for %zu unknowns", f->h->size);
        find_widths(f);
    }
    find_shapes(f);
    pm_kept_find(f->h, &f->memory);
    pm_effect_widths_find(f->h, &f->memory);
    f->h->covariance = pm_take_matrix(&f->h->memory, f->h->size, f->h->size);
    gsl_matrix_memcpy(f->h->covariance, f->normal);
}

/* ---- the fit ------------------------------------------------------------------------------- */

static pm_hierarchy *create(const pm_hierarchy_rows *rows, const bool *seen)
{
    pm_hierarchy *h = calloc(1, sizeof *h);
    bool *copy = h ? pm_try_take(&h->memory, rows->n, sizeof *copy) : NULL;

    if (!copy) {
        free(h);
        return NULL;
    }
    h->rows = rows;
    h->memory.cancel = rows->units->cancel;
    h->store = pm_effect_store_create(&h->memory);
    h->seen = copy;
    for (size_t i = 0; i < rows->n; i++) {
        copy[i] = !seen || seen[i];
        h->n += copy[i];
    }
    return h;
}

pm_status pm_hierarchy_fit(const pm_hierarchy_rows *rows, const bool *seen, pm_hierarchy **out,
                           pm_error *err)
{
    fit f = {.h = create(rows, seen)};
    pm_status status;

    *out = NULL;
    if (!f.h)
        return pm_fail(err, PM_FAILED, "out of memory for fitting %zu rows", rows->n);
    pm_gsl_begin();
    status = pm_attempt(&f.h->memory, learn, &f, err);
    pm_gsl_end();
    pm_memory_free(&f.memory);
    if (status == PM_OK)
        *out = f.h;
    else
        pm_hierarchy_free(f.h);
    return status;
}

void pm_hierarchy_free(pm_hierarchy *h)
{
    if (!h)
        return;
    pm_effect_store_clear(h->store);
    pm_memory_free(&h->memory);
    free(h);
}

const double *pm_hierarchy_parameters(const pm_hierarchy *h, size_t gpu)
{
    return h->parameters + gpu * P;
}

void pm_hierarchy_covariance(const pm_hierarchy *h, size_t gpu, double *covariance)
{
    for (size_t a = 0; a < P; a++)
        for (size_t b = 0; b < P; b++)
            covariance[a * P + b] = gsl_matrix_get(h->covariance, gpu * P + a, gpu * P + b);
}

void pm_hierarchy_shares(const pm_hierarchy *h, pm_hierarchy_common *parameters,
                         pm_hierarchy_common *programs)
{
    *parameters = (pm_hierarchy_common){h->relation, h->relation_error};
    *programs = (pm_hierarchy_common){h->effects.alike, h->effects.alike_error};
}

double pm_hierarchy_width(const pm_hierarchy *h, size_t parameter, double *error)
{
    *error = h->width[parameter] / sqrt(2 * h->tell[parameter]);
    return h->width[parameter];
}
