/* Runs the work-groups that are resident on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_COMPUTE_UNIT_H
#define PM_COLLECTOR_ENGINE_COMPUTE_UNIT_H

#include "collector/engine/warp.h"

/* Data of a launch that are equal for all of its work-groups, such as the compiled kernel and
 * its arguments. */
typedef struct {
    pm_launch_rules rules;
    /* data of the launch's work-groups; the members `group` and `shared` are not set, because they
     * differ between groups */
    pm_group_context context;
    /* Bytes of shared memory of a work-group: the kernel's shared variables and __local
     * arguments. */
    size_t shared_bytes;
    uint64_t groups; /* number of work-groups of the launch */
    /* code that pm_launch_execute runs: complete code, or slices, which store nothing to global
     * memory; it must be compiled */
    pm_code_kind kind;
} pm_launch_run;

typedef struct pm_compute_unit pm_compute_unit;

/* Creates a compute unit with slots for `resident` work-groups that run at the same time. run must
 * outlive it. */
pm_compute_unit *pm_compute_unit_create(const pm_launch_run *run, unsigned resident, pm_error *err);
void pm_compute_unit_free(pm_compute_unit *unit);

/* Callback for a compute unit with a free slot (place for a resident work-group). It sets *group to
 * the number of the next work-group to run, or returns false if there is none. */
typedef bool (*pm_next_group)(void *user, uint64_t *group);
pm_status pm_compute_unit_start(pm_compute_unit *unit, pm_next_group next, void *user,
                                pm_error *err);

/* Runs the compute unit's work-groups until all have ended (*done becomes true) or all wait at a
 * barrier of the grid. The function also returns if more than `pause` requests to L2 are queued in
 * tally->unit. Warps take turns: a warp's turn ends after a basic block that accesses global
 * memory. */
pm_status pm_compute_unit_run(pm_compute_unit *unit, const pm_tally *tally, size_t pause,
                              bool *done, pm_error *err);
/* Returns whether all work-groups that have not ended wait at a barrier of the grid. */
bool pm_compute_unit_waits(const pm_compute_unit *unit);
/* Lets the work-groups go on that wait at a barrier of the grid. L1 is invalidated, because they
 * may read what other work-groups have written. */
void pm_compute_unit_go_on(pm_compute_unit *unit, const pm_tally *tally);

/* Returns the bytes of memory that `resident` work-groups of a launch take while they run. */
size_t pm_compute_unit_bytes(const pm_launch_run *run, size_t resident);

#endif
