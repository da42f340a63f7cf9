/* Hot spots of a launch's atomics: blocks of memory with many atomics, which one slice of L2
 * executes one after the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_ATOMIC_HOT_SPOTS_H
#define PM_COLLECTOR_ENGINE_MEMORY_ATOMIC_HOT_SPOTS_H

#include "collector/engine/memory/memory_unit.h"

/* Number of counters, one per block of memory, for passes of atomics in L2. A pass of L2 changes
 * different words of one sector. If memory has more blocks, several blocks have one counter, as
 * several blocks belong to one L2 slice. */
enum { PM_PILES = 1 << 14 };

/* Numbers of passes of atomics in L2 for each block of memory. A pass of L2 changes different words
 * of one sector. again: passes in compare-and-swap retry loops; passes: all others. Zero-initialise
 * the struct. */
typedef struct {
    uint64_t passes[PM_PILES], again[PM_PILES];
} pm_piles;

/* Adds the passes in L2 of the atomics among `count` requests to the counts of their blocks of
 * memory. line_bytes: bytes of an L2 line. Loads in compare-and-swap retry loops count, too,
 * because they wait in the same queue as the atomics. */
void pm_piles_add(pm_piles *piles, const pm_l2_request *requests, size_t count,
                  unsigned line_bytes);
/* Returns the number of passes of atomics in L2 on the block of memory that has the most passes.
 * Passes in compare-and-swap retry loops are multiplied by `times` before blocks are compared. */
double pm_piles_highest(const pm_piles *piles, double times);
/* Returns the number of passes of atomics in compare-and-swap retry loops alone in the busiest L2
 * slice. The result is the larger of two numbers: the passes of the block with the most, and all
 * passes divided by the number of slices. */
double pm_piles_fullest(const pm_piles *piles, unsigned compute_units);

#endif
