/* Finds branches whose short sides a GPU executes under a predicate, without a branch instruction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MIX_PREDICATION_H
#define PM_COLLECTOR_ENGINE_BACKEND_MIX_PREDICATION_H

#include "collector/engine/backend/control_flow/structure.h"
#include "collector/engine/backend/costs/costs.h"

/* Sets `predicated` of the segments (basic blocks, cut at barriers) for which NVIDIA's compiler
 * generates no branch instruction. A warp then issues the instructions of both sides of the branch,
 * and work-items whose predicate is off do nothing. */
void pm_predication_find(pm_structure *structure, const pm_costs *costs);

/* Sets `stretch` of each segment (basic block, cut at barriers): the index of the first segment of
 * its scheduling region. A warp that enters a region executes all segments of the region, including
 * the sides of predicated branches. The GPU's compiler may reorder instructions within a region. */
void pm_predication_join(pm_structure *structure, pm_memory *memory);

#endif
