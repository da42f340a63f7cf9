/* Simulates L2 and the memory behind it for a workload whose launches are repeated many times
 * (passes). The counts are those of one of the later passes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Capacity. Counters of an H100 with 50 MB of L2 (datasets/h100.csv) show that 42 MB of data are no
 * longer in L2 in the next pass (program sobel3x3, size 2304x2304), and that part of 33.5 MB is
 * lost (copy 16, dct8x8 2048). The reason is that a sector that passes a second L2 slice on its way
 * is cached in both slices. The effective capacity is therefore l2_bytes / (1 + l2_far).
 *
 * A launch of which all work-groups run. An LRU cache hits a line if few enough other lines were
 * touched since its last use, whatever happened before. One pass that starts with an empty cache
 * therefore determines all hits of a later pass, except those at the first touch of each sector. We
 * find the hits of these first touches by repeating them in their order, with the cache as the pass
 * left it. Write-backs are found in the same way. A written sector becomes valid without being
 * fetched, even if only part of it was written. The chip records which bytes are valid; a later
 * load of its other bytes is not simulated.
 *
 * Fetches. Counters of an H200 (docs/results/counters.md) show that a load that misses fetches 64
 * aligned bytes, which is the GPU's l2_fetch. It is one sector or a pair of sectors.
 *
 * A sampled launch, of which only some cells (work-groups of one wave on one compute unit) run: see
 * sampled_l2.h. A launch of which all work-groups run, in a workload with sampled launches, hits
 * the data that earlier launches left. If all launches together exceed the capacity, it hits
 * nothing of the pass before.
 */
#include "collector/engine/l2/l2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/l2/capacity_misses.h"
#include "collector/engine/l2/dram_rows.h"
#include "collector/engine/l2/footprint.h"
#include "collector/engine/l2/l2_counts.h"
#include "collector/engine/l2/sampled_l2.h"
#include "collector/engine/l2/sampled_requests.h"
#include "collector/engine/memory/cache.h"
#include "collector/engine/memory/coalescing.h"

enum { DEFAULT_WAYS = 16, AHEAD = 8 };

struct pm_l2 {
    const pm_gpu *gpu;
    unsigned sector_bytes;
    bool pairs;      /* true: a load that misses fetches an aligned pair of sectors */
    double capacity; /* bytes; 0: there is no L2 */
    unsigned line_bytes, ways;
    pm_cache cache;
    pm_footprint *footprint;
    pm_revisit revisit;
    pm_reuse *reuse;
    pm_line_sample *lines;
    pm_dram_rows *rows;
    pm_wave *wave;
    pm_memory_region *regions; /* sorted by base */
    size_t region_count;
    /* Arrays with an element for each region (buffer), and a last one for lines in no region.
     * whole: number of sectors touched by launches of which all work-groups ran. sampled: largest
     * estimated number of touched sectors over the launches of which only a sample ran. counts:
     * numbers of sectors of the launch that is being simulated. */
    double *whole, *sampled;
    pm_footprint_counts *counts;
    pm_l2_launch *launches;
    size_t launch_count;
    bool open, settled;
    /* number of the sampled cell (work-groups of one wave on one compute unit) that sent the last
     * requests */
    size_t cell;
    /* first access to each sector by the launches of which all work-groups ran, in order: line <<
     * 16 | kind of request << 8 | mask of the line's sectors */
    uint64_t *touches;
    size_t touch_count, touch_room;
};

static int by_base(const void *a, const void *b)
{
    const pm_memory_region *x = a, *y = b;

    return (x->base > y->base) - (x->base < y->base);
}

