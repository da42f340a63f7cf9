/* Counts the passes of a warp's load through texture units, and of texture fetches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A texture unit splits a load into requests before it looks up lines. A request has eight
 * neighbouring work-items if they load up to 4 bytes, four for 8 bytes, and two for 16 bytes (an
 * engineer of NVIDIA, NVIDIA developer forum, thread 49571). A pass of a wide load therefore moves
 * no more bytes than a pass of a narrow one, even if all work-items load from one address.
 * Published measurements of a Coulomb-sum kernel on a GTX 1070, tuned by KTT, show it: nvprof
 * counts 16 transactions of the texture cache for a load of 16 bytes at one address, and 4 for each
 * of four equivalent loads of 4 bytes. The wide load takes 7.1 cycles of a compute unit, which has
 * two texture units with one request per cycle each (docs/results.md).
 *
 * A texture fetch by coordinates has a request for each quad of four neighbouring work-items. A
 * fetch by an index has one for eight work-items, or for four if they load 16 bytes each. A request
 * takes one pass for two lines. So it is on an H200, where a compute unit executes a pass per cycle
 * (docs/cuda_kernels.md). Older GPUs have more texture units in a compute unit: 16 units, which
 * are four quads, in 3.x (NVIDIA, Kepler GK110 whitepaper), and 8 in 5.x and 6.1.
 */
#include "collector/engine/memory/texture_units.h"

enum { WORD_BYTES = 4, REQUEST_BYTES = 32 };

unsigned pm_texture_units(const pm_gpu *gpu)
{
    return gpu->global_access == PM_GLOBAL_LINES ? 2 : gpu->global_access == PM_GLOBAL_TEXTURE;
}

unsigned pm_texture_passes(const pm_gpu *gpu, const pm_warp_access *access, unsigned bytes)
{
    const unsigned units = pm_texture_units(gpu);
    unsigned requests = 0, items;

    if (!units || access->kind != PM_ACCESS_LOAD)
        return 0;
    items = bytes > WORD_BYTES ? REQUEST_BYTES / bytes : REQUEST_BYTES / WORD_BYTES;
    for (uint64_t mask = access->mask; mask; mask >>= items)
        requests += (mask & ((UINT64_C(1) << items) - 1)) != 0;
    return units == 2 ? (requests + 1) / 2 : requests;
}

unsigned pm_fetch_items(const pm_warp_access *access)
{
    enum { QUAD = 4, WIDE_BYTES = 16 };

    return access->fetch == PM_FETCH_INDEX && access->bytes < WIDE_BYTES ? 2 * QUAD : QUAD;
}

unsigned pm_fetch_request_passes(unsigned lines)
{
    return lines > 1 ? (lines + 1) / 2 : 1;
}

unsigned pm_fetch_passes(const pm_gpu *gpu, unsigned passes)
{
    const unsigned units = gpu->global_access == PM_GLOBAL_REISSUES ? 4 : pm_texture_units(gpu);

    return units > 1 ? (passes + units - 1) / units : passes;
}
