/* Texture fetches, and other loads through texture units (compute capability 5.x and 6.x).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_TEXTURE_UNITS_H
#define PM_COLLECTOR_ENGINE_MEMORY_TEXTURE_UNITS_H

#include "collector/engine/memory/access.h"

/* Returns the number of texture units of a compute unit if global loads go through texture units,
 * otherwise 0. */
unsigned pm_texture_units(const pm_gpu *gpu);

/* Returns the passes of a warp's load through all texture units of a compute unit, if each
 * work-item loads `bytes` bytes. 0 if the access is not a load. */
unsigned pm_texture_passes(const pm_gpu *gpu, const pm_warp_access *access, unsigned bytes);

/* Returns the number of neighbouring work-items whose texels are one request of a fetch. */
unsigned pm_fetch_items(const pm_warp_access *access);
/* Returns the passes of a request of a fetch that touches `lines` lines. */
unsigned pm_fetch_request_passes(unsigned lines);
/* Returns the passes of a fetch through all texture units of a compute unit. passes: sum over its
 * requests. */
unsigned pm_fetch_passes(const pm_gpu *gpu, unsigned passes);

#endif