static pm_status set_up(pm_l2 *l2, const pm_memory_region *regions, size_t count, pm_error *err)
{
    const pm_gpu *gpu = l2->gpu;
    const unsigned line = gpu->l2_line ? gpu->l2_line : PM_MEMORY_LINE;

    l2->line_bytes = line;
    l2->ways = gpu->l2_ways ? gpu->l2_ways : DEFAULT_WAYS;
    l2->sector_bytes = gpu->l2_sector ? gpu->l2_sector : PM_MEMORY_SECTOR;
    l2->pairs = gpu->l2_fetch == 2 * l2->sector_bytes;
    if (line / l2->sector_bytes < 1 || line / l2->sector_bytes > PM_CACHE_SECTORS)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: L2 lines of %u bytes in sectors of %u: 1 to %d are possible; correct "
                       "devices.csv",
                       gpu->device, line, l2->sector_bytes, PM_CACHE_SECTORS);
    if (!(gpu->l2_far >= 0 && gpu->l2_far < 1))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: l2_far is %g: a share from 0 to less than 1; correct devices.csv",
                       gpu->device, gpu->l2_far);
    l2->capacity = (double)gpu->l2_bytes / (1 + gpu->l2_far);
    l2->region_count = count;
    l2->regions = calloc(count + 1, sizeof *l2->regions);
    l2->whole = calloc(count + 1, sizeof *l2->whole);
    l2->sampled = calloc(count + 1, sizeof *l2->sampled);
    l2->counts = calloc(count + 1, sizeof *l2->counts);
    l2->footprint = pm_footprint_create(line / l2->sector_bytes);
    l2->wave = pm_wave_create();
    l2->reuse = pm_reuse_create(count + 1);
    l2->lines = pm_line_sample_create(count + 1);
    l2->rows = calloc(1, sizeof *l2->rows);
    if (!l2->wave || !l2->reuse || !l2->lines || !l2->rows || !l2->regions || !l2->whole ||
        !l2->sampled || !l2->counts || !l2->footprint || !pm_revisit_init(&l2->revisit, count + 1))
        return pm_fail(err, PM_FAILED, "no memory for the L2 of %s", gpu->device);
    if (count)
        memcpy(l2->regions, regions, count * sizeof *regions);
    qsort(l2->regions, count, sizeof *l2->regions, by_base);
    return pm_cache_init(&l2->cache, (size_t)l2->capacity, line, l2->ways, err);
}

pm_l2 *pm_l2_create(const pm_gpu *gpu, const pm_memory_region *regions, size_t count, pm_error *err)
{
    pm_l2 *l2 = calloc(1, sizeof *l2);

    if (!l2) {
        pm_fail(err, PM_FAILED, "no memory for the L2 of %s", gpu->device);
        return NULL;
    }
    l2->gpu = gpu;
    if (set_up(l2, regions, count, err) != PM_OK) {
        pm_l2_free(l2);
        return NULL;
    }
    return l2;
}

void pm_l2_free(pm_l2 *l2)
{
    if (!l2)
        return;
    pm_cache_release(&l2->cache);
    pm_footprint_free(l2->footprint);
    pm_revisit_free(&l2->revisit);
    pm_reuse_free(l2->reuse);
    pm_line_sample_free(l2->lines);
    pm_wave_free(l2->wave);
    free(l2->rows);
    free(l2->regions);
    free(l2->whole);
    free(l2->sampled);
    free(l2->counts);
    free(l2->launches);
    free(l2->touches);
    free(l2);
}

/* Begins to count sectors that are accessed again, and sectors that L2 has evicted before they are
 * accessed again (capacity_misses.h). Each sampled cell (work-groups of one wave on one compute
 * unit) is simulated with the capacity of L2 divided by the number of compute units in use. */
static pm_status begin_sample(pm_l2 *l2, double cells, pm_error *err)
{
    pm_reuse_begin(l2->reuse);
    pm_line_sample_begin(l2->lines);
    return pm_revisit_begin(&l2->revisit, l2->capacity / fmin(cells, l2->gpu->compute_units),
                            l2->line_bytes, l2->ways, err);
}

pm_status pm_l2_begin(pm_l2 *l2, double seen, double cells, pm_error *err)
{
    if (l2->open || l2->settled || !(seen > 0) || !(cells >= seen))
        return pm_fail(err, PM_FAILED, "L2: launch %zu begun %s, with %g of %g cells",
                       l2->launch_count, l2->open ? "inside another" : "", seen, cells);
    pm_l2_launch *launches = realloc(l2->launches, (l2->launch_count + 1) * sizeof *launches);
    if (!launches)
        return pm_fail(err, PM_FAILED, "no memory for launch %zu", l2->launch_count);
    l2->launches = launches;
    launches[l2->launch_count++] = (pm_l2_launch){.seen = seen,
                                                  .cells = cells,
                                                  .beyond = 1,
                                                  .first = l2->touch_count,
                                                  .after = l2->touch_count};
    l2->open = true;
    pm_dram_rows_close(l2->rows);
    pm_wave_begin(l2->wave);
    return pm_l2_is_sampled(&launches[l2->launch_count - 1]) && l2->capacity > 0
               ? begin_sample(l2, cells, err)
               : PM_OK;
}

