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

/* Returns the number of neighbouring work-items whose texels are requested together in a texture
 * fetch. The accesses of these work-items are one request. */
unsigned pm_fetch_items(const pm_warp_access *access);
/* Returns the passes of one request of a texture fetch through a texture unit. lines: number of
 * cache lines that the request touches. */
unsigned pm_fetch_request_passes(unsigned lines);
/* Returns the passes of a texture fetch through all texture units of a compute unit. A pass of a
 * compute unit uses all of its texture units. passes: number of passes of one texture unit, summed
 * over the requests of the fetch. */
unsigned pm_fetch_passes(const pm_gpu *gpu, unsigned passes);

#endif
