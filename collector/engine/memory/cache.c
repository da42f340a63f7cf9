/* Simulates a set-associative cache with LRU replacement.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A line's set is chosen by a hash, as in GPUs' caches, so that lines at any stride are spread over
 * the sets. The hash also distributes consecutive lines evenly: the lines are divided into blocks
 * of as many lines as there are sets, and each set gets one line of each block. A hash of the
 * block's number rotates the order of the sets within the block (Fibonacci hashing: Knuth, The Art
 * of Computer Programming, 6.4). Ways are found and ordered without branches, because their order
 * is unpredictable and this is the engine's innermost loop.
 */
#include "collector/engine/memory/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Vector of four 32-bit numbers, a vector type of GCC and clang, with which the tags of four ways
 * are compared at once. */
typedef uint32_t four __attribute__((vector_size(16)));

struct pm_cache_set {
    /* Low 32 bits of the number of each way's line. Two lines of one set with equal low bits would
     * be terabytes apart, which does not occur. A way that was never used has line 0 without valid
     * sectors. */
    union {
        four fours[PM_CACHE_WAYS / 4];
        uint32_t each[PM_CACHE_WAYS];
    } tag;
    /* order of the ways, four bits each, the most recently used way in the lowest bits */
    uint64_t order;
    pm_cache_line line[PM_CACHE_WAYS];
} __attribute__((aligned(128)));

static const uint64_t first_order = UINT64_C(0xFEDCBA9876543210);

static void forget(pm_cache *cache)
{
    memset(cache->sets, 0, cache->count * sizeof *cache->sets);
    for (size_t i = 0; i < cache->count; i++)
        cache->sets[i].order = first_order;
}

pm_status pm_cache_init(pm_cache *cache, size_t bytes, unsigned line_bytes, unsigned ways,
                        pm_error *err)
{
    size_t lines = bytes / line_bytes;

    lines = lines ? lines : 1;
    ways = ways < PM_CACHE_WAYS ? ways : PM_CACHE_WAYS;
    ways = ways ? ways : 1;
    cache->ways = ways < lines ? ways : (unsigned)lines;
    cache->count = lines / cache->ways;
    if (cache->count > UINT32_MAX / 2)
        return pm_fail(err, PM_BAD_INPUT,
                       "a cache of %zu bytes: no GPU has one; correct its row of devices.csv",
                       bytes);
    cache->reciprocal = (UINT64_C(1) << 32) / cache->count;
    cache->sets = aligned_alloc(sizeof *cache->sets, cache->count * sizeof *cache->sets);
    if (!cache->sets)
        return pm_fail(err, PM_FAILED, "no memory to simulate a cache of %zu bytes", bytes);
    forget(cache);
    return PM_OK;
}

void pm_cache_release(pm_cache *cache)
{
    free(cache->sets);
    cache->sets = NULL;
}

size_t pm_cache_empty(pm_cache *cache)
{
    size_t dirty = 0;

    for (size_t i = 0; i < cache->count; i++)
        for (unsigned way = 0; way < cache->ways; way++)
            for (unsigned left = cache->sets[i].line[way].dirty; left; left &= left - 1)
                dirty++;
    forget(cache);
    return dirty;
}

static inline pm_cache_set *set_of(const pm_cache *cache, uint64_t line)
{
    if (cache->in_order)
        return &cache->sets[line % cache->count];
    const uint64_t count = cache->count, low = (uint32_t)(line ^ line >> 32);
    uint64_t block = low * cache->reciprocal >> 32, place = low - block * count;

    /* `block` is line / count, computed with a rounded-down reciprocal, and may be one too small.
     * Then the remainder `place` is not less than `count`, and both are corrected. */
    if (place >= count) {
        place -= count;
        block++;
    }
    place += (uint64_t)((uint32_t)block * UINT32_C(0x9E3779B1)) * count >> 32;
    return &cache->sets[place >= count ? place - count : place];
}

/* Returns the lowest way of the set that contains the line, or a number of at least PM_CACHE_WAYS
 * if no way contains it. */
static inline unsigned way_of(const pm_cache *cache, const pm_cache_set *set, uint64_t line)
{
    const uint32_t low = (uint32_t)line;
    const four wanted = {low, low, low, low};
    const four *tag = set->tag.fours;
    const four found = ((four)(tag[0] == wanted) & (four){1, 2, 4, 8}) |
                       ((four)(tag[1] == wanted) & (four){16, 32, 64, 128}) |
                       ((four)(tag[2] == wanted) & (four){256, 512, 1024, 2048}) |
                       ((four)(tag[3] == wanted) & (four){4096, 8192, 16384, 32768});
    const uint32_t ways = (found[0] | found[1] | found[2] | found[3]) & ((1U << cache->ways) - 1);

    return (unsigned)__builtin_ctz(ways | 1U << PM_CACHE_WAYS);
}

/* Returns how many bits of `order` are below the entry of a way. `order` is the LRU order of a
 * set's ways, four bits per way. */
static inline unsigned place_of(uint64_t order, unsigned way)
{
    const uint64_t ones = UINT64_C(0x1111111111111111), differs = order ^ (ones * way);

    /* Finds the lowest nibble of `differs` that is 0. The expression below has the top bit of that
     * nibble set, and the top bits of all lower nibbles clear. */
    return (unsigned)__builtin_ctzll((differs - ones) & ~differs & ones << 3) - 3;
}

pm_cache_line *pm_cache_touch(pm_cache *cache, uint64_t line, uint32_t *lost)
{
    pm_cache_set *set = set_of(cache, line);
    unsigned way = way_of(cache, set, line);

    *lost = 0;
    if (way == PM_CACHE_WAYS) {
        way = set->order >> 4 * (cache->ways - 1) & 15;
        *lost = set->line[way].dirty;
        set->tag.each[way] = (uint32_t)line;
        set->line[way] = (pm_cache_line){0, 0};
    }
    const unsigned place = place_of(set->order, way);
    const uint64_t newer = (UINT64_C(1) << place) - 1, older = ~newer ^ UINT64_C(15) << place;
    set->order = (set->order & older) | (set->order & newer) << 4 | way;
    return &set->line[way];
}

void pm_cache_expect(const pm_cache *cache, uint64_t line)
{
    __builtin_prefetch(set_of(cache, line), 1);
}

pm_cache_line *pm_cache_find(const pm_cache *cache, uint64_t line)
{
    pm_cache_set *set = set_of(cache, line);
    const unsigned way = way_of(cache, set, line);

    return way == PM_CACHE_WAYS ? NULL : &set->line[way];
}
