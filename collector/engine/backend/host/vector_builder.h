/* Generates vector code for slices of basic blocks (code that computes only addresses and
 * branches). An iteration of the loop over work-items executes several work-items.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_VECTOR_BUILDER_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_VECTOR_BUILDER_H

#include "collector/engine/backend/host/warp_builder.h"

/* Returns whether pm_vector_builder_write can generate the slice of a segment (the code of a basic
 * block that computes only addresses and branches). */
bool pm_vector_builder_can(const pm_warp_builder *lanes, uint32_t segment);
/* Adds a function `name` that executes the slice of a segment (the code of a basic block that
 * computes only addresses and branches), as pm_warp_builder_write does. */
void pm_vector_builder_write(const pm_warp_builder *lanes, uint32_t segment, const char *name);

#endif
