/* A set-associative cache of sectored lines with LRU replacement.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_CACHE_H
#define PM_COLLECTOR_ENGINE_MEMORY_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "perfmodel.h"

enum { PM_CACHE_SECTORS = 8, PM_CACHE_WAYS = 16 };

/* State of a cached line. Bit i of `valid`: sector i is present. Bit i of `dirty`: sector i is not
 * written back yet. */
typedef struct {
    uint8_t valid, dirty;
} pm_cache_line;

typedef struct pm_cache_set pm_cache_set;

typedef struct {
    pm_cache_set *sets;
    size_t count;        /* number of sets */
    uint64_t reciprocal; /* 2^32 / count */
    unsigned ways;
    /* True: a line's set is given by the low bits of the line number, as in a CPU core, so that
     * lines at some strides compete for one set. False: the set is given by a hash of the line
     * number. */
    bool in_order;
} pm_cache;

/* Initialises an empty cache. bytes: size of all lines together; the cache has one line or more.
 * The associativity is the smaller of `ways` and PM_CACHE_WAYS. */
pm_status pm_cache_init(pm_cache *cache, size_t bytes, unsigned line_bytes, unsigned ways,
                        pm_error *err);
void pm_cache_release(pm_cache *cache);
/* Invalidates all lines of the cache. Returns the number of sectors that were dirty. */
size_t pm_cache_empty(pm_cache *cache);

/* Finds a line or inserts it, and makes it the most recently used line of its set. A line that was
 * not cached is inserted without valid sectors. *lost becomes the dirty sectors of the line that it
 * evicted. */
pm_cache_line *pm_cache_touch(pm_cache *cache, uint64_t line, uint32_t *lost);
/* Prefetches the host memory of the line's set for a later pm_cache_touch. */
void pm_cache_expect(const pm_cache *cache, uint64_t line);
/* Returns the line without changing its LRU order; NULL if it is not cached. */
pm_cache_line *pm_cache_find(const pm_cache *cache, uint64_t line);

#endif
