/* Loads by way of texture units (compute capability 5.x and 6.x).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_TEXTURE_H
#define PM_COLLECTOR_TRACE_MEMORY_TEXTURE_H

#include "collector/trace/memory/access.h"

/* Of a compute unit, of those that global loads go by; 0: they do not. */
unsigned pm_texture_units(const pm_gpu *gpu);

/* The passes of an access through all of them, if each of its work-items wants so many bytes; 0 for
 * what is no load. */
unsigned pm_texture_passes(const pm_gpu *gpu, const pm_warp_access *access, unsigned bytes);

#endif
