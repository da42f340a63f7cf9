/* A set-associative cache of sectored lines that forgets the line least recently used.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_CACHE_H
#define PM_COLLECTOR_TRACE_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "perfmodel.h"

/* What a cache knows of one line: 48 bits of its number, a bit for each of up to 8 sectors that are
 * there, and one for each that memory does not have yet. */
typedef uint64_t pm_cache_entry;

enum { PM_CACHE_SECTORS = 8 };

static inline uint64_t pm_entry_line(pm_cache_entry entry)
{
    return entry >> 16;
}

static inline uint32_t pm_entry_valid(pm_cache_entry entry)
{
    return entry & 0xFF;
}

static inline uint32_t pm_entry_dirty(pm_cache_entry entry)
{
    return entry >> 8 & 0xFF;
}

typedef struct {
    pm_cache_entry *entries; /* set after set; in a set, the most recently used first */
    size_t sets;
    unsigned ways;
} pm_cache;

/* bytes: of all lines; at least one line. ways: at least 1; a smaller cache has fewer. */
pm_status pm_cache_init(pm_cache *cache, size_t bytes, unsigned line_bytes, unsigned ways,
                        pm_error *err);
void pm_cache_free(pm_cache *cache);
void pm_cache_clear(pm_cache *cache);

/* The line's entry, which is the most recently used of its set now. A line that was not there is
 * there now with no sector, and *gone is the entry that made way for it, else 0. */
pm_cache_entry *pm_cache_touch(pm_cache *cache, uint64_t line, pm_cache_entry *gone);
/* The line's entry as it stands, or NULL. */
pm_cache_entry *pm_cache_find(const pm_cache *cache, uint64_t line);

#endif
