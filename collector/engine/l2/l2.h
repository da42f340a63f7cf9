/* The L2 cache and the memory behind it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On real GPUs, counters are measured while launches are repeated. The simulation therefore counts
 * a later pass over the same launches, in which the cache contains the data that the previous pass
 * left. A launch of which all work-groups run goes through a simulated L2. Of a sampled launch only
 * some cells (a compute unit's work-groups of one wave) are run. The data that several cells read
 * in common are estimated from the number of sampled cells that touch each sector, as sampled_l2.h
 * describes.
 *
 * For each launch in order, call pm_l2_begin, pm_l2_requests and pm_l2_end. After the last launch,
 * call pm_l2_totals for each of them.
 */
#ifndef PM_COLLECTOR_ENGINE_L2_L2_H
#define PM_COLLECTOR_ENGINE_L2_L2_H

#include "collector/engine/l2/l2_counts.h"
#include "machine/counters/events.h"
#include "machine/rules.h"

typedef struct pm_l2 pm_l2;

/* Creates an empty L2 of the GPU. regions: the buffers, which are copied. gpu must outlive the
 * result. NULL with err on failure. */
pm_l2 *pm_l2_create(const pm_gpu *gpu, const pm_memory_region *regions, size_t count,
                    pm_error *err);
void pm_l2_free(pm_l2 *l2);

/* Starts a launch that consists of `cells` cells, of which `seen` will run as a sample. A cell is
 * the work-groups of one wave on one compute unit. If seen equals cells, all work-groups of the
 * launch run. L2 retains its contents from the previous launch. */
pm_status pm_l2_begin(pm_l2 *l2, double seen, double cells, pm_error *err);
/* Passes requests to L2, in the order in which they reach L2. cell: number, from 0, of the cell
 * (work-groups of one wave on one compute unit) that makes them. If the launch is sampled, all
 * requests of one cell come before those of the next. */
pm_status pm_l2_requests(pm_l2 *l2, size_t cell, const pm_l2_request *requests, size_t count,
                         pm_error *err);
/* Says that the next requests belong to a later wave of work-groups; `wave` is its number. */
void pm_l2_next_wave(pm_l2 *l2, uint64_t wave);
/* Says how to estimate the requests of the work-groups of a sampled launch that are not run. Call
 * this function before pm_l2_end. plan: how the launch's work-groups are distributed over compute
 * units and waves (groups that run at the same time). shift: stride of each memory instruction's
 * addresses between work-groups, `sites` members. */
pm_status pm_l2_expect_wave(pm_l2 *l2, const pm_wave_plan *plan, const pm_site_shift *shift,
                            size_t sites, pm_error *err);
pm_status pm_l2_end(pm_l2 *l2, pm_error *err);

/* Adds the events of L2 and DRAM (l2_*, dram_*) of launch number `launch` (0: the first) to totals,
 * scaled from the sampled work-groups to all. Adds their squared standard errors to variance, which
 * may be NULL. No further launch may begin after the first call. */
pm_status pm_l2_totals(pm_l2 *l2, size_t launch, double totals[PM_EVENT_COUNT],
                       double variance[PM_EVENT_COUNT], pm_error *err);

#endif
