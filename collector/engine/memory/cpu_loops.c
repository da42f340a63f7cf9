/* Counts the passes of a CPU core, which runs work-items in loops. See unit_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/unit_parts.h"

/* LANE_PASSES: L1 passes for an access of one work-item in a vector lane, fitted to PoCL's runs of
 * the suite on 16 cores (docs/results.md). VECTOR_BYTES: bytes of a vector that takes one pass.
 * LLVM prefers AVX2's vectors. */
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
