/* Estimates the prior distribution of the model parameters of a GPU: how much they vary between
 * GPUs, and how they are correlated between similar GPUs. See hierarchy.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The correlation of two GPUs has a component for GPUs of one architecture, and one that decreases
 * with the years between the GPUs. Both components, and the number of years in which the second one
 * decreases, are chosen to maximize the evidence: the likelihood of the times, integrated over the
 * parameters. With the model linearized at its last parameters, the evidence has a closed form
 * (MacKay, Neural Comput. 4, 1992). Each logarithm has a wide normal prior around an assumed value.
 * The search takes at most STEPS Newton steps along the logarithms.
 */
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/gsl.h"
#include "model/hierarchy/parts.h"

enum { P = PM_UNITS_PARAMETERS, STEPS = 3, TRIES = 3 };
enum { ARCHITECTURE, AGE, YEARS, KNOBS };

/* Priors of three numbers that describe the correlation of two GPUs. assumed: their most probable
 * values; spread: standard deviations of their logarithms. ARCHITECTURE and AGE are components of
 * the correlation, divided by the component of a single GPU. YEARS is the age difference in years
 * after which the component AGE has fallen to 1/e. */
static const double assumed[KNOBS] = {[ARCHITECTURE] = 4.0 / 3, [AGE] = 1, [YEARS] = 6};
static const double spread[KNOBS] = {1, 1, .7};
/* STENCIL: step of the finite differences of the objective by a logarithm; MOST: largest change of
 * a logarithm in one step of the search */
static const double STENCIL = .5, MOST = 1;

static pm_alike alike_of(const double *logarithms)
{
    const double architecture = exp(logarithms[ARCHITECTURE]), age = exp(logarithms[AGE]);
    const double sum = architecture + age + 1;

    return (pm_alike){0, architecture / sum, age / sum, exp(logarithms[YEARS])};
}

void pm_prior_start(pm_hierarchy *h)
{
    double logarithms[KNOBS];

    for (size_t i = 0; i < KNOBS; i++)
        logarithms[i] = log(assumed[i]);
    h->relation = alike_of(logarithms);
}

bool pm_prior_relate(const pm_hierarchy_rows *rows, const pm_alike *alike, gsl_matrix *common,
                     double *log_determinant)
{
    *log_determinant = 0;
    for (size_t a = 0; a < rows->gpus; a++)
        for (size_t b = 0; b < rows->gpus; b++)
            gsl_matrix_set(common, a, b, pm_alike_of(alike, rows->profile[a], rows->profile[b]));
    if (gsl_linalg_cholesky_decomp1(common) != GSL_SUCCESS)
        return false;
    for (size_t a = 0; a < rows->gpus; a++)
        *log_determinant += 2 * log(gsl_matrix_get(common, a, a));
    return gsl_linalg_cholesky_invert(common) == GSL_SUCCESS;
}

void pm_prior_add(const pm_hierarchy *h, const gsl_matrix *common, gsl_matrix *normal)
{
    const pm_hierarchy_rows *rows = h->rows;
    const size_t gpus = rows->gpus, all = gpus * P;

    for (size_t k = 0; k < P; k++) {
        const double scale = 1 / (h->width[k] * h->width[k]);

        for (size_t a = 0; a < gpus; a++)
            for (size_t b = 0; b < gpus; b++) {
                const double both = scale * gsl_matrix_get(common, a, b);

                *gsl_matrix_ptr(normal, a * P + k, b * P + k) += both;
                *gsl_matrix_ptr(normal, a * P + k, all + k) -= both;
                *gsl_matrix_ptr(normal, all + k, b * P + k) -= both;
                *gsl_matrix_ptr(normal, all + k, all + k) += both;
            }
        *gsl_matrix_ptr(normal, all + k, all + k) +=
            1 / (rows->units->spread[k] * rows->units->spread[k]);
    }
}

/* ---- shares --------------------------------------------------------------------------------- */

typedef struct {
    pm_memory *memory;
    const pm_hierarchy *h;
    const gsl_matrix *normal; /* normal equations of the linearized model, without a prior */
    /* right-hand side of the normal equations, in which the unknowns are the differences of the
     * parameters from their prior means */
    const gsl_vector *right;
    gsl_matrix *common, *whole;
    gsl_vector *solved;
} search;

/* Returns the number that the search minimizes: the negative log evidence plus the penalty by the
 * priors, up to a constant. logarithms: logarithms of ARCHITECTURE, AGE and YEARS. Returns INFINITY
 * if a matrix is not positive definite. */
