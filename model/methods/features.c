/* Converts hardware counters to the variables (features) of a regression: takes logarithms, and
 * standardizes them to mean 0 and standard deviation 1 over the training rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/training.h"

/* A feature whose standard deviation in the training rows is below this counts as constant. */
static const double CONSTANT = 1e-9;
/* Limit of extrapolation: test features are clipped at this many standard deviations beyond the
 * range of the training rows. A counter that is nearly constant in training, such as a number of
 * launches, says nothing about a value of 500. */
static const double BEYOND = 1;

/* Finds how a column of counters is transformed to a feature: log(c) if all values are positive,
 * else log(1 + c / smallest positive value). Only training rows are read, so that a test row cannot
 * change the model. */
static pm_feature choose_transform(const pm_training *t, size_t column)
{
    pm_feature choice = {.column = column, .least = INFINITY, .positive = true};

    for (size_t i = 0; i < t->n; i++) {
        double c = t->problem->x[t->row[i] * t->problem->p + column];

        if (c <= 0)
            choice.positive = false;
        else if (c < choice.least)
            choice.least = c;
    }
    return choice;
}

/* Returns log(1 + c / least), also if the ratio overflows a double. */
static double log_one_plus(double c, double least)
{
    double ratio = c / least;

    return isfinite(ratio) ? log1p(ratio) : log(c) - log(least);
}

static double transformed(const pm_training *t, const pm_feature *how, size_t row)
{
    double c = t->problem->x[row * t->problem->p + how->column];

    return how->positive ? log(pm_floored(c, how->least)) : log_one_plus(fmax(c, 0), how->least);
}

/* Shifts and scales the values of a feature in the training rows to mean 0 and standard deviation
 * 1. Stores the mean and the standard deviation in `how`. Returns false if the values are
 * constant. */
static bool standardise(pm_feature *how, double *values, size_t n)
{
    double mean = gsl_stats_mean(values, 1, n), sum = 0, sd;

    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    sd = sqrt(sum / (double)n);
    if (!(sd >= CONSTANT))
        return false;
    for (size_t i = 0; i < n; i++)
        values[i] = (values[i] - mean) / sd;
    how->mean = mean;
    how->deviation = sd;
    gsl_stats_minmax(&how->low, &how->high, values, 1, n);
    return true;
}

/* Sets the weights w_j = 1 / sum_k r_jk^2, scaled to sum 1, where r_jk is the correlation of
 * features j and k. A group of correlated counters then has about the same total weight as one
 * independent counter. */
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
        pm_feature how = choose_transform(t, column);
        double *train = f->train + f->p * f->n;

        if (!isfinite(how.least))
            continue;
        for (size_t i = 0; i < f->n; i++)
            train[i] = transformed(t, &how, t->row[i]);
        if (standardise(&how, train, f->n))
            f->how[f->p++] = how;
    }
}

/* Fills the feature that is made from the time on the source GPU. If this time is the same in all
 * training rows, the feature is 0. */
static void fill_source(pm_features *f, const pm_training *t)
{
    for (size_t i = 0; i < f->n; i++)
        f->source_train[i] = log(t->problem->source_t[t->row[i]]);
    if (!standardise(&f->source, f->source_train, f->n))
        memset(f->source_train, 0, f->n * sizeof *f->source_train);
}

void pm_features_create(pm_memory *memory, pm_features *f, const pm_training *t)
{
    size_t columns = t->problem->p;

    *f = (pm_features){.n = t->n,
                       .how = pm_take(memory, columns, sizeof *f->how),
                       .train = pm_take(memory, columns * t->n, sizeof(double)),
                       .weight = pm_take(memory, columns, sizeof(double))};
    fill_columns(f, t);
    weigh(f);
    if (t->problem->source_t) {
        f->source_train = pm_take(memory, t->n, sizeof(double));
        fill_source(f, t);
    }
}

void pm_features_test(pm_memory *memory, pm_features *f, const pm_training *t)
{
    f->m = t->m;
    f->test = pm_take(memory, f->p * f->m, sizeof(double));
    for (size_t j = 0; j < f->p; j++) {
        const pm_feature *how = &f->how[j];

        for (size_t i = 0; i < f->m; i++) {
            const double value = (transformed(t, how, t->test[i]) - how->mean) / how->deviation;

            f->test[j * f->m + i] = fmin(fmax(value, how->low - BEYOND), how->high + BEYOND);
        }
    }
    if (!f->source_train)
        return;
    f->source_test = pm_take(memory, f->m, sizeof(double));
    for (size_t i = 0; i < f->m && f->source.deviation > 0; i++)
        f->source_test[i] =
            (log(t->problem->source_t[t->test[i]]) - f->source.mean) / f->source.deviation;
}
