/* Counters as features of a regression: logarithms, standardised on the training rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/training.h"

/* A feature that differs less than this between the training rows is constant. */
static const double CONSTANT = 1e-9;

/* log of a counter that is positive throughout; log(1 + c / least positive value) of one that can
 * be 0. Values of the training rows decide, which keeps a test row from changing the model. */
typedef struct {
    double least;
    bool positive;
} transform;

static transform choose_transform(const pm_training *t, size_t column)
{
    transform choice = {INFINITY, true};

    for (size_t i = 0; i < t->n; i++) {
        double c = t->problem->x[t->row[i] * t->problem->p + column];

        if (c <= 0)
            choice.positive = false;
        else if (c < choice.least)
            choice.least = c;
    }
    return choice;
}

/* log(1 + c / least), also where the ratio is past what a double holds. */
static double log_one_plus(double c, double least)
{
    double ratio = c / least;

    return isfinite(ratio) ? log1p(ratio) : log(c) - log(least);
}

static void apply(const pm_training *t, transform how, size_t column, const size_t *rows, size_t n,
                  double *out)
{
    for (size_t i = 0; i < n; i++) {
        double c = t->problem->x[rows[i] * t->problem->p + column];

        out[i] = how.positive ? log(pm_floored(c, how.least)) : log_one_plus(fmax(c, 0), how.least);
    }
}

/* Scales train (and test alike) to mean 0 and standard deviation 1 of train; false if constant. */
static bool standardise(double *train, size_t n, double *test, size_t m)
{
    double mean = gsl_stats_mean(train, 1, n), sum = 0, sd;

    for (size_t i = 0; i < n; i++)
        sum += (train[i] - mean) * (train[i] - mean);
    sd = sqrt(sum / (double)n);
    if (!(sd >= CONSTANT))
        return false;
    for (size_t i = 0; i < n; i++)
        train[i] = (train[i] - mean) / sd;
    for (size_t i = 0; i < m; i++)
        test[i] = (test[i] - mean) / sd;
    return true;
}

/* 1 / sum_k r_jk^2, scaled to the sum 1: counters that many others repeat (instructions in five
 * forms) together count for about as much as one that stands alone. */
static void weigh(pm_features *f)
{
    double total = 0;

    for (size_t j = 0; j < f->p; j++) {
        double sum = 0;

        for (size_t k = 0; k < f->p; k++) {
            double r = 0;

            for (size_t i = 0; i < f->n; i++)
                r += f->train[j * f->n + i] * f->train[k * f->n + i];
            r /= (double)f->n;
            sum += r * r;
        }
        f->weight[j] = 1 / sum;
        total += f->weight[j];
    }
    for (size_t j = 0; j < f->p; j++)
        f->weight[j] /= total;
}

static void fill_columns(pm_features *f, const pm_training *t)
{
    for (size_t column = 0; column < t->problem->p; column++) {
        transform how = choose_transform(t, column);
        double *train = f->train + f->p * f->n, *test = f->test + f->p * f->m;

        if (!isfinite(how.least))
            continue;
        apply(t, how, column, t->row, f->n, train);
        apply(t, how, column, t->test, f->m, test);
        if (standardise(train, f->n, test, f->m))
            f->p++;
    }
}

/* A source whose times are all equal tells nothing: zeros. */
static void fill_source(pm_features *f, const pm_training *t)
{
    for (size_t i = 0; i < f->n; i++)
        f->source_train[i] = log(t->problem->source_t[t->row[i]]);
    for (size_t i = 0; i < f->m; i++)
        f->source_test[i] = log(t->problem->source_t[t->test[i]]);
    if (!standardise(f->source_train, f->n, f->source_test, f->m)) {
        for (size_t i = 0; i < f->n; i++)
            f->source_train[i] = 0;
        for (size_t i = 0; i < f->m; i++)
            f->source_test[i] = 0;
    }
}

void pm_features_create(pm_memory *memory, pm_features *f, const pm_training *t)
{
    size_t columns = t->problem->p;

    *f = (pm_features){.n = t->n,
                       .m = t->m,
                       .train = pm_take(memory, columns * t->n, sizeof(double)),
                       .test = pm_take(memory, columns * t->m, sizeof(double)),
                       .weight = pm_take(memory, columns, sizeof(double))};
    fill_columns(f, t);
    weigh(f);
    if (t->problem->source_t) {
        f->source_train = pm_take(memory, t->n, sizeof(double));
        f->source_test = pm_take(memory, t->m, sizeof(double));
        fill_source(f, t);
    }
}
