/* Atomic contention in compare-and-swap retry loops: estimates the additional attempts that
 * contention between warps causes.
 *
 * The engine runs the reads and writes of such a loop without interleaving other warps, and it runs
 * only a sample of the launch. Its counts are therefore those of a warp without contention. The
 * additional attempts are estimated from the number of changes to each address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_ATOMIC_RETRIES_H
#define PM_COLLECTOR_ENGINE_ATOMIC_RETRIES_H

#include "collector/engine/program.h"
#include "machine/counters/events.h"

/* Attempts of warps in compare-and-swap retry loops, recorded in one pm_contest or summed over
 * several. */
typedef struct {
    double entries; /* number of times that a warp entered a compare-and-swap retry loop */
    /* number of atomic instructions that warps executed in compare-and-swap retry loops */
    double attempts;
    /* Sums over all attempts. work_items: work-items that took part. wins: work-items whose
     * compare-and-swap succeeded. */
    double work_items, wins;
    double more; /* estimated additional attempts caused by other warps */
    /* Mean fraction, in [0, 1], of the work-items in a retry loop that take part in an additional
     * attempt. */
    double staying;
} pm_attempts;

/* Factors, 1 or more, by which events counted in compare-and-swap retry loops without contention
 * are multiplied to include the additional attempts. `warps` applies to events that are counted
 * once per warp, `work_items` to events that grow with the number of participating work-items. */
typedef struct {
    double warps, work_items;
} pm_attempt_scale;

typedef struct pm_contest pm_contest;

/* Creates a record of a launch's atomics on a memory of `bytes` bytes. It counts changes per 4-byte
 * word in at most 2^20 counters, so several words of a larger memory have one counter. NULL if out
 * of memory. */
pm_contest *pm_contest_create(uint64_t bytes);
void pm_contest_free(pm_contest *contest);
/* Records that a warp enters a compare-and-swap retry loop. first: true if the warp has not entered
 * a retry loop before. */
void pm_contest_enter(pm_contest *contest, bool first);
/* Records one atomic access of a warp in a compare-and-swap retry loop. */
void pm_contest_see(pm_contest *contest, const pm_warp_access *access);
/* Returns the number of recorded warps that entered at least one compare-and-swap retry loop. */
double pm_contest_warps(const pm_contest *contest);
/* Returns the recorded attempts, with 0 additional attempts (`more`), and clears the record.
 * *others becomes an estimate of how often other warps change the address that a work-item changes.
 * The estimate is the mean over all changes plus three standard deviations, because a warp waits
 * for its slowest work-item. share: fraction of the launch's work-groups that were recorded, in (0,
 * 1]. */
pm_attempts pm_contest_take(pm_contest *contest, double share, double *others);

/* Estimates the additional attempts that contention causes in compare-and-swap retry loops on
 * shared memory, and sets attempts->more and attempts->staying. others: from pm_contest_take().
 * warps: number of warps of the work-group that entered retry loops. */
void pm_contest_in_group(pm_attempts *attempts, double others, double warps);
/* Estimates the additional attempts that contention causes in compare-and-swap retry loops on
 * global memory, and sets attempts->more and attempts->staying. others: from pm_contest_take().
 * warps: number of recorded warps that entered retry loops. passes: number of passes that the
 * busiest L2 slice needs for one attempt of all resident warps, if all of their work-items take
 * part. A pass changes different words of one sector. rounds: number of waves of resident
 * work-groups in the launch. */
void pm_contest_in_launch(pm_attempts *attempts, double others, double warps, double passes,
                          double rounds);

void pm_attempts_add(pm_attempts *to, const pm_attempts *from);
pm_attempt_scale pm_attempts_scale(const pm_attempts *attempts);
/* Returns the factor by which contention multiplies the count of `event` in compare-and-swap retry
 * loops: scale->work_items if the count grows with the number of participating work-items,
 * otherwise scale->warps. The factor for waits is smaller than scale->warps. */
double pm_attempts_of_event(const pm_attempt_scale *scale, pm_event event);

#endif
