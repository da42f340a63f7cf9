/* Where the addresses of a warp lie from the first of them. See pattern.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loops over work-items have neither branches nor comparisons of what is unsigned, so that they are
 * vectorised: they run for every memory instruction of every warp.
 */
#include "collector/trace/memory/pattern.h"

#include "collector/trace/memory/wide.h"

enum { NEAR_BYTES = 128 };

PM_WIDE static bool is_same(const pm_pattern *pattern, const uint64_t *address, uint64_t first,
                            unsigned width)
{
    uint64_t differs = 0;

    for (unsigned lane = 0; lane < width; lane++)
        differs |= (address[lane] - first - pattern->distance[lane]) & pattern->on[lane];
    return differs == 0;
}

PM_WIDE static void measure(pm_pattern *pattern, const uint64_t *address, unsigned width)
{
    int64_t least = 0, most = 0;
    uint64_t low = 0, near = 0, same = 0;

    for (unsigned lane = 0; lane < width; lane++) {
        const uint64_t on = 0 - (pattern->mask >> lane & 1);
        const uint64_t distance = (address[lane] - pattern->first) & on;
        const int64_t way = (int64_t)distance;

        pattern->on[lane] = on;
        pattern->distance[lane] = distance;
        least = way < least ? way : least;
        most = way > most ? way : most;
        low |= distance;
        /* The top bit tells whether a difference is negative. */
        near += on & ~(distance | (NEAR_BYTES - distance)) >> 63;
        same += on & ~(distance | (0 - distance)) >> 63;
    }
    pattern->least = least;
    pattern->most = most;
    pattern->low = low;
    pattern->near = (unsigned)near;
    pattern->same = same > 1;
}

static pm_shape shape_of(const pm_pattern *pattern, unsigned bytes, unsigned width)
{
    uint64_t differs = 0;

    if (width < 2 || pattern->mask != UINT64_MAX >> (64 - width))
        return PM_SHAPE_ANY;
    if (pattern->low == 0)
        return PM_SHAPE_SAME;
    for (unsigned lane = 0; lane < width; lane++)
        differs |= pattern->distance[lane] ^ (uint64_t)lane * bytes;
    return differs ? PM_SHAPE_ANY : PM_SHAPE_CONSECUTIVE;
}

void pm_pattern_see(pm_pattern *pattern, const uint64_t *address, uint64_t mask, unsigned bytes,
                    unsigned width)
{
    const uint64_t first = address[__builtin_ctzll(mask)];

    pattern->first = first;
    if (pattern->mask == mask && is_same(pattern, address, first, width))
        return;
    pattern->mask = mask;
    pattern->known = 0;
    measure(pattern, address, width);
    pattern->shape = shape_of(pattern, bytes, width);
}

pm_pattern_cost *pm_pattern_find(pm_pattern *pattern, uint64_t place, unsigned bytes, bool *known)
{
    const unsigned i = (unsigned)(place / bytes % PM_PATTERN_PLACES);
    pm_pattern_cost *cost = &pattern->costs[i];

    *known = (pattern->known >> i & 1) && cost->place == place;
    cost->place = place;
    pattern->known |= UINT32_C(1) << i;
    return cost;
}
