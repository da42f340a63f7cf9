/* Finds compare-and-swap retry loops: loops that repeat until memory contains their update.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_RETRY_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_RETRY_H

#include "collector/engine/backend/control_flow/structure.h"

/* Finds loops whose exit condition depends on an access to an address that the loop writes, and
 * adds a cut between such a pair of accesses. All work-items of a warp execute the code before a
 * cut before any executes the code after it. Other blocks may run one work-item after the other
 * without a difference. Returns for each loop the memory that its atomics change, or PM_AGAIN_NONE.
 * A loop nested in a retry loop has the kind of the outer loop. The array is allocated from
 * `memory`. */
const pm_again *pm_retry_find(const pm_structure *structure, pm_cuts *cuts, pm_memory *memory);

#endif
