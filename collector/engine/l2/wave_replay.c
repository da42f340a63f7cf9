/* Estimates the L2 traffic of a wave (all work-groups that run at the same time) from the recorded
 * requests of one compute unit: they are repeated, with shifted addresses, for all compute units.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A work-group starts when another one ends, so groups of a wave drift apart the longer a launch
 * lasts. We assume that after 64 waves their starts are spread evenly over the run time of a group.
 * Counters of an H200 (datasets/h200.csv) show it. Program matmul_tiled, size 4096, has 62 waves,
 * and its groups of four rows of tiles share columns of an operand of 67 MB. It reads 16.9 GB from
 * DRAM. The replay gives 4.2 GB if groups run in lockstep, and 16.8 GB if their starts are evenly
 * spread. matmul_float4, size 4096, has 8 waves and reads 0.61 GB. The replay gives 0.59 GB in
 * lockstep and 8.7 GB evenly spread.
 *
 * The work of a replay is bounded. Only some sets of a large L2 are simulated, for lines that a
 * hash selects (set sampling: Kessler, Hill and Wood, A Comparison of Trace-Sampling Techniques for
 * Multi-Megabyte Caches, IEEE TC 1994). If a replay would still take too long, the result is
 * unknown.
 */
#include "collector/engine/l2/wave_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/l2/wave_requests.h"
#include "collector/engine/l2/wave_schedule.h"
#include "collector/engine/memory/cache.h"
#include "collector/engine/memory/coalescing.h"
#include "collector/engine/memory/unit_parts.h"

enum {
    /* maximum number of waves (work-groups that run at the same time) that fill L2 before the
     * counted wave */
    MOST_WAVES = 8,
    /* maximum number of line accesses of a replay, also to lines that are not simulated */
    MOST_TOUCHES = 1 << 27,
    /* LEAST_SETS: least number of sets of L2 that are simulated. MOST_PASSED_OVER: base-2 logarithm
     * of the largest ratio of all sets to simulated sets. */
    LEAST_SETS = 64,
    MOST_PASSED_OVER = 6,
    /* Number of different strides between work-groups for which the replay computes the distance in
     * sectors only once per group. The distance is that from a recorded request to the same request
     * of another group. Kernels have about one stride for each buffer. */
    STRIDES = 6,
    NO_STRIDE = STRIDES, /* marks a request whose stride between work-groups is unknown */
    /* index of strides that are none of the STRIDES different ones; the distance of a request with
     * this index is computed anew for each request */
    OTHER_STRIDE
};
_Static_assert((int)OTHER_STRIDE < (int)PM_SCHEDULE_STRIDES, "wave_schedule.h has too few strides");
/* Largest accepted fraction of requests whose addresses are not linear in the work-group's ids. If
 * there are more of them, no replay is made. */
static const double MOST_UNKNOWN = .02;
static const double STAGGERED_WAVES = 64;
/* largest distance in sectors that the function `whole` can round */
static const double FARTHEST = 0x1p51;
static const int64_t FAR_AWAY = INT64_MIN;

/* ---- requests of the groups that were not sampled ------------------------------------------- */

/* A recorded request to L2 of a work-group that ran. */
typedef struct {
    int64_t first; /* number of the first sector of the request's line */
    uint16_t site;
    uint8_t sectors, kind;
    uint8_t stride; /* index in replay.strides, NO_STRIDE or OTHER_STRIDE */
} request;

/* The recorded requests of one work-group. They are the template for the requests of all other
 * groups, which differ only by a constant that is added to each address. */
typedef struct {
    uint32_t group;
    size_t first, count; /* first request in replay.requests; number of requests */
} template;

/* A place on a compute unit for one work-group while recorded L2 requests are repeated. When the
 * group ends, the next one takes its place. */
