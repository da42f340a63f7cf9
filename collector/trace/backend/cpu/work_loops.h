/* What a compiler for CPUs can vectorise of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CPU_WORK_LOOPS_H
#define PM_COLLECTOR_TRACE_BACKEND_CPU_WORK_LOOPS_H

#include "collector/trace/backend/control_flow/structure.h"

/* For each segment, what is known of the loop over work-items that it is in, from barrier to
 * barrier. */
typedef struct {
    const bool *serial; /* it stays one over single work-items, as it is no innermost one: there is
                           a loop of the source in it, without a barrier; or it is alone */
    const bool *alone;  /* whatever its compiler says, each work-item is done by itself: there are
                           atomics in it, or arithmetic of the source's own vectors, which are as
                           wide as a core's already */
} pm_work_loops;

pm_work_loops pm_work_loops_find(const pm_structure *structure, pm_memory *memory);

#endif
