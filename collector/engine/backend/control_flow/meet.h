/* Finds the reconvergence points of branches in loops.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_MEET_H
#define PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_MEET_H

#include "collector/engine/backend/control_flow/structure.h"

/* Sets `meet` of each segment (basic block, cut at barriers): the reconvergence point of the branch
 * at its end, for work-items that stay in loop `meet_loop`. If the post-dominator of a branch is
 * outside of its loop, `meet` is the nearest segment that all paths from the branch reach that stay
 * in the loop; at the latest, this is the loop's header. Also sets `after` of each loop, the
 * segment that follows the loop. The segments' `join` (immediate post-dominator) and `loop` must be
 * set before. */
void pm_meet_find(pm_structure *structure, pm_memory *memory);

#endif
