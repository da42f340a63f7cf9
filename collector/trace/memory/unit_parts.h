/* What a memory unit is made of. See memory_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_UNIT_PARTS_H
#define PM_COLLECTOR_TRACE_MEMORY_UNIT_PARTS_H

#include "collector/trace/memory/banks.h"
#include "collector/trace/memory/cache.h"
#include "collector/trace/memory/coalesce.h"
#include "collector/trace/memory/memory_unit.h"
#include "collector/trace/memory/requests.h"

/* Sectors of a line that L1 asked for in a round of the warps' turns. */
typedef struct {
    uint64_t line;
    uint32_t sectors, round;
} pm_fill;

enum { FILLS = 1024, WORD_BYTES = 4, WORD_SHIFT = 2 };

struct pm_memory_unit {
    const pm_gpu *gpu;
    unsigned line_shift, sector_shift; /* of coalescing and L1 */
    uint32_t whole_line;               /* sectors of a line */
    bool cached, store_stays;
    bool loops; /* a CPU's core: a pass for each work-item, and a cache that is written back */
    bool read_only_cached;     /* l1 is the read-only cache, and loads of other data pass it by */
    pm_bank_rule shared, data; /* of shared memory; of L1's data */
    unsigned word_passes;      /* of a word of private memory of each work-item */
    bool rows_are_lines;       /* a row of banks is a line, of 32 words and 4 sectors, and
                                * serves a warp in one pass */
    pm_cache l1;
    bool scalar_cached;
    pm_cache scalars;
    uint32_t round;        /* of the warps' turns */
    pm_fill recent[FILLS]; /* by line: what was last asked of L2 */
    uint64_t period;       /* addresses so far apart are at one place of a line and a row */
    bool slow;             /* the last load waits for L2 */
    pm_requests asked;
};

/* Whether accesses are of lines and their sectors (compute capability 2.0 on, AMD's, CPUs'). */
bool pm_unit_has_lines(const pm_gpu *gpu);

/* Of a power of two. */
unsigned pm_unit_log2(unsigned value);

/* ---- l1.c ---------------------------------------------------------------------------------- */

/* Loads pieces through a cache of the unit; returns the sectors that were missing, and tells
 * whether the load waits (slow). ask: L2 is asked for them. */
unsigned pm_unit_load(pm_memory_unit *unit, pm_cache *cache, const pm_line_sectors *pieces,
                      unsigned count, bool ask);
/* Stores pieces through L1, where they stay (stays), or are dropped from it. */
void pm_unit_store(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count, bool stays);
/* Of a store the lines that it wrote whole stay in L1. */
void pm_unit_keep_whole_lines(pm_memory_unit *unit, const pm_warp_access *access);
/* A CPU's store brings the line into the cache first. It is written back when it makes way, which
 * is as often as one that was clean is written. */
void pm_unit_write_back(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count);

/* ---- loops.c ------------------------------------------------------------------------------- */

/* Passes of a CPU's core for an access of a vector of work-items. */
unsigned pm_unit_loop_passes(const pm_memory_unit *unit, const pm_warp_access *access);

/* ---- private.c ----------------------------------------------------------------------------- */

/* Counts an access of private memory; returns the words of each work-item. */
unsigned pm_unit_access_private(pm_memory_unit *unit, const pm_warp_access *access,
                                pm_events *events);

#endif
