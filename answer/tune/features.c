/* Computes the features of versions of a tuned kernel. A version has one value of each tuning
 * parameter. Its features are the numbers from which the surrogate (a Gaussian process) predicts
 * the version's time. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The features are the parameters, properties of the first launch, and the times on other GPUs if
 * known. Properties of the launch are known without compiling: size and shape of the work-group,
 * number of work-groups, fraction of the last warp that has work-items, and work per work-item.
 *
 * Only the work per work-item is not known and is estimated as a product of some of the parameters.
 * Those parameters are taken for which this product times the global size varies least over the
 * versions, because the total work of all versions is the same. The remaining variation is
 * work-items beyond the end of the data, which kernels skip by a bounds check.
 */
#include <math.h>
#include <string.h>

#include "answer/tune/parts.h"
#include "base/session/session.h"

enum {
    MOST_SUBSETS = 1 << 12, /* limit on the subsets of parameters that find_work tries */
    LOOKED_AT = 512,        /* limit on the versions that find_work samples */
    LAUNCH_FEATURES = 5,
    DIMENSION_FEATURES = 4,
    USUAL_WARP = 32
};
static const double NOTHING_LEFT = 1e-9;

typedef struct {
    pm_tuner *tuner;
    /* ranges[version]: global and local size of the first launch of the version (combination of
     * tuning parameters) */
    const pm_launch_range *ranges;
    /* subset[dimension]: bit p is set if parameter p is a factor of the work per work-item */
    size_t subset[3];
    /* least[dimension]: smallest logarithm of (global size x work per work-item) over all
     * combinations of tuning parameters */
    double least[3];
    double width; /* warp width of the target, in work-items */
} seeing;

bool pm_tune_range(const pm_tuner *t, size_t version, pm_launch_range *range)
{
    pm_error ignored;

    return t->program->ranges(t->program->context, t->size, t->versions[version].values, range,
                              &ignored) == PM_OK;
}

/* Replaces missing ranges. Some versions (combinations of tuning parameters) have no valid global
 * and local size; they get the sizes of the version before, so that all versions have features. A
 * version without valid sizes fails later, when it is examined (compiled and traced). */
static void fill_gaps(pm_launch_range *ranges, size_t count)
{
    static const pm_launch_range one = {{1, 1, 1}, {1, 1, 1}};

    for (size_t v = 0; v < count; v++)
        if (ranges[v].local[0] == 0)
            ranges[v] = v > 0 ? ranges[v - 1] : one;
}

static double log_range(const seeing *s, size_t version, size_t subset, unsigned d)
{
    const int64_t *values = s->tuner->versions[version].values;
    double product = (double)s->ranges[version].global[d];

    for (size_t p = 0; subset >> p; p++)
        if (subset >> p & 1)
            product *= (double)values[p];
    return log(product);
}

static double spread_of(const seeing *s, size_t subset, unsigned d)
{
    const size_t step = 1 + s->tuner->count / LOOKED_AT;
    double least = (double)INFINITY, most = -least;

    for (size_t v = 0; v < s->tuner->count; v += step) {
        const double now = log_range(s, v, subset, d);

        least = fmin(least, now);
        most = fmax(most, now);
    }
    return most - least;
}

/* Finds the tuning parameters whose product is the work per work-item in dimension d: that product,
 * multiplied by the global size in d, varies least over the versions (combinations of parameter
 * values). Only parameters with several values, all positive, are tried. */
static void find_work(seeing *s, unsigned d)
{
    const pm_tune_space *space = s->tuner->space;
    const size_t subsets = space->count < 12 ? (size_t)1 << space->count : (size_t)MOST_SUBSETS;
    size_t possible = 0;
    double best = spread_of(s, 0, d);

    for (size_t p = 0; p < space->count; p++) {
        int64_t least = INT64_MAX;

        for (size_t k = 0; k < space->parameters[p].count; k++)
            least = space->parameters[p].values[k] < least ? space->parameters[p].values[k] : least;
        possible |= (size_t)(least > 0 && space->parameters[p].count > 1) << p;
    }
    for (size_t subset = 1; subset < subsets; subset++) {
        const double spread = subset & ~possible ? best : spread_of(s, subset, d);

        if (spread < best - NOTHING_LEFT) {
            best = spread;
            s->subset[d] = subset;
        }
    }
    s->least[d] = (double)INFINITY;
    for (size_t v = 0; v < s->tuner->count; v++)
        s->least[d] = fmin(s->least[d], log_range(s, v, s->subset[d], d));
}

