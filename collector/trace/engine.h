/* The trace engine: counts what a GPU would count, on the CPU. It runs in a worker process
 * (worker/server); what asks for it is worker/executor_trace.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_ENGINE_H
#define PM_COLLECTOR_TRACE_ENGINE_H

#include "collector/executor.h"
#include "collector/trace/program.h"
#include "counters/events.h"
#include "gpu/rules.h"
#include "program/reach.h"
#include "program/resources.h"
#include "program/workload.h"

typedef struct {
    pm_gpu gpu;        /* whose rules count */
    double sample;     /* share of the work-groups to run, in (0, 1]; 0: as many as time allows */
    double step_limit; /* blocks that one warp may run; 0: the default */
    unsigned long long seed;
    unsigned threads;    /* 0: as many as there are cores */
    size_t memory_bytes; /* that the engine may have */
} pm_engine_options;

typedef struct pm_engine pm_engine;

/* Loads a workload, which must outlive the engine, as must the program that was built of its source
 * for warps of the GPU's width. NULL with err. */
pm_engine *pm_engine_create(const pm_engine_options *options, const pm_workload *workload,
                            const pm_trace_program *program, pm_error *err);
void pm_engine_free(pm_engine *self);

/* What the GPU's own compiler takes for a kernel, in place of what is estimated. A kernel that is
 * not launched is nothing. */
pm_status pm_engine_set_resources(pm_engine *self, const char *kernel,
                                  const pm_kernel_resources *resources, pm_error *err);

/* Executes everything. seconds[i] (may be NULL) is host time, which says nothing of any GPU. */
pm_status pm_engine_run(pm_engine *self, double *seconds, pm_error *err);
/* Counts one pass: launches[i] for each of the workload's. */
pm_status pm_engine_count(pm_engine *self, pm_counted_launch *launches, pm_error *err);
/* Runs some work-groups of each launch, whose results mean nothing, and tells how far they go into
 * each buffer (program/reach.h), of which reach has a member each. */
pm_status pm_engine_reach(pm_engine *self, pm_buffer_reach *reach, pm_error *err);
/* Whether the last pass ran everything. */
bool pm_engine_complete(const pm_engine *self);
/* Contents of a buffer after the last pass. */
const void *pm_engine_buffer(const pm_engine *self, size_t buffer);
/* After counting. Without counters: count is 0. The memory of tables is to be freed either way. */
pm_status pm_engine_accesses(const pm_engine *self, pm_trace_tables *tables, pm_error *err);

#endif
