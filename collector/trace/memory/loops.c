/* A CPU's core, which runs work-items of a work-group in loops. See unit_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/memory/pattern.h"
#include "collector/trace/memory/unit_parts.h"

/* Passes of a CPU's core for an access of one work-item that is a lane of a vector (PoCL's suite on
 * 16 cores, docs/results.md), and bytes of a vector that takes one (LLVM prefers those of AVX2). */
enum { LANE_PASSES = 4, VECTOR_BYTES = 32 };

unsigned pm_unit_loop_passes(const pm_memory_unit *unit, const pm_warp_access *access)
{
    const pm_shape shape =
        access->one_by_one || access->wraps ? PM_SHAPE_ANY : pm_access_shape(access);

    if (shape == PM_SHAPE_SAME)
        return 1;
    if (shape == PM_SHAPE_CONSECUTIVE)
        return (access->bytes * unit->gpu->warp_width + VECTOR_BYTES - 1) / VECTOR_BYTES;
    return pm_mask_count(access->mask) * (access->one_by_one ? 1 : LANE_PASSES);
}
