/* Where the atomics of a launch pile up: a slice of L2 does those of a block of memory one after
 * the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_PILES_H
#define PM_COLLECTOR_TRACE_MEMORY_PILES_H

#include "collector/trace/memory/memory_unit.h"

/* Blocks that are told apart; beyond that, several share a place, as they share a slice. */
enum { PM_PILES = 1 << 14 };

/* Passes of each block, those of loops that try again apart. Zeroed to start with. */
typedef struct {
    uint64_t passes[PM_PILES], again[PM_PILES];
} pm_piles;

/* line_bytes: of L2. Loads in loops that try again stand in the same queue as their atomics. */
void pm_piles_add(pm_piles *piles, const pm_l2_request *requests, size_t count,
                  unsigned line_bytes);
/* Of all passes, with those of loops that try again so many times. */
double pm_piles_highest(const pm_piles *piles, double times);
/* Of those of loops that try again, what the slice has to do that has most. */
double pm_piles_fullest(const pm_piles *piles, unsigned compute_units);

#endif
