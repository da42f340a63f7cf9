/* Finds code that relies on the work-items of a warp executing in lockstep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_LOCKSTEP_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_LOCKSTEP_H

#include "collector/engine/backend/control_flow/structure.h"

/* Adds a cut between two accesses to the same shared array if there is no barrier between them and
 * at least one of them is a write. A cut is a point at which all work-items of a warp wait for each
 * other. Race-free programs do not need these cuts. Many reductions over a work-group, however,
 * leave the last steps to one warp without barriers. */
void pm_lockstep_find(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory);

#endif
