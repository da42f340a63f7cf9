/* Which versions to run first. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The versions that are predicted fastest are often neighbours, on which the model errs the same
 * way: if the first one is slow, so are the next. So a version that is run speaks for those around
 * it, and the next is the one predicted fastest of those for which none speaks yet (Gonzalez,
 * Clustering to minimize the maximum intercluster distance, Theoretical Computer Science 38, 1985,
 * adds points the same way, by distance alone). Where a version speaks for all, it speaks for less.
 *
 * To draw the errors of predictions as normal ones that near versions have in common, and add the
 * version that raises the expected best most, chooses worse: of the spaces that others published,
 * errors are not normal, and where the model is wrong, it is wrong by several of its own intervals.
 */
#include <math.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "base/scramble.h"
#include "session/session.h"
#include "tune/parts.h"

enum { PAIRS = 4096, DISTANCES = 3 };

/* How far a version speaks is not known, so that versions are chosen beyond each
 * of these distances in turn: those that such shares of all pairs of the space are nearer than.
 * Assumed: of the published convolutions, dedispersions and Coulomb sums, and of a matrix product,
 * ten runs reach 82 to 85 % of the best in the mean with any one share from .05 to .2, and with
 * these; 79 % with none. */
static const double SPOKEN_FOR[DISTANCES] = {0.02, 0.1, 0.3};
/* Of the distance is left where all are spoken for. Any fraction chooses the same while there are
 * some that nothing speaks for: assumed. Below NEAREST versions look alike. */
static const double LESS = 0.7;
static const double NEAREST = 1e-6;

typedef struct {
    const pm_tuner *tuner;
    double *hope;  /* of each version: the logarithm of a time; infinity: it cannot be chosen */
    double *apart; /* of each version: from the nearest that was chosen */
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

/* The distances that SPOKEN_FOR are of, by pairs that are drawn. */
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

/* Whether some were run here: then predictions were moved by that, and by what others took. */
static bool any_was_run(const pm_tuner *t)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->versions[i].was_run)
            return true;
    return false;
}

/* Guesses have to be better than what was examined by their doubt to come before it. What versions
 * took on other GPUs counts as much: neither is known to err less. */
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

/* The one that is hoped to be fastest of those that are farther than so much from all that were
 * chosen; the count of versions: there is none. */
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

/* What has the same code has the same time. */
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
            *near = *near > NEAREST ? *near * LESS : -1; /* several may look alike */
            next = best_beyond(&c, *near);
        }
        take(&c, next);
        chosen[n++] = next;
    }
    return n;
}
