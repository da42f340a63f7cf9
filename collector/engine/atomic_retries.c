/* Estimates how many more attempts warps need in compare-and-swap retry loops because other warps
 * change the same address at the same time (contention).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The constants are fitted to measurements on an H200: CUPTI's counts of compare-and-swaps in the
 * benchmarks atomics_float and local_atomics_float of tests/bench/terms, at 28 sizes with 4 to 3700
 * attempts per warp. The measurements show the following:
 *
 * - The changes of one address happen one after the other, because each needs a load and an atomic
 *   with no other change in between. A warp repeats its loop until its slowest work-item has
 *   succeeded. The address of this work-item has more changes than the mean: we take the mean plus
 *   three standard deviations of a Poisson distribution.
 *
 * - In a work-group (shared memory), one change of an address costs each waiting warp 2.2 attempts
 *   instead of one. The reason is that the work-items of a diverged warp execute the loop in
 *   several groups, one after the other.
 *
 * - In global memory one change of an address costs each waiting warp 1.3 attempts if L2 slices
 *   have no queue. If they have a queue, the time from a load to its atomic is at most half of an
 *   attempt, and changes follow each other twice as fast.
 *
 * - An attempt takes longer than its load and its atomic: about 1350 cycles in global memory
 *   without a queue, and at least 150 in a work-group.
 *
 * - Work-items leave the loop one by one, and the remaining ones diverge. Of 32 work-items that
 *   enter a loop, 7 take part in an attempt on average, 11 if attempts queue, and 6 in a
 *   work-group.
 */
#include "collector/engine/atomic_retries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 4, MOST_PLACES = 1 << 20, MIDDLE_SHIFT = 20 };

static const double DEVIATIONS = 3;
static const double GROUP_ATTEMPTS = 2.2, GROUP_STAYING = 6.0 / 32;
static const double ALONE_ATTEMPTS = 0.8, ALONE_STAYING = 6.7 / 32;
static const double QUEUED_ATTEMPTS = 0.5, QUEUED_STAYING = 11.5 / 32;
static const double ATTEMPT_WAITS = 1.8;
/* Number of passes of atomics that an L2 slice without a queue can process in the time of one
 * attempt of a warp (a load and a compare-and-swap). A pass of L2 changes different words of one
 * sector. An attempt takes about 1350 cycles and a pass 1.28 cycles. */
static const double IDLE_PASSES = 1050;

struct pm_contest {
    uint64_t warps, entries, attempts, work_items, wins;
    size_t size; /* a power of two */
    uint32_t places[];
};

pm_contest *pm_contest_create(uint64_t bytes)
{
    size_t size = 1;
    pm_contest *contest;

    while (size < MOST_PLACES && size < bytes / WORD_BYTES)
        size *= 2;
    contest = calloc(1, sizeof *contest + size * sizeof *contest->places);
    if (contest)
        contest->size = size;
    return contest;
}

void pm_contest_free(pm_contest *contest)
{
    free(contest);
}

void pm_contest_enter(pm_contest *contest, bool first)
{
    contest->entries++;
    contest->warps += first;
}

/* Records one atomic access of a warp in a compare-and-swap retry loop. The access counts as one
 * success for each different address, because in one attempt only one of the work-items that change
 * the same address succeeds. */
void pm_contest_see(pm_contest *contest, const pm_warp_access *access)
{
    uint64_t seen[PM_MAX_WARP];
    unsigned count = 0;

    contest->attempts += access->mask != 0;
    for (uint64_t left = access->mask; left; left &= left - 1) {
        const uint64_t at = access->address[__builtin_ctzll(left)];
        const uint64_t word = at / WORD_BYTES;
        unsigned i = 0;

        contest->work_items++;
        while (i < count && seen[i] != at)
            i++;
        if (i < count)
            continue;
        seen[count++] = at;
        contest->places[(word ^ word >> MIDDLE_SHIFT) & (contest->size - 1)]++;
    }
    contest->wins += count;
}

double pm_contest_warps(const pm_contest *contest)
{
    return (double)contest->warps;
}

/* Returns the mean, over all recorded changes, of the number of other changes of the same
 * address. */
