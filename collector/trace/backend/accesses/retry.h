/* Loops that try again until memory holds what they put there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_RETRY_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_RETRY_H

#include "collector/trace/backend/control_flow/structure.h"

/* Fills cuts with the instructions behind which all work-items of a warp have to arrive before one
 * goes on: between two accesses to one place, one of which writes it, in a loop that ends by what
 * they give. Elsewhere work-items may run a block one after the other, and nothing tells. Hands
 * back for each loop whether it is one by an atomic, or within such a one. */
const pm_again *pm_retry_find(const pm_structure *structure, pm_cuts *cuts, pm_memory *memory);

#endif
