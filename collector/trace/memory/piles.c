/* The piles of piles.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/memory/piles.h"

/* What one slice has in a row. Assumed: on an H200, a histogram of 1 KB and single counters then
 * take about as many cycles for a pass (luma_hist and bfs_rounds of h200-corpus.csv). */
enum { BLOCK_BYTES = 256 };

void pm_piles_add(pm_piles *piles, const pm_l2_request *requests, size_t count, unsigned line_bytes)
{
    for (size_t i = 0; i < count; i++)
        if (requests[i].write == PM_L2_ATOMIC) {
            const uint64_t block = requests[i].line * line_bytes / BLOCK_BYTES;

            piles->passes[(block ^ block >> 14) % PM_PILES] +=
                requests[i].passes ? requests[i].passes : 1;
        }
}

uint64_t pm_piles_highest(const pm_piles *piles)
{
    uint64_t most = 0;

    for (size_t i = 0; i < PM_PILES; i++)
        most = piles->passes[i] > most ? piles->passes[i] : most;
    return most;
}
