/* Counts the passes of a warp's load through texture units.
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
