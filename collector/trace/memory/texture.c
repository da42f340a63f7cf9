/* Passes of a load through texture units. See texture.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Before it looks for lines, a texture unit cuts a load into requests: of eight neighbouring
 * work-items if they load up to 4 bytes, of four if 8, of two if 16 (an engineer of NVIDIA, NVIDIA
 * developer forum, thread 49571). So a wide load moves no more bytes in a pass than narrow ones,
 * even where all work-items load from one place: of KTT's Coulomb sums on a GTX 1070, nvprof counts
 * 16 transactions of the texture cache for a load of 16 bytes that a warp shares, and 4 for each of
 * the four loads of 4 bytes that do the same; the former takes 7.1 cycles of a compute unit, which
 * is two units that have a request a cycle each (docs/results.md).
 */
#include "collector/trace/memory/texture.h"

enum { WORD_BYTES = 4, REQUEST_BYTES = 32 };

unsigned pm_texture_units(const pm_gpu *gpu)
{
    return gpu->global_access == PM_GLOBAL_LINES ? 2 : gpu->global_access == PM_GLOBAL_TEXTURE;
}

unsigned pm_texture_passes(const pm_gpu *gpu, const pm_warp_access *access, unsigned bytes)
{
    const unsigned units = pm_texture_units(gpu);
    const unsigned items = REQUEST_BYTES / (bytes > WORD_BYTES ? bytes : WORD_BYTES);
    unsigned requests = 0;

    if (!units || access->kind != PM_ACCESS_LOAD)
        return 0;
    for (uint64_t mask = access->mask; mask; mask >>= items)
        requests += (mask & ((UINT64_C(1) << items) - 1)) != 0;
    return (requests + units - 1) / units;
}
