/* Generates vector code for slices of blocks: an iteration of the loop over work-items executes
 * several of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_VECTOR_BUILDER_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_VECTOR_BUILDER_H

#include "collector/engine/backend/host/warp_builder.h"

/* Returns whether pm_vector_builder_write can generate the slice of a segment. */
bool pm_vector_builder_can(const pm_warp_builder *lanes, uint32_t segment);
/* Adds a function `name` that executes the slice of a segment, as pm_warp_builder_write does. */
void pm_vector_builder_write(const pm_warp_builder *lanes, uint32_t segment, const char *name);

#endif
