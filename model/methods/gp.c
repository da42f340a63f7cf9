/* Gaussian processes for log time (Rasmussen and Williams, Gaussian Processes for Machine Learning,
 * 2006). There is one for each response: the time itself, or the time divided by a reference such
 * as the time on another GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel and the Box-Cox transformation come from a small grid. The choice maximizes the
 * predictive density of left-out programs (section 5.4.2, with programs in place of rows). The
 * density is Student's t with 4 degrees of freedom, because some programs are always outliers. The
 * distribution of a prediction is that of the standardized leave-one-out residuals, shifted and
 * scaled to the prediction's mean and standard deviation.
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

/* Covariance functions (kernel.h) of which the fit chooses the best. The members are
 * weighted_linear, linear, local, length, noise and program. Variances are relative to one scale,
 * which is estimated. */
static const pm_kernel kernels[] = {
    {0, 0, true, 2, .06, .2},     {0, 0, true, 1, .06, .2},   {0, 0, true, 0, .06, .2},
    {1, 0, true, 2, .06, .2},     {1, 0, true, 1, .06, .2},   {1, 0, true, 0, .06, .2},
    {0, 100, true, 0, .01, .03},  {0, 10, false, 0, .03, .1}, {0, 100, false, 0, .03, .1},
    {0, 1000, false, 0, .03, .1},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };
static const int orders[] = {0, 4, 2}; /* lambda 0, -1/4, -1/2 */
enum { ORDERS = sizeof orders / sizeof *orders };

/* Predictions of log time are limited to the log of the longest training time plus this number. A
 * predicted time is thus at most e^1 = 2.7 times the longest training time. */
static const double BEYOND = 1;

enum { PANEL = 64 }; /* test rows per block */

typedef struct {
    size_t kernel;
    pm_boxcox boxcox;
    /* mean: mean of the transformed response. scale: estimated factor by which all variances of the
     * covariance kernel are multiplied. */
    double mean, scale;
    /* mean log density of the times of training rows, each predicted without its program */
    double score;
} model;

/* The best Gaussian process for one response (quantity that is modelled, such as the time, or
 * the time divided by the time on another GPU), with the data that predictions need. */
typedef struct {
    size_t response; /* index of the response */
    model m;
    /* a: the n numbers K^-1 x, where K is the kernel matrix and x the transformed response; sorted:
     * the n standardized residuals of left-out programs in ascending order */
    double *a, *sorted;
    /* positions in `sorted` of its 5 % and 95 % quantiles */
    pm_between_samples low, high;
} fitted;

