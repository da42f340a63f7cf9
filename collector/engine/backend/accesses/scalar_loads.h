/* Finds loads that AMD's compiler makes scalar: executed once for all work-items of a wavefront.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_SCALAR_LOADS_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_SCALAR_LOADS_H

#include "collector/engine/backend/accesses/sites.h"

/* Sets `scalar` of each memory instruction: true if an AMD GPU may load the data with a scalar
 * instruction, once for all work-items of a wavefront. */
void pm_scalar_loads_find(LLVMValueRef kernel, const pm_structure *structure,
                          const pm_values *values, pm_sites *sites, pm_memory *memory);

#endif
