/* Hot spots of a launch's atomics: a slice of L2 serializes the atomics on a block of memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_ATOMIC_HOT_SPOTS_H
#define PM_COLLECTOR_ENGINE_MEMORY_ATOMIC_HOT_SPOTS_H

#include "collector/engine/memory/memory_unit.h"

/* Number of counters. If memory has more blocks, several blocks have one counter, as several blocks
 * belong to one slice. */
enum { PM_PILES = 1 << 14 };

/* Atomic passes for each block, separately for retry loops (`again`). Zero-initialise it. */
typedef struct {
    uint64_t passes[PM_PILES], again[PM_PILES];
} pm_piles;

/* Adds the passes of requests. line_bytes: bytes of an L2 line. Loads in retry loops count too,
 * because they wait in the same queue as the atomics. */
void pm_piles_add(pm_piles *piles, const pm_l2_request *requests, size_t count,
                  unsigned line_bytes);
/* Passes of the block with the most passes, with the passes of retry loops multiplied by `times`.
 */
double pm_piles_highest(const pm_piles *piles, double times);
/* Passes of retry loops alone in the busiest L2 slice. It is the larger of two numbers: the passes
 * of the block with the most, and all passes divided by the number of slices. */
double pm_piles_fullest(const pm_piles *piles, unsigned compute_units);

#endif
