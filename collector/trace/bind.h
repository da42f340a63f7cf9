/* Binds a launch of a workload to compiled code: buffers, arguments, bounds, shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BIND_H
#define PM_COLLECTOR_TRACE_BIND_H

#include "collector/trace/group.h"
#include "collector/trace/memory/l2.h"
#include "program/resources.h"
#include "program/workload.h"

/* ---- buffers.c: a workload's buffers in the memory of the engine --------------------------- */

typedef struct {
    size_t count;
    uint8_t **host;            /* where each buffer is */
    pm_memory_region *regions; /* and where it is for the GPU */
    uint8_t *arena;            /* all of them lie in it, with gaps between */
    size_t arena_bytes;
    uint64_t arena_address; /* what the arena's start is for the GPU */
} pm_buffers;

/* Buffers whose initial contents have a file (pm_workload_contents) are mapped from it, each page
 * copied when it is written; the others' pages take memory when they are touched. Buffers that are
 * too large together are PM_BAD_INPUT. */
pm_status pm_buffers_create(const pm_workload *workload, pm_buffers *buffers, pm_error *err);
void pm_buffers_free(pm_buffers *buffers);

/* Initial contents again: of all buffers, or (all false) of those that each pass needs restored. */
pm_status pm_buffers_reset(const pm_workload *workload, pm_buffers *buffers, bool all,
                           pm_error *err);
/* Poisons the outputs that are to be: before everything is run, not for a sample of it. */
void pm_buffers_poison(const pm_workload *workload, pm_buffers *buffers);

/* ---- bind.c --------------------------------------------------------------------------------- */

typedef struct {
    pm_launch_run run;
    pm_kernel_resources taken;
    unsigned resident;   /* work-groups of a compute unit */
    size_t shared_bytes; /* of a work-group, where the GPU's compiler places them */
    uint8_t *values;     /* what run.context.values points to */
    pm_bounds *bounds;   /* what run.rules.bounds points to */
} pm_bound_launch;

/* The code of a launch's kernel, whose parameters must be what the launch gives: else PM_BAD_INPUT.
 */
pm_status pm_bind_kernel(const pm_trace_program *program, const pm_workload *workload,
                         size_t number, const pm_kernel_code **code, pm_error *err);

/* code is that of pm_bind_kernel. All that is given must outlive the bound launch. */
pm_status pm_bind_launch(const pm_kernel_code *code, const pm_workload *workload, size_t number,
                         const pm_buffers *buffers, const pm_gpu *gpu, uint64_t step_limit,
                         pm_bound_launch *bound, pm_error *err);
/* Takes what the GPU's compiler takes for what is estimated by the kernel's code. */
void pm_bind_resources(const pm_launch *launch, const pm_gpu *gpu, const pm_kernel_resources *taken,
                       pm_bound_launch *bound);
void pm_bound_launch_free(pm_bound_launch *bound);

#endif