typedef struct {
    /* the recorded requests of a work-group that ran (the slot's template); the group in the slot
     * has the same requests at other addresses */
    const request *requests;
    /* number of requests of this group; 0: no group runs in this slot (place for a resident
     * work-group) */
    uint32_t count;
    /* Step of the replay in which the group issues its first request. Steps are counted modulo
     * 2^32, because the first groups have started before step 0. */
    uint32_t start;
    /* Bit i of `ahead` is set if the request with the index chunk + i of the work-group in the slot
     * may access a simulated line and was not issued yet. i is less than PM_SCHEDULE_CHUNK. */
    uint32_t chunk, ahead;
    pm_schedule_moves moves;
    /* moved[stride]: distance in sectors from the requests of the template (a recorded group) with
     * this stride to the same requests of the slot's group. FAR_AWAY: the slot's group does not
     * make these requests in the replay. */
    int64_t moved[STRIDES + 1];
    const template *of;
    /* number of the work-group in this slot (place for a resident work-group); if it is outside of
     * the launch, the slot is empty */
    int64_t group;
    /* position in the grid, in each dimension, of the slot's work-group minus the position of the
     * recorded work-group whose requests it repeats (the template) */
    double apart[3];
} place;

typedef struct {
    const pm_wave *wave;
    const pm_wave_plan *plan;
    const pm_site_shift *shift;
    size_t sites;
    uint64_t total; /* number of groups of the launch */
    double sectors; /* sectors per byte; exact, because a sector's size is a power of two */
    unsigned line_sectors, line_shift;
    bool pairs; /* true: a load that misses fetches an aligned pair of sectors */
    /* mask of bits of a line's hash; a line is simulated only if none of these bits is set in its
     * hash */
    uint64_t passed_over;
    pm_cache cache, behind;
    bool has_behind;
    /* the different strides that memory instructions have from one work-group to the next */
    const pm_site_shift *strides[STRIDES];
    unsigned stride_count;
    request *requests; /* the recorded requests, sorted by work-group */
    /* hashes[i]: hash of the line of requests[i]; stride_of[i]: its member `stride`. Both arrays
     * end with PM_SCHEDULE_CHUNK zeros, because requests are examined in whole chunks, also behind
     * the last request. */
    uint64_t *hashes;
    uint8_t *stride_of;
    template *templates;
    size_t template_count;
    place *places;
    /* when[slot]: step of the replay in which the work-group in this slot (place for a resident
     * work-group) issues its next request, or in which the slot gets another work-group;
     * UINT32_MAX: none */
    uint32_t *when;
    /* number of slots (resident work-groups), rounded up to a multiple of PM_SCHEDULE_SLOTS */
    size_t when_count;
    size_t longest; /* largest number of requests of a group */
    pm_wave_counts counts;
} replay;

void pm_wave_place(const uint64_t groups[3], uint64_t group, double at[3])
{
    for (unsigned d = 0; d < 3; d++) {
        at[d] = (double)(group % groups[d]);
        group /= groups[d];
    }
}

/* Rounds to the nearest integer, ties to even, without a function call. |x| must be at most
 * FARTHEST. */
static inline int64_t whole(double x)
{
    static const double SHIFT = 0x1.8p52;

    return (int64_t)(x + SHIFT - SHIFT);
}

/* The replay repeats the requests of a recorded work-group (the template) for the work-group in
 * slot p, at other addresses. Returns the distance of these addresses in sectors, for a memory
 * instruction with the stride `shift`. */
static int64_t sectors_apart(const replay *r, const place *p, const pm_site_shift *shift)
{
    const double *by = shift->by;
    const double bytes = by[0] * p->apart[0] + by[1] * p->apart[1] + by[2] * p->apart[2];
    const double sectors = bytes * r->sectors;

    return fabs(sectors) < FARTHEST ? whole(sectors) : FAR_AWAY;
}

static void put_group(const replay *r, place *p, int64_t group)
{
    double from[3], to[3];

    p->group = group;
    p->count = 0;
    if (group < 0 || (uint64_t)group >= r->total)
        return;
    p->count = (uint32_t)p->of->count;
    pm_wave_place(r->plan->groups, p->of->group, from);
    pm_wave_place(r->plan->groups, (uint64_t)group, to);
    for (unsigned d = 0; d < 3; d++)
        p->apart[d] = to[d] - from[d];
    for (unsigned i = 0; i < r->stride_count; i++) {
        p->moved[i] = sectors_apart(r, p, r->strides[i]);
        p->moves.lines[i] = pm_schedule_hash((uint64_t)(p->moved[i] >> r->line_shift));
        p->moves.beyond[i] = p->moved[i] & (r->line_sectors - 1) ? pm_schedule_hash(1) : 0;
    }
}

