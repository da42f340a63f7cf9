/* Counts the L1 passes of an access on a CPU core, which runs work-items in loops or as vector
 * lanes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/unit_parts.h"

/* LANE_PASSES: L1 passes of one work-item's access if the work-item is a vector lane and the
 * addresses are not adjacent. It is fitted to times of perfmodel's suite of programs with PoCL on
 * 16 cores (docs/results.md). VECTOR_BYTES: bytes of a vector that takes one pass; LLVM prefers the
 * vectors of AVX2. */
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
