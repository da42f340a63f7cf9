/* Fills the result of a search for the fastest version of a tuned kernel: the versions sorted by
 * time, the versions that failed, and the effect of each tuning parameter. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/parts.h"

/* Returns the time in seconds by which a version (combination of tuning parameters) is ranked. It
 * is the measured time if this command ran the version, otherwise the predicted time. Times of a
 * Kernel Tuner file are not used. */
static double time_of(const pm_tune_choice *choice)
{
    return choice->was_run ? choice->measured_s : choice->predicted_s;
}

static int by_time(const void *a, const void *b)
{
    const pm_tune_choice *x = a, *y = b;
    const double left = time_of(x), right = time_of(y);

    return left != right ? (left > right) - (left < right)
                         : (x->values > y->values) - (x->values < y->values);
}

/* Appends the versions (combinations of tuning parameters) that have a predicted time to
 * tuning->choices, and sorts them by time, fastest first. Returns an array with the parameter
 * values of all versions, into which the choices point. Row i of the array has the values of
 * version i of the search. */
static const int64_t *add_choices(pm_tuner *t)
{
    pm_tuning *tuning = t->tuning;
    const size_t bytes = t->space->count * sizeof(int64_t);
    int64_t *values = pm_take(&t->kept, t->count * t->space->count, sizeof *values);

    tuning->choices = pm_take(&t->kept, t->count, sizeof *tuning->choices);
    for (size_t i = 0; i < t->count; i++) {
        const pm_tune_version *v = &t->versions[i];
        int64_t *own = values + i * t->space->count;

        if (!(v->predicted_s > 0))
            continue;
        memcpy(own, v->values, bytes);
        tuning->choices[tuning->n++] =
            (pm_tune_choice){.variant = pm_version_text(&t->kept, t->space, own),
                             .values = own,
                             .predicted_s = v->predicted_s,
                             .lo_s = v->lo_s,
                             .hi_s = v->hi_s,
                             .measured_s = v->measured_s > 0 ? v->measured_s : (double)NAN,
                             .was_run = v->was_run,
                             .examined = v->state == PM_TUNE_EXAMINED};
    }
    qsort(tuning->choices, tuning->n, sizeof *tuning->choices, by_time);
    return values;
}

/* Fills tuning->first with the versions (combinations of tuning parameters) that should be run
 * first, as indices in tuning->choices. values: the array that add_choices returned. */
static void add_first(pm_tuner *t, const int64_t *values)
{
    pm_tuning *tuning = t->tuning;
    size_t *first = pm_take(&t->kept, PM_TUNE_FIRST, sizeof *first);
    /* place[version]: index of the version (combination of tuning parameters) in tuning->choices,
     * which are sorted by time */
    size_t *place = pm_take(&t->memory, t->count, sizeof *place);

    for (size_t i = 0; i < tuning->n; i++)
        place[(size_t)(tuning->choices[i].values - values) / t->space->count] = i;
    tuning->first_count = pm_tune_first(t, PM_TUNE_FIRST, first);
    for (size_t i = 0; i < tuning->first_count; i++)
        first[i] = place[first[i]];
    tuning->first = first;
}

/* Adds to the result the parameter values of the combinations that cannot be compiled or run, and
 * the first error message. */
static void add_failures(pm_tuner *t)
{
    int64_t *values = pm_take(&t->kept, t->failed * t->space->count, sizeof *values);
    size_t n = 0;

    t->tuning->failed = t->failed;
    t->tuning->failure = t->failed ? pm_copy(&t->kept, t->first.text) : NULL;
    t->tuning->failures = values;
    for (size_t i = 0; i < t->count; i++)
        if (t->versions[i].state == PM_TUNE_FAILED)
            memcpy(values + n++ * t->space->count, t->versions[i].values,
                   t->space->count * sizeof *values);
}

/* Returns the indices in tuning->choices in the order in which we recommend to run them: first
 * those in tuning->first, then all others by predicted time. */
static size_t *order_of(pm_tuner *t)
{
    const pm_tuning *tuning = t->tuning;
    size_t *order = pm_take(&t->memory, tuning->n, sizeof *order), n = 0;
    bool *taken = pm_take(&t->memory, tuning->n, sizeof *taken);

    for (size_t i = 0; i < tuning->first_count; i++) {
        order[n++] = tuning->first[i];
        taken[tuning->first[i]] = true;
    }
    for (size_t i = 0; i < tuning->n; i++)
        if (!taken[i])
            order[n++] = i;
    return order;
}

/* Computes how good the recommended order is, from measured times. reached[k] is the performance of
 * the fastest of the first runs[k] versions (combinations of tuning parameters), as a fraction of
 * the performance of the fastest version of all. Omitted with --measure, and if no version has a
 * measured time. */
