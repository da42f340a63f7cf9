/* Which versions to run first. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The versions that are predicted fastest are often neighbours, on which the model errs the same
 * way: if the first one is slow, so are the next. So the errors of the logarithms of times are
 * drawn as normal ones that two versions have in common by how near they are, and one version after
 * the other is added that raises the mean performance of the best most: the greedy maximum of a
 * submodular function, which is within 1 - 1/e of the best set (Nemhauser, Wolsey and Fisher,
 * Mathematical Programming 14, 1978). The candidates are the most promising, and some from all of
 * the space, for where predictions say little.
 */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "base/numbers.h"
#include "base/scramble.h"
#include "session/session.h"
#include "tune/parts.h"

enum { PROMISING = 300, ANYWHERE = 100, DRAWS = 256 };

/* Share of the variance of a prediction that not all versions of a program have in common.
 * Assumed: of the versions that others published the half in the middle of six GPUs. */
static const double OWN_SHARE = 0.5;
/* Distance of two versions, from 0 to 1 in each feature, at which e^-1 of it is common to them.
 * Assumed: pairs of published dedispersions and convolutions that are .5 apart have some .7 in
 * common, those that are 1.3 apart .2. */
static const double COMMON_LENGTH = 1;

typedef struct {
    size_t version;
    double mean, sd; /* of the logarithm of its time */
    double key;
} candidate;

typedef struct {
    pm_tuner *tuner;
    pm_memory memory;
    candidate *list;
    size_t count;
    gsl_matrix *speed; /* candidates x draws: performance over that of the best in the draw */
} choosing;

static int by_key(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->version > y->version) - (x->version < y->version);
}

/* Guesses have to be better than what was examined by their doubt to come before it. */
static void find_candidates(choosing *c)
{
    const pm_tuner *t = c->tuner;
    const uint64_t seed = pm_scramble(pm_session_chosen(t->session)->seed);
    size_t n = 0;

    c->list = pm_take(&c->memory, t->count, sizeof *c->list);
    for (size_t i = 0; i < t->count; i++) {
        const pm_tune_version *v = &t->versions[i];
        const double width = log(v->hi_s / v->lo_s) / 2 / PM_NORMAL_95;

        if (!(v->predicted_s > 0) || v->was_run)
            continue;
        c->list[n] = (candidate){i, log(v->predicted_s), sqrt(OWN_SHARE) * width, 0};
        c->list[n].key = c->list[n].mean + (v->state == PM_TUNE_EXAMINED ? 0 : width);
        n++;
    }
    qsort(c->list, n, sizeof *c->list, by_key);
    for (size_t i = PROMISING; i < n; i++)
        c->list[i].key = (double)pm_scramble(seed ^ (c->list[i].version + 1));
    if (n > PROMISING)
        qsort(c->list + PROMISING, n - PROMISING, sizeof *c->list, by_key);
    c->count = n < PROMISING + ANYWHERE ? n : PROMISING + ANYWHERE;
}

static double common(const pm_tuner *t, size_t a, size_t b)
{
    const double *x = t->features + a * t->feature_count, *y = t->features + b * t->feature_count;
    double distance2 = 0;

    for (size_t k = 0; k < t->feature_count; k++)
        distance2 += (x[k] - y[k]) * (x[k] - y[k]);
    return exp(-sqrt(distance2) / COMMON_LENGTH);
}

/* The root of the covariances, by which independent draws are mixed. */
static gsl_matrix *root_of(choosing *c)
{
    gsl_matrix *root = pm_take_matrix(&c->memory, c->count, c->count);
    int status;

    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j <= i; j++) {
            const candidate *a = &c->list[i], *b = &c->list[j];
            const double own = i == j ? 1e-9 : 0;

            gsl_matrix_set(root, i, j,
                           a->sd * b->sd * common(c->tuner, a->version, b->version) + own);
        }
    pm_gsl_begin();
    status = gsl_linalg_cholesky_decomp1(root);
    pm_gsl_end();
    if (status != GSL_SUCCESS)
        pm_leave(&c->memory, PM_FAILED, "errors of predictions that cannot be drawn");
    return root;
}

static void draw(choosing *c)
{
    const gsl_matrix *root = root_of(c);
    double *x = pm_take(&c->memory, c->count, sizeof *x);
    gsl_rng *rng;

    c->speed = pm_take_matrix(&c->memory, c->count, DRAWS);
    rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!rng)
        pm_leave(&c->memory, PM_FAILED, "out of memory for random numbers");
    gsl_rng_set(rng, (unsigned long)pm_session_chosen(c->tuner->session)->seed);
    for (size_t d = 0; d < DRAWS; d++) {
        double best = (double)INFINITY;

        for (size_t i = 0; i < c->count; i++)
            x[i] = gsl_ran_ugaussian(rng);
        for (size_t i = 0; i < c->count; i++) {
            double time = c->list[i].mean;

            for (size_t j = 0; j <= i; j++)
                time += gsl_matrix_get(root, i, j) * x[j];
            gsl_matrix_set(c->speed, i, d, time);
            best = fmin(best, time);
        }
        for (size_t i = 0; i < c->count; i++)
            gsl_matrix_set(c->speed, i, d, exp(best - gsl_matrix_get(c->speed, i, d)));
    }
    gsl_rng_free(rng);
}

/* What the best of those so far and this one reaches, in the sum over draws. */
static double reached_with(const choosing *c, size_t i, const double *so_far)
{
    double sum = 0;

    for (size_t d = 0; d < DRAWS; d++)
        sum += fmax(gsl_matrix_get(c->speed, i, d), so_far[d]);
    return sum;
}

static size_t choose(choosing *c, size_t wanted, size_t *chosen)
{
    double *so_far = pm_take(&c->memory, DRAWS, sizeof *so_far);
    bool *taken = pm_take(&c->memory, c->count, sizeof *taken);
    size_t n = 0;

    for (wanted = wanted < c->count ? wanted : c->count; n < wanted; n++) {
        size_t best = c->count;
        double most = -1;

        for (size_t i = 0; i < c->count; i++) {
            const double now = taken[i] ? -1 : reached_with(c, i, so_far);

            if (now > most) {
                most = now;
                best = i;
            }
        }
        taken[best] = true;
        chosen[n] = c->list[best].version;
        for (size_t d = 0; d < DRAWS; d++)
            so_far[d] = fmax(so_far[d], gsl_matrix_get(c->speed, best, d));
    }
    return n;
}

size_t pm_tune_first(pm_tuner *t, size_t wanted, size_t *chosen)
{
    choosing c = {.tuner = t, .memory = pm_memory_beside(&t->memory)};
    size_t n;

    find_candidates(&c);
    draw(&c);
    n = choose(&c, wanted, chosen);
    pm_memory_free(&c.memory);
    return n;
}
