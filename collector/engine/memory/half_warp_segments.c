/* Coalesces the accesses of each half-warp into memory transactions (segments), as GPUs of compute
 * capability 1.x do.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rules are in the CUDA C Programming Guide 3.2, G.3.2.1 (1.0 and 1.1) and G.3.2.2 (1.2 and
 * 1.3).
 */
#include "collector/engine/memory/coalescing.h"

enum { HALF_WARP = 16, LINE = 128 };

/* Returns whether each work-item k of a half-warp accesses word k of an aligned segment (memory
 * transaction of 16 words), so that the access is coalesced. address[k]: address that work-item k
 * accesses, for k from 0 to 15. active: bit k is set if work-item k makes the access. */
static bool in_order(const uint64_t *address, unsigned active, unsigned bytes)
{
    const unsigned lowest = (unsigned)__builtin_ctz(active);
    const uint64_t base = address[lowest] - (uint64_t)lowest * bytes;
    const unsigned aligned = HALF_WARP * bytes < LINE ? HALF_WARP * bytes : LINE;

    if (bytes < 4 || base % aligned != 0)
        return false;
    for (unsigned left = active; left; left &= left - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(left);
        if (address[lane] != base + (uint64_t)lane * bytes)
            return false;
    }
    return true;
}

static unsigned strict_half(const uint64_t *address, unsigned active, unsigned bytes,
                            pm_segment *segments)
{
    unsigned count = 0;

    if (in_order(address, active, bytes)) {
        const unsigned lowest = (unsigned)__builtin_ctz(active);
        const uint64_t base = address[lowest] - (uint64_t)lowest * bytes;
        const unsigned size = HALF_WARP * bytes < LINE ? HALF_WARP * bytes : LINE;
        for (unsigned at = 0; at < HALF_WARP * bytes; at += size)
            segments[count++] = (pm_segment){base + at, size};
        return count;
    }
    for (unsigned left = active; left; left &= left - 1)
        segments[count++] = (pm_segment){address[__builtin_ctz(left)] & ~UINT64_C(31), 32};
    return count;
}

static pm_segment shrunk(pm_segment segment, uint64_t first, uint64_t last)
{
    while (segment.bytes > 32) {
        const uint64_t middle = segment.address + segment.bytes / 2;
        if (first >= middle)
            segment.address = middle;
        else if (last >= middle)
            break;
        segment.bytes /= 2;
    }
    return segment;
}

static unsigned relaxed_half(const uint64_t *address, unsigned active, unsigned bytes,
                             pm_segment *segments)
{
    const uint64_t size = bytes == 1 ? 32 : bytes == 2 ? 64 : LINE;
    unsigned count = 0;

    while (active) {
        const uint64_t base = address[__builtin_ctz(active)] & ~(size - 1);
        uint64_t first = UINT64_MAX, last = 0;

        for (unsigned left = active; left; left &= left - 1) {
            const unsigned lane = (unsigned)__builtin_ctz(left);
            if ((address[lane] & ~(size - 1)) != base)
                continue;
            active &= ~(1U << lane);
            first = address[lane] < first ? address[lane] : first;
            last = address[lane] + bytes - 1 > last ? address[lane] + bytes - 1 : last;
        }
        segments[count++] = shrunk((pm_segment){base, (unsigned)size}, first, last);
    }
    return count;
}

unsigned pm_coalesce_segments(const pm_warp_access *access, unsigned width, bool strict,
                              pm_segment segments[PM_MAX_WARP])
{
    unsigned count = 0;

    for (unsigned lane = 0; lane < width; lane += HALF_WARP) {
        const unsigned active = access->mask >> lane & 0xFFFF;
        if (active && strict)
            count += strict_half(access->address + lane, active, access->bytes, segments + count);
        else if (active)
            count += relaxed_half(access->address + lane, active, access->bytes, segments + count);
    }
    return count;
}
