/* Passes through L1 of a GPU that takes addresses four at a time (AMD's GCN and CDNA).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_QUADS_H
#define PM_COLLECTOR_TRACE_MEMORY_QUADS_H

#include "collector/trace/memory/access.h"

/* Work-items whose words lie together that are one pass. */
enum { PM_QUADS = 16 };

/* The passes of an access of `width` work-items, at least one. */
unsigned pm_quad_passes(const pm_warp_access *access, unsigned width);

#endif
