/* Finds compare-and-swap retry loops: loops that repeat until memory contains their update.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_RETRY_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_RETRY_H

#include "collector/engine/backend/control_flow/structure.h"

/* Finds retry loops: loops whose exit condition depends on memory that the loop itself writes, such
 * as compare-and-swap loops. Adds a cut between the two accesses to that memory: a point at which
 * all work-items of a warp wait for each other. Returns for each loop the memory that its atomics
 * change, or PM_AGAIN_NONE. A loop nested in a retry loop gets the result of the outer loop. The
 * array is allocated from `memory`. */
const pm_again *pm_retry_find(const pm_structure *structure, pm_cuts *cuts, pm_memory *memory);

#endif
