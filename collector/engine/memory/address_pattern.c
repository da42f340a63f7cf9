/* Describes the addresses of a warp's access by their distances from the first address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * These functions run for every memory instruction of every warp. Their loops over work-items
 * therefore contain neither branches nor unsigned comparisons, so that the compiler vectorises
 * them.
 */
#include "collector/engine/memory/address_pattern.h"

#include "base/wide.h"

enum { NEAR_BYTES = 128 };

static inline bool same_distances(const pm_pattern *pattern, const uint64_t *address,
                                  uint64_t first, unsigned width)
{
    uint64_t differs = 0;

    for (uint64_t lane = 0; lane < width; lane++)
        differs |= (address[lane] - first - pattern->distance[lane]) & pattern->on[lane];
    return differs == 0;
}

/* Returns whether the distances of the addresses from the first one are the same as in the pattern,
 * for an access in which all work-items take part. This function is faster than same_distances,
 * because no work-item need be masked. */
static inline bool all_same_distances(const pm_pattern *pattern, const uint64_t *address,
                                      uint64_t first, unsigned width)
{
    uint64_t differs = 0;

    for (uint64_t lane = 0; lane < width; lane++)
        differs |= address[lane] - first - pattern->distance[lane];
    return differs == 0;
}

/* Returns whether the distances between the addresses are the same as in the pattern. The usual
 * warp width, 32, is passed as a constant, so that the compiler unrolls the loop. */
PM_WIDE static bool is_same(const pm_pattern *pattern, const uint64_t *address, uint64_t first,
                            unsigned width)
{
    if (width != 32)
        return same_distances(pattern, address, first, width);
    return pattern->mask == UINT32_MAX ? all_same_distances(pattern, address, first, 32)
                                       : same_distances(pattern, address, first, 32);
}

static inline void find_span(pm_span *out, const uint64_t *address, uint64_t mask, unsigned width)
{
    const uint64_t first = out->first;
    int64_t least = 0, most = 0;
    uint64_t low = 0;

    for (uint64_t lane = 0; lane < width; lane++) {
        const uint64_t distance = (address[lane] - first) & (0 - (mask >> lane & 1));
        const int64_t way = (int64_t)distance;

        least = way < least ? way : least;
        most = way > most ? way : most;
        low |= distance;
    }
    out->least = least;
    out->most = most;
    out->low = low;
}

PM_WIDE static void measure_span(pm_span *out, const uint64_t *address, uint64_t mask,
                                 unsigned width)
{
    if (width == 32)
        find_span(out, address, mask, 32);
    else
        find_span(out, address, mask, width);
}

static inline void find_distances(pm_pattern *pattern, const uint64_t *restrict address,
                                  uint64_t *restrict distances, uint64_t *restrict taking_part,
                                  unsigned width)
{
    const uint64_t first = pattern->span.first, mask = pattern->mask;
    uint64_t near = 0, same = 0;

    for (uint64_t lane = 0; lane < width; lane++) {
        const uint64_t on = 0 - (mask >> lane & 1), distance = (address[lane] - first) & on;

        taking_part[lane] = on;
        distances[lane] = distance;
        /* `near` and `same` are counted without branches: the top bit of a difference of unsigned
         * numbers is set if the difference is negative. */
        near += on & ~(distance | (NEAR_BYTES - distance)) >> 63;
        same += on & ~(distance | (0 - distance)) >> 63;
    }
    pattern->near = (unsigned)near;
    pattern->same = same > 1;
}

PM_WIDE static void measure(pm_pattern *pattern, const uint64_t *address, unsigned width)
{
    if (width == 32)
        find_distances(pattern, address, pattern->distance, pattern->on, 32);
    else
        find_distances(pattern, address, pattern->distance, pattern->on, width);
}

static pm_shape shape_of(const pm_pattern *pattern, unsigned bytes, unsigned width)
{
    uint64_t differs = 0;

    if (width < 2 || pattern->mask != UINT64_MAX >> (64 - width))
        return PM_SHAPE_ANY;
    if (pattern->span.low == 0)
        return PM_SHAPE_SAME;
    for (uint64_t lane = 0; lane < width; lane++)
        differs |= pattern->distance[lane] ^ (uint64_t)lane * bytes;
    return differs ? PM_SHAPE_ANY : PM_SHAPE_CONSECUTIVE;
}

static inline uint64_t find_repeated(const pm_pattern *patterns, const uint64_t *addresses,
                                     unsigned count, uint64_t mask, unsigned width)
{
    const unsigned leader = (unsigned)__builtin_ctzll(mask);
    const bool all = mask == UINT64_MAX >> (64 - width);
    uint64_t repeated = 0;

    for (unsigned i = 0; i < count; i++) {
        const pm_pattern *p = &patterns[i];
        const uint64_t *address = addresses + (size_t)i * width;
        const bool same =
            p->mask == mask && (all ? all_same_distances(p, address, address[leader], width)
                                    : same_distances(p, address, address[leader], width));

        repeated |= (uint64_t)same << i;
    }
    return repeated;
}

PM_WIDE uint64_t pm_patterns_repeated(const pm_pattern *patterns, const uint64_t *addresses,
                                      unsigned count, uint64_t mask, unsigned width)
{
    return width == 32 ? find_repeated(patterns, addresses, count, mask, 32)
                       : find_repeated(patterns, addresses, count, mask, width);
}

void pm_pattern_see(pm_pattern *pattern, const uint64_t *address, uint64_t mask, unsigned bytes,
                    unsigned width)
{
    const uint64_t first = address[__builtin_ctzll(mask)];

    pattern->span.first = first;
    if (pattern->mask == mask && is_same(pattern, address, first, width))
        return;
    pattern->mask = mask;
    pattern->known = 0;
    measure_span(&pattern->span, address, mask, width);
    measure(pattern, address, width);
    pattern->shape = shape_of(pattern, bytes, width);
}

unsigned pm_pattern_find(pm_pattern *pattern, uint64_t place, unsigned bytes, bool *known)
{
    const unsigned i = (uint32_t)place >> __builtin_ctz(bytes) & (PM_PATTERN_PLACES - 1);
    pm_pattern_cost *cost = &pattern->costs[i];

    *known = (pattern->known >> i & 1) && cost->place == place;
    cost->place = place;
    pattern->known |= UINT32_C(1) << i;
    return i;
}