/* Returns the largest power of two that divides n, but at most `width`, the warp width. */
static double aligned(size_t n, double width)
{
    double power = 1;

    while (n % 2 == 0 && power < width) {
        n /= 2;
        power *= 2;
    }
    return power;
}

static void see_launch(const seeing *s, size_t version, double *x)
{
    const pm_launch_range *r = &s->ranges[version];
    const double items = (double)(r->local[0] * r->local[1] * r->local[2]);
    const double warps = ceil(items / s->width);
    double groups = 0, fits = 1;

    for (unsigned d = 0; d < 3; d++) {
        const double left = log_range(s, version, s->subset[d], d) - s->least[d];
        double *of = x + LAUNCH_FEATURES + (size_t)DIMENSION_FEATURES * d;

        groups += log((double)r->global[d] / (double)r->local[d]);
        of[0] = log((double)r->local[d]);
        of[1] = log_range(s, version, s->subset[d], d) - log((double)r->global[d]);
        of[2] = left;
        of[3] = left < NOTHING_LEFT;
        fits = fmin(fits, of[3]);
    }
    x[0] = log(items);
    x[1] = groups;
    x[2] = log(items / (warps * s->width));
    x[3] = log(aligned(r->local[0], s->width));
    x[4] = fits;
}

/* Returns the feature of a parameter's value: its logarithm if the values are positive and span a
 * factor of 4 or more, otherwise the value itself. */
static double see_parameter(const pm_tuned *parameter, int64_t value)
{
    int64_t least = parameter->values[0], most = least;

    for (size_t k = 1; k < parameter->count; k++) {
        least = parameter->values[k] < least ? parameter->values[k] : least;
        most = parameter->values[k] > most ? parameter->values[k] : most;
    }
    return least > 0 && most / least >= 4 ? log((double)value) : (double)value;
}

/* Scales each column of `all` to 0 .. 1 over the versions (combinations of tuning parameters), and
 * drops constant columns. Column c of a version is all[version * columns + c]. */
static void scale(pm_tuner *t, const double *all, size_t columns)
{
    const size_t n = t->count;
    double *x = pm_take(&t->memory, n * columns, sizeof *x);
    size_t *kept = pm_take(&t->memory, columns, sizeof *kept), count = 0;
    double *low = pm_take(&t->memory, columns, sizeof *low);
    double *range = pm_take(&t->memory, columns, sizeof *range);

    for (size_t c = 0; c < columns; c++) {
        double least = (double)INFINITY, most = -least;

        for (size_t v = 0; v < n; v++) {
            least = fmin(least, all[v * columns + c]);
            most = fmax(most, all[v * columns + c]);
        }
        low[count] = least;
        range[count] = most - least;
        kept[count] = c;
        count += most - least > NOTHING_LEFT;
    }
    for (size_t v = 0; v < n; v++)
        for (size_t k = 0; k < count; k++)
            x[v * count + k] = (all[v * columns + kept[k]] - low[k]) / range[k];
    t->features = x;
    t->feature_count = count;
}

void pm_tune_features(pm_tuner *t)
{
    pm_launch_range *ranges = pm_take(&t->memory, t->count, sizeof *ranges);

    for (size_t v = 0; v < t->count; v++)
        if (!pm_tune_range(t, v, &ranges[v]))
            ranges[v] = (pm_launch_range){0};
    pm_tune_features_of(t, ranges);
}

void pm_tune_features_of(pm_tuner *t, pm_launch_range *ranges)
{
    const size_t p = t->space->count, launch = LAUNCH_FEATURES + 3 * DIMENSION_FEATURES;
    const size_t columns = p + launch + (t->elsewhere ? 1 : 0);
    double *all = pm_take(&t->memory, t->count * columns, sizeof *all);
    const double width = t->learned->target.profile.warp_width;
    seeing s = {.tuner = t, .ranges = ranges, .width = width > 0 ? width : USUAL_WARP};

    fill_gaps(ranges, t->count);
    for (unsigned d = 0; d < 3; d++)
        find_work(&s, d);
    for (size_t v = 0; v < t->count; v++) {
        for (size_t k = 0; k < p; k++)
            all[v * columns + k] =
                see_parameter(&t->space->parameters[k], t->versions[v].values[k]);
        see_launch(&s, v, all + v * columns + p);
        if (t->elsewhere)
            all[v * columns + p + launch] = t->elsewhere[v];
    }
    scale(t, all, columns);
}
