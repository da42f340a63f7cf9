/* The requests of a wave. See wave.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Groups start as others end, so that the longer a launch lasts the less they keep in step: after
 * 64 waves they are taken to start one after the other, evenly over the time that one takes.
 * datasets/h200.csv: matmul_tiled 4096, 62 waves, whose groups of four rows of tiles share columns
 * of an operand of 67 MB, reads 16.9 GB (in step it would be 4.2, evenly spread it is 16.8);
 * matmul_float4 4096, 8 waves, 0.61 GB (in step 0.59, evenly spread 8.7).
 *
 * Work is bounded: of the sets of a large L2 only so many are simulated, for the lines that a hash
 * picks (set sampling: Kessler, Hill and Wood, A Comparison of Trace-Sampling Techniques for
 * Multi-Megabyte Caches, IEEE TC 1994); what would take too long still is not known.
 */
#include "collector/trace/memory/wave.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "collector/trace/memory/cache.h"
#include "collector/trace/memory/coalesce.h"
#include "collector/trace/memory/unit_parts.h"

enum {
    MOST_REQUESTS = 1 << 21, /* of a cell */
    MOST_WAVES = 8,          /* that fill L2 before the one that is counted */
    MOST_TOUCHES = 1 << 27,  /* of lines that are passed over, too */
    AHEAD = 8,               /* requests that are fetched so many turns before they are due */
    LEAST_SETS = 64,         /* that are simulated, and of so many, 2^6, one */
    MOST_PASSED_OVER = 6
};
/* Of the requests, those of addresses that are not linear may be so many without telling. */
static const double MOST_UNKNOWN = .02;
static const double STAGGERED_WAVES = 64;
static const double FARTHEST = 0x1p51; /* sectors */

typedef struct {
    uint64_t line;
    uint32_t group;
    uint16_t site;
    uint8_t sectors, kind;
} kept;

struct pm_wave {
    bool any;
    size_t cell; /* whose requests are kept */
    kept *requests;
    size_t count, room;
};

pm_wave *pm_wave_create(void)
{
    return calloc(1, sizeof(pm_wave));
}

void pm_wave_free(pm_wave *wave)
{
    if (wave)
        free(wave->requests);
    free(wave);
}

void pm_wave_begin(pm_wave *wave)
{
    wave->any = false;
    wave->count = 0;
}

static bool reserve(pm_wave *wave, size_t more)
{
    const size_t wanted = wave->count + more;
    const size_t room = 2 * wanted < MOST_REQUESTS ? 2 * wanted : MOST_REQUESTS;
    kept *requests;

    if (wanted <= wave->room || wave->room == MOST_REQUESTS)
        return true;
    requests = realloc(wave->requests, room * sizeof *requests);
    if (!requests)
        return false;
    wave->requests = requests;
    wave->room = room;
    return true;
}

bool pm_wave_add(pm_wave *wave, size_t cell, const pm_l2_request *requests, size_t count)
{
    if (wave->any && wave->cell != cell)
        return true;
    wave->any = true;
    wave->cell = cell;
    if (!reserve(wave, count))
        return false;
    for (size_t i = 0; i < count && wave->count < wave->room; i++)
        wave->requests[wave->count++] =
            (kept){requests[i].line, requests[i].group, requests[i].site,
                   (uint8_t)requests[i].sectors, requests[i].write};
    return true;
}

/* ---- where the other groups' requests are ---------------------------------------------------- */

/* The requests of one of the cell's groups: what all others are taken to ask for. */
typedef struct {
    uint32_t group;
    size_t first, count; /* in replay.requests */
} template;

/* A group that is resident at some time, in the place of which another comes when it ends. */
typedef struct {
    const template *of;
    size_t at;       /* its next request */
    int64_t group;   /* which group it is; outside of the launch: none */
    double moved[3]; /* groups between it and the template's, in each dimension */
} place;

typedef struct {
    const pm_wave *wave;
    const pm_wave_plan *plan;
    const pm_site_shift *shift;
    size_t sites;
    uint64_t total; /* groups of the launch */
    double sectors; /* of a byte; exact, as sectors are powers of two */
    unsigned line_sectors, line_shift;
    uint64_t passed_over; /* a line is simulated if its hash has none of these bits */
    pm_cache cache, behind;
    bool has_behind;
    kept *requests; /* the cell's, group by group */
    template *templates;
    size_t template_count;
    place *places;
    size_t longest; /* requests of a group */
    pm_wave_counts counts;
} replay;

void pm_wave_place(const uint64_t groups[3], uint64_t group, double at[3])
{
    for (unsigned d = 0; d < 3; d++) {
        at[d] = (double)(group % groups[d]);
        group /= groups[d];
    }
}

static void put_group(const replay *r, place *p, int64_t group)
{
    double from[3], to[3];

    p->group = group;
    if (group < 0 || (uint64_t)group >= r->total)
        return;
    pm_wave_place(r->plan->groups, p->of->group, from);
    pm_wave_place(r->plan->groups, (uint64_t)group, to);
    for (unsigned d = 0; d < 3; d++)
        p->moved[d] = to[d] - from[d];
}

static inline bool is_simulated(const replay *r, uint64_t line)
{
    return (line * UINT64_C(0x9E3779B97F4A7C15) >> 40 & r->passed_over) == 0;
}

/* Sectors that L2 does not have: how many the cache behind it does not have either. A store's come
 * there once L2 has no room for them, which is not told from when it happens. */
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

