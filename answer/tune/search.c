/* Chooses the versions (combinations of tuning parameters) that are compiled and traced, and
 * predicts the times of the others by the surrogate, a Gaussian process that is fitted to the
 * traced versions. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If the budget is large enough for all versions of the space, all are examined. Otherwise the
 * first quarter of the budget goes to versions in random order. If times on other GPUs are known,
 * every second one of them is instead the next fastest on those GPUs.
 *
 * The rest of the budget is spent in batches. For each batch, a surrogate is fitted to all examined
 * versions. The batch gets the versions with the lowest mean minus one standard deviation of log
 * time, and every eighth is instead the one with the largest standard deviation. While a batch is
 * chosen, variances are updated as if the times of its versions were already known (Desautels,
 * Krause and Burdick, Parallelizing exploration-exploitation tradeoffs in Gaussian process bandit
 * optimization, JMLR 15, 2014), so that its versions are not all similar.
 *
 * Random numbers depend only on the session's seed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/parts.h"
#include "answer/tune/surrogate.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/scramble.h"
#include "base/session/session.h"

enum {
    /* least number of random versions (combinations of tuning parameters) that are examined before
     * the first surrogate is fitted */
    LEAST_START = 24,
    BATCHES = 8,
    LEAST_BATCH = 8,
    LEAST_LEARNED = 4, /* least number of examined versions to which a surrogate is fitted */
    /* limit of the size of a batch if the budget is in seconds; a batch of one version (combination
     * of tuning parameters) per thread may exceed it */
    MOST_BY_TIME = 24,
    /* If the budget is in seconds, a batch is so large that choosing its versions takes at most 1/5
     * of the time for examining them. */
    SHARE_OF_CHOOSING = 5,
    /* largest number of random versions (combinations of tuning parameters) that are examined
     * before the first surrogate is fitted, if the budget is in seconds */
    MOST_START = 120,
    MOST_CANDIDATES = 20000, /* number of versions drawn at random if the search space has more */
    MOST_PROMISING = 1500,   /* number of most promising candidates from which a batch is chosen */
    /* Every eighth version of a batch is the one with the largest standard deviation. */
    DOUBTFUL = 8,
    MOST_GUESSED = 200000
};

/* A version (combination of tuning parameters), with the mean and standard deviation of the
 * logarithm of its time that the surrogate (a Gaussian process) predicts. */
typedef struct {
    size_t version;
    double mean, sd;
} candidate;

