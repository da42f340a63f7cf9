/* A set-associative cache of sectored lines that forgets the line least recently used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_CACHE_H
#define PM_COLLECTOR_TRACE_MEMORY_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "perfmodel.h"

enum { PM_CACHE_SECTORS = 8, PM_CACHE_WAYS = 16 };

/* What a cache has of one line: a bit for each sector that is there, and one for each that memory
 * does not have yet. */
typedef struct {
    uint8_t valid, dirty;
} pm_cache_line;

typedef struct pm_cache_set pm_cache_set;

typedef struct {
    pm_cache_set *sets;
    size_t count;        /* of sets */
    uint64_t reciprocal; /* 2^32 / count */
    unsigned ways;
    bool in_order; /* a line's set is its number's low part, as in a CPU's core, so that strides may
                    * come back to few sets */
} pm_cache;

/* bytes: of all lines; at least one line. ways: of more than PM_CACHE_WAYS, that many. */
pm_status pm_cache_init(pm_cache *cache, size_t bytes, unsigned line_bytes, unsigned ways,
                        pm_error *err);
void pm_cache_free(pm_cache *cache);
/* Forgets all lines; returns how many dirty sectors they had. */
size_t pm_cache_clear(pm_cache *cache);

/* The line, which is the most recently used of its set now. A line that was not there is there now
 * with no sector, and *lost are the dirty sectors of the one that made way for it. */
pm_cache_line *pm_cache_touch(pm_cache *cache, uint64_t line, uint32_t *lost);
/* The line will be touched soon. */
void pm_cache_expect(const pm_cache *cache, uint64_t line);
/* The line as it stands, or NULL. */
pm_cache_line *pm_cache_find(const pm_cache *cache, uint64_t line);

#endif
