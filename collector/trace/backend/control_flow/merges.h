/* Where some of the ways from a branch come together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_MERGES_H
#define PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_MERGES_H

#include "collector/trace/backend/control_flow/graph.h"
#include "collector/trace/backend/control_flow/structure.h"

/* Finds the merges of all branches, once meet is known: segments in the branch's loop to which
 * several ways lead, all through the branch, and past which others lead, as past the body of `if (a
 * || b)`. dominator: of each node of the graph whose reverse is given, and whose first nodes are
 * the segments. */
void pm_merges_find(pm_structure *structure, const pm_graph *reverse, const uint32_t *dominator,
                    pm_memory *memory);

#endif
