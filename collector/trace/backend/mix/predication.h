/* Short sides of branches, which a GPU runs under a predicate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MIX_PREDICATION_H
#define PM_COLLECTOR_TRACE_BACKEND_MIX_PREDICATION_H

#include "collector/trace/backend/control_flow/structure.h"
#include "collector/trace/backend/costs/costs.h"

/* Sets `predicated` of the segments whose branch NVIDIA's compiler makes none of: every warp issues
 * both sides, and a work-item whose predicate is off does nothing. */
void pm_predication_find(pm_structure *structure, const pm_costs *costs);

/* Sets `stretch`: a warp that comes into the first segment of one runs through all of them, sides
 * of predicated branches too, and the compiler orders their instructions as it likes. */
void pm_predication_join(pm_structure *structure, pm_memory *memory);

#endif
