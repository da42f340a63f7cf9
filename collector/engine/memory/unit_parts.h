/* The struct of the simulated memory pipeline of a compute unit, and functions that only the files
 * of the pipeline call.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_UNIT_PARTS_H
#define PM_COLLECTOR_ENGINE_MEMORY_UNIT_PARTS_H

#include "collector/engine/memory/bank_conflicts.h"
#include "collector/engine/memory/cache.h"
#include "collector/engine/memory/coalescing.h"
#include "collector/engine/memory/memory_unit.h"
#include "collector/engine/memory/request_queue.h"

/* Sectors of a line that L1 requested from L2, and the round of the request. Every resident warp
 * executes once in a round. */
typedef struct {
    uint64_t line;
    uint32_t sectors, round;
} pm_fill;

enum { FILLS = 1024, WORD_BYTES = 4, WORD_SHIFT = 2 };

struct pm_memory_unit {
    const pm_gpu *gpu;
    /* log2 of the bytes of a line, and of a sector, of L1 and of requests */
    unsigned line_shift, sector_shift;
    uint32_t whole_line; /* mask of all sectors of a line */
    bool cached, store_stays;
    /* True: a store's request to L2 says which sectors it writes completely and which partly. This
     * is so if L2 reads partially written sectors from memory before it writes them back
     * (gpu->l2_fills), and if L2's lines and sectors have the sizes of L1's. */
    bool sees_parts;
    /* true: the device is a CPU core, which runs work-items in loops (pm_unit_loop_passes) and has
     * a write-back cache */
    bool loops;
    /* true: `l1` is the read-only cache, and loads of other data bypass it */
    bool read_only_cached;
    pm_bank_rule shared, data; /* shared: banks of shared memory; data: banks of L1's data. */
    /* L1 passes if every work-item accesses one word of private memory */
    unsigned word_passes;
    /* True: a row of banks is one line of 32 words and 4 sectors, and a warp accesses it in one
     * pass. */
    bool rows_are_lines;
    pm_cache l1;
    bool scalar_cached;
    pm_cache scalars;
    uint32_t round; /* number of the round that is running; in a round, every warp executes once */
    pm_fill recent[FILLS]; /* recent[h]: last request to L2 for a line whose hash is h */
    /* Period in bytes. Addresses that differ by a multiple of the period have the same offset in a
     * cache line, and in a row of banks (one word of each bank). */
    uint64_t period;
    bool slow; /* true if the last load has to wait for L2 */
    pm_requests asked;
};

/* Returns whether the device splits accesses into lines and sectors (NVIDIA from compute capability
 * 2.0 on, AMD, CPUs). */
bool pm_unit_has_lines(const pm_gpu *gpu);

/* Returns the binary logarithm of a power of two. */
unsigned pm_unit_log2(unsigned value);

/* ---- split_access.c ------------------------------------------------------------------------ */

/* Splits a warp's access into pieces (the touched sectors of one line each), and sets *wavefronts
 * to its passes through L1's data banks. If an access with the same address pattern was split
 * before, the earlier results are reused. Returns the number of pieces. */
unsigned pm_unit_split(const pm_memory_unit *unit, const pm_warp_access *access,
                       pm_line_sectors *pieces, unsigned *wavefronts);

/* ---- l1.c ---------------------------------------------------------------------------------- */

/* Loads `count` pieces, each some sectors of one line, through `cache`. Returns the number of
 * sectors that were not in the cache, and sets unit->slow if the load has to wait. ask: true if
 * requests to L2 for these sectors are queued. */
unsigned pm_unit_load(pm_memory_unit *unit, pm_cache *cache, const pm_line_sectors *pieces,
                      unsigned count, bool ask);
/* Stores `count` pieces, each some sectors of one line, through L1. stays: true if the written
 * sectors remain valid in L1; false if they are invalidated. */
void pm_unit_store(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count, bool stays);
/* Updates L1 after a store on an AMD GPU: lines that the store overwrites completely become valid,
 * other lines that it touches become invalid. */
void pm_unit_keep_whole_lines(pm_memory_unit *unit, const pm_warp_access *access);
/* Stores through a CPU's write-back cache, which first fetches the line. The later write-back is
 * counted at the time of the store: one write for each clean line that becomes dirty. */
void pm_unit_write_back(pm_memory_unit *unit, const pm_line_sectors *pieces, unsigned count);

/* ---- cpu_loops.c -------------------------------------------------------------------------------
 */

/* Returns the L1 passes on a CPU core for an access of all work-items of a vector. */
unsigned pm_unit_loop_passes(const pm_memory_unit *unit, const pm_warp_access *access);

/* ---- private_memory.c
 * ----------------------------------------------------------------------------- */

/* Counts a warp's access to private memory. Returns the number of 32-bit words that each work-item
 * accesses. */
unsigned pm_unit_access_private(pm_memory_unit *unit, const pm_warp_access *access,
                                pm_events *events);

#endif
