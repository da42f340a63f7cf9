/* Reduces the number of times that host code repeats its launches, because benchmarks repeat
 * launches only to measure them, and tracing all would take long. See bare.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "base/text.h"
#include "program/bare/bare.h"

/* MOST_REPEATS: largest number of repeats of all launches of a workload together. MOST_TIMES: limit
 * on the repeats of one launch, so that sums do not overflow. */
enum { MOST_REPEATS = 100, MOST_TIMES = 1 << 30 };
/* Largest number of basic blocks that the trace engine should execute for all launches with their
 * repeats. */
static const double MOST_WORK = 2e7;

/* Divides the number of repeats of each launch by `share`. Each launch remains at least once. */
static void divide_repeats(pm_bare *b, uint64_t share)
{
    for (size_t l = 0; l < b->plan.launch_count; l++) {
        uint64_t *times = &b->plan.launches[l].times;

        *times = *times / share ? *times / share : 1;
    }
}

uint64_t pm_bare_limit_repeats(pm_bare *b)
{
    uint64_t sum = 0, share;

    for (size_t l = 0; l < b->plan.launch_count; l++) {
        uint64_t *times = &b->plan.launches[l].times;

        *times = *times < MOST_TIMES ? *times : MOST_TIMES;
        sum += *times;
    }
    share = sum <= MOST_REPEATS ? 1 : (sum + MOST_REPEATS - 1) / MOST_REPEATS;
    divide_repeats(b, share);
    return share;
}

/* Returns the divisor for the numbers of repeats that keeps the time to trace the workload low:
 * tracing then executes at most about MOST_WORK basic blocks. Repeats cost time, because they are
 * traced one by one if later launches depend on a launch's results. */
static uint64_t share_of_work(const pm_bare *b)
{
    const double affordable = b->work > 0 ? MOST_WORK / b->work : MOST_TIMES;
    uint64_t most = 1;

    for (size_t l = 0; l < b->plan.launch_count; l++)
        most = b->plan.launches[l].times > most ? b->plan.launches[l].times : most;
    return (double)most <= affordable ? 1 : (uint64_t)ceil((double)most / fmax(affordable, 1));
}

void pm_bare_limit_work(pm_bare *b, uint64_t share)
{
    const uint64_t more = share_of_work(b);

    divide_repeats(b, more);
    share *= more;
    if (share > 1)
        *pm_add(&b->memory, b->plan.said, b->plan.said_count) =
            pm_format(&b->memory, "launches are repeated 1/%llu as often as in the host code",
                      (unsigned long long)share);
}
