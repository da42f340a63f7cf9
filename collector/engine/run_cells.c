/* Runs the work-groups of a launch on several threads. Each thread runs one cell at a time: the
 * work-groups of one wave on one compute unit. See run_cells.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/run_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/measure.h"

/* CPU time that the engine takes for one memory instruction and for one other instruction of a
 * warp, in units of the time for an empty basic block. Over perfmodel's suite of programs, times
 * estimated with these constants are within a factor of two of measured times. */
static const double ACCESS_BLOCKS = 3, INSTRUCTION_BLOCKS = 0.125;
/* Upper limit of the memory of all workers together, in bytes. */
static const size_t WORKER_BYTES = (size_t)192 << 20;

/* ---- cells: work-groups of one wave on one compute unit ----------------------------------- */

/* Returns whether all cells (work-groups of one wave on one compute unit) run at the same time,
 * because their work-groups wait for each other at a barrier of the grid. */
static bool runs_together(const pm_launch_counting *c)
{
    return c->request->run->rules.code->waits_for_grid && c->plan.whole;
}

static bool next_group(void *user, uint64_t *group)
{
    pm_cell_worker *w = user;

    return pm_sampling_group(w->plan, w->cell, w->next++, group);
}

static void mark_executed(const pm_launch_counting *c, pm_cell cell)
{
    uint64_t group;

    for (uint64_t i = 0; c->request->executed && pm_sampling_group(&c->plan, cell, i, &group); i++)
        c->request->executed[group / 8] |= (uint8_t)(1 << group % 8);
}

bool pm_cells_ask_for_waves(const pm_launch_counting *c)
{
    return !c->plan.whole && !pm_gpu_runs_loops(c->request->gpu);
}

pm_status pm_cells_start(pm_launch_counting *c, pm_cell_worker *w, pm_cell cell, pm_error *err)
{
    const pm_kernel_code *code = c->request->run->rules.code;
    pm_memory_unit **unit = &c->units[cell.unit];

    if (!*unit && !(*unit = pm_unit_create(c->request->gpu, c->request->l1_bytes, err)))
        return err->status;
    mark_executed(c, cell);
    w->plan = &c->plan;
    w->cell = cell;
    w->next = 0;
    w->number = c->cells++;
    w->busy = true;
    w->done = false;
    memset(w->events, 0, sizeof w->events);
    w->in_shared = (pm_attempts){0};
    w->tally.unit = *unit;
    w->tally.code = c->request->code;
    w->tally.loops = pm_gpu_runs_loops(c->request->gpu);
    w->tally.events = w->events;
    w->tally.in_shared = &w->in_shared;
    w->tally.contests[PM_AGAIN_GLOBAL] = c->contest;
    w->tally.starts = pm_cells_ask_for_waves(c) ? w->starts : NULL;
    if (w->tally.starts)
        memset(w->starts, 0, code->site_count * sizeof *w->starts);
    memset(w->tally.blocks, 0, code->block_count * sizeof *w->tally.blocks);
    memset(w->tally.sites, 0, code->site_count * sizeof *w->tally.sites);
    return pm_compute_unit_start(w->unit, next_group, w, err);
}

/* Adds the counts of a finished cell (work-groups of one wave on one compute unit) to the sums over
 * the first wave, or over all other waves. */
static void end_cell(pm_launch_counting *c, pm_cell_worker *w)
{
    pm_stratum *stratum = w->cell.wave == 0 && c->plan.waves > 1 ? &c->first : &c->rest;

    pm_stratum_add(stratum, c->request->run->rules.code, pm_sampling_cell_groups(&c->plan, w->cell),
                   &w->tally);
    for (size_t i = 0; w->tally.starts && i < c->request->run->rules.code->site_count; i++)
        pm_shift_join(&c->starts[i], &w->starts[i]);
    w->busy = false;
}

pm_status pm_cells_run(void *user, size_t i, pm_error *err)
{
    pm_launch_counting *c = user;
    pm_cell_worker *w = &c->workers[i];

    if (!w->busy || w->done)
        return PM_OK;
    while (pm_compute_unit_run(w->unit, &w->tally, c->pause, &w->done, err) == PM_OK) {
        /* All work-groups of this cell (those of one wave on one compute unit) wait at a barrier of
         * the whole grid. If the launch is sampled, other work-groups do not run, so the cell
         * continues without waiting for them. */
        if (runs_together(c) || !pm_compute_unit_waits(w->unit))
            return PM_OK;
        pm_compute_unit_go_on(w->unit, &w->tally);
    }
    return err->status;
}

/* ---- L2 ----------------------------------------------------------------------------------- */

static pm_status hand_on(pm_launch_counting *c, pm_cell_worker *w, pm_error *err)
{
    size_t count;
    const pm_l2_request *requests = pm_unit_queue(w->tally.unit, &count);
    pm_status status = pm_l2_requests(c->request->l2, w->number, requests, count, err);

    /* Adds the passes of the requests' atomics in L2 to the counts for each block of memory, if the
     * kernel has atomics or compare-and-swap retry loops. A pass of L2 changes different words of
     * one sector. */
    if (w->events[PM_AGAIN_NONE].count[PM_EVENT_atomic] > 0 || c->contest)
        pm_piles_add(&c->piles, requests, count,
                     c->request->gpu->l2_line ? c->request->gpu->l2_line : PM_MEMORY_LINE);
    pm_unit_drain(w->tally.unit);
    return status;
}

