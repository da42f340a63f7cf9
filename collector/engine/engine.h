/* The trace engine: runs kernels on the CPU and counts the events that a GPU would count. It runs
 * in a worker process (collector/worker/server); its client is collector/worker/executor_trace.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_ENGINE_H
#define PM_COLLECTOR_ENGINE_ENGINE_H

#include "collector/engine/program.h"
#include "collector/engine/sass/sass.h"
#include "collector/executor.h"
#include "machine/counters/events.h"
#include "machine/rules.h"
#include "program/page_use.h"
#include "program/reach.h"
#include "program/resources.h"
#include "program/workload.h"

typedef struct {
    pm_gpu gpu; /* the GPU whose rules apply */
    /* Fraction of the work-groups to run, in (0, 1]; 0: as many as time allows. */
    double sample;
    /* maximum number of basic blocks that one warp may execute; 0: the default */
    double step_limit;
    unsigned long long seed;
    unsigned threads;    /* 0: one per core */
    size_t memory_bytes; /* limit of the engine's memory in bytes */
} pm_engine_options;

typedef struct pm_engine pm_engine;

/* Creates an engine and loads a workload into it. `program` must be built from the workload's
 * source for the GPU's warp width. workload and program must outlive the engine. NULL with err on
 * failure. */
pm_engine *pm_engine_create(const pm_engine_options *options, const pm_workload *workload,
                            const pm_trace_program *program, pm_error *err);
void pm_engine_free(pm_engine *self);

/* Replaces a kernel's estimated resources by the resources that the GPU's own compiler reports. A
 * kernel that the workload does not launch is ignored. */
pm_status pm_engine_set_resources(pm_engine *self, const char *kernel,
                                  const pm_kernel_resources *resources, pm_error *err);

/* Gives the engine the machine code of a kernel, whose instructions are then counted in place of
 * estimates. sass must outlive the engine. A kernel that the workload does not launch is
 * ignored. */
void pm_engine_set_sass(pm_engine *self, const char *kernel, const pm_sass *sass);

/* Executes all work-groups of all launches, without counting. seconds[i] becomes the host time of
 * launch i, which is unrelated to the time on a GPU. seconds may be NULL. */
pm_status pm_engine_run(pm_engine *self, double *seconds, pm_error *err);
/* Counts the events of one pass over all launches of the workload. launches[i] receives the counts
 * of launch i. */
pm_status pm_engine_count(pm_engine *self, pm_counted_launch *launches, pm_error *err);
/* Runs some work-groups of each launch and sets reach[b], the extent of accesses in buffer b
 * (program/reach.h). *work: estimate of the basic blocks that run when all launches are counted
 * once. The contents of the buffers are meaningless afterwards. */
pm_status pm_engine_reach(pm_engine *self, pm_buffer_reach *reach, double *work, pm_error *err);
/* Runs all work-groups of all launches, with the buffers' initial contents, for at most about
 * `seconds` seconds. use[b] becomes an array with a pm_page_use for each page of buffer b, which
 * the caller frees; it may be NULL after a failure. PM_FAILED if the launches take longer. The
 * contents of the buffers are meaningless afterwards. */
pm_status pm_engine_page_use(pm_engine *self, double seconds, uint8_t **use, pm_error *err);
/* Returns whether the last pass over the workload's launches ran all work-groups of all
 * launches. */
bool pm_engine_complete(const pm_engine *self);
/* Returns the contents of a buffer after the last pass over the launches. The engine owns them. */
const void *pm_engine_buffer(const pm_engine *self, size_t buffer);
/* Gets the access tables (counts per memory instruction of each kernel) of the last
 * pm_engine_count. tables->count is 0 if nothing was counted. The caller frees the tables' memory
 * in either case, also after an error. */
pm_status pm_engine_accesses(const pm_engine *self, pm_trace_tables *tables, pm_error *err);

#endif