/* Returns the index of the memory region (buffer) that contains a line; region_count: no region
 * contains it. */
static size_t region_of(const void *context, uint64_t line)
{
    const pm_l2 *l2 = context;
    const uint64_t at = line * l2->line_bytes;
    size_t low = 0, high = l2->region_count;

    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (l2->regions[middle].base <= at)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && at - l2->regions[low - 1].base < l2->regions[low - 1].bytes)
        return low - 1;
    return l2->region_count;
}

static bool note_first(pm_l2 *l2, uint64_t line, uint32_t sectors, unsigned kind)
{
    if (l2->touch_count == l2->touch_room) {
        const size_t room = l2->touch_room ? 2 * l2->touch_room : 1 << 14;
        uint64_t *touches = realloc(l2->touches, room * sizeof *touches);
        if (!touches)
            return false;
        l2->touches = touches;
        l2->touch_room = room;
    }
    l2->touches[l2->touch_count++] = line << 16 | (uint64_t)kind << 8 | sectors;
    l2->whole[region_of(l2, line)] += pm_bit_count(sectors);
    return true;
}

/* Simulates in L2 a request of a launch whose work-groups all run. false if out of memory. */
static bool simulate(pm_l2 *l2, pm_l2_launch *l, const pm_l2_request *request)
{
    uint32_t lost, first = 0;
    pm_cache_line *line = pm_cache_touch(&l2->cache, request->line, &lost);
    uint32_t missing = request->sectors & ~(uint32_t)line->valid;

    l->written_back += pm_bit_count(lost);
    if (request->write == PM_L2_READ)
        missing = pm_l2_fetched(missing, l2->pairs) & ~(uint32_t)line->valid;
    line->valid |= (uint8_t)(request->sectors | missing);
    if (request->write != PM_L2_READ)
        line->dirty |= (uint8_t)request->sectors;
    pm_l2_access_rows(l2->rows, l2->line_bytes, request, missing, l->dram);
    if (!missing)
        return true;
    if (!pm_footprint_mark(l2->footprint, request->line, missing, &first))
        return false;
    l->missed[request->write] += pm_bit_count(missing & ~first);
    return !first || note_first(l2, request->line, first, request->write);
}

/* Adds the counts of the sampled cell that has ended (work-groups of one wave on one compute unit)
 * to the sums over all cells. */
static void close_cell(pm_l2_launch *l)
{
    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++) {
        pm_l2_cells *s = &l->sectors[kind];
        s->sum += s->current;
        s->squares += s->current * s->current;
        s->current = 0;
    }
}

/* Begins the next cell (work-groups of one wave on one compute unit) of a sampled launch. */
static void begin_cell(pm_l2 *l2)
{
    pm_revisit_next_cell(&l2->revisit);
    pm_reuse_next_cell(l2->reuse);
}

/* Prefetches into the host CPU's cache the simulated set, and the footprint record, that a request
 * will access if all work-groups of the launch run. */
static inline void expect(const pm_l2 *l2, const pm_l2_request *request)
{
    pm_cache_expect(&l2->cache, request->line);
    pm_footprint_expect(l2->footprint, request->line);
}

static bool simulate_all(pm_l2 *l2, pm_l2_launch *l, const pm_l2_request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            expect(l2, &requests[i + AHEAD]);
        if (!simulate(l2, l, &requests[i]))
            return false;
    }
    return true;
}

void pm_l2_next_wave(pm_l2 *l2, uint64_t wave)
{
    pm_line_sample_next_wave(l2->lines, wave);
}

