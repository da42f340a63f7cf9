/* Chooses the versions (combinations of tuning parameters) that are run on the device first. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The versions with the fastest predictions often have similar parameters, and the model has nearly
 * the same error for all of them. If one of them is slow when it is run, the others probably are,
 * too. Therefore a chosen version covers all versions whose features are nearer than a radius, and
 * the next choice is the fastest prediction that is not covered. Gonzalez, Clustering to minimize
 * the maximum intercluster distance, Theoretical Computer Science 38, 1985, also adds points by
 * their distance from those chosen. If all versions are covered, the radius is reduced.
 *
 * We also tried to choose by expected improvement, with normally distributed errors that are
 * correlated between similar versions. This chose worse on published tuning spaces, because errors
 * there are not normal and can be several times as large as the model's intervals.
 */
#include <math.h>
#include <stdlib.h>

#include "answer/tune/parts.h"
#include "base/numbers.h"
#include "base/scramble.h"
#include "base/session/session.h"

enum { PAIRS = 4096, DISTANCES = 3 };

/* Radii of coverage, as quantiles of the distances between random pairs of versions (combinations
 * of tuning parameters). A version is covered if a version that was already chosen is nearer than
 * the radius; only versions that are not covered are chosen. The best radius is not known, so the
 * choice alternates between three radii. Their values come from experiments on published
 * convolutions, dedispersions and Coulomb sums and on a matrix product. After ten runs, the fastest
 * version found has on average 82 to 85 % of the performance of the best version. This holds for
 * the three radii, and for any single quantile from 0.05 to 0.2. Without coverage, the average is
 * 79 %. */
static const double SPOKEN_FOR[DISTANCES] = {0.02, 0.1, 0.3};
/* Factor by which a radius of coverage is multiplied if it leaves no version (combination of tuning
 * parameters) uncovered. The value is assumed, and has no effect while a version is uncovered. If
 * the radius falls below NEAREST, even versions with the same features as a chosen version are
 * allowed. */
static const double LESS = 0.7;
static const double NEAREST = 1e-6;

typedef struct {
    const pm_tuner *tuner;
    /* hope[version]: logarithm of the predicted time of the version (combination of tuning
     * parameters) plus penalties. Versions to run are chosen in this order, lowest first; infinity:
     * the version must not be chosen. */
    double *hope;
    /* apart[version]: distance in the features from the version (combination of tuning parameters)
     * to the nearest version that was already chosen to run */
    double *apart;
} choosing;

static double distance(const pm_tuner *t, size_t a, size_t b)
{
    const double *x = t->features + a * t->feature_count, *y = t->features + b * t->feature_count;
    double distance2 = 0;

    for (size_t k = 0; k < t->feature_count; k++)
        distance2 += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(distance2);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Computes the three radii of coverage: the quantiles SPOKEN_FOR of the distances between random
 * pairs of versions (combinations of tuning parameters). */
static void find_distances(pm_tuner *t, double *near)
{
    const uint64_t seed = pm_scramble(pm_session_chosen(t->session)->seed);
    double *apart = pm_take(&t->memory, PAIRS, sizeof *apart);

    for (size_t i = 0; i < PAIRS; i++)
        apart[i] = distance(t, pm_scramble(seed ^ (2 * i + 1)) % t->count,
                            pm_scramble(seed ^ (2 * i + 2)) % t->count);
    qsort(apart, PAIRS, sizeof *apart, by_size);
    for (size_t d = 0; d < DISTANCES; d++)
        near[d] = apart[(size_t)(SPOKEN_FOR[d] * PAIRS)];
}

/* Returns true if --measure has already run a version (combination of tuning parameters). The
 * predictions of all versions then contain a correction by measured times, and times on other GPUs
 * are no longer added to them. */
static bool any_was_run(const pm_tuner *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->versions[i].was_run)
            return true;
    return false;
}

/* Sets c->hope to the logarithm of each version's predicted time, with penalties. A version
 * (combination of tuning parameters) predicted by the surrogate gets one standard deviation added,
 * so that it comes first only if it is better by more than this deviation. Times on other GPUs
 * count as much as the prediction, because neither is known to be more accurate. */
static void open_choosing(choosing *c, pm_tuner *t)
{
    const double *elsewhere = any_was_run(t) ? NULL : t->elsewhere;

    c->tuner = t;
    c->hope = pm_take(&t->memory, t->count, sizeof *c->hope);
    c->apart = pm_take(&t->memory, t->count, sizeof *c->apart);
    for (size_t i = 0; i < t->count; i++) {
        const pm_tune_version *v = &t->versions[i];

        c->apart[i] = c->hope[i] = (double)INFINITY;
        if (!(v->predicted_s > 0) || v->was_run)
            continue;
        c->hope[i] = log(v->predicted_s);
        if (v->state != PM_TUNE_EXAMINED)
            c->hope[i] += log(v->hi_s / v->lo_s) / 2 / PM_NORMAL_95;
        if (elsewhere)
            c->hope[i] += elsewhere[i];
    }
}

/* Returns the index of the version (combination of tuning parameters) with the lowest `hope` (log
 * of predicted time plus penalties) whose distance in the features from every chosen version is
 * above `near`. Returns the number of versions if there is none. */
static size_t best_beyond(const choosing *c, double near)
{
    size_t best = c->tuner->count;
    double least = (double)INFINITY;

    for (size_t i = 0; i < c->tuner->count; i++)
        if (c->apart[i] > near && c->hope[i] < least) {
            least = c->hope[i];
            best = i;
        }
    return best;
}

/* Marks a version (combination of tuning parameters) as chosen, and updates the distance of each
 * version from the nearest chosen one. Versions with the same predicted time as the chosen one get
 * distance 0, because they have the same compiled code. */
static void take(choosing *c, size_t chosen)
{
    const pm_tune_version *all = c->tuner->versions;

    for (size_t i = 0; i < c->tuner->count; i++)
        c->apart[i] = all[i].predicted_s == all[chosen].predicted_s
                          ? 0
                          : fmin(c->apart[i], distance(c->tuner, chosen, i));
    c->hope[chosen] = (double)INFINITY;
}

static bool is_left(const choosing *c)
{
    return best_beyond(c, -1) < c->tuner->count;
}

size_t pm_tune_first(pm_tuner *t, size_t wanted, size_t *chosen)
{
    choosing c;
    double distances[DISTANCES];
    size_t n = 0;

    find_distances(t, distances);
    open_choosing(&c, t);
    while (n < wanted && is_left(&c)) {
        double *near = &distances[n % DISTANCES];
        size_t next = best_beyond(&c, *near);

        while (next == t->count) {
            /* a radius of -1 also allows versions (combinations of tuning parameters) with equal
             * features, whose distance is 0 */
            *near = *near > NEAREST ? *near * LESS : -1;
            next = best_beyond(&c, *near);
        }
        take(&c, next);
        chosen[n++] = next;
    }
    return n;
}