typedef struct {
    pm_tuner *tuner;
    size_t all, count;
    /* time in seconds for choosing the last batch, and for examining all batches so far */
    double choosing_s, examining_s;
    /* `all` versions (combinations of tuning parameters) in random order: first the `count`
     * candidates, then versions that are never examined and only get a prediction at the end */
    size_t *order;
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

/* ---- predictions of the surrogate ------------------------------------------------------------ */

static const double *features_of(const pm_tuner *t, size_t version)
{
    return t->features + version * t->feature_count;
}

/* Fits a surrogate (a regression of log time on features) to all examined versions (combinations of
 * tuning parameters). NULL: fewer than LEAST_LEARNED versions were examined, or the fit failed. */
static pm_surrogate *learn(const searching *s, pm_memory *memory)
{
    const pm_tuner *t = s->tuner;
    const size_t p = t->feature_count;
    double *x = pm_take(memory, t->examined * p, sizeof *x);
    double *y = pm_take(memory, t->examined, sizeof *y);
    size_t n = 0;

    for (size_t i = 0; i < s->count; i++) {
        const pm_tune_version *v = &t->versions[s->order[i]];

        if (v->state != PM_TUNE_EXAMINED)
            continue;
        memcpy(x + n * p, features_of(t, s->order[i]), p * sizeof *x);
        y[n++] = log(v->predicted_s);
    }
    return n >= LEAST_LEARNED ? pm_surrogate_fit(memory, x, y, n, p) : NULL;
}

/* Fills `list` with the surrogate's predictions for versions (combinations of tuning parameters)
 * that were not examined, among order[0 .. first - 1]. Returns the number of predictions. */
static size_t ask(const searching *s, const pm_surrogate *surrogate, size_t first, candidate *list)
{
    const pm_tuner *t = s->tuner;
    size_t count = 0;

    for (size_t i = 0; i < first; i++) {
        candidate *c = &list[count];

        if (t->versions[s->order[i]].state != PM_TUNE_NEW)
            continue;
        c->version = s->order[i];
        pm_surrogate_tell(surrogate, features_of(t, c->version), &c->mean, &c->sd);
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

/* State while the next versions to compile and trace (a batch) are chosen from those with the
 * lowest estimated times. */
typedef struct {
    const pm_tuner *tuner;
    const pm_surrogate *surrogate;
    candidate *list;
    size_t count, rows;
    double *seen; /* count x rows matrix: L^-1 k of each candidate version, see surrogate.h */
    /* variance[i]: posterior variance of candidate i, given the versions (combinations of tuning
     * parameters) chosen so far */
    double *variance;
    /* along[n * count + i]: element for candidate i of column n of the Cholesky factor of the
     * candidates' covariance matrix, where column n belongs to the n-th chosen version (combination
     * of tuning parameters) */
    double *along;
    bool *taken;
} batching;

static void open_batch(batching *b, pm_memory *memory, size_t most)
{
    b->rows = pm_surrogate_rows(b->surrogate);
    b->seen = pm_take(memory, b->count * b->rows, sizeof *b->seen);
    b->variance = pm_take(memory, b->count, sizeof *b->variance);
    b->along = pm_take(memory, b->count * most, sizeof *b->along);
    b->taken = pm_take(memory, b->count, sizeof *b->taken);
    for (size_t i = 0; i < b->count; i++) {
        candidate *c = &b->list[i];

        pm_surrogate_see(b->surrogate, features_of(b->tuner, c->version), &c->mean, &c->sd,
                         b->seen + i * b->rows);
        b->variance[i] = c->sd * c->sd;
    }
}

/* Returns the index of the candidate with the lowest mean minus standard deviation; if by_doubt is
 * true, of the candidate with the largest standard deviation. Returns `count` if no candidate is
 * left. */
static size_t next_of(const batching *b, bool by_doubt)
{
    size_t best = b->count;
    double least = (double)INFINITY;

    for (size_t i = 0; i < b->count; i++) {
        const double sd = sqrt(b->variance[i]);
        const double value = by_doubt ? -sd : b->list[i].mean - sd;

        if (!b->taken[i] && value < least) {
            least = value;
            best = i;
        }
    }
    return best;
}

/* Adds candidate number `chosen` to the batch, the versions (combinations of tuning parameters)
 * that are traced next. n: number of versions that the batch already has. Updates the variances of
 * all other candidates as if the time of `chosen` were known (one step of a Cholesky
 * decomposition). */
static void take(batching *b, size_t n, size_t chosen)
{
    const double root = sqrt(fmax(b->variance[chosen], 1e-12));
    double *along = b->along + n * b->count;

    b->taken[chosen] = true;
    for (size_t i = 0; i < b->count; i++) {
        double covariance = pm_surrogate_covariance(
            b->surrogate, features_of(b->tuner, b->list[chosen].version),
            b->seen + chosen * b->rows, features_of(b->tuner, b->list[i].version),
            b->seen + i * b->rows);

        for (size_t k = 0; k < n; k++)
            covariance -= b->along[k * b->count + chosen] * b->along[k * b->count + i];
        along[i] = covariance / root;
        b->variance[i] = fmax(b->variance[i] - along[i] * along[i], 0);
    }
}

/* Chooses up to `wanted` versions (combinations of tuning parameters) to trace next from the
 * candidates in `list`. chosen gets their indices. Returns the number chosen. */
static size_t choose(const pm_tuner *t, pm_memory *memory, const pm_surrogate *surrogate,
                     candidate *list, size_t count, size_t wanted, size_t *chosen)
{
    batching b = {.tuner = t, .surrogate = surrogate, .list = list};
    size_t n = 0;

    qsort(list, count, sizeof *list, by_hope);
    b.count = count < MOST_PROMISING ? count : MOST_PROMISING;
    wanted = wanted < b.count ? wanted : b.count;
    open_batch(&b, memory, wanted);
    while (n < wanted) {
        const size_t next = next_of(&b, n % DOUBTFUL == DOUBTFUL - 1);

        if (next == b.count)
            break;
        take(&b, n, next);
        chosen[n++] = list[next].version;
    }
    return n;
}

/* ---- the search ------------------------------------------------------------------------------ */

static size_t looked_at(const pm_tuner *t)
{
    return t->examined + t->failed;
}

/* Returns the number of versions (combinations of tuning parameters) in the next batch if the
 * budget is in seconds. Small batches are better, because each choice can use the times of more
 * examined versions. But choosing a batch should take at most 1/5 of the time for examining it, so
 * a batch is larger if versions are examined fast. A batch has at least one version per thread. */
static size_t batch_by_time(const searching *s)
{
    const double each_s = s->examining_s / fmax((double)looked_at(s->tuner), 1);
    const double wanted = SHARE_OF_CHOOSING * s->choosing_s / fmax(each_s, 1e-3);
    const size_t least = pm_tracer_threads(s->tuner);

    return wanted < (double)least ? least : wanted < MOST_BY_TIME ? (size_t)wanted : MOST_BY_TIME;
}

static size_t size_of_batch(const searching *s)
{
    const pm_tuner *t = s->tuner;
    const size_t part = (t->budget - t->budget / 4) / BATCHES, left = t->budget - looked_at(t);
    const size_t batch = isfinite(t->deadline) ? batch_by_time(s)
                         : part > LEAST_BATCH  ? part
                                               : LEAST_BATCH;

    return batch < left ? batch : left;
}

static bool goes_on(const pm_tuner *t)
{
    return looked_at(t) < t->budget && pm_now_s() < t->deadline;
}

static void examine(searching *s, const size_t *list, size_t count)
{
    const double began = pm_now_s();

    pm_tune_examine(s->tuner, list, count);
    s->examining_s += pm_now_s() - began;
}

/* Chooses a batch of versions (combinations of tuning parameters) and traces them; false: no
 * version was examined. */
static bool step(searching *s)
{
    pm_tuner *t = s->tuner;
    pm_memory memory = pm_memory_beside(&t->memory);
    const double began = pm_now_s();
    const pm_surrogate *surrogate = learn(s, &memory);
    const size_t batch = size_of_batch(s), before = looked_at(t);
    size_t *chosen = pm_take(&t->memory, batch, sizeof *chosen), count = 0;

    if (surrogate) {
        candidate *list = pm_take(&memory, s->count, sizeof *list);

        count =
            choose(t, &memory, surrogate, list, ask(s, surrogate, s->count, list), batch, chosen);
    }
    for (size_t i = 0; !surrogate && i < s->count && count < batch; i++)
        if (t->versions[s->order[i]].state == PM_TUNE_NEW)
            chosen[count++] = s->order[i];
    pm_memory_free(&memory);
    s->choosing_s = pm_now_s() - began;
    examine(s, chosen, count);
    return looked_at(t) > before;
}

/* Predicts, by the surrogate, the versions (combinations of tuning parameters) that were not
 * examined. The half width of their interval of log time is the square root of a sum of two
 * squares. The first is the square of the model's mean half width for examined versions. The second
 * is the square of the half width that follows from the surrogate's standard deviation. */
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

typedef struct {
    double elsewhere;
    /* place: index of the version (combination of tuning parameters) in the random order
     * searching.order */
    size_t place, version;
} familiar;

static int by_elsewhere(const void *a, const void *b)
{
    const familiar *x = a, *y = b;

    return x->elsewhere != y->elsewhere
               ? (x->elsewhere > y->elsewhere) - (x->elsewhere < y->elsewhere)
               : (x->place > y->place) - (x->place < y->place);
}

/* Returns the versions (combinations of tuning parameters) sorted by their time on other GPUs
 * (tuner->elsewhere), fastest first. */
static const familiar *sort_by_elsewhere(const searching *s)
{
    pm_tuner *t = s->tuner;
    familiar *all = pm_take(&t->memory, s->count, sizeof *all);

    for (size_t i = 0; i < s->count; i++)
        all[i] = (familiar){t->elsewhere[s->order[i]], i, s->order[i]};
    qsort(all, s->count, sizeof *all, by_elsewhere);
    return all;
}

/* Returns the first `count` versions (combinations of tuning parameters) to examine, in random
 * order. If times on other GPUs are known, every second entry of the list is the next version in
 * the order of these times, fastest first. */
static const size_t *first_of(const searching *s, size_t count)
{
    pm_tuner *t = s->tuner;
    const familiar *fast;
    size_t *list, n = 0, drawn_at = 0, fast_at = 0;
    bool *taken;

    if (!t->elsewhere || count == s->count)
        return s->order;
    fast = sort_by_elsewhere(s);
    list = pm_take(&t->memory, count, sizeof *list);
    taken = pm_take(&t->memory, t->count, sizeof *taken);
    while (n < count) {
        const size_t next = n % 2 == 0 ? fast[fast_at].version : s->order[drawn_at];

        fast_at += n % 2 == 0;
        drawn_at += n % 2 != 0;
        /* the version (combination of tuning parameters) is already in the list: it was taken in
         * random order or as one that is fast on other GPUs */
        if (taken[next])
            continue;
        taken[next] = true;
        list[n++] = next;
    }
    return list;
}

/* Examines the first versions (combinations of tuning parameters), to which the first surrogate is
 * fitted. If the budget is in seconds, examining these versions takes at most a quarter of the
 * budget. Raises the first error if all versions fail. */
static void start(searching *s)
{
    pm_tuner *t = s->tuner;
    const double deadline = t->deadline, now = pm_now_s();
    const bool timed = isfinite(deadline);
    size_t count = timed ? MOST_START : t->budget / 4;

    count = count > LEAST_START ? count : LEAST_START;
    if (count > t->budget || (t->budget == t->count && !timed))
        count = t->budget;
    if (timed)
        t->deadline = now + (deadline - now) / 4;
    count = count < s->count ? count : s->count;
    examine(s, first_of(s, count), count);
    t->deadline = deadline;
    if (t->examined == 0 && t->failed > 0)
        pm_leave(&t->memory, t->first.status, "%s", t->first.text);
}

void pm_tune_search(pm_tuner *t)
{
    searching s = {.tuner = t};

    draw(&s);
    start(&s);
    while (goes_on(t) && step(&s))
        ;
    guess(&s);
}