/* Adds the numbers of sectors of the requests to the counts of the launch. pairs: true if a load
 * that misses fetches an aligned pair of sectors. */
static void count_sectors(pm_l2_launch *l, const pm_l2_request *requests, size_t count, bool pairs)
{
    uint64_t asked[PM_L2_KINDS] = {0}, opened = 0, whole = 0, words = 0;

    for (size_t i = 0; i < count; i++) {
        asked[requests[i].write] += pm_bit_count(requests[i].sectors);
        if (requests[i].write == PM_L2_READ)
            opened += pm_bit_count(pm_l2_fetched(requests[i].sectors, pairs));
        if (requests[i].write != PM_L2_WRITE)
            continue;
        whole += pm_bit_count(requests[i].whole);
        words += requests[i].words;
    }
    for (unsigned kind = 0; kind < PM_L2_KINDS; kind++)
        l->sectors[kind].current += (double)asked[kind];
    l->opened += (double)opened;
    l->stores.whole += (double)whole;
    l->stores.parts += (double)(asked[PM_L2_WRITE] - whole);
    l->stores.words += (double)words;
}

pm_status pm_l2_requests(pm_l2 *l2, size_t cell, const pm_l2_request *requests, size_t count,
                         pm_error *err)
{
    if (!l2->open)
        return pm_fail(err, PM_FAILED, "L2: requests outside a launch");
    pm_l2_launch *l = &l2->launches[l2->launch_count - 1];
    const bool sampled = pm_l2_is_sampled(l), cached = l2->capacity > 0;
    const pm_sampled_sectors seen = {.footprint = l2->footprint,
                                     .revisit = &l2->revisit,
                                     .reuse = l2->reuse,
                                     .lines = l2->lines,
                                     .rows = l2->rows,
                                     .dram = l->dram,
                                     .line_bytes = l2->line_bytes,
                                     .region = region_of,
                                     .context = l2,
                                     .pairs = l2->pairs};
    bool ok = true;

    if (!l->shown || cell != l2->cell) {
        close_cell(l);
        l->shown++;
        l2->cell = cell;
        if (sampled && cached)
            begin_cell(l2);
    }
    count_sectors(l, requests, count, l2->pairs);
    if (sampled && cached && !pm_gpu_runs_loops(l2->gpu))
        ok = pm_wave_add(l2->wave, cell, requests, count);
    if (ok && cached)
        ok = sampled ? pm_sampled_requests(&seen, cell, requests, count)
                     : simulate_all(l2, l, requests, count);
    if (!ok)
        return pm_fail(err, PM_FAILED,
                       "no memory for the footprint of launch %zu; use a smaller size",
                       l2->launch_count - 1);
    return PM_OK;
}

/* Writes back all dirty sectors of the simulated L2 and empties it. The written sectors count for
 * the last launch of which all work-groups ran. */
static void sweep(pm_l2 *l2)
{
    const size_t dirty = pm_cache_empty(&l2->cache);

    for (size_t i = l2->launch_count; i-- > 0 && dirty;)
        if (!pm_l2_is_sampled(&l2->launches[i])) {
            l2->launches[i].written_back += dirty;
            return;
        }
}

pm_status pm_l2_expect_wave(pm_l2 *l2, const pm_wave_plan *plan, const pm_site_shift *shift,
                            size_t sites, pm_error *err)
{
    const pm_wave_cache cache = {l2->capacity,   (double)l2->gpu->l3_bytes,
                                 l2->line_bytes, l2->sector_bytes,
                                 l2->ways,       l2->pairs};
    pm_l2_launch *l = &l2->launches[l2->launch_count - 1];

    return l2->capacity > 0
               ? pm_wave_replay(l2->wave, plan, shift, sites, &cache, &l->wave, &l->wave_known, err)
               : PM_OK;
}

