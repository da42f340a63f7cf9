/* Covariances of a Gaussian process. See kernel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terms are from Rasmussen and Williams, Gaussian Processes for Machine Learning (2006),
 * sections 4.2.1 (squared exponential) and 4.2.2 (linear). With a source, whose standardized log
 * time is s, there are three more terms: SMOOTH exp(-(s - s')^2 / 2), a linear term in s, and a
 * squared exponential of features and s together. In the last term, s has half the weight of all
 * features together.
 *
 * The lengths are 2, 1 and 1/2. Therefore exp(-d / (2 l^2)) for length 1 is the fourth power of
 * that for length 2, and that for length 1/2 is the fourth power of that for length 1. One call of
 * exp per pair of rows computes all three.
 */
#include "model/methods/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const double CONSTANT = 100; /* variance of the constant term, because the mean is unknown */
static const double SMOOTH = 0.3;

static double source_slope(const pm_kernel *kernel)
{
    return fmax(SMOOTH, kernel->linear / 10);
}

void pm_pairs_create(pm_memory *memory, pm_pairs *pairs, const pm_training *t, size_t m)
{
    size_t cells = t->n * m;
    bool source = t->features.source_train != NULL;

    *pairs = (pm_pairs){.n = t->n,
                        .weighted = pm_take(memory, cells, sizeof(double)),
                        .equal = pm_take(memory, cells, sizeof(double)),
                        .source = source ? pm_take(memory, cells, sizeof(double)) : NULL,
                        .together = source ? pm_take(memory, cells, sizeof(double)) : NULL};
    for (size_t l = 0; l < PM_LENGTHS; l++)
        pairs->near[l] = pm_take(memory, cells, sizeof(double));
}

/* Features of the m rows with which the training rows are paired. They are the training rows
 * themselves or test rows. Each feature is a column, and `source` is the time on the source GPU. */
typedef struct {
    const double *features, *source;
    /* distance between the values of two features for the same row, as a number of elements */
    size_t stride;
} others;

/* Computes the terms of the covariance of training row i with each of the m other rows: the dot
 * products of the features (weighted and unweighted), and the weighted squared distance. The
 * distance is stored in near[0] until nearness() replaces it. */
static void products(pm_pairs *pairs, const pm_features *f, const others *o, size_t i)
{
    size_t m = pairs->m;
    double *restrict weighted = pairs->weighted + i * m, *restrict equal = pairs->equal + i * m;
    double *restrict distance = pairs->near[0] + i * m;

    memset(weighted, 0, m * sizeof *weighted);
    memset(equal, 0, m * sizeof *equal);
    memset(distance, 0, m * sizeof *distance);
    for (size_t k = 0; k < f->p; k++) {
        const double *restrict other = o->features + k * o->stride;
        double own = f->train[k * f->n + i], w = f->weight[k], share = 1 / (double)f->p;

        for (size_t j = 0; j < m; j++) {
            double product = own * other[j], apart = own - other[j];

            weighted[j] += w * product;
            equal[j] += share * product;
            distance[j] += w * apart * apart;
        }
    }
}

static double fourth_power(double x)
{
    return x * x * x * x;
}

/* Computes the squared exponential terms of the covariance of training row i with each of the m
 * other rows, one for each length scale, from the squared distances in near[0]. Also computes the
 * covariance terms of the variable "time on the source GPU". */
static void nearness(pm_pairs *pairs, const pm_features *f, const others *o, size_t i)
{
    size_t m = pairs->m;

    for (size_t j = i * m; j < (i + 1) * m; j++) {
        double near = exp(-pairs->near[0][j] / 8), both = 0;

        if (o->source && pairs->source) {
            double own = f->source_train[i], other = o->source[j - i * m];
            double factor = exp(-(own - other) * (own - other) / 16);

            pairs->source[j] = own * other;
            pairs->together[j] = fourth_power(factor) * fourth_power(factor);
            both = near * factor;
        }
        for (size_t l = 0; l < PM_LENGTHS; l++) {
            pairs->near[l][j] = near + both;
            near = fourth_power(near);
            both = fourth_power(both);
        }
    }
}

static void fill(pm_pairs *pairs, const pm_features *f, const others *o)
{
    for (size_t i = 0; i < pairs->n; i++) {
        products(pairs, f, o, i);
        nearness(pairs, f, o, i);
    }
}

void pm_pairs_train(pm_pairs *pairs, const pm_features *f)
{
    const others o = {f->train, f->source_train, f->n};

    pairs->m = f->n;
    fill(pairs, f, &o);
}

void pm_pairs_test(pm_pairs *pairs, const pm_features *f, size_t first, size_t m)
{
    const others o = {f->test + first, f->source_test ? f->source_test + first : NULL, f->m};

    pairs->m = m;
    fill(pairs, f, &o);
}

void pm_kernel_of(const pm_kernel *kernel, const pm_pairs *pairs, double *restrict out)
{
    size_t cells = pairs->n * pairs->m;
    double weighted = kernel->weighted_linear, linear = kernel->linear;
    double slope = source_slope(kernel);

    for (size_t i = 0; i < cells; i++)
        out[i] = CONSTANT + weighted * pairs->weighted[i] + linear * pairs->equal[i];
    for (size_t i = 0; kernel->local && i < cells; i++)
        out[i] += pairs->near[kernel->length][i];
    for (size_t i = 0; pairs->source && i < cells; i++)
        out[i] += slope * pairs->source[i];
    for (size_t i = 0; pairs->source && kernel->local && i < cells; i++)
        out[i] += SMOOTH * pairs->together[i];
}

double pm_kernel_prior(const pm_kernel *kernel, const pm_features *f, size_t test)
{
    double k = CONSTANT + kernel->noise + kernel->program + (kernel->local ? 1 : 0);

    for (size_t j = 0; j < f->p; j++) {
        double x = f->test[j * f->m + test];

        k += (kernel->weighted_linear * f->weight[j] + kernel->linear / (double)f->p) * x * x;
    }
    if (f->source_test) {
        double s = f->source_test[test];

        k += source_slope(kernel) * s * s + (kernel->local ? 1 + SMOOTH : 0);
    }
    return k;
}
