/* Finds partial reconvergence points: segments (basic blocks, cut at barriers) where several, but
 * not all, paths from a branch join.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_MERGES_H
#define PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_MERGES_H

#include "collector/engine/backend/control_flow/graph.h"
#include "collector/engine/backend/control_flow/structure.h"

/* Finds the partial reconvergence points of all branches. The segments' `meet` (reconvergence point
 * of the branch) must be set before. A partial reconvergence point is a segment (basic block, cut
 * at barriers) in the branch's loop that the branch dominates. Several paths lead to it, and others
 * bypass it, as they bypass the body of `if (a || b)`. reverse: the control-flow graph with
 * reversed edges, whose first nodes are the segments. dominator: immediate dominator of each
 * node. */
void pm_merges_find(pm_structure *structure, const pm_graph *reverse, const uint32_t *dominator,
                    pm_memory *memory);

#endif