static inline bool is_simulated(const replay *r, uint64_t line)
{
    return pm_schedule_selects(pm_schedule_hash(line), r->passed_over);
}

/* Returns how many of the sectors that missed L2 also miss the next cache level. A stored sector is
 * counted at its first access in L2, although it reaches the next level only when L2 evicts it. */
static unsigned fetch(replay *r, uint64_t line, uint32_t sectors)
{
    uint32_t lost;
    pm_cache_line *there;
    unsigned missing;

    if (!r->has_behind)
        return pm_bit_count(sectors);
    there = pm_cache_touch(&r->behind, line, &lost);
    missing = pm_bit_count(sectors & ~(uint32_t)there->valid);
    there->valid |= (uint8_t)sectors;
    return missing;
}

/* Simulates in L2 a request for sectors of a line. counted: true if the request is added to the
 * counts of the replay. */
static void touch(replay *r, uint64_t line, uint32_t sectors, unsigned kind, bool counted)
{
    uint32_t lost, missing;
    pm_cache_line *there;
    unsigned fetched;

    if (!is_simulated(r, line))
        return;
    there = pm_cache_touch(&r->cache, line, &lost);
    missing = sectors & ~(uint32_t)there->valid;
    if (kind == PM_L2_READ)
        missing = pm_l2_fetched(missing, r->pairs) & ~(uint32_t)there->valid;
    fetched = missing ? fetch(r, line, missing) : 0;
    if (counted) {
        r->counts.asked[kind] += pm_bit_count(sectors);
        r->counts.missed[kind] += pm_bit_count(missing);
        r->counts.fetched += fetched;
        if (kind != PM_L2_READ)
            r->counts.dirtied += pm_bit_count(sectors & ~(uint32_t)there->dirty);
    }
    there->valid |= (uint8_t)(sectors | missing);
    if (kind != PM_L2_READ)
        there->dirty |= (uint8_t)sectors;
}

/* Simulates request `k` of the template (a recorded group) for the slot's group, at the group's
 * address. The sectors may span two lines. */
static inline void ask(replay *r, const place *p, const request *k, bool counted)
{
    const int64_t moved = k->stride == OTHER_STRIDE ? sectors_apart(r, p, &r->shift[k->site - 1])
                                                    : p->moved[k->stride];
    const int64_t first = k->first + moved;
    const uint64_t line = (uint64_t)first >> r->line_shift;
    const uint32_t sectors = (uint32_t)k->sectors << ((uint64_t)first & (r->line_sectors - 1));

    if (first < 0)
        return;
    touch(r, line, sectors & ((1U << r->line_sectors) - 1), k->kind, counted);
    if (sectors >> r->line_sectors)
        touch(r, line + 1, sectors >> r->line_sectors, k->kind, counted);
}

/* Sets p->ahead, a mask of requests of the work-group in slot p (place for a resident work-group).
 * It gets the requests, among the PM_SCHEDULE_CHUNK ones from request `chunk` on, that may access a
 * simulated line. */
static void look_ahead(const replay *r, place *p, uint32_t chunk)
{
    const size_t first = (size_t)(p->requests - r->requests) + chunk;
    const uint32_t left = p->count - chunk;

    p->chunk = chunk;
    p->ahead = pm_schedule_simulated(r->hashes + first, r->stride_of + first, &p->moves,
                                     OTHER_STRIDE, r->passed_over);
    if (left < PM_SCHEDULE_CHUNK)
        p->ahead &= (UINT32_C(1) << left) - 1;
}

/* Returns the step of the replay in which slot p (a resident work-group) issues its next request
 * that may access a simulated line. If there is none, returns the step in which the slot gets
 * another work-group. */
