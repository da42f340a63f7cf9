/* Gaussian process regression. See surrogate.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * After Rasmussen & Williams, Gaussian Processes for Machine Learning (2006). The covariance is the
 * sum of three terms. The first is Matern's function with nu = 5/2 (equation 4.17) and one length
 * scale per feature. The second is the covariance of a linear function (equation 4.15), because the
 * logarithm of a product is linear in the logarithms of its factors. The third is noise.
 *
 * Length scales and noise are chosen from a grid to maximise the marginal likelihood (equation
 * 5.8), one feature after the other. The common variance factor then has a closed form.
 */
#include "answer/tune/surrogate.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <string.h>

#include "base/gsl.h"

/* Candidate length scales. The longest scale is so long that the feature hardly affects the
 * distance. */
static const double lengths[] = {0.15, 0.3, 0.6, 1.2, 2.5, 5, 20, 100};
static const double noises[] = {1e-4, 1e-3, 1e-2, 5e-2};
enum {
    LENGTHS = sizeof lengths / sizeof *lengths,
    NOISES = sizeof noises / sizeof *noises,
    SWEEPS = 2,
    MOST_LEARNED = 128 /* largest number of rows that are used to choose length scales and noise */
};
/* Prior variances of the slopes and of the intercept of the linear term, as a multiple of
 * `variance`. */
static const double LINEAR = 1;

struct pm_surrogate {
    size_t n, p;
    const double *x;
    double *length; /* length[k]: length scale of feature k */
    double noise;
    double mean, variance;
    /* Cholesky factor L of the covariance matrix K / variance, in the lower triangle */
    gsl_matrix *root;
    gsl_vector *a;    /* the n numbers (K / variance)^-1 (y - mean) */
    gsl_vector *near; /* buffer of n numbers for pm_surrogate_tell */
};

static double matern(double distance2)
{
    const double r = sqrt(5 * distance2);

    return (1 + r + r * r / 3) * exp(-r);
}

static double covariance(const pm_surrogate *s, const double *a, const double *b)
{
    double distance2 = 0, product = 1;

    for (size_t k = 0; k < s->p; k++) {
        const double apart = (a[k] - b[k]) / s->length[k];

        distance2 += apart * apart;
        product += (a[k] - 0.5) * (b[k] - 0.5);
    }
    return matern(distance2) + LINEAR * product;
}

/* Factors the covariance matrix of the first n rows and solves for a, mean and variance. Returns
 * the log likelihood up to a constant; minus infinity: the matrix is not positive definite. */
static double solve(pm_surrogate *s, const double *y, size_t n)
{
    gsl_matrix_view root = gsl_matrix_submatrix(s->root, 0, 0, n, n);
    gsl_vector_view a = gsl_vector_subvector(s->a, 0, n);
    double sum = 0, fit = 0, log_root = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            gsl_matrix_set(&root.matrix, i, j,
                           covariance(s, s->x + i * s->p, s->x + j * s->p) +
                               (i == j ? s->noise : 0));
        sum += y[i];
    }
    s->mean = sum / (double)n;
    if (gsl_linalg_cholesky_decomp1(&root.matrix) != GSL_SUCCESS)
        return -(double)INFINITY;
    for (size_t i = 0; i < n; i++) {
        gsl_vector_set(&a.vector, i, y[i] - s->mean);
        log_root += log(gsl_matrix_get(&root.matrix, i, i));
    }
    gsl_linalg_cholesky_svx(&root.matrix, &a.vector);
    for (size_t i = 0; i < n; i++)
        fit += (y[i] - s->mean) * gsl_vector_get(&a.vector, i);
    s->variance = fmax(fit / (double)n, 1e-12);
    return -0.5 * (double)n * log(s->variance) - log_root;
}

/* Sets *parameter, which is a length scale or the noise of the surrogate s, to the candidate that
 * gives the first n rows the highest likelihood. If it is higher than *likelihood, updates
 * *likelihood; otherwise *parameter does not change. */
static void choose(pm_surrogate *s, const double *y, size_t n, double *parameter,
                   const double *candidates, size_t count, double *likelihood)
{
    double best = *parameter;

    for (size_t c = 0; c < count; c++) {
        double now;

        *parameter = candidates[c];
        now = solve(s, y, n);
        if (now > *likelihood) {
            *likelihood = now;
            best = candidates[c];
        }
    }
    *parameter = best;
}

static bool fit(pm_surrogate *s, const double *y)
{
    const size_t learned = s->n < MOST_LEARNED ? s->n : MOST_LEARNED;
    double likelihood = -(double)INFINITY;

    s->noise = noises[1];
    for (size_t k = 0; k < s->p; k++)
        s->length[k] = 1.2;
    for (size_t sweep = 0; sweep < SWEEPS; sweep++) {
        for (size_t k = 0; k < s->p; k++)
            choose(s, y, learned, &s->length[k], lengths, LENGTHS, &likelihood);
        choose(s, y, learned, &s->noise, noises, NOISES, &likelihood);
    }
    return isfinite(likelihood) && isfinite(solve(s, y, s->n));
}

pm_surrogate *pm_surrogate_fit(pm_memory *memory, const double *x, const double *y, size_t n,
                               size_t p)
{
    pm_surrogate *s = pm_take(memory, 1, sizeof *s);
    bool sound;

    *s = (pm_surrogate){.n = n, .p = p, .x = x};
    s->length = pm_take(memory, p, sizeof *s->length);
    s->root = pm_take_matrix(memory, n, n);
    s->a = pm_take_vector(memory, n);
    s->near = pm_take_vector(memory, n);
    pm_gsl_begin();
    sound = fit(s, y);
    pm_gsl_end();
    return sound ? s : NULL;
}

size_t pm_surrogate_rows(const pm_surrogate *s)
{
    return s->n;
}

void pm_surrogate_see(const pm_surrogate *s, const double *x, double *mean, double *sd,
                      double *seen)
{
    gsl_vector_view near = gsl_vector_view_array(seen, s->n);
    double explained;

    for (size_t i = 0; i < s->n; i++)
        seen[i] = covariance(s, x, s->x + i * s->p);
    gsl_blas_ddot(&near.vector, s->a, mean);
    *mean += s->mean;
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, s->root, &near.vector);
    gsl_blas_ddot(&near.vector, &near.vector, &explained);
    *sd = sqrt(s->variance * fmax(covariance(s, x, x) + s->noise - explained, 0));
}

double pm_surrogate_covariance(const pm_surrogate *s, const double *x, const double *seen_x,
                               const double *y, const double *seen_y)
{
    double explained = 0;

    for (size_t i = 0; i < s->n; i++)
        explained += seen_x[i] * seen_y[i];
    return s->variance * (covariance(s, x, y) - explained);
}

void pm_surrogate_tell(const pm_surrogate *s, const double *x, double *mean, double *sd)
{
    pm_surrogate_see(s, x, mean, sd, s->near->data);
}