/* Sectors of a line that a unit asks for. */
static void touch(replay *r, uint64_t line, uint32_t sectors, unsigned kind, bool counted)
{
    uint32_t lost, missing;
    pm_cache_line *there;
    unsigned fetched;

    if (!is_simulated(r, line))
        return;
    there = pm_cache_touch(&r->cache, line, &lost);
    missing = sectors & ~(uint32_t)there->valid;
    fetched = missing ? fetch(r, line, missing) : 0;
    if (counted) {
        r->counts.asked[kind] += pm_bit_count(sectors);
        r->counts.missed[kind] += pm_bit_count(missing);
        r->counts.fetched += fetched;
    }
    there->valid |= (uint8_t)sectors;
}

/* To the nearest one, even ones where two are as near: of up to FARTHEST, without a call. */
static inline int64_t whole(double x)
{
    static const double SHIFT = 0x1.8p52;

    return (int64_t)(x + SHIFT - SHIFT);
}

static inline bool is_known(const replay *r, const kept *k)
{
    return k->site > 0 && k->site <= r->sites && r->shift[k->site - 1].known;
}

/* A request of the template, so many sectors on, over one line or two. */
static inline void ask(replay *r, const place *p, const kept *k, bool counted)
{
    const double *by = r->shift[k->site - 1].by;
    const double bytes = by[0] * p->moved[0] + by[1] * p->moved[1] + by[2] * p->moved[2];
    const double moved = bytes * r->sectors;
    const int64_t first =
        fabs(moved) < FARTHEST ? (int64_t)(k->line << r->line_shift) + whole(moved) : -1;
    const uint64_t line = (uint64_t)first >> r->line_shift;
    const uint32_t sectors = (uint32_t)k->sectors << ((uint64_t)first & (r->line_sectors - 1));

    if (first < 0)
        return;
    touch(r, line, sectors & ((1U << r->line_sectors) - 1), k->kind, counted);
    if (sectors >> r->line_sectors)
        touch(r, line + 1, sectors >> r->line_sectors, k->kind, counted);
}

/* All places take a turn. */
static void step(replay *r, bool counted)
{
    const int64_t resident = (int64_t)(r->plan->units * r->plan->resident);

    for (int64_t j = 0; j < resident; j++) {
        place *p = &r->places[j];

        if (p->group >= 0 && (uint64_t)p->group < r->total && p->at < p->of->count) {
            const kept *k = &r->requests[p->of->first + p->at];

            __builtin_prefetch(k + AHEAD);
            if (is_known(r, k))
                ask(r, p, k, counted);
        }
        if (++p->at >= r->longest) {
            p->at = 0;
            put_group(r, p, p->group + resident);
        }
    }
}

/* ---- how much of it -------------------------------------------------------------------------- */

static bool is_linear(const replay *r)
{
    size_t unknown = 0;

    for (size_t i = 0; i < r->wave->count; i++)
        unknown += !is_known(r, &r->wave->requests[i]);
    return (double)unknown <= MOST_UNKNOWN * (double)r->wave->count;
}

/* Which of the cell's groups each request is of, in the order in which these appear; counts them.
 */
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

/* Sorts the cell's requests by their groups. false: no memory. */
static bool sort_groups(replay *r)
{
    const size_t n = r->wave->count;
    uint32_t *of = calloc(n, sizeof *of);
    size_t first = 0;

    r->requests = calloc(n + AHEAD, sizeof *r->requests);
    r->templates = calloc(r->plan->resident, sizeof *r->templates);
    if (!of || !r->requests || !r->templates) {
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

        r->requests[t->first + t->count++] = r->wave->requests[i];
    }
    free(of);
    return true;
}

/* Places of a wave that starts with group `base`; phase: the share of a group's time by which the
 * last of them starts behind the first. false: no memory. */
static bool fill_places(replay *r, int64_t base, double phase)
{
    const uint64_t units = r->plan->units, resident = r->plan->resident;

    r->places = calloc(units * resident, sizeof *r->places);
    if (!r->places)
        return false;
    for (uint64_t j = 0; j < units * resident; j++) {
        place *p = &r->places[j];
        const double behind = (double)(units * resident - 1 - j) / (double)(units * resident);

        p->of = &r->templates[j / units % r->template_count];
        p->at = (size_t)(phase * behind * (double)r->longest);
        put_group(r, p, base + (int64_t)j);
    }
    return true;
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

/* Goes through waves in the middle of the launch, of which the last one counts; those before are of
 * a row of groups, after which others come to the same places. *known: that is not too much. false:
 * no memory. */
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
    for (size_t i = 0; i < (before + 1) * r->longest; i++)
        step(r, i >= before * r->longest);
    return true;
}

static void end(replay *r)
{
    pm_cache_free(&r->cache);
    pm_cache_free(&r->behind);
    free(r->requests);
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
                .line_sectors = l2->line_bytes / l2->sector_bytes,
                .line_shift = pm_unit_log2(l2->line_bytes / l2->sector_bytes)};
    pm_status status;

    *counts = (pm_wave_counts){.asked = {0}};
    *known =
        wave->count > 0 && wave->count < MOST_REQUESTS && r.total <= UINT32_MAX && is_linear(&r);
    if (!*known)
        return PM_OK;
    status = begin(&r, l2, err);
    if (status == PM_OK && !run(&r, known))
        status = pm_fail(err, PM_FAILED, "no memory for the work-groups of a wave");
    *counts = r.counts;
    end(&r);
    return status;
}