static uint32_t next_step(const replay *r, place *p)
{
    while (!p->ahead && p->count - p->chunk > PM_SCHEDULE_CHUNK)
        look_ahead(r, p, p->chunk + PM_SCHEDULE_CHUNK);
    return p->start +
           (p->ahead ? p->chunk + (uint32_t)__builtin_ctz(p->ahead) : (uint32_t)r->longest);
}

/* Starts the replay of the work-group in slot p (place for a resident work-group). The group issues
 * its first request in step `start` of the replay, which may be past: the first `at` requests count
 * as issued already. */
static void start_group(const replay *r, place *p, uint32_t start, uint32_t at)
{
    p->start = start;
    p->chunk = p->ahead = 0;
    if (at >= p->count) {
        p->chunk = p->count;
        return;
    }
    look_ahead(r, p, at / PM_SCHEDULE_CHUNK * PM_SCHEDULE_CHUNK);
    p->ahead &= UINT32_MAX << at % PM_SCHEDULE_CHUNK;
}

/* Simulates the request that slot j (a resident work-group) issues in step `now` of the replay, and
 * finds the slot's next step. If the slot's group has issued all requests, the slot first gets its
 * next group. */
static void issue(replay *r, size_t j, uint32_t now, bool counted)
{
    place *p = &r->places[j];

    if (now - p->start == r->longest) {
        put_group(r, p, p->group + (int64_t)(r->plan->units * r->plan->resident));
        start_group(r, p, now, 0);
        r->when[j] = next_step(r, p);
        if (r->when[j] != now)
            return;
    }
    /* NULL: no work-group runs in this slot */
    if (p->requests)
        ask(r, p, &p->requests[now - p->start], counted);
    p->ahead &= p->ahead - 1;
    r->when[j] = next_step(r, p);
}

/* Simulates the requests that the resident work-groups of all slots issue in step `now` of the
 * replay, in the order of the slots. */
static void step(replay *r, uint32_t now, bool counted)
{
    for (size_t j = 0; j < r->when_count; j += PM_SCHEDULE_SLOTS)
        for (uint64_t due = pm_schedule_due(r->when + j, now); due; due &= due - 1)
            issue(r, j + (size_t)__builtin_ctzll(due), now, counted);
}

/* ---- bounds of the replay ------------------------------------------------------------------- */

static bool is_known(const replay *r, const pm_wave_request *k)
{
    return k->site > 0 && k->site <= r->sites && r->shift[k->site - 1].known;
}

static bool is_linear(const replay *r)
{
    size_t unknown = 0;

    for (size_t i = 0; i < r->wave->count; i++)
        unknown += !is_known(r, &r->wave->requests[i]);
    return (double)unknown <= MOST_UNKNOWN * (double)r->wave->count;
}

/* Sets of[i] to the index of the template (work-group) of recorded request i, and counts the
 * requests of each template. Templates are numbered in the order in which their groups appear. */
static void find_groups(replay *r, uint32_t *of)
{
    const size_t most = r->plan->resident;

    for (size_t i = 0; i < r->wave->count; i++) {
        const uint32_t group = r->wave->requests[i].group;
        size_t k = i > 0 && r->templates[of[i - 1]].group == group ? of[i - 1] : 0;

        while (k < r->template_count && r->templates[k].group != group)
            k++;
        if (k == r->template_count && k < most)
            r->templates[r->template_count++].group = group;
        of[i] = (uint32_t)(k < r->template_count ? k : r->template_count - 1);
        r->templates[of[i]].count++;
    }
}

/* Returns the index in r->strides of a request's stride between work-groups, and adds the stride if
 * it is new. NO_STRIDE: the stride is unknown. OTHER_STRIDE: r->strides is full. */
static uint8_t stride_of(replay *r, const pm_wave_request *k)
{
    const pm_site_shift *shift;
    unsigned i = 0;

    if (!is_known(r, k))
        return NO_STRIDE;
    shift = &r->shift[k->site - 1];
    while (i < r->stride_count && memcmp(r->strides[i]->by, shift->by, sizeof shift->by) != 0)
        i++;
    if (i == STRIDES)
        return OTHER_STRIDE;
    r->strides[i] = shift;
    r->stride_count += i == r->stride_count;
    return (uint8_t)i;
}

