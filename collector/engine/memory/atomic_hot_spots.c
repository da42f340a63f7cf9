/* Counts the passes of atomics in L2 for each block of memory, to find the block with the most (a
 * hot spot). In a pass, L2 changes different words of one sector. A block belongs to one L2 slice,
 * which executes its passes one after the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/atomic_hot_spots.h"

#include <math.h>

#include "collector/engine/memory/coalescing.h"

/* Distribution of memory over L2 slices: every KB (SHARED_BYTES) belongs to two slices, which
 * alternate every 256 bytes (TURN_BYTES). This was measured on an H200 by atomic sums into arrays
 * of different sizes (tests/bench/terms/atomics). Sums in 128 and 256 bytes take as long as all
 * passes in one slice, at 1.28 cycles per pass. Sums in 512 bytes and 1 KB take half of that time,
 * in 2 KB a quarter, in 4 KB an eighth. */
enum { TURN_BYTES = 256, SHARED_BYTES = 1024 };
/* Number of compute units per L2 slice. Atomic sums into 4 MB on a GPU with 132 compute units took
 * as long as if it had 73 slices. */
static const double UNITS_OF_SLICE = 132.0 / 73;

static size_t block_of(uint64_t address)
{
    const uint64_t block = address / SHARED_BYTES * 2 + address / TURN_BYTES % 2;

    return (size_t)((block ^ block >> 14) % PM_PILES);
}

void pm_piles_add(pm_piles *piles, const pm_l2_request *requests, size_t count, unsigned line_bytes)
{
    for (size_t i = 0; i < count; i++) {
        const pm_l2_request *r = &requests[i];
        const size_t block = block_of(r->line * line_bytes);

        if (r->again)
            piles->again[block] += r->passes ? r->passes : pm_bit_count(r->sectors);
        else if (r->write == PM_L2_ATOMIC)
            piles->passes[block] += r->passes ? r->passes : 1;
    }
}

double pm_piles_highest(const pm_piles *piles, double times)
{
    double most = 0;

    for (size_t i = 0; i < PM_PILES; i++) {
        const double here = (double)piles->passes[i] + times * (double)piles->again[i];

        most = here > most ? here : most;
    }
    return most;
}

double pm_piles_fullest(const pm_piles *piles, unsigned compute_units)
{
    uint64_t most = 0, sum = 0;

    for (size_t i = 0; i < PM_PILES; i++) {
        most = piles->again[i] > most ? piles->again[i] : most;
        sum += piles->again[i];
    }
    return fmax((double)most, UNITS_OF_SLICE * (double)sum / compute_units);
}
