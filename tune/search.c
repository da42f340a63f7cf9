/* Which versions are examined, and what is thought of the others. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A space within the budget is examined whole. Else a random quarter of the budget comes first, and
 * then, batch by batch, what a surrogate that has learned from all that was examined expects to be
 * fastest, its doubt taken off (the lower end of an interval), and, a quarter of each batch, what
 * it knows least of. Numbers that are drawn depend on the session's seed alone.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/scramble.h"
#include "session/session.h"
#include "tune/parts.h"
#include "tune/surrogate.h"

enum {
    LEAST_START = 24, /* versions drawn before the first surrogate */
    BATCHES = 8,
    LEAST_BATCH = 8,
    LEAST_BY_TIME = 24,      /* of a batch where the budget is in seconds */
    MOST_CANDIDATES = 20000, /* of a larger space as many are drawn */
    MOST_GUESSED = 200000
};

/* What the surrogate is asked about. */
typedef struct {
    size_t version;
    double mean, sd;
} candidate;

typedef struct {
    pm_tuner *tuner;
    size_t all, count;
    size_t *order; /* versions in the order in which they were drawn: count candidates, then more
                    * that are only guessed at the end */
    const double *features; /* of each version, one a parameter */
} searching;

/* ---- drawing --------------------------------------------------------------------------------- */

typedef struct {
    uint64_t key;
    size_t version;
} drawn;

static int by_key(const void *a, const void *b)
{
    const drawn *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->version > y->version) - (x->version < y->version);
}

static void draw(searching *s)
{
    pm_tuner *t = s->tuner;
    const uint64_t seed = pm_scramble(pm_session_chosen(t->session)->seed);
    drawn *all = pm_take(&t->memory, t->count, sizeof *all);

    for (size_t v = 0; v < t->count; v++)
        all[v] = (drawn){pm_scramble(seed ^ (v + 1)), v};
    qsort(all, t->count, sizeof *all, by_key);
    s->count = t->count < MOST_CANDIDATES ? t->count : MOST_CANDIDATES;
    s->all = t->count < MOST_GUESSED ? t->count : MOST_GUESSED;
    s->order = pm_take(&t->memory, s->all, sizeof *s->order);
    for (size_t i = 0; i < s->all; i++)
        s->order[i] = all[i].version;
}

/* ---- what the surrogate sees ------------------------------------------------------------------
 */

/* From 0 to 1 over the parameter's values: of sizes, which span a factor, by their logarithm. */
static double feature(const pm_tuned *parameter, int64_t value)
{
    int64_t least = parameter->values[0], most = least;

    for (size_t k = 1; k < parameter->count; k++) {
        least = parameter->values[k] < least ? parameter->values[k] : least;
        most = parameter->values[k] > most ? parameter->values[k] : most;
    }
    if (least == most)
        return 0;
    return least > 0 && most / least >= 4
               ? log((double)value / (double)least) / log((double)most / (double)least)
               : (double)(value - least) / (double)(most - least);
}

double *pm_tune_features(pm_tuner *t)
{
    const size_t p = t->space->count;
    double *features = pm_take(&t->memory, t->count * p, sizeof *features);

    for (size_t v = 0; v < t->count; v++)
        for (size_t k = 0; k < p; k++)
            features[v * p + k] = feature(&t->space->parameters[k], t->versions[v].values[k]);
    return features;
}

/* Of all that was examined; NULL: it is too little. */
static pm_surrogate *learn(const searching *s, pm_memory *memory)
{
    const pm_tuner *t = s->tuner;
    const size_t p = t->space->count;
    double *x = pm_take(memory, t->examined * p, sizeof *x);
    double *y = pm_take(memory, t->examined, sizeof *y);
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++) {
        const pm_tune_version *v = &t->versions[s->order[i]];

        if (v->state != PM_TUNE_EXAMINED)
            continue;
        memcpy(x + n * p, s->features + s->order[i] * p, p * sizeof *x);
        y[n++] = log(v->predicted_s);
    }
    return n >= LEAST_BATCH ? pm_surrogate_fit(memory, x, y, n, p) : NULL;
}

/* What it says of those of the first versions that nothing is known of; how many. */
static size_t ask(const searching *s, const pm_surrogate *surrogate, size_t first, candidate *list)
{
    const pm_tuner *t = s->tuner;
    size_t count = 0;

    for (size_t i = 0; i < first; i++) {
        candidate *c = &list[count];

        if (t->versions[s->order[i]].state != PM_TUNE_NEW)
            continue;
        c->version = s->order[i];
        pm_surrogate_tell(surrogate, s->features + c->version * t->space->count, &c->mean, &c->sd);
        count++;
    }
    return count;
}