/* Sorts the recorded requests by work-group, so that the requests of each recorded group are
 * consecutive and can be repeated for other groups (a template). false if out of memory. */
static bool sort_groups(replay *r)
{
    const size_t n = r->wave->count;
    uint32_t *of = calloc(n, sizeof *of);
    size_t first = 0;

    r->requests = calloc(n, sizeof *r->requests);
    r->hashes = calloc(n + PM_SCHEDULE_CHUNK, sizeof *r->hashes);
    r->stride_of = calloc(n + PM_SCHEDULE_CHUNK, sizeof *r->stride_of);
    r->templates = calloc(r->plan->resident, sizeof *r->templates);
    if (!of || !r->requests || !r->hashes || !r->stride_of || !r->templates) {
        free(of);
        return false;
    }
    find_groups(r, of);
    for (size_t k = 0; k < r->template_count; k++) {
        template *t = &r->templates[k];

        t->first = first;
        first += t->count;
        r->longest = t->count > r->longest ? t->count : r->longest;
        t->count = 0;
    }
    for (size_t i = 0; i < n; i++) {
        template *t = &r->templates[of[i]];

        const pm_wave_request *k = &r->wave->requests[i];
        const size_t at = t->first + t->count++;

        r->requests[at] = (request){.first = (int64_t)(k->line << r->line_shift),
                                    .site = k->site,
                                    .sectors = k->sectors,
                                    .kind = k->kind,
                                    .stride = stride_of(r, k)};
        r->hashes[at] = pm_schedule_hash(k->line);
        r->stride_of[at] = r->requests[at].stride;
    }
    free(of);
    return true;
}

/* Fills the slots for resident work-groups with the groups of a wave (groups that run at the same
 * time), which starts with group number `base`. phase: delay of the last group against the first,
 * as a fraction of a group's time. false if out of memory. */
static bool fill_places(replay *r, int64_t base, double phase)
{
    const uint64_t units = r->plan->units, resident = r->plan->resident;

    r->when_count =
        (units * resident + PM_SCHEDULE_SLOTS - 1) / PM_SCHEDULE_SLOTS * PM_SCHEDULE_SLOTS;
    r->places = calloc(units * resident, sizeof *r->places);
    r->when = malloc(r->when_count * sizeof *r->when);
    if (!r->places || !r->when)
        return false;
    memset(r->when, 0xff, r->when_count * sizeof *r->when); /* never */
    for (uint64_t j = 0; j < units * resident; j++) {
        place *p = &r->places[j];
        const double behind = (double)(units * resident - 1 - j) / (double)(units * resident);

        p->of = &r->templates[j / units % r->template_count];
        p->requests = r->requests + p->of->first;
        p->moved[NO_STRIDE] = FAR_AWAY;
        const uint32_t at = (uint32_t)(phase * behind * (double)r->longest);

        put_group(r, p, base + (int64_t)j);
        start_group(r, p, 0 - at, at);
        r->when[j] = next_step(r, p);
    }
    return true;
}

/* Returns the number of the first sector of request `k` of a template (a recorded work-group). */
static int64_t first_sector(const replay *r, const template *t, size_t k)
{
    const request *q = &r->requests[t->first + k];

    return q->first + __builtin_ctz(q->sectors);
}

/* Returns whether the strides between work-groups, applied to the stores and atomics of the first
 * recorded group, give those of the other recorded groups. They do not if a loop stores with
 * another stride between groups in each iteration, because an instruction's stride was measured at
 * its first access. */
static bool writes_follow_strides(const replay *r)
{
    const template *from = &r->templates[0];
    size_t compared = 0, elsewhere = 0;

    for (size_t i = 1; i < r->template_count; i++) {
        const template *to = &r->templates[i];
        place p = {.of = from};

        p.moved[NO_STRIDE] = FAR_AWAY;
        put_group(r, &p, to->group);
        for (size_t k = 0; k < from->count && k < to->count; k++) {
            const request *q = &r->requests[from->first + k];
            const int64_t moved = q->stride == OTHER_STRIDE
                                      ? sectors_apart(r, &p, &r->shift[q->site - 1])
                                      : p.moved[q->stride];

            if (q->kind == PM_L2_READ)
                continue;
            compared++;
            elsewhere += llabs(first_sector(r, from, k) + moved - first_sector(r, to, k)) > 1;
        }
    }
    return compared > 0 && (double)elsewhere <= MOST_UNKNOWN * (double)compared;
}

