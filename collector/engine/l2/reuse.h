/* How often a sampled launch returns to sectors, and how far apart in time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If the addresses of a launch depend on data, the requests of the cells (work-groups of one wave
 * on one compute unit) that do not run are unknown. Their misses in L2 are estimated from the
 * number of distinct sectors f(n) that n consecutive requests of the sampled cells touch. A cache
 * of C sectors retains the last n requests with f(n) = C, so that the share of later requests that
 * miss is the slope of f at this n (Denning and Schwartz, Properties of the working-set model, CACM
 * 1972). The slope is 1 - C / T for random reads of a table of T sectors, and 1 for data that are
 * read once. If lines have several sectors, C and n belong to lines and the slope to sectors,
 * because the cache evicts whole lines. This ignores that a line stays in the cache while its other
 * sectors are accessed: misses of random reads are at most 1.1 times those of a simulated cache.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_REUSE_H
#define PM_COLLECTOR_ENGINE_L2_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/engine/l2/footprint.h"

typedef struct pm_reuse pm_reuse;

/* Creates an empty record of the distinct sectors. regions: number of memory regions (buffers) that
 * are counted separately. NULL if out of memory. */
pm_reuse *pm_reuse_create(size_t regions);
void pm_reuse_free(pm_reuse *reuse);

/* Begins a launch: clears all numbers. */
void pm_reuse_begin(pm_reuse *reuse);
/* Begins the next sampled cell (work-groups of one wave on one compute unit). */
void pm_reuse_next_cell(pm_reuse *reuse);
/* Records an access of the running cell (work-groups of one wave on one compute unit) to a line of
 * a region (buffer). news: result of pm_footprint_touch for the access, which says which sectors
 * are touched for the first time. fetched: mask of the sectors of the line that L2 fetches for the
 * access, under the assumption that L2 never evicted a sector. */
void pm_reuse_touch(pm_reuse *reuse, size_t region, pm_footprint_news news, uint32_t fetched);
/* Adds `sectors` to the number of requested sectors. Call this function after pm_reuse_touch has
 * recorded which sectors these are. */
void pm_reuse_advance(pm_reuse *reuse, uint64_t sectors);
/* Returns the number, from 1, of the sampled cell (work-groups of one wave on one compute unit)
 * that is running. */
uint64_t pm_reuse_cell(const pm_reuse *reuse);
/* Returns the number of sectors that the running cell (work-groups of one wave on one compute unit)
 * has requested. */
uint64_t pm_reuse_position(const pm_reuse *reuse);
/* Returns the mean number of sectors that a sampled cell (work-groups of one wave on one compute
 * unit) requested. */
double pm_reuse_cell_length(const pm_reuse *reuse);

/* A range in the sequence of L2 requests of the sampled work-groups. Its start and end are given
 * as numbers of sectors that were requested before. */
typedef struct {
    double from, to;
} pm_reuse_span;

/* Sets *span to a range of requests: those around the request at which a cache of `capacity` lines
 * becomes full. Returns false if the sampled work-groups touch fewer lines. */
bool pm_reuse_find_span(const pm_reuse *reuse, double capacity, pm_reuse_span *span);

/* Numbers of sectors of a region (buffer) per requested sector of all regions. fetched: sectors
 * that L2 fetches for reads because they are touched for the first time. written: sectors that are
 * written for the first time. */
typedef struct {
    double fetched, written;
} pm_reuse_rates;

/* Returns how many sectors of a region (buffer) are fetched and written for the first time in
 * `span` (a range of the sampled requests), per requested sector. If a cache becomes full in this
 * range, the rates estimate its misses. */
pm_reuse_rates pm_reuse_find_rates(const pm_reuse *reuse, const pm_reuse_span *span, size_t region);

/* Returns the number of distinct lines that the first `requested` sampled sectors belong to. */
double pm_reuse_lines(const pm_reuse *reuse, double requested);

#endif
