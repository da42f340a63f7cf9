/* Programs that count on a warp's work-items to run in step.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_LOCKSTEP_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_LOCKSTEP_H

#include "collector/trace/backend/control_flow/structure.h"

/* Adds to cuts what all work-items of a warp have to be done with before one goes on: between two
 * accesses to the same array in shared memory, one of which writes, without a barrier between them.
 * Programs without races do not tell, but the end of a sum over a work-group, say, is often left to
 * the last warp, without barriers. */
void pm_lockstep_find(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory);

#endif
