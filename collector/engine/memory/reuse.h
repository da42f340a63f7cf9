/* How often a sampled launch returns to sectors, and how far apart in time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * If the addresses of a launch depend on data, the requests of the cells (work-groups of one wave
 * on one compute unit) that do not run are unknown. Their misses in L2 are estimated from the
 * number of distinct sectors f(n) that n consecutive requests of the sampled cells touch. A cache
 * of C sectors retains the last n requests with f(n) = C, so that the share of later requests that
 * miss is the slope of f at this n (Denning and Schwartz, Properties of the working-set model, CACM
 * 1972). For random reads of a table of T sectors this is 1 - C / T. For data that are read once it
 * is 1. If lines have several sectors, C and n belong to lines and the slope to sectors, because
 * the cache evicts whole lines. This ignores that a line stays in the cache while its other
 * sectors are accessed: misses of random reads are at most 1.1 times those of a simulated cache.
 *
 * The cells of a wave run at the same time on a GPU, but one after the other here. If they access
 * shared sectors at the same point of their run, as cells do that all read one table from its
 * begin, f(n) has no sign of it. The alignment tells it.
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_REUSE_H
#define PM_COLLECTOR_ENGINE_MEMORY_REUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "collector/engine/memory/footprint.h"

typedef struct pm_reuse pm_reuse;

/* NULL if out of memory. */
pm_reuse *pm_reuse_create(void);
void pm_reuse_free(pm_reuse *reuse);

/* Begins a launch, with no requests. */
void pm_reuse_begin(pm_reuse *reuse);
/* Begins the next cell (work-groups of one wave on one compute unit). */
void pm_reuse_next_cell(pm_reuse *reuse);
/* Records that the running cell accesses a line for which the footprint returned `news`. read: the
 * access needs the sectors' old contents. */
void pm_reuse_touch(pm_reuse *reuse, uint64_t line, pm_footprint_news news, bool read);
/* Adds `sectors` requested sectors, whose touches are recorded. */
void pm_reuse_advance(pm_reuse *reuse, uint64_t sectors);

/* Sectors per requested sector that L2 has to fetch and to write back, and the variance of the
 * share of fetched sectors. */
typedef struct {
    double fetched, written, variance;
} pm_reuse_rates;

/* Numbers of lines and sectors of the launch's buffers that no sampled cell (work-groups of one
 * wave on one compute unit) touched. fetched, written: sectors of the buffers that the cells read
 * and wrote. */
typedef struct {
    double lines, fetched, written;
} pm_reuse_room;

/* Returns the rates for an L2 of `capacity` lines. All rates are 0 if the distinct lines that the
 * launch touches do not exceed the capacity, as far as the sample shows. */
pm_reuse_rates pm_reuse_estimate(const pm_reuse *reuse, double capacity, const pm_reuse_room *room);

/* Returns the number of distinct lines that the first `requested` sampled sectors belong to. */
double pm_reuse_lines(const pm_reuse *reuse, double requested);

/* Returns 1 if the sampled cells access shared sectors at the same point of their run, 0 if these
 * points are independent, and a number between for what lies between. 1 if cells share no
 * sectors. */
double pm_reuse_alignment(const pm_reuse *reuse);

#endif
