/* Work-groups that are resident on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_GROUP_H
#define PM_COLLECTOR_TRACE_GROUP_H

#include "collector/trace/warp.h"

/* What all groups of a launch share. */
typedef struct {
    pm_launch_rules rules;
    pm_group_context context; /* all but group and shared */
    size_t shared_bytes;      /* of a group: its variables and its __local arguments */
    uint64_t groups;          /* of the launch */
} pm_launch_run;

typedef struct pm_compute_unit pm_compute_unit;

/* Room for so many groups at once. run must outlive it. */
pm_compute_unit *pm_compute_unit_create(const pm_launch_run *run, unsigned resident, pm_error *err);
void pm_compute_unit_free(pm_compute_unit *unit);

/* Gives it groups to run: each time a place is free, next is asked for a group's number; false: no
 * more. */
typedef bool (*pm_next_group)(void *user, uint64_t *group);
pm_status pm_compute_unit_start(pm_compute_unit *unit, pm_next_group next, void *user,
                                pm_error *err);

/* Runs until all groups are done (*done) or, where it counts, tally->unit has more than `pause`
 * requests waiting for L2. Warps take turns at each access to global memory. */
pm_status pm_compute_unit_run(pm_compute_unit *unit, const pm_tally *tally, size_t pause,
                              bool *done, pm_error *err);

#endif
