/* The L2 cache and the memory behind it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters are measured on work that is repeated, so what counts is a later pass over the same
 * launches: the cache then starts with what the pass before left in it. A launch that is run whole
 * goes through a simulated L2. Of a launch that is sampled only some cells (a compute unit's
 * work-groups of one wave) are seen, and how much of what one cell reads the others read too is
 * estimated from how many of the seen cells share a sector; l2.c says how.
 *
 * For each launch in order: pm_l2_begin, pm_l2_requests, pm_l2_end. After the last launch:
 * pm_l2_totals for each of them.
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_L2_H
#define PM_COLLECTOR_TRACE_MEMORY_L2_H

#include "collector/trace/memory/wave.h"
#include "counters/events.h"
#include "gpu/rules.h"

/* A buffer in global memory. Buffers do not overlap. */
typedef struct {
    uint64_t base, bytes;
} pm_memory_region;

typedef struct pm_l2 pm_l2;

/* regions are copied. gpu must outlive it. */
pm_l2 *pm_l2_create(const pm_gpu *gpu, const pm_memory_region *regions, size_t count,
                    pm_error *err);
void pm_l2_free(pm_l2 *l2);

/* Starts a launch of which `seen` of `cells` cells will be shown (equal: all of it). What the cache
 * holds from the launch before stays. */
pm_status pm_l2_begin(pm_l2 *l2, double seen, double cells, pm_error *err);
/* Requests of one cell, in the order in which they reach L2. cell counts from 0; of a sampled
 * launch one cell is shown after the other. */
pm_status pm_l2_requests(pm_l2 *l2, size_t cell, const pm_l2_request *requests, size_t count,
                         pm_error *err);
/* Before the end of a launch that is sampled: where its other groups' requests are. shift: a member
 * a memory instruction. */
pm_status pm_l2_expect_wave(pm_l2 *l2, const pm_wave_plan *plan, const pm_site_shift *shift,
                            size_t sites, pm_error *err);
pm_status pm_l2_end(pm_l2 *l2, pm_error *err);

/* Adds the l2_* and dram_* events of a launch (0: the first that was begun) to totals, scaled to
 * all cells, and the squared standard error of each to variance (may be NULL). Once it was called,
 * no further launch can begin. */
pm_status pm_l2_totals(pm_l2 *l2, size_t launch, double totals[PM_EVENT_COUNT],
                       double variance[PM_EVENT_COUNT], pm_error *err);

#endif
