/* Runs the cells of a launch. A cell is the work-groups of one wave on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Worker threads run cells in parallel, each up to a limit of queued L2 requests. Then the
 * simulated L2 (l2/l2.h) takes the queued requests. If all cells run, L2 takes short portions from
 * all cells in turn. If the launch is sampled, L2 takes all requests of one cell before those of
 * the next.
 */
#ifndef PM_COLLECTOR_ENGINE_RUN_CELLS_H
#define PM_COLLECTOR_ENGINE_RUN_CELLS_H

#include "collector/engine/count.h"
#include "collector/engine/group_strides.h"
#include "collector/engine/memory/atomic_hot_spots.h"

enum { PM_CELLS_MOST_WORKERS = 32 };

/* State of a worker thread, which runs one cell (work-groups of one wave on one compute unit) after
 * the other. */
typedef struct {
    const pm_sampling_plan *plan;
    pm_cell cell;
    uint64_t next; /* index, among the cell's work-groups, of the work-group that starts next */
    /* index of the cell (work-groups of one wave on one compute unit) in the order in which the
     * sampled cells start, from 0 */
    size_t number;
    bool busy, done;
    pm_compute_unit *unit;
    /* starts[site]: first address that each recorded work-group accesses by the memory instruction
     * with index `site` */
    pm_site_starts *starts;
    pm_tally tally;
    pm_events events[PM_AGAIN_KINDS];
    pm_attempts in_shared;
} pm_cell_worker;

typedef struct {
    const pm_count_request *request;
    pm_sampling_plan plan;
    size_t worker_count;
    pm_cell_worker *workers; /* array with room for as many workers as may run at the same time */
    /* memory pipeline of each sampled compute unit; the contents of its L1 stay when the next
     * work-groups start */
    pm_memory_unit **units;
    /* number of cells (work-groups of one wave on one compute unit) that have been started */
    size_t cells;
    /* number of the oldest cell (work-groups of one wave on one compute unit) that was started and
     * is not finished */
    size_t oldest;
    /* number of queued L2 requests at which a cell (work-groups of one wave on one compute unit)
     * pauses: PORTION, LONG_PORTION or PATIENT */
    size_t pause;
    /* starts[site]: first addresses that some work-groups access by the memory instruction with
     * index `site`, in all cells (work-groups of one wave on one compute unit) of a sampled launch
     * that have finished */
    pm_site_starts *starts;
    /* first: sums of counts over the sampled work-groups that start when the launch begins (the
     * first wave); rest: the same over all later work-groups */
    pm_stratum first, rest;
    pm_piles piles;
    /* record of compare-and-swap retry loops on global memory; NULL: the kernel has none */
    pm_contest *contest;
} pm_launch_counting;

/* Returns true if the L2 requests of work-groups that do not run must be estimated from the
 * requests of work-groups that run. This is not needed if all work-groups run. It is not done for a
 * CPU, because its cores do not run work-groups in waves. */
bool pm_cells_ask_for_waves(const pm_launch_counting *c);
/* Prepares a worker to run a cell (work-groups of one wave on one compute unit). */
pm_status pm_cells_start(pm_launch_counting *c, pm_cell_worker *w, pm_cell cell, pm_error *err);
/* Runs the cell (work-groups of one wave on one compute unit) of worker i until it ends, has
 * c->pause queued L2 requests, or waits at a barrier of the grid. user: the pm_launch_counting. */
pm_status pm_cells_run(void *user, size_t i, pm_error *err);
/* Runs the cells (work-groups of one wave on one compute unit) of all workers to their ends, and
 * passes the cells' requests to the simulated L2. */
pm_status pm_cells_finish(pm_launch_counting *c, pm_error *err);
/* Runs the sampled cells of a wave (cell: its work-groups on one compute unit), from compute unit
 * `from_unit` on. */
pm_status pm_cells_run_wave(pm_launch_counting *c, uint64_t wave, unsigned from_unit,
                            pm_error *err);
pm_status pm_cells_create_worker(pm_launch_counting *c, pm_error *err);
/* Creates the workers, one for each cell (work-groups of one wave on one compute unit) that runs at
 * the same time. If all cells of the launch run, the cells' requests compete for L2, so the counts
 * depend on the number of workers. The number must then not depend on the threads of this machine.
 * If the launch is sampled, L2 takes one cell after the other, so the number of workers has no
 * effect on the counts. */
pm_status pm_cells_create_workers(pm_launch_counting *c, pm_error *err);
/* Returns the CPU time that a finished cell (work-groups of one wave on one compute unit) took, in
 * units of the time for an empty basic block. It is computed from counts and not measured, because
 * the sampling plan must be the same on a busy machine as on an idle one. */
double pm_cells_work(const pm_launch_counting *c, const pm_cell_worker *w);
void pm_cells_free_workers(pm_launch_counting *c);

#endif
