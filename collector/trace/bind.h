/* Binds a launch of a workload to compiled code: arguments, bounds, shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BIND_H
#define PM_COLLECTOR_TRACE_BIND_H

#include "collector/trace/buffers.h"
#include "collector/trace/group.h"

typedef struct {
    pm_launch_run run;
    unsigned resident;
    uint8_t *values;   /* what run.context.values points to */
    pm_bounds *bounds; /* what run.rules.bounds points to */
} pm_bound_launch;

/* The code of a launch's kernel, whose parameters must be what the launch gives: else PM_BAD_INPUT.
 */
pm_status pm_bind_kernel(const pm_trace_program *program, const pm_workload *workload,
                         size_t number, const pm_kernel_code **code, pm_error *err);

/* code is that of pm_bind_kernel. All that is given must outlive the bound launch. */
pm_status pm_bind_launch(const pm_kernel_code *code, const pm_workload *workload, size_t number,
                         const pm_buffers *buffers, const pm_gpu *gpu, uint64_t step_limit,
                         pm_bound_launch *bound, pm_error *err);
void pm_bound_launch_free(pm_bound_launch *bound);

#endif