static void end_sampled(pm_l2 *l2, pm_l2_launch *l)
{
    const pm_l2_sample sample = {.gpu = l2->gpu,
                                 .capacity = l2->capacity,
                                 .line_bytes = l2->line_bytes,
                                 .sector_bytes = l2->sector_bytes,
                                 .regions = l2->regions,
                                 .region_count = l2->region_count,
                                 .counts = l2->counts,
                                 .revisits = l2->revisit.by_region,
                                 .reuse = l2->reuse,
                                 .lines = l2->lines};

    memset(l2->counts, 0, (l2->region_count + 1) * sizeof *l2->counts);
    pm_footprint_collect(l2->footprint, region_of, l2, l2->counts);
    pm_l2_estimate_launch(&sample, l, l2->sampled);
    if (pm_l2_touched_by(&sample, l->cells / l->seen) * l2->sector_bytes > l2->capacity)
        sweep(l2);
}

pm_status pm_l2_end(pm_l2 *l2, pm_error *err)
{
    if (!l2->open)
        return pm_fail(err, PM_FAILED, "L2: the end of a launch that was not begun");
    pm_l2_launch *l = &l2->launches[l2->launch_count - 1];

    close_cell(l);
    if (pm_l2_is_sampled(l))
        end_sampled(l2, l);
    l->after = l2->touch_count;
    l2->open = false;
    return PM_OK;
}

/* Repeats the first accesses to each sector of a launch of which all work-groups ran, in the
 * simulated L2, to find which of them hit in a second pass over the workload. */
static void repeat(pm_l2 *l2, pm_l2_launch *l)
{
    for (size_t i = l->first; i < l->after; i++) {
        const unsigned kind = l2->touches[i] >> 8 & 0xFF;
        const uint32_t sectors = l2->touches[i] & 0xFF;
        uint32_t lost;
        pm_cache_line *line = pm_cache_touch(&l2->cache, l2->touches[i] >> 16, &lost);

        l->written_back += pm_bit_count(lost);
        l->missed[kind] += pm_bit_count(sectors & ~(uint32_t)line->valid);
        /* Makes the sectors valid and not dirty. Only the first accesses to sectors are repeated
         * here. All other hits, and the write-backs, were counted in the first pass already. */
        line->valid |= (uint8_t)sectors;
        line->dirty = 0;
    }
}

static void all_miss(const pm_l2 *l2, pm_l2_launch *l)
{
    for (size_t i = l->first; i < l->after; i++)
        l->missed[l2->touches[i] >> 8 & 0xFF] += pm_bit_count(l2->touches[i] & 0xFF);
}

/* Computes, after the last launch, which accesses hit L2 in a second pass over the workload's
 * launches. */
static void settle(pm_l2 *l2)
{
    bool sampled = false;
    double touched = 0;

    for (size_t i = 0; i < l2->launch_count; i++)
        sampled |= pm_l2_is_sampled(&l2->launches[i]);
    for (size_t i = 0; i <= l2->region_count; i++)
        touched += fmax(l2->whole[i], l2->sampled[i]);
    const bool fits = touched * l2->sector_bytes <= l2->capacity;
    if (sampled && !fits)
        sweep(l2);
    for (size_t i = 0; i < l2->launch_count; i++) {
        pm_l2_launch *l = &l2->launches[i];
        if (touched * l2->sector_bytes <= (double)l2->gpu->l3_bytes)
            l->beyond = 0;
        if (!sampled)
            repeat(l2, l);
        else if (fits)
            l->read = l->written = (pm_l2_estimate){0, 0};
        else if (!pm_l2_is_sampled(l))
            all_miss(l2, l);
        if (!pm_l2_is_sampled(l) && l->written_back)
            l->stores.unread = fmin(1, (double)l->missed[PM_L2_WRITE] / (double)l->written_back);
    }
    l2->settled = true;
}

pm_status pm_l2_totals(pm_l2 *l2, size_t launch_index, double totals[PM_EVENT_COUNT],
                       double variance[PM_EVENT_COUNT], pm_error *err)
{
    if (l2->open || launch_index >= l2->launch_count)
        return pm_fail(err, PM_FAILED, "L2: launch %zu has not ended", launch_index);
    if (!l2->settled)
        settle(l2);
    if (l2->capacity > 0)
        pm_l2_put_cached(&l2->launches[launch_index], l2->gpu, l2->sector_bytes, totals, variance);
    else
        pm_l2_put_direct(&l2->launches[launch_index], l2->sector_bytes, totals, variance);
    return PM_OK;
}
