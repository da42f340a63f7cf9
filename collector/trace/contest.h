/* Places that the work-items of many warps want at once, in loops that try again until they have
 * changed one (pm_block's again): how often such a loop is really gone through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine lets no warp come between what another one reads in such a loop and what it writes,
 * and it sees a part of the launch only. So it counts what a warp has to do alone, and what comes
 * on top is reckoned from how often each place was changed.
 */
#ifndef PM_COLLECTOR_TRACE_CONTEST_H
#define PM_COLLECTOR_TRACE_CONTEST_H

#include "collector/trace/program.h"
#include "counters/events.h"

/* What loops that try again have done, by itself and summed up. */
typedef struct {
    double entries;          /* of warps into such a loop */
    double attempts;         /* of warps: atomics */
    double work_items, wins; /* in all attempts; that were done with a place */
    double more;             /* attempts that others make necessary */
    double staying;          /* of the work-items that come, those that take part in one of these */
} pm_attempts;

/* By how much events of such loops are more than counted: those of warps, and those that each
 * work-item of a warp adds to. */
typedef struct {
    double warps, work_items;
} pm_attempt_scale;

typedef struct pm_contest pm_contest;

/* bytes: of the memory in which the places lie; more than some millions share counts. NULL: no
 * memory. */
pm_contest *pm_contest_create(uint64_t bytes);
void pm_contest_free(pm_contest *contest);
/* A warp comes to such a loop. first: to its first one. */
void pm_contest_enter(pm_contest *contest, bool first);
/* An atomic in such a loop. */
void pm_contest_see(pm_contest *contest, const pm_warp_access *access);
/* Warps that came. */
double pm_contest_warps(const pm_contest *contest);
/* Hands over what was counted, with no more attempts, and forgets it; others: changes of a place by
 * others, for a work-item whose warp waits for the last of its own. share: of the work-groups that
 * were seen. */
pm_attempts pm_contest_take(pm_contest *contest, double share, double *others);

/* Fills in more and staying: of `warps` warps of a work-group. */
void pm_contest_in_group(pm_attempts *attempts, double others, double warps);
/* Likewise of those of a launch, of which so many were seen. passes: that the slice of L2 which has
 * most of them does for one attempt of all warps that are resident at once, if all work-items that
 * come take part; rounds: of resident work-groups. */
void pm_contest_in_launch(pm_attempts *attempts, double others, double warps, double passes,
                          double rounds);

void pm_attempts_add(pm_attempts *to, const pm_attempts *from);
pm_attempt_scale pm_attempts_scale(const pm_attempts *attempts);
/* Of the scale what belongs to an event. */
double pm_attempts_of_event(const pm_attempt_scale *scale, pm_event event);

#endif
