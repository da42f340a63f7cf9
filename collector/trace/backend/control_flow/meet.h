/* Where work-items that part in a loop meet again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_MEET_H
#define PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_MEET_H

#include "collector/trace/backend/control_flow/structure.h"

/* Finds meet and meet_loop of all segments and after of all loops, once joins and loops are known:
 * of a branch whose ways only come together behind its loop, where those come together that stay
 * in it, at the latest at its head. */
void pm_meet_find(pm_structure *structure, pm_memory *memory);

#endif
