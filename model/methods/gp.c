/* Gaussian processes for the logarithm of time (Rasmussen & Williams, Gaussian Processes for
 * Machine Learning, 2006), one for each form of the time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Of a small grid of kernels and Box-Cox transformations the one is taken under which the programs
 * left out are most likely (section 5.4.2, with whole programs for single rows, and Student's t
 * with 4 degrees of freedom for the normal distribution: a program that is unlike all others is
 * always among them). A prediction's distribution is that of the standardised leave-out residuals,
 * moved and stretched to the prediction's mean and variance.
 */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/gsl.h"
#include "model/boxcox.h"
#include "model/methods/gram.h"
#include "model/methods/kernel.h"
#include "model/training.h"

/* Variances relative to that of the terms. */
static const pm_kernel kernels[] = {
    {0, 0, true, 2, .06, .2},     {0, 0, true, 1, .06, .2},   {0, 0, true, 0, .06, .2},
    {1, 0, true, 2, .06, .2},     {1, 0, true, 1, .06, .2},   {1, 0, true, 0, .06, .2},
    {0, 100, true, 0, .01, .03},  {0, 10, false, 0, .03, .1}, {0, 100, false, 0, .03, .1},
    {0, 1000, false, 0, .03, .1},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static const int orders[] = {0, 4, 2}; /* lambda 0, -1/4, -1/2 */
enum { ORDERS = sizeof orders / sizeof *orders };

/* Predictions reach up to e times the longest time seen. */
static const double BEYOND = 1;

enum { PANEL = 64 }; /* test rows at a time */

typedef struct {
    size_t kernel;
    pm_boxcox boxcox;
    double mean, scale; /* of the transformed time */
    double score;       /* mean log density of the rows left out */
} model;

typedef struct {
    const pm_training *t;
    pm_gram *gram[KERNELS];
    double *x, *a, *residual, *deviation, *standard, *sorted, *reciprocal, *work; /* n each */
} workspace;

/* ---- fitting ------------------------------------------------------------------------------ */

static pm_gram *factor(pm_memory *memory, const pm_training *t, const pm_kernel *kernel,
                       const pm_pairs *pairs)
{
    gsl_matrix *k = pm_take_matrix(memory, t->n, t->n);

    pm_kernel_of(kernel, pairs, k->data);
    for (size_t i = 0; i < t->n; i++) {
        size_t g = t->group[i];

        for (size_t j = t->start[g]; j < t->start[g + 1]; j++)
            k->data[i * k->tda + j] += kernel->program;
        k->data[i * k->tda + i] += kernel->noise;
    }
    return pm_gram_factor(memory, k, t->start, t->groups);
}

static void prepare(pm_memory *memory, workspace *w, const pm_training *t)
{
    double **parts[] = {&w->x,        &w->a,      &w->residual,   &w->deviation,
                        &w->standard, &w->sorted, &w->reciprocal, &w->work};
    pm_pairs pairs;

    w->t = t;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        *parts[i] = pm_take(memory, t->n, sizeof(double));
    pm_pairs_create(memory, &pairs, t, t->n);
    pm_pairs_train(&pairs, &t->features);
    for (size_t k = 0; k < KERNELS; k++)
        w->gram[k] = factor(memory, t, &kernels[k], &pairs);
}

/* x, less its mean, from the response; med, cap and order of boxcox are set. */
static void transform(workspace *w, const pm_response *r, model *m)
{
    size_t n = w->t->n;

    for (size_t i = 0; i < n; i++)
        w->x[i] = pm_boxcox_forward(&m->boxcox, r->y[i] - m->boxcox.median);
    m->mean = gsl_stats_mean(w->x, 1, n);
    for (size_t i = 0; i < n; i++)
        w->x[i] -= m->mean;
}

/* Leaves every program out: residual, deviation (standard deviations) and standard (their ratio),
 * and the scale of the kernel (the maximum likelihood one). */
static void leave_out(workspace *w, model *m)
{
    const pm_gram *gram = w->gram[m->kernel];
    double sum = 0;

    pm_gram_solve(gram, w->x, w->a, w->work);
    pm_gram_leave_out(gram, w->a, w->residual);
    for (size_t i = 0; i < gram->n; i++)
        sum += w->x[i] * w->a[i];
    m->scale = fmax(sum / (double)gram->n, 1e-12);
    for (size_t i = 0; i < gram->n; i++) {
        w->deviation[i] = sqrt(m->scale * gram->variance[i]);
        w->standard[i] = w->residual[i] / w->deviation[i];
    }
}

/* Mean log density of the left-out log times: Student's t_4 of the standardised residuals over
 * their median absolute value (0.741 for t_4), times the transformation's derivative. */
static double score(workspace *w, const pm_response *r, const model *m)
{
    const double log_constant = log(0.375); /* t_4's density at 0 is 3/8 */
    double lambda = pm_boxcox_lambda(&m->boxcox), sum = 0, k;
    size_t n = w->t->n;

    for (size_t i = 0; i < n; i++)
        w->sorted[i] = fabs(w->standard[i]);
    gsl_sort(w->sorted, 1, n);
    k = fmax(gsl_stats_median_from_sorted_data(w->sorted, 1, n) / 0.741, 1e-6);
    for (size_t i = 0; i < n; i++) {
        double u = w->standard[i] / k;

        sum += log_constant - 2.5 * log1p(u * u / 4) - log(k * w->deviation[i]) +
               lambda * (r->y[i] - m->boxcox.median);
    }
    return sum / (double)n;
}

/* Leaves the best model's x, a, residual, deviation and sorted standardised residuals in w. */
static model choose(workspace *w, const pm_response *r)
{
    size_t n = w->t->n;
    model m = {0}, best = {.score = -INFINITY};

    memcpy(w->sorted, r->y, n * sizeof *w->sorted);
    gsl_sort(w->sorted, 1, n);
    m.boxcox.median = gsl_stats_median_from_sorted_data(w->sorted, 1, n);
    m.boxcox.cap = w->sorted[n - 1] - m.boxcox.median + BEYOND;
    for (m.kernel = 0; m.kernel < KERNELS; m.kernel++) {
        for (size_t k = 0; k < ORDERS; k++) {
            m.boxcox.order = orders[k];
            transform(w, r, &m);
            leave_out(w, &m);
            m.score = score(w, r, &m);
            if (m.score > best.score || (m.kernel == 0 && k == 0))
                best = m;
        }
    }
    transform(w, r, &best);
    leave_out(w, &best);
    memcpy(w->sorted, w->standard, n * sizeof *w->sorted);
    gsl_sort(w->sorted, 1, n);
    return best;
}

/* ---- predicting --------------------------------------------------------------------------- */

/* What is kept of a response's best model. */
typedef struct {
    const pm_response *response;
    pm_candidate *candidate;
    model m;
    double *a, *sorted; /* n: K^-1 x, and the standardised residuals in ascending order */
} fitted;

/* The distribution of mean + deviation times each standardised residual, as logarithms of time.
 * reciprocal: n. */
static pm_spread spread_of(const fitted *f, size_t n, double mean, double deviation, double offset,
                           double *reciprocal)
{
    const pm_boxcox *b = &f->m.boxcox;
    double level = b->median + offset, quantile[2];
    size_t point;

    for (size_t j = 0; j < n; j++)
        reciprocal[j] = pm_boxcox_reciprocal(b, mean + deviation * f->sorted[j]);
    point = pm_tilt(NULL, reciprocal, n);
    for (int k = 0; k < 2; k++) {
        pm_between_samples place = pm_quantile_place(NULL, n, k ? 0.95 : 0.05);

        quantile[k] =
            pm_place_between(place, pm_boxcox_inverse(b, mean + deviation * f->sorted[place.below]),
                             pm_boxcox_inverse(b, mean + deviation * f->sorted[place.above]));
    }
    return (pm_spread){level + pm_boxcox_inverse(b, mean + deviation * f->sorted[point]),
                       level + quantile[0], level + quantile[1]};
}

/* Chooses a model of the response and answers for the training rows. */
static void fit(pm_memory *memory, workspace *w, fitted *f)
{
    size_t n = w->t->n;

    f->m = choose(w, f->response);
    f->a = pm_take(memory, n, sizeof *f->a);
    f->sorted = pm_take(memory, n, sizeof *f->sorted);
    memcpy(f->a, w->a, n * sizeof *f->a);
    memcpy(f->sorted, w->sorted, n * sizeof *f->sorted);
    for (size_t i = 0; i < n; i++)
        f->candidate->inner[i] = spread_of(f, n, w->x[i] + f->m.mean - w->residual[i],
                                           w->deviation[i], f->response->offset[i], w->reciprocal);
}

/* The covariances of a panel of test rows under one kernel, and what they explain. */
typedef struct {
    pm_pairs pairs;
    double *cross; /* n x m */
    size_t kernel;
    double explained[PANEL], work[PANEL];
} panel;

static void use_kernel(const workspace *w, panel *p, size_t kernel)
{
    p->kernel = kernel;
    pm_kernel_of(&kernels[kernel], &p->pairs, p->cross);
    pm_gram_explained(w->gram[kernel], p->cross, p->pairs.m, p->explained, p->work);
}

/* Test rows first ... first + m of the panel. */
static void predict_panel(workspace *w, const panel *p, const fitted *f, size_t first)
{
    const pm_kernel *kernel = &kernels[f->m.kernel];
    size_t n = w->t->n, m = p->pairs.m;
    double mean[PANEL];

    for (size_t j = 0; j < m; j++)
        mean[j] = f->m.mean;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            mean[j] += f->a[i] * p->cross[i * m + j];
    for (size_t j = 0; j < m; j++) {
        double prior = pm_kernel_prior(kernel, &w->t->features, first + j);
        double variance = fmax(prior - p->explained[j], kernel->noise);

        f->candidate->outer[first + j] =
            spread_of(f, n, mean[j], sqrt(f->m.scale * variance),
                      f->response->offset_test[first + j], w->reciprocal);
    }
}

static void predict(pm_memory *memory, workspace *w, const fitted *models, size_t count)
{
    const pm_training *t = w->t;
    panel p = {.cross = pm_take(memory, t->n * PANEL, sizeof *p.cross)};

    pm_pairs_create(memory, &p.pairs, t, PANEL);
    for (size_t first = 0; first < t->m; first += PANEL) {
        pm_pairs_test(&p.pairs, &t->features, first, t->m - first < PANEL ? t->m - first : PANEL);
        for (size_t k = 0; k < count; k++) {
            if (k == 0 || models[k].m.kernel != p.kernel)
                use_kernel(w, &p, models[k].m.kernel);
            predict_panel(w, &p, &models[k], first);
        }
    }
}

void pm_gp_family(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    fitted models[PM_MAX_RESPONSES] = {0};
    workspace w;

    prepare(memory, &w, t);
    for (size_t k = 0; k < t->responses; k++) {
        models[k].response = &t->response[k];
        models[k].candidate = pm_candidates_add(memory, list, t, "gp", t->response[k].letter);
        fit(memory, &w, &models[k]);
    }
    predict(memory, &w, models, t->responses);
}
