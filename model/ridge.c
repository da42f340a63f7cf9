/* Method `ridge`: linear regression of log time on standardised log counters (and a source's log
 * time), with a penalty lambda on the squared coefficients (Hoerl & Kennard, Technometrics 12,
 * 1970).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Done in its dual form, as the Gaussian process with covariance <f, f'> / lambda and noise 1
 * (Rasmussen & Williams 2006, section 2.1), so that programs are left out in closed form. lambda is
 * the one with the least squared error of programs left out; the interval is conformal, its half
 * width proportional to the standard deviation of the prediction.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "gram.h"
#include "kernel.h"
#include "method.h"
#include "spread.h"

static const double lambdas[] = {.1, .3, 1, 3, 10, 30, 100, 300, 1000};
enum { LAMBDAS = sizeof lambdas / sizeof *lambdas, PANEL = 64 };

/* Variance of the constant, which is not to be penalised. */
static const double CONSTANT = 1e4;

typedef struct {
    const pm_training *t;
    pm_pairs pairs; /* training rows with themselves, then with panels of test rows */
    pm_gram *gram;
    double mean, lambda, factor;
    double *x, *a, *residual, *work; /* n */
    double *cross;                   /* n x PANEL */
} ridge;

static pm_status prepare(ridge *r, const pm_training *t, pm_error *err)
{
    *r = (ridge){.t = t,
                 .x = calloc(4 * t->n, sizeof *r->x),
                 .cross = calloc(t->n * PANEL, sizeof *r->cross)};
    if (!r->x || !r->cross)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", t->n);
    r->a = r->x + t->n;
    r->residual = r->a + t->n;
    r->work = r->residual + t->n;
    for (size_t i = 0; i < t->n; i++)
        r->mean += t->z[i] / (double)t->n;
    for (size_t i = 0; i < t->n; i++)
        r->x[i] = t->z[i] - r->mean;
    return pm_pairs_create(&r->pairs, t, t->n > PANEL ? t->n : PANEL, err);
}

static void release(ridge *r)
{
    pm_gram_free(r->gram);
    pm_pairs_free(&r->pairs);
    free(r->x);
    free(r->cross);
}

static void covariances(const ridge *r, double lambda, double *out)
{
    double p = (double)r->t->features.p;

    for (size_t i = 0; i < r->pairs.n * r->pairs.m; i++) {
        double product = p * r->pairs.equal[i] + (r->pairs.source ? r->pairs.source[i] : 0);

        out[i] = CONSTANT + product / lambda;
    }
}

/* Leaves gram, a and residual of that lambda; NAN without memory. */
static double squared_error(ridge *r, double lambda, pm_error *err)
{
    size_t n = r->t->n;
    gsl_matrix *k = gsl_matrix_alloc(n, n);
    double sum = 0;

    pm_gram_free(r->gram);
    r->gram = NULL;
    if (!k) {
        pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
        return (double)NAN;
    }
    covariances(r, lambda, k->data);
    for (size_t i = 0; i < n; i++)
        *gsl_matrix_ptr(k, i, i) += 1;
    r->gram = pm_gram_factor(k, r->t->start, r->t->groups, err);
    if (!r->gram)
        return (double)NAN;
    pm_gram_solve(r->gram, r->x, r->a, r->work);
    pm_gram_leave_out(r->gram, r->a, r->residual);
    for (size_t i = 0; i < n; i++)
        sum += r->residual[i] * r->residual[i];
    return sum;
}

static pm_status fit(ridge *r, pm_error *err)
{
    double best = INFINITY;

    pm_pairs_train(&r->pairs, &r->t->features);
    for (size_t k = 0; k < LAMBDAS; k++) {
        double error = squared_error(r, lambdas[k], err);

        if (isnan(error))
            return PM_FAILED;
        if (error < best) {
            best = error;
            r->lambda = lambdas[k];
        }
    }
    if (isnan(squared_error(r, r->lambda, err)))
        return PM_FAILED;
    for (size_t i = 0; i < r->t->n; i++)
        r->work[i] = fabs(r->residual[i]) / sqrt(r->gram->variance[i]);
    r->factor = pm_conformal_factor(r->work, r->t->n, r->t->groups);
    return PM_OK;
}

/* Covariance of a test row with itself, and the noise. */
static double prior(const ridge *r, size_t test)
{
    const pm_features *f = &r->t->features;
    double sum = f->source_test ? f->source_test[test] * f->source_test[test] : 0;

    for (size_t j = 0; j < f->p; j++)
        sum += f->test[j * f->m + test] * f->test[j * f->m + test];
    return CONSTANT + 1 + sum / r->lambda;
}

/* Test rows first ... first + m, m at most PANEL. */
static void predict(ridge *r, size_t first, size_t m, pm_estimate *estimates)
{
    double explained[PANEL], work[PANEL];

    pm_pairs_test(&r->pairs, &r->t->features, first, m);
    covariances(r, r->lambda, r->cross);
    pm_gram_explained(r->gram, r->cross, m, explained, work);
    for (size_t j = 0; j < m; j++) {
        double p = r->mean, half;

        for (size_t i = 0; i < r->t->n; i++)
            p += r->a[i] * r->cross[i * m + j];
        half = r->factor * sqrt(fmax(prior(r, first + j) - explained[j], 1));
        estimates[first + j] = (pm_estimate){.predicted_s = pm_seconds(p),
                                             .lo_s = pm_seconds(p - half),
                                             .hi_s = pm_seconds(p + half)};
    }
}

static pm_status learn(const pm_problem *problem, const size_t *train, size_t n_train,
                       const size_t *test, size_t n_test, pm_estimate *estimates, pm_error *err)
{
    ridge r = {0};
    pm_training t;
    pm_status status = pm_training_create(&t, problem, train, n_train, test, n_test, err);

    if (status == PM_OK)
        status = prepare(&r, &t, err);
    if (status == PM_OK)
        status = fit(&r, err);
    for (size_t first = 0; status == PM_OK && first < n_test; first += PANEL)
        predict(&r, first, n_test - first < PANEL ? n_test - first : PANEL, estimates);
    release(&r);
    pm_training_free(&t);
    return status;
}

const pm_method pm_method_ridge = {
    .info = {"ridge", "ridge regression of log time on log counters (Hoerl & Kennard 1970)"},
    .learn = learn,
};