/* ---- choosing -------------------------------------------------------------------------------- */

static int by_version(const candidate *x, const candidate *y)
{
    return (x->version > y->version) - (x->version < y->version);
}

static int by_hope(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    const double left = x->mean - x->sd, right = y->mean - y->sd;

    return left != right ? (left > right) - (left < right) : by_version(x, y);
}

static int by_doubt(const void *a, const void *b)
{
    const candidate *x = a, *y = b;

    return x->sd != y->sd ? (x->sd < y->sd) - (x->sd > y->sd) : by_version(x, y);
}

/* The next batch; how many. */
static size_t choose(candidate *list, size_t count, size_t batch, size_t *chosen)
{
    const size_t doubtful = batch / 4;
    size_t n = 0;

    batch = batch < count ? batch : count;
    qsort(list, count, sizeof *list, by_hope);
    while (n < batch - (doubtful < batch ? doubtful : 0)) {
        chosen[n] = list[n].version;
        n++;
    }
    qsort(list + n, count - n, sizeof *list, by_doubt);
    for (size_t i = n; n < batch; i++)
        chosen[n++] = list[i].version;
    return n;
}

/* ---- the search ------------------------------------------------------------------------------ */

static size_t looked_at(const pm_tuner *t)
{
    return t->examined + t->failed;
}

static size_t size_of_batch(const pm_tuner *t)
{
    const size_t part = (t->budget - t->budget / 4) / BATCHES, left = t->budget - looked_at(t);
    const size_t batch = isfinite(t->deadline) ? LEAST_BY_TIME
                         : part > LEAST_BATCH  ? part
                                               : LEAST_BATCH;

    return batch < left ? batch : left;
}

static bool goes_on(const pm_tuner *t)
{
    return looked_at(t) < t->budget && pm_now_s() < t->deadline;
}

/* Examines one more batch; false: there is none. */
static bool step(searching *s)
{
    pm_tuner *t = s->tuner;
    pm_memory memory = pm_memory_beside(&t->memory);
    const pm_surrogate *surrogate = learn(s, &memory);
    const size_t batch = size_of_batch(t), before = looked_at(t);
    size_t *chosen = pm_take(&t->memory, batch, sizeof *chosen), count = 0;

    if (surrogate) {
        candidate *list = pm_take(&memory, s->count, sizeof *list);

        count = choose(list, ask(s, surrogate, s->count, list), batch, chosen);
    }
    for (size_t i = 0; !surrogate && i < s->count && count < batch; i++)
        if (t->versions[s->order[i]].state == PM_TUNE_NEW)
            chosen[count++] = s->order[i];
    pm_memory_free(&memory);
    pm_tune_examine(t, chosen, count);
    return looked_at(t) > before;
}

/* The model's own doubt comes on top of the surrogate's. */
static void guess(const searching *s)
{
    pm_tuner *t = s->tuner;
    pm_memory memory = pm_memory_beside(&t->memory);
    const pm_surrogate *surrogate = learn(s, &memory);
    candidate *list = pm_take(&memory, s->all, sizeof *list);
    const size_t count = surrogate ? ask(s, surrogate, s->all, list) : 0;
    double doubt = 0;

    for (size_t v = 0; v < t->count; v++)
        if (t->versions[v].state == PM_TUNE_EXAMINED)
            doubt += log(t->versions[v].hi_s / t->versions[v].lo_s) / 2 / (double)t->examined;
    for (size_t i = 0; i < count; i++) {
        const double end = hypot(doubt, PM_NORMAL_95 * list[i].sd);
        pm_tune_version *v = &t->versions[list[i].version];

        v->predicted_s = exp(list[i].mean);
        v->lo_s = exp(list[i].mean - end);
        v->hi_s = exp(list[i].mean + end);
    }
    pm_memory_free(&memory);
}

void pm_tune_search(pm_tuner *t, const double *features)
{
    searching s = {.tuner = t, .features = features};
    size_t start = isfinite(t->deadline) ? 0 : t->budget / 4;

    start = start > LEAST_START ? start : LEAST_START;
    start =
        start > t->budget || (t->budget == t->count && !isfinite(t->deadline)) ? t->budget : start;
    draw(&s);
    pm_tune_examine(t, s.order, start < s.count ? start : s.count);
    if (t->examined == 0 && t->failed > 0)
        pm_leave(&t->memory, t->first.status, "%s", t->first.text);
    while (goes_on(t) && step(&s))
        ;
    guess(&s);
}
