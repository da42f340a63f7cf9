/* Loads through texture units (compute capability 5.x and 6.x).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_TEXTURE_UNITS_H
#define PM_COLLECTOR_ENGINE_MEMORY_TEXTURE_UNITS_H

#include "collector/engine/memory/access.h"

/* Texture units of a compute unit if global loads go through them, otherwise 0. */
unsigned pm_texture_units(const pm_gpu *gpu);

/* Passes of a load through all texture units, if each work-item loads `bytes` bytes. 0 if the
 * access is not a load. */
unsigned pm_texture_passes(const pm_gpu *gpu, const pm_warp_access *access, unsigned bytes);

#endif
