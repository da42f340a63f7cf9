/* Short sides of branches, which a GPU runs under a predicate.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_PREDICATION_H
#define PM_COLLECTOR_TRACE_BACKEND_PREDICATION_H

#include "collector/trace/backend/costs.h"
#include "collector/trace/backend/structure.h"

/* Sets `predicated` of the segments whose branch NVIDIA's compiler makes none of: every warp issues
 * both sides, and a work-item whose predicate is off does nothing. */
void pm_predication_find(pm_structure *structure, const pm_costs *costs);

#endif