typedef struct {
    const pm_training *t;
    pm_gram *gram[KERNELS];
    /* array with one element per response (what is modelled: log time, or log of time divided by a
     * counter or by another prediction); each element is a candidate model of the blend */
    fitted fitted[PM_MAX_RESPONSES];
    /* scratch arrays of n numbers, one for each training row */
    double *x, *a, *residual, *deviation, *standard, *sorted, *reciprocal, *work;
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

/* Transforms a response (log time minus an offset of the row) by Box-Cox into w->x. Subtracts the
 * mean and stores it in m->mean. m->boxcox must be set. */
static void transform(workspace *w, const pm_response *r, model *m)
{
    size_t n = w->t->n;

    for (size_t i = 0; i < n; i++)
        w->x[i] = pm_boxcox_forward(&m->boxcox, r->y[i] - m->boxcox.median);
    m->mean = gsl_stats_mean(w->x, 1, n);
    for (size_t i = 0; i < n; i++)
        w->x[i] -= m->mean;
}

/* Predicts the training rows of each program by a model of the other programs, in closed form.
 * Fills w->residual, w->deviation (standard deviation of the prediction) and w->standard (residual
 * / deviation). Sets m->scale, the factor of all variances, to its maximum-likelihood estimate. */
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

/* Returns the mean log density of the times of training rows, each predicted without its program.
 * The standardized residuals are assumed to have Student's t distribution with 4 degrees of freedom
 * (t_4). Its scale is the median of |residual| / 0.741, because 0.741 is this median for t_4. The
 * derivative of the transformation converts the density of the transformed value to a density of
 * log time. */
static double score(workspace *w, const pm_response *r, const model *m)
{
    /* 3/8 is the density of Student's t distribution with 4 degrees of freedom at 0 */
    const double log_constant = log(0.375);
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

/* Tries all kernels and Box-Cox transformations for a response, and returns the best model. The
 * arrays x, a, residual, deviation and standard of w then are those of this model, and `sorted` has
 * its standardized residuals in ascending order. */
static model choose(const pm_memory *memory, workspace *w, const pm_response *r)
{
    size_t n = w->t->n;
    model m = {0}, best = {.score = -INFINITY};

    memcpy(w->sorted, r->y, n * sizeof *w->sorted);
    gsl_sort(w->sorted, 1, n);
    m.boxcox.median = gsl_stats_median_from_sorted_data(w->sorted, 1, n);
    m.boxcox.cap = w->sorted[n - 1] - m.boxcox.median + BEYOND;
    for (m.kernel = 0; m.kernel < KERNELS; m.kernel++) {
        for (size_t k = 0; k < ORDERS; k++) {
            pm_go_on(memory);
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

/* Returns a quantile of a predicted response. It is mean + deviation times the quantile of the
 * standardized residuals (at position `place`), transformed back by Box-Cox. */
static double quantile(const fitted *f, pm_between_samples place, double mean, double deviation)
{
    const pm_boxcox *b = &f->m.boxcox;

    return pm_place_between(place, pm_boxcox_inverse(b, mean + deviation * f->sorted[place.below]),
                            pm_boxcox_inverse(b, mean + deviation * f->sorted[place.above]));
}

/* Returns the distribution of a predicted log time. mean, deviation: mean and standard deviation of
 * the transformed response; offset: log time minus response of the row. reciprocal: scratch space
 * for n numbers. */
static pm_spread spread_of(const fitted *f, size_t n, double mean, double deviation, double offset,
                           double *reciprocal)
{
    const pm_boxcox *b = &f->m.boxcox;
    double level = b->median + offset;
    size_t point;

    for (size_t j = 0; j < n; j++)
        reciprocal[j] = pm_boxcox_reciprocal(b, mean + deviation * f->sorted[j]);
    point = pm_tilt(NULL, reciprocal, n);
    return (pm_spread){level + pm_boxcox_inverse(b, mean + deviation * f->sorted[point]),
                       level + quantile(f, f->low, mean, deviation),
                       level + quantile(f, f->high, mean, deviation)};
}

/* Chooses the best model for one response (the variable that is modelled: log time minus an offset
 * of each row), and predicts the training rows. */
static void fit(pm_memory *memory, workspace *w, fitted *f, pm_candidate *c)
{
    const pm_response *r = &w->t->response[f->response];
    size_t n = w->t->n;

    f->m = choose(memory, w, r);
    f->a = pm_take(memory, n, sizeof *f->a);
    f->sorted = pm_take(memory, n, sizeof *f->sorted);
    memcpy(f->a, w->a, n * sizeof *f->a);
    memcpy(f->sorted, w->sorted, n * sizeof *f->sorted);
    f->low = pm_quantile_place(NULL, n, 0.05);
    f->high = pm_quantile_place(NULL, n, 0.95);
    for (size_t i = 0; i < n; i++)
        c->inner[i] = spread_of(f, n, w->x[i] + f->m.mean - w->residual[i], w->deviation[i],
                                r->offset[i], w->reciprocal);
}

/* A block of up to PANEL test rows (rows to predict): their covariances with the training rows
 * under one covariance function (kernel), and the part of their variance that the training rows
 * explain. */
typedef struct {
    /* training data and test rows; the block has the test rows from `first` on */
    const pm_training *t;
    size_t first;
    pm_pairs pairs;
    double *cross; /* covariance of each of the n training rows with each test row of the block */
    size_t kernel;
    double explained[PANEL], work[PANEL];
    double *reciprocal; /* scratch array of n numbers */
} panel;

static void use_kernel(const workspace *w, panel *p, size_t kernel)
{
    p->kernel = kernel;
    pm_kernel_of(&kernels[kernel], &p->pairs, p->cross);
    pm_gram_explained(w->gram[kernel], p->cross, p->pairs.m, p->explained, p->work);
}

/* Predicts the test rows of a block by the model of one response. outer[i] gets the prediction of
 * test row i. */
static void predict_panel(const panel *p, const fitted *f, pm_spread *outer)
{
    const pm_kernel *kernel = &kernels[f->m.kernel];
    const pm_response *r = &p->t->response[f->response];
    size_t n = p->t->n, m = p->pairs.m;
    double mean[PANEL];

    for (size_t j = 0; j < m; j++)
        mean[j] = f->m.mean;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            mean[j] += f->a[i] * p->cross[i * m + j];
    for (size_t j = 0; j < m; j++) {
        double prior = pm_kernel_prior(kernel, &p->t->features, p->first + j);
        double variance = fmax(prior - p->explained[j], kernel->noise);

        outer[p->first + j] = spread_of(f, n, mean[j], sqrt(f->m.scale * variance),
                                        r->offset_test[p->first + j], p->reciprocal);
    }
}

static void predict(pm_memory *memory, const pm_training *t, const void *fitted_all,
                    pm_candidates *list)
{
    const workspace *w = fitted_all;
    panel p = {.t = t,
               .cross = pm_take(memory, t->n * PANEL, sizeof *p.cross),
               .reciprocal = pm_take(memory, t->n, sizeof *p.reciprocal)};

    pm_pairs_create(memory, &p.pairs, t, PANEL);
    for (p.first = 0; p.first < t->m; p.first += PANEL) {
        size_t left = t->m - p.first;

        pm_pairs_test(&p.pairs, &t->features, p.first, left < PANEL ? left : PANEL);
        p.kernel = KERNELS;
        for (size_t k = 0; k < list->n; k++) {
            if (!list->candidate[k].outer)
                continue;
            if (w->fitted[k].m.kernel != p.kernel)
                use_kernel(w, &p, w->fitted[k].m.kernel);
            predict_panel(&p, &w->fitted[k], list->candidate[k].outer);
        }
    }
}

static void *fit_all(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    workspace *w = pm_take(memory, 1, sizeof *w);

    prepare(memory, w, t);
    for (size_t k = 0; k < t->responses; k++) {
        w->fitted[k].response = k;
        fit(memory, w, &w->fitted[k],
            pm_candidates_add(memory, list, t, "gp", t->response[k].letter));
    }
    return w;
}

const pm_family pm_gp_family = {.features = true, .fit = fit_all, .predict = predict};
