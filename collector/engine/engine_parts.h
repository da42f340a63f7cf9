/* The state of the trace engine. The files that load workloads, count events, and find how far
 * accesses reach into buffers all use it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_ENGINE_PARTS_H
#define PM_COLLECTOR_ENGINE_ENGINE_PARTS_H

#include "collector/engine/bind_launch.h"
#include "collector/engine/count.h"
#include "collector/engine/engine.h"
#include "collector/engine/select_launches.h"

/* Default limit of the basic blocks that a warp may execute. A kernel that never ends reaches it
 * after one or two minutes, because a basic block takes some tens of nanoseconds and all resident
 * warps take turns. */
#define PM_ENGINE_STEP_LIMIT 1e7

struct pm_engine {
    pm_engine_options options;
    pm_pool *pool;
    const pm_workload *workload;
    const pm_trace_program *program;
    const pm_kernel_code **codes; /* codes[launch]: code of the launch's kernel */
    pm_bound_launch *launches;
    pm_launch_choice *choices;
    size_t chosen; /* number of launches that are selected for counting */
    pm_buffers buffers;
    pm_launch_counts *counts; /* counts[launch]: counts of the launch after pm_engine_count */
    bool counted, complete;
};

/* Frees the counts of the last pm_engine_count. */
void pm_engine_forget_counts(pm_engine *self);
/* Returns the threads that run a launch's work-groups. NULL: the groups run in order on one thread,
 * because they may see each other's writes. */
pm_pool *pm_engine_pool_for(const pm_engine *self, size_t launch);
/* Returns the number of warps that a launch starts. */
double pm_engine_warps_of(const pm_engine *self, const pm_bound_launch *launch);

#endif
