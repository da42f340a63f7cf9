/* L1 passes of GPUs that process addresses in groups of four work-items (AMD's GCN and CDNA).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_AMD_QUADS_H
#define PM_COLLECTOR_ENGINE_MEMORY_AMD_QUADS_H

#include "collector/engine/memory/access.h"

/* Number of work-items that one L1 pass serves if their words are adjacent. */
enum { PM_QUADS = 16 };

/* Returns the number of L1 passes of an access by a wavefront of `width` work-items, at least
 * one. */
unsigned pm_quad_passes(const pm_warp_access *access, unsigned width);

#endif