static void add_reached(pm_tuner *t)
{
    static const size_t runs[PM_TUNE_REACHED] = {1, 5, 10, 50};
    pm_tuning *tuning = t->tuning;
    const size_t *order = order_of(t);
    double best = (double)INFINITY, so_far = (double)INFINITY;
    size_t k = 0;

    for (size_t i = 0; i < t->count; i++)
        if (t->versions[i].measured_s > 0) {
            best = fmin(best, t->versions[i].measured_s);
            tuning->measured++;
        }
    for (size_t i = 0; i < tuning->n && k < PM_TUNE_REACHED; i++) {
        const double measured_s = tuning->choices[order[i]].measured_s;

        if (!isnan(measured_s))
            so_far = fmin(so_far, measured_s);
        if (i + 1 == runs[k])
            tuning->reached[k++] = (pm_tune_reached){i + 1, best / so_far};
    }
    tuning->reached_count = tuning->measured > 0 && t->options->measure == 0 ? k : 0;
}

/* ---- parameters ------------------------------------------------------------------------------ */

static size_t place_of(const pm_tuned *tuned, int64_t value)
{
    size_t k = 0;

    while (tuned->values[k] != value)
        k++;
    return k;
}

/* Returns the fraction of the variance of log time that a parameter explains: the variance between
 * the means for its values, divided by the total variance. sum[v], count[v]: sum of log times and
 * number of versions (combinations of tuning parameters) with value v. mean, all: mean of log times
 * and sum of their squared deviations over all versions. */
static double share_of(const double *sum, const size_t *count, size_t values, double mean,
                       double all)
{
    double between = 0;

    for (size_t k = 0; k < values; k++)
        if (count[k] > 0) {
            const double apart = sum[k] / (double)count[k] - mean;

            between += (double)count[k] * apart * apart;
        }
    return all > 0 ? between / all : 0;
}

static void add_parameter(pm_tuner *t, size_t p, double mean, double all)
{
    const pm_tuned *tuned = &t->space->parameters[p];
    const pm_tuning *tuning = t->tuning;
    double *sum = pm_take(&t->memory, tuned->count, sizeof *sum);
    double *best = pm_take(&t->kept, tuned->count, sizeof *best);
    double *means = pm_take(&t->kept, tuned->count, sizeof *means);
    int64_t *values = pm_take(&t->kept, tuned->count, sizeof *values);
    size_t *count = pm_take(&t->memory, tuned->count, sizeof *count);

    for (size_t i = 0; i < tuning->n; i++) {
        const size_t k = place_of(tuned, tuning->choices[i].values[p]);
        const double time_s = tuning->choices[i].predicted_s;

        sum[k] += log(time_s);
        best[k] = count[k] && best[k] < time_s ? best[k] : time_s;
        count[k]++;
    }
    for (size_t k = 0; k < tuned->count; k++) {
        values[k] = tuned->values[k];
        means[k] = count[k] ? exp(sum[k] / (double)count[k]) : (double)NAN;
        best[k] = count[k] ? best[k] : (double)NAN;
    }
    tuning->parameters[p] =
        (pm_tune_parameter){.name = pm_copy(&t->kept, tuned->name),
                            .count = tuned->count,
                            .values = values,
                            .mean_s = means,
                            .best_s = best,
                            .share = share_of(sum, count, tuned->count, mean, all)};
}

static void add_parameters(pm_tuner *t)
{
    pm_tuning *tuning = t->tuning;
    double mean = 0, all = 0;

    for (size_t i = 0; i < tuning->n; i++)
        mean += log(tuning->choices[i].predicted_s) / (double)tuning->n;
    for (size_t i = 0; i < tuning->n; i++) {
        const double apart = log(tuning->choices[i].predicted_s) - mean;

        all += apart * apart;
    }
    tuning->parameter_count = t->space->count;
    tuning->parameters = pm_take(&t->kept, t->space->count, sizeof *tuning->parameters);
    for (size_t p = 0; p < t->space->count; p++)
        add_parameter(t, p, mean, all);
}

void pm_tune_rank(pm_tuner *t)
{
    pm_tuning *tuning = t->tuning;

    tuning->target = pm_copy(&t->kept, t->options->target);
    tuning->assumed = t->program->assumed;
    tuning->program = pm_copy(&t->kept, t->program->info.name);
    tuning->size = pm_copy(&t->kept, t->size);
    tuning->basis = t->learned->basis;
    tuning->kernel = t->kernel;
    tuning->space = t->count;
    tuning->examined = t->examined;
    tuning->traced = t->traced;
    add_failures(t);
    add_first(t, add_choices(t));
    add_reached(t);
    add_parameters(t);
}
