/* Method `ridge`: linear regression of log time on standardized log counters and the log time on
 * the source GPU, with a penalty lambda on the squared coefficients (Hoerl and Kennard,
 * Technometrics 12, 1970).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It is solved in the dual form: a Gaussian process with covariance <f, f'> / lambda and noise 1
 * (Rasmussen and Williams 2006, section 2.1). In this form, programs are left out in closed form.
 * lambda minimizes the squared error of left-out programs. The interval is conformal, and its half
 * width is proportional to the prediction's standard deviation.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/gsl.h"
#include "model/method.h"
#include "model/methods/gram.h"
#include "model/methods/kernel.h"
#include "model/spread.h"

static const double lambdas[] = {.1, .3, 1, 3, 10, 30, 100, 300, 1000};
enum { LAMBDAS = sizeof lambdas / sizeof *lambdas, PANEL = 64 };

/* Prior variance of the constant, large so that the constant is not penalized. */
static const double CONSTANT = 1e4;

typedef struct {
    const pm_training *t;
    /* terms from which covariances are computed: first for pairs of training rows, later for
     * training rows with a block of test rows */
    pm_pairs pairs;
    pm_gram *gram;
    double mean, lambda, factor;
    double *x, *a, *residual, *work; /* arrays of n numbers */
    /* n x PANEL matrix: covariance of each training row with each test row of the current block */
    double *cross;
} ridge;

static void prepare(pm_memory *memory, ridge *r, const pm_training *t)
{
    *r = (ridge){.t = t,
                 .x = pm_take(memory, t->n, sizeof *r->x),
                 .a = pm_take(memory, t->n, sizeof *r->a),
                 .residual = pm_take(memory, t->n, sizeof *r->residual),
                 .work = pm_take(memory, t->n, sizeof *r->work),
                 .cross = pm_take(memory, t->n * PANEL, sizeof *r->cross)};
    for (size_t i = 0; i < t->n; i++)
        r->mean += t->z[i] / (double)t->n;
    for (size_t i = 0; i < t->n; i++)
        r->x[i] = t->z[i] - r->mean;
    pm_pairs_create(memory, &r->pairs, t, t->n > PANEL ? t->n : PANEL);
}

static void covariances(const ridge *r, double lambda, double *out)
{
    double p = (double)r->t->features.p;

    for (size_t i = 0; i < r->pairs.n * r->pairs.m; i++) {
        double product = p * r->pairs.equal[i] + (r->pairs.source ? r->pairs.source[i] : 0);

        out[i] = CONSTANT + product / lambda;
    }
}

/* Returns the sum of squared errors for one lambda, where each training row is predicted without
 * its program. r->gram, r->a and r->residual keep their values for this lambda. */
static double squared_error(pm_memory *memory, ridge *r, double lambda)
{
    size_t n = r->t->n;
    gsl_matrix *k = pm_take_matrix(memory, n, n);
    double sum = 0;

    covariances(r, lambda, k->data);
    for (size_t i = 0; i < n; i++)
        *gsl_matrix_ptr(k, i, i) += 1;
    r->gram = pm_gram_factor(memory, k, r->t->start, r->t->groups);
    pm_gram_solve(r->gram, r->x, r->a, r->work);
    pm_gram_leave_out(r->gram, r->a, r->residual);
    for (size_t i = 0; i < n; i++)
        sum += r->residual[i] * r->residual[i];
    return sum;
}

static void fit(pm_memory *memory, ridge *r)
{
    double best = INFINITY;

    pm_pairs_train(&r->pairs, &r->t->features);
    for (size_t k = 0; k < LAMBDAS; k++) {
        double error = squared_error(memory, r, lambdas[k]);

        if (error < best) {
            best = error;
            r->lambda = lambdas[k];
        }
    }
    squared_error(memory, r, r->lambda);
    for (size_t i = 0; i < r->t->n; i++)
        r->work[i] = fabs(r->residual[i]) / sqrt(r->gram->variance[i]);
    r->factor = pm_conformal_factor(r->work, r->t->n, r->t->groups);
}

/* Returns the prior variance of a test row, including the noise. */
static double prior(const ridge *r, const pm_features *f, size_t test)
{
    double sum = f->source_test ? f->source_test[test] * f->source_test[test] : 0;

    for (size_t j = 0; j < f->p; j++)
        sum += f->test[j * f->m + test] * f->test[j * f->m + test];
    return CONSTANT + 1 + sum / r->lambda;
}

/* Predicts the test rows of t, of which there are at most PANEL. estimates[j] gets the prediction
 * of test row j. */
static void predict(ridge *r, const pm_training *t, pm_estimate *estimates)
{
    double explained[PANEL], work[PANEL];

    pm_pairs_test(&r->pairs, &t->features, 0, t->m);
    covariances(r, r->lambda, r->cross);
    pm_gram_explained(r->gram, r->cross, t->m, explained, work);
    for (size_t j = 0; j < t->m; j++) {
        double p = r->mean, half;

        for (size_t i = 0; i < t->n; i++)
            p += r->a[i] * r->cross[i * t->m + j];
        half = r->factor * sqrt(fmax(prior(r, &t->features, j) - explained[j], 1));
        estimates[j] = (pm_estimate){.predicted_s = pm_seconds(p),
                                     .lo_s = pm_seconds(p - half),
                                     .hi_s = pm_seconds(p + half)};
    }
}

static void learn(const pm_method *method, pm_learning *l)
{
    ridge r;
    pm_training t;

    (void)method;
    pm_training_create(&l->memory, &t, l->problem, l->train, l->n_train, NULL, 0);
    prepare(&l->memory, &r, &t);
    fit(&l->memory, &r);
    for (size_t first = 0; first < l->n_test; first += PANEL) {
        size_t left = l->n_test - first;
        pm_training panel =
            pm_training_for(&l->memory, &t, l->test + first, left < PANEL ? left : PANEL, true);

        predict(&r, &panel, l->estimates + first);
    }
}

const pm_method pm_method_ridge = {
    .info = {"ridge", "ridge regression of log time on log counters (Hoerl & Kennard 1970)"},
    .learn = learn,
};