static double objective(search *s, const double *logarithms)
{
    const pm_alike alike = alike_of(logarithms);
    double log_determinant, squares, sum = 0;

    pm_go_on(s->memory);
    for (size_t i = 0; i < KNOBS; i++) {
        const double off = (logarithms[i] - log(assumed[i])) / spread[i];

        sum += .5 * off * off;
    }
    if (!pm_prior_relate(s->h->rows, &alike, s->common, &log_determinant))
        return INFINITY;
    gsl_matrix_memcpy(s->whole, s->normal);
    pm_prior_add(s->h, s->common, s->whole);
    if (gsl_linalg_cholesky_decomp1(s->whole) != GSL_SUCCESS)
        return INFINITY;
    gsl_vector_memcpy(s->solved, s->right);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, s->whole, s->solved);
    gsl_blas_ddot(s->solved, s->solved, &squares);
    for (size_t i = 0; i < s->h->size; i++)
        sum += log(gsl_matrix_get(s->whole, i, i));
    return sum + .5 * P * log_determinant - .5 * squares;
}

/* Returns the right-hand side of the normal equations for the differences of the parameters from
 * their prior means: right - normal * prior. */
static gsl_vector *centre(const pm_hierarchy *h, const gsl_matrix *normal, const gsl_vector *right,
                          pm_memory *scratch)
{
    gsl_vector *prior = pm_take_vector(scratch, h->size), *left = pm_take_vector(scratch, h->size);

    for (size_t i = 0; i < h->size; i++)
        gsl_vector_set(prior, i, h->rows->units->prior[i % P]);
    gsl_vector_memcpy(left, right);
    gsl_blas_dgemv(CblasNoTrans, -1, normal, prior, 1, left);
    return left;
}

/* Computes a Newton step for each of the logarithms `at` by finite differences of the objective,
 * one logarithm at a time. now: objective at `at`; step[i]: change of logarithm i; error[i]:
 * standard error of logarithm i with the others held fixed. */
static void find_steps(search *s, double *at, double now, double *step, double *error)
{
    for (size_t i = 0; i < KNOBS; i++) {
        const double here = at[i];
        double more, less, bend;

        at[i] = here + STENCIL;
        more = objective(s, at);
        at[i] = here - STENCIL;
        less = objective(s, at);
        at[i] = here;
        bend = fmax((more + less - 2 * now) / (STENCIL * STENCIL), .5 / (spread[i] * spread[i]));
        step[i] = fmin(fmax((less - more) / (2 * STENCIL) / bend, -MOST), MOST);
        error[i] = 1 / sqrt(bend);
    }
}

/* Moves the logarithms `at` by the step, or by 1/2 or 1/4 of the step, whichever of these first
 * lowers the objective *now. Returns false if none of them does. */
static bool go_on(search *s, double *at, const double *step, double *now)
{
    double share = 1;

    for (unsigned try = 0; try < TRIES; try++) {
        double next[KNOBS], then;

        for (size_t i = 0; i < KNOBS; i++)
            next[i] = at[i] + share * step[i];
        then = objective(s, next);
        if (then < *now) {
            *now = then;
            memcpy(at, next, sizeof next);
            return true;
        }
        share /= 2;
    }
    return false;
}

void pm_prior_find_shares(pm_hierarchy *h, const gsl_matrix *normal, const gsl_vector *right,
                          pm_memory *scratch)
{
    search s = {.h = h,
                .memory = scratch,
                .normal = normal,
                .right = centre(h, normal, right, scratch),
                .common = pm_take_matrix(scratch, h->rows->gpus, h->rows->gpus),
                .whole = pm_take_matrix(scratch, h->size, h->size),
                .solved = pm_take_vector(scratch, h->size)};
    double at[KNOBS], step[KNOBS], error[KNOBS], now;
    bool moved = true;

    for (size_t i = 0; i < KNOBS; i++)
        at[i] = log(assumed[i]);
    now = objective(&s, at);
    for (size_t k = 0; moved && k < STEPS; k++) {
        find_steps(&s, at, now, step, error);
        moved = go_on(&s, at, step, &now);
    }
    h->relation = alike_of(at);
    h->relation_error = (pm_alike){
        0, h->relation.architecture * (1 - h->relation.architecture) * error[ARCHITECTURE],
        h->relation.age * (1 - h->relation.age) * error[AGE], h->relation.years * error[YEARS]};
}
