/* The cache of cache.h. Sets are chosen as real caches do, by a hash that spreads any stride: the
 * fractional part of line / golden ratio (Knuth, The Art of Computer Programming, 6.4), which
 * shares consecutive lines out evenly over any number of sets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "cache.h"

#include <stdlib.h>
#include <string.h>

#include "collector/error.h"

static const pm_cache_entry nothing = UINT64_MAX << 16; /* no line has this number */

static pm_cache_entry *set_of(const pm_cache *cache, uint64_t line)
{
    const uint64_t fraction = line * UINT64_C(0x9E3779B97F4A7C15) >> 32;

    return cache->entries + (fraction * cache->sets >> 32) * cache->ways;
}

pm_status pm_cache_init(pm_cache *cache, size_t bytes, unsigned line_bytes, unsigned ways,
                        pm_error *err)
{
    size_t lines = bytes / line_bytes;

    lines = lines ? lines : 1;
    cache->ways = ways < lines ? ways : (unsigned)lines;
    cache->ways = cache->ways ? cache->ways : 1;
    cache->sets = lines / cache->ways;
    if (cache->sets > UINT32_MAX)
        return pm_fail(err, PM_BAD_INPUT,
                       "a cache of %zu bytes: no GPU has one; correct its row of devices.csv",
                       bytes);
    cache->entries = calloc(cache->sets * cache->ways, sizeof *cache->entries);
    if (!cache->entries)
        return pm_fail(err, PM_FAILED, "no memory to simulate a cache of %zu bytes", bytes);
    pm_cache_clear(cache);
    return PM_OK;
}

void pm_cache_free(pm_cache *cache)
{
    free(cache->entries);
    cache->entries = NULL;
}

void pm_cache_clear(pm_cache *cache)
{
    for (size_t i = 0; i < cache->sets * cache->ways; i++)
        cache->entries[i] = nothing;
}

pm_cache_entry *pm_cache_touch(pm_cache *cache, uint64_t line, pm_cache_entry *gone)
{
    pm_cache_entry *set = set_of(cache, line), moved = set[0];

    *gone = 0;
    if (pm_entry_line(moved) == line)
        return set;
    /* Each entry moves down one place until the line's own place, or the last one's, is free. */
    for (unsigned way = 1; way < cache->ways; way++) {
        const pm_cache_entry entry = set[way];
        set[way] = moved;
        moved = entry;
        if (pm_entry_line(entry) == line) {
            set[0] = entry;
            return set;
        }
    }
    *gone = moved == nothing ? 0 : moved;
    set[0] = line << 16;
    return set;
}

pm_cache_entry *pm_cache_find(const pm_cache *cache, uint64_t line)
{
    pm_cache_entry *set = set_of(cache, line);

    for (unsigned way = 0; way < cache->ways; way++)
        if (pm_entry_line(set[way]) == line)
            return &set[way];
    return NULL;
}