static pm_status begin(replay *r, const pm_wave_cache *l2, pm_error *err)
{
    unsigned halves = 0;

    while (halves < MOST_PASSED_OVER &&
           l2->bytes / l2->line_bytes / l2->ways / (double)(UINT64_C(2) << halves) >= LEAST_SETS)
        halves++;
    r->passed_over = (UINT64_C(1) << halves) - 1;
    if (!sort_groups(r))
        return pm_fail(err, PM_FAILED, "no memory for the requests of a wave");
    r->has_behind = l2->behind > 0;
    if (r->has_behind &&
        pm_cache_init(&r->behind, (size_t)(l2->behind / (double)(UINT64_C(1) << halves)),
                      l2->line_bytes, PM_CACHE_WAYS, err) != PM_OK)
        return err->status;
    return pm_cache_init(&r->cache, (size_t)(l2->bytes / (double)(UINT64_C(1) << halves)),
                         l2->line_bytes, l2->ways, err);
}

/* Replays consecutive waves (work-groups that run at the same time) from the middle of the launch,
 * and counts only the requests of the last one. The earlier waves fill L2. Together they have one
 * row of work-groups of the grid, because groups of the next row often access the same data again.
 * *known becomes false if the replay would take too long. Returns false if out of memory. */
static bool run(replay *r, bool *known)
{
    const uint64_t wave = r->plan->units * r->plan->resident, all = (r->total + wave - 1) / wave;
    const uint64_t row = (r->plan->groups[0] + wave - 1) / wave;
    const double touches = (double)wave * (double)r->longest;
    uint64_t before = row < MOST_WAVES ? row : MOST_WAVES;

    before = before < all ? before : all - 1;
    while (before > 1 && touches * (double)(before + 1) > MOST_TOUCHES)
        before--;
    *known = touches * (double)(before + 1) <= MOST_TOUCHES;
    if (!*known)
        return true;
    if (!fill_places(r, (int64_t)((all - before - 1) / 2 * wave),
                     fmin(1, (double)all / STAGGERED_WAVES)))
        return false;
    for (uint32_t i = 0; i < (before + 1) * r->longest; i++)
        step(r, i, i >= before * r->longest);
    return true;
}

static void end(replay *r)
{
    pm_cache_release(&r->cache);
    pm_cache_release(&r->behind);
    free(r->requests);
    free(r->hashes);
    free(r->stride_of);
    free(r->when);
    free(r->templates);
    free(r->places);
}

pm_status pm_wave_replay(const pm_wave *wave, const pm_wave_plan *plan, const pm_site_shift *shift,
                         size_t sites, const pm_wave_cache *l2, pm_wave_counts *counts, bool *known,
                         pm_error *err)
{
    replay r = {.wave = wave,
                .plan = plan,
                .shift = shift,
                .sites = sites,
                .total = plan->groups[0] * plan->groups[1] * plan->groups[2],
                .sectors = 1.0 / l2->sector_bytes,
                .pairs = l2->pairs,
                .line_sectors = l2->line_bytes / l2->sector_bytes,
                .line_shift = pm_unit_log2(l2->line_bytes / l2->sector_bytes)};
    pm_status status;

    *counts = (pm_wave_counts){.asked = {0}};
    *known = wave->count > 0 && wave->count < PM_WAVE_MOST_REQUESTS && r.total <= UINT32_MAX &&
             is_linear(&r);
    if (!*known)
        return PM_OK;
    status = begin(&r, l2, err);
    if (status == PM_OK && !run(&r, known))
        status = pm_fail(err, PM_FAILED, "no memory for the work-groups of a wave");
    if (status == PM_OK && *known)
        r.counts.knows_dirtied = writes_follow_strides(&r);
    *counts = r.counts;
    end(&r);
    return status;
}