static double mean_others(const pm_contest *contest)
{
    double pairs = 0;

    for (size_t i = 0; i < contest->size; i++)
        pairs += (double)contest->places[i] * ((double)contest->places[i] - 1);
    return contest->wins > 0 ? pairs / (double)contest->wins : 0;
}

pm_attempts pm_contest_take(pm_contest *contest, double share, double *others)
{
    const pm_attempts taken = {.entries = (double)contest->entries,
                               .attempts = (double)contest->attempts,
                               .work_items = (double)contest->work_items,
                               .wins = (double)contest->wins};
    const size_t size = contest->size;
    double mean = contest->wins > 0 ? mean_others(contest) / share : 0;

    if (contest->warps > 0)
        mean *=
            /* `share` is the fraction of the launch's work-groups that were recorded, so the launch
             * has warps / share warps. The last factor removes the changes that the same warp
             * makes, because a warp does not contend with itself. */
            fmax(0, 1 - share / (double)contest->warps);
    *others = mean + DEVIATIONS * sqrt(mean);
    if (contest->entries > 0)
        memset(contest, 0, sizeof *contest + size * sizeof *contest->places);
    contest->size = size;
    return taken;
}

void pm_contest_in_group(pm_attempts *attempts, double others, double warps)
{
    attempts->more = warps > 1 ? warps * GROUP_ATTEMPTS * others : 0;
    attempts->staying = GROUP_STAYING;
}

void pm_contest_in_launch(pm_attempts *attempts, double others, double warps, double passes,
                          double rounds)
{
    const double alone = IDLE_PASSES / fmax(passes * QUEUED_STAYING, IDLE_PASSES);
    const double each = ALONE_ATTEMPTS * alone + QUEUED_ATTEMPTS;

    attempts->more = warps * others * each / fmax(rounds, 1);
    attempts->staying = QUEUED_STAYING + (ALONE_STAYING - QUEUED_STAYING) * alone;
}

void pm_attempts_add(pm_attempts *to, const pm_attempts *from)
{
    to->entries += from->entries;
    to->attempts += from->attempts;
    to->work_items += from->work_items;
    to->wins += from->wins;
    to->more += from->more;
    to->staying = from->staying;
}

pm_attempt_scale pm_attempts_scale(const pm_attempts *a)
{
    const double more = a->attempts > 0 ? a->more / a->attempts : 0;
    const double come = a->entries > 0 ? a->wins / a->entries : 0;
    const double staying =
        a->work_items > 0 ? fmin(1, a->staying * come * a->attempts / a->work_items) : 1;

    return (pm_attempt_scale){1 + more, 1 + more * staying};
}

double pm_attempts_of_event(const pm_attempt_scale *scale, pm_event event)
{
    switch (event) {
    case PM_EVENT_gld_sector:
    case PM_EVENT_gst_sector:
    case PM_EVENT_gld_tag:
    case PM_EVENT_gst_tag:
    case PM_EVENT_gld_32b:
    case PM_EVENT_gld_64b:
    case PM_EVENT_gld_128b:
    case PM_EVENT_gst_32b:
    case PM_EVENT_gst_64b:
    case PM_EVENT_gst_128b:
    case PM_EVENT_l1_global_load_hit:
    case PM_EVENT_l1_global_load_miss:
    case PM_EVENT_global_wavefront:
    case PM_EVENT_shared_wavefront:
    case PM_EVENT_shared_bank_conflict:
    case PM_EVENT_atomic_pass:
    case PM_EVENT_atomic_return_pass:
    case PM_EVENT_thread_inst_executed:
    case PM_EVENT_inst_fp32:
    case PM_EVENT_inst_fp64:
    case PM_EVENT_flop_fp32:
    case PM_EVENT_flop_fp64:
    case PM_EVENT_inst_int:
    case PM_EVENT_inst_special:
    case PM_EVENT_inst_conversion:
    case PM_EVENT_inst_control:
    case PM_EVENT_inst_memory:
        return scale->work_items;
    case PM_EVENT_load_wait:
    case PM_EVENT_load_wait_miss:
    case PM_EVENT_shared_wait:
    case PM_EVENT_inst_depth:
        return 1 + ATTEMPT_WAITS * (scale->warps - 1);
    default:
        return scale->warps;
    }
}