/* Passes the workers' queued requests to the simulated L2. If all work-groups run, L2 takes the
 * queued requests of each worker in turn, which are few because workers pause often. If the launch
 * is sampled, L2 takes all requests of the oldest cell (work-groups of one wave on one compute
 * unit) before those of the next cell. */
static pm_status drain(pm_launch_counting *c, pm_error *err)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < c->worker_count; i++) {
            pm_cell_worker *w = &c->workers[i];

            if (!w->busy || (!c->plan.whole && w->number != c->oldest))
                continue;
            if (hand_on(c, w, err) != PM_OK)
                return err->status;
            if (!w->done)
                continue;
            end_cell(c, w);
            c->oldest = w->number + 1;
            more = !c->plan.whole;
        }
    }
    return PM_OK;
}

static bool any_busy(const pm_launch_counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy)
            return true;
    return false;
}

/* If all work-groups of the launch wait at a barrier of the grid, lets all of them go on. */
static void pass_grid_barrier(pm_launch_counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy && !pm_compute_unit_waits(c->workers[i].unit))
            return;
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy)
            pm_compute_unit_go_on(c->workers[i].unit, &c->workers[i].tally);
}

pm_status pm_cells_finish(pm_launch_counting *c, pm_error *err)
{
    while (any_busy(c)) {
        if (pm_pool_run(c->request->pool, c->worker_count, pm_cells_run, c, err) != PM_OK ||
            drain(c, err) != PM_OK)
            return err->status;
        if (runs_together(c))
            pass_grid_barrier(c);
    }
    return PM_OK;
}

/* ---- workers ------------------------------------------------------------------------------ */

pm_status pm_cells_create_worker(pm_launch_counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    const pm_kernel_code *code = r->run->rules.code;
    pm_cell_worker *w = &c->workers[c->worker_count++];

    w->unit = pm_compute_unit_create(r->run, r->resident, err);
    if (!w->unit)
        return err->status;
    w->tally.blocks = calloc(code->block_count + 1, sizeof *w->tally.blocks);
    w->tally.sites = calloc(code->site_count + 1, sizeof *w->tally.sites);
    w->starts = calloc(code->site_count + 1, sizeof *w->starts);
    if (!w->tally.blocks || !w->tally.sites || !w->starts)
        return pm_fail(err, PM_FAILED, "%s: out of memory for its counts", code->name);
    return PM_OK;
}

pm_status pm_cells_create_workers(pm_launch_counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    const size_t bytes = pm_compute_unit_bytes(r->run, r->resident);
    size_t wanted = c->plan.whole ? PM_CELLS_MOST_WORKERS : 2 * (size_t)pm_pool_threads(r->pool);
    size_t fit = WORKER_BYTES / (bytes + 1);
    pm_status status = PM_OK;

    wanted = wanted < PM_CELLS_MOST_WORKERS ? wanted : PM_CELLS_MOST_WORKERS;
    wanted = wanted < r->gpu->compute_units ? wanted : r->gpu->compute_units;
    wanted = wanted < fit ? wanted : fit;
    if (runs_together(c)) {
        wanted = c->plan.taken_units;
        status = pm_check_together(r->run, wanted * r->resident, err);
    }
    while (status == PM_OK && c->worker_count < wanted)
        status = pm_cells_create_worker(c, err);
    return status;
}

/* ---- waves --------------------------------------------------------------------------------- */

pm_status pm_cells_run_wave(pm_launch_counting *c, uint64_t wave, unsigned from_unit, pm_error *err)
{
    if (wave > 0)
        pm_l2_next_wave(c->request->l2, wave);
    for (unsigned u = from_unit; u < c->plan.taken_units;) {
        for (size_t i = 0; i < c->worker_count && u < c->plan.taken_units; u++) {
            pm_cell cell = {.wave = wave, .unit = u};

            if (pm_sampling_cell_groups(&c->plan, cell) == 0)
                continue;
            if (pm_cells_start(c, &c->workers[i++], cell, err) != PM_OK)
                return err->status;
        }
        if (pm_cells_finish(c, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

double pm_cells_work(const pm_launch_counting *c, const pm_cell_worker *w)
{
    const pm_kernel_code *code = c->request->run->rules.code;
    double work = 1;

    for (size_t b = 0; b < code->block_count; b++)
        work += (double)w->tally.blocks[b].warps * (1 + ACCESS_BLOCKS * code->blocks[b].sites +
                                                    INSTRUCTION_BLOCKS * code->blocks[b].mix.total);
    return work;
}

void pm_cells_free_workers(pm_launch_counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++) {
        pm_compute_unit_free(c->workers[i].unit);
        free(c->workers[i].tally.blocks);
        free(c->workers[i].tally.sites);
        free(c->workers[i].starts);
    }
    free(c->workers);
}
