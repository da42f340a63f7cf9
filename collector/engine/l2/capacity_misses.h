/* For a launch of which only a sample of the work-groups runs: counts the sectors that were evicted
 * from L2 by other work-groups before they are accessed again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells that run at the same time, one on each compute unit, compete for L2. A cell is the
 * work-groups of one wave on one compute unit. Each cell is simulated with its fraction of L2.
 * Sectors that the cell has accessed before and misses in this fraction count as evicted.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_CAPACITY_MISSES_H
#define PM_COLLECTOR_ENGINE_L2_CAPACITY_MISSES_H

#include "collector/engine/memory/cache.h"

typedef struct {
    /* Sectors that a sampled cell (work-groups of one wave on one compute unit) has to fetch or
     * write a second time, because they were evicted from L2. */
    uint64_t read, written;
    /* Counted only if L2 fetches aligned pairs of sectors. Each sampled cell (work-groups of one
     * wave on one compute unit) is simulated with its own fraction of L2. asked: sectors that loads
     * requested and that this fraction of L2 did not have. fetched: sectors in `asked`, and the
     * other sectors of their pairs if these were missing, too. */
    uint64_t asked, fetched;
} pm_revisits;

typedef struct {
    pm_cache part;
    bool ready;
    pm_revisits *by_region;
    size_t regions;
} pm_revisit;

/* Initialises the counts. regions: number of memory regions (buffers) that are counted separately.
 * false if out of memory. */
bool pm_revisit_init(pm_revisit *revisit, size_t regions);
void pm_revisit_free(pm_revisit *revisit);

/* Begins a launch in which each sampled cell (work-groups of one wave on one compute unit) has
 * `bytes` bytes of L2. */
pm_status pm_revisit_begin(pm_revisit *revisit, double bytes, unsigned line_bytes, unsigned ways,
                           pm_error *err);
/* Begins the next sampled cell (work-groups of one wave on one compute unit) with an empty cache.
 */
void pm_revisit_next_cell(pm_revisit *revisit);
/* Simulates a request for sectors of a line by the sampled cell (work-groups of one wave on one
 * compute unit) that is running. Returns the sectors that are fetched because the cell's fraction
 * of L2 does not have them: aligned pairs of sectors if pairs is true. */
uint32_t pm_revisit_touch(pm_revisit *revisit, uint64_t line, uint32_t sectors, bool pairs);
/* Prefetches the host memory for a later pm_revisit_touch of the line. */
void pm_revisit_expect(const pm_revisit *revisit, uint64_t line);
/* Counts, for a memory region (buffer), sectors that a load misses in the fraction of L2 that the
 * sampled cell (work-groups of one wave on one compute unit) has. asked: mask of the requested
 * sectors that were missing. fetched: mask of the sectors that L2 then fetches, which includes the
 * other sectors of the pairs. */
void pm_revisit_open(pm_revisit *revisit, size_t region, uint32_t asked, uint32_t fetched);
/* Counts sectors of a memory region (buffer) that a cell (work-groups of one wave on one compute
 * unit) requests again after their eviction from its fraction of L2. read, written: whether the
 * request reads and writes them. An atomic does both. */
void pm_revisit_count(pm_revisit *revisit, size_t region, uint32_t sectors, bool read,
                      bool written);

#endif
