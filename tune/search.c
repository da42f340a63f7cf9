/* Which versions are examined, and what is thought of the others. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A space within the budget is examined whole. Else a random quarter of the budget comes first
 * (half of it what is fastest on other GPUs, where that is known), and then, batch by batch, what a
 * surrogate that has learned from all that was examined expects to be fastest, its doubt taken off
 * (the lower end of an interval), and, an eighth of each batch, what it knows least of. Within a
 * batch the doubt about neighbours of what is chosen already is what it will be once that is known
 * (Desautels, Krause and Burdick, Parallelizing exploration-exploitation tradeoffs in Gaussian
 * process bandit optimization, JMLR 15, 2014), so that a batch is not all of one kind. Numbers that
 * are drawn depend on the session's seed alone.
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
    LEAST_LEARNED = 4,       /* that a surrogate learns from */
    MOST_BY_TIME = 24,       /* of a batch where the budget is in seconds */
    SHARE_OF_CHOOSING = 5,   /* of that time choosing takes no more than one in so many parts */
    MOST_START = 120,        /* where the budget is in seconds: no more than a quarter of these */
    MOST_CANDIDATES = 20000, /* of a larger space as many are drawn */
    MOST_PROMISING = 1500,   /* from which a batch is chosen */
    DOUBTFUL = 8,            /* each eighth one of a batch is the one that least is known of */
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
    double choosing_s, examining_s; /* what the last batch took to choose; all that was examined */
    size_t *order; /* versions in the order in which they were drawn: count candidates, then more
                    * that are only guessed at the end */
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

/* ---- what the surrogate says ----------------------------------------------------------------- */

static const double *features_of(const pm_tuner *t, size_t version)
{
    return t->features + version * t->feature_count;
}

/* Of all that was examined; NULL: it is too little. */
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

/* A batch that is being chosen from the most promising. */
typedef struct {
    const pm_tuner *tuner;
    const pm_surrogate *surrogate;
    candidate *list;
    size_t count, rows;
    double *seen;     /* count x rows: see surrogate.h */
    double *variance; /* count: what is left of it, once those that are chosen are known */
    double *along;    /* a column of the root of the covariances for each that is chosen */
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

/* The one with the lowest end, or of which least is known. */
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

/* Takes a candidate as the n-th, and from the others' variance what it will tell of them. */
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

/* The next batch from a list of all candidates; how many. */
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

/* The smaller batches are, the more is known when the next is chosen: of versions that take seconds
 * each, hundreds of which are not seen in any budget, as many as threads take at once. */
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

/* Examines one more batch; false: there is none. */
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

typedef struct {
    double elsewhere;
    size_t place, version; /* in the order in which they were drawn */
} familiar;

static int by_elsewhere(const void *a, const void *b)
{
    const familiar *x = a, *y = b;

    return x->elsewhere != y->elsewhere
               ? (x->elsewhere > y->elsewhere) - (x->elsewhere < y->elsewhere)
               : (x->place > y->place) - (x->place < y->place);
}

/* Of the candidates, those that are fastest elsewhere first. */
static const familiar *sort_by_elsewhere(const searching *s)
{
    pm_tuner *t = s->tuner;
    familiar *all = pm_take(&t->memory, s->count, sizeof *all);

    for (size_t i = 0; i < s->count; i++)
        all[i] = (familiar){t->elsewhere[s->order[i]], i, s->order[i]};
    qsort(all, s->count, sizeof *all, by_elsewhere);
    return all;
}

/* The first so many to examine: as they were drawn, or in turn with what is fastest elsewhere. */
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
        if (taken[next]) /* by the other way: its turn goes on with the next one */
            continue;
        taken[next] = true;
        list[n++] = next;
    }
    return list;
}

/* Those that are drawn before anything is known. Of a budget in seconds a quarter goes to them. */
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
