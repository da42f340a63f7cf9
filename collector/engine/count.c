/* Counts the events of a launch by running all of its work-groups, or a sample.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cell is the work-groups of one wave on one compute unit. Worker threads run cells in parallel,
 * each up to a limit of queued L2 requests. Then the simulated L2 (l2/l2.h) takes the queued
 * requests. If all cells run, L2 takes short portions from all cells in turn. If the launch is
 * sampled, L2 takes all requests of one cell before those of the next.
 */
#include "collector/engine/count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/group_strides.h"
#include "collector/engine/memory/atomic_hot_spots.h"
#include "collector/measure.h"

enum {
    /* Limit of queued L2 requests at which a cell pauses if all work-groups of the launch run. A
     * cell is the work-groups of one wave on one compute unit. */
    PORTION = 4096,
    /* Limit of queued L2 requests per cell (work-groups of one wave on one compute unit) if the
     * launch is sampled. The simulated L2 then takes all requests of one cell before those of the
     * next. */
    LONG_PORTION = 1 << 18,
    /* Limit of queued L2 requests for the cell (work-groups of one wave on one compute unit) that
     * runs first in a sampled launch. The work of this cell decides how many cells the sample
     * has. */
    PATIENT = 1 << 22,
    MOST_WORKERS = 32
};
/* CPU time that the engine takes for one memory instruction and for one other instruction of a
 * warp, in units of the time for an empty basic block. Over perfmodel's suite of programs, times
 * estimated with these constants are within a factor of two of measured times. */
static const double ACCESS_BLOCKS = 3, INSTRUCTION_BLOCKS = 0.125;
/* Upper limit of the requests to L2 of a sample. It bounds the time of the simulated L2, which
 * takes about 0.1 us a request if addresses are scattered. */
static const double MOST_REQUESTS = 2e7;
/* Upper limit of the memory of all workers together, in bytes. */
static const size_t WORKER_BYTES = (size_t)192 << 20;

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
} worker;

typedef struct {
    const pm_count_request *request;
    pm_sampling_plan plan;
    size_t worker_count;
    worker *workers; /* array with room for as many workers as may run at the same time */
    /* memory pipeline of each sampled compute unit; its L1 retains its contents from wave to
     * wave */
    pm_memory_unit **units;
    /* number of cells (work-groups of one wave on one compute unit) that have been started */
    size_t cells;
    /* number of the oldest cell (work-groups of one wave on one compute unit) that was started and
     * is not finished */
    size_t oldest;
    /* limit of a cell's queued L2 requests at which the cell (work-groups of one wave on one
     * compute unit) pauses: PORTION, LONG_PORTION or PATIENT */
    size_t pause;
    /* starts[site]: first addresses that some work-groups access by the memory instruction with
     * index `site`, combined over the finished cells (work-groups of one wave on one compute unit)
     * of a sampled launch */
    pm_site_starts *starts;
    /* sums of counts over the sampled work-groups of the first wave, and of all other waves */
    pm_stratum first, rest;
    pm_piles piles;
    /* record of compare-and-swap retry loops on global memory; NULL: the kernel has none */
    pm_contest *contest;
} counting;

/* ---- cells: work-groups of one wave on one compute unit ----------------------------------- */

/* Returns whether all cells (work-groups of one wave on one compute unit) run at the same time,
 * because their work-groups wait for each other. */
static bool runs_together(const counting *c)
{
    return c->request->run->rules.code->waits_for_grid && c->plan.whole;
}

static bool next_group(void *user, uint64_t *group)
{
    worker *w = user;

    return pm_sampling_group(w->plan, w->cell, w->next++, group);
}

static void mark_executed(const counting *c, pm_cell cell)
{
    uint64_t group;

    for (uint64_t i = 0; c->request->executed && pm_sampling_group(&c->plan, cell, i, &group); i++)
        c->request->executed[group / 8] |= (uint8_t)(1 << group % 8);
}

/* Returns whether the L2 requests of work-groups that do not run must be estimated from those that
 * run (expect_wave). This is not needed if all work-groups run. It is not done for a CPU, because
 * its cores do not run work-groups in waves. */
static bool asks_for_waves(const counting *c)
{
    return !c->plan.whole && !pm_gpu_runs_loops(c->request->gpu);
}

static pm_status start_cell(counting *c, worker *w, pm_cell cell, pm_error *err)
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
    w->tally.starts = asks_for_waves(c) ? w->starts : NULL;
    if (w->tally.starts)
        memset(w->starts, 0, code->site_count * sizeof *w->starts);
    memset(w->tally.blocks, 0, code->block_count * sizeof *w->tally.blocks);
    memset(w->tally.sites, 0, code->site_count * sizeof *w->tally.sites);
    return pm_compute_unit_start(w->unit, next_group, w, err);
}

/* Adds the counts of a finished cell (work-groups of one wave on one compute unit) to the sums over
 * the first wave, or over all other waves. */
static void end_cell(counting *c, worker *w)
{
    pm_stratum *stratum = w->cell.wave == 0 && c->plan.waves > 1 ? &c->first : &c->rest;

    pm_stratum_add(stratum, c->request->run->rules.code, pm_sampling_cell_groups(&c->plan, w->cell),
                   &w->tally);
    for (size_t i = 0; w->tally.starts && i < c->request->run->rules.code->site_count; i++)
        pm_shift_join(&c->starts[i], &w->starts[i]);
    w->busy = false;
}

static pm_status run_worker(void *user, size_t i, pm_error *err)
{
    counting *c = user;
    worker *w = &c->workers[i];

    if (!w->busy || w->done)
        return PM_OK;
    while (pm_compute_unit_run(w->unit, &w->tally, c->pause, &w->done, err) == PM_OK) {
        /* All of this cell's work-groups wait at a barrier of the whole grid. In a sampled launch
         * the other work-groups do not run, so they are not waited for. */
        if (runs_together(c) || !pm_compute_unit_waits(w->unit))
            return PM_OK;
        pm_compute_unit_go_on(w->unit, &w->tally);
    }
    return err->status;
}

/* ---- L2 ----------------------------------------------------------------------------------- */

static pm_status hand_on(counting *c, worker *w, pm_error *err)
{
    size_t count;
    const pm_l2_request *requests = pm_unit_queue(w->tally.unit, &count);
    pm_status status = pm_l2_requests(c->request->l2, w->number, requests, count, err);

    /* Adds the passes of the requests' atomics in L2 to the counts for each block of memory, if the
     * kernel has atomics or compare-and-swap retry loops. In a pass, L2 changes different words of
     * one sector. */
    if (w->events[PM_AGAIN_NONE].count[PM_EVENT_atomic] > 0 || c->contest)
        pm_piles_add(&c->piles, requests, count,
                     c->request->gpu->l2_line ? c->request->gpu->l2_line : PM_MEMORY_LINE);
    pm_unit_drain(w->tally.unit);
    return status;
}

/* Passes the workers' queued requests to the simulated L2. If all work-groups run, L2 takes a
 * portion of the requests of each worker in turn. If the launch is sampled, L2 takes all requests
 * of the oldest cell (work-groups of one wave on one compute unit) before those of the next cell.
 */
static pm_status drain(counting *c, pm_error *err)
{
    bool more = true;

    while (more) {
        more = false;
        for (size_t i = 0; i < c->worker_count; i++) {
            worker *w = &c->workers[i];

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

static bool any_busy(const counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy)
            return true;
    return false;
}

/* If all work-groups of the launch wait at a barrier of the grid, lets all of them go on. */
static void pass_grid_barrier(counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy && !pm_compute_unit_waits(c->workers[i].unit))
            return;
    for (size_t i = 0; i < c->worker_count; i++)
        if (c->workers[i].busy)
            pm_compute_unit_go_on(c->workers[i].unit, &c->workers[i].tally);
}

static pm_status finish_workers(counting *c, pm_error *err)
{
    while (any_busy(c)) {
        if (pm_pool_run(c->request->pool, c->worker_count, run_worker, c, err) != PM_OK ||
            drain(c, err) != PM_OK)
            return err->status;
        if (runs_together(c))
            pass_grid_barrier(c);
    }
    return PM_OK;
}

/* ---- workers ------------------------------------------------------------------------------ */

static pm_status create_worker(counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    const pm_kernel_code *code = r->run->rules.code;
    worker *w = &c->workers[c->worker_count++];

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

/* Creates the workers, one for each cell (work-groups of one wave on one compute unit) that runs at
 * the same time. If all cells run, their requests compete for L2, so the counts depend on the
 * number of workers. The number must then not depend on the threads of this machine. In a sampled
 * launch L2 takes one cell after the other, so the number of workers has no effect on the
 * counts. */
static pm_status create_workers(counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    const size_t bytes = pm_compute_unit_bytes(r->run, r->resident);
    size_t wanted = c->plan.whole ? MOST_WORKERS : 2 * (size_t)pm_pool_threads(r->pool);
    size_t fit = WORKER_BYTES / (bytes + 1);
    pm_status status = PM_OK;

    wanted = wanted < MOST_WORKERS ? wanted : MOST_WORKERS;
    wanted = wanted < r->gpu->compute_units ? wanted : r->gpu->compute_units;
    wanted = wanted < fit ? wanted : fit;
    if (runs_together(c)) {
        wanted = c->plan.taken_units;
        status = pm_check_together(r->run, wanted * r->resident, err);
    }
    while (status == PM_OK && c->worker_count < wanted)
        status = create_worker(c, err);
    return status;
}

/* ---- the launch --------------------------------------------------------------------------- */

static pm_status run_wave(counting *c, uint64_t wave, unsigned from_unit, pm_error *err)
{
    if (wave > 0)
        pm_l2_next_wave(c->request->l2, wave);
    for (unsigned u = from_unit; u < c->plan.taken_units;) {
        for (size_t i = 0; i < c->worker_count && u < c->plan.taken_units; u++) {
            pm_cell cell = {.wave = wave, .unit = u};

            if (pm_sampling_cell_groups(&c->plan, cell) == 0)
                continue;
            if (start_cell(c, &c->workers[i++], cell, err) != PM_OK)
                return err->status;
        }
        if (finish_workers(c, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

/* Returns the CPU time that a finished cell (work-groups of one wave on one compute unit) took, in
 * units of the time for an empty basic block. It is computed from counts and not measured, because
 * the sampling plan must be the same on a busy machine as on an idle one. */
static double work_of(const counting *c, const worker *w)
{
    const pm_kernel_code *code = c->request->run->rules.code;
    double work = 1;

    for (size_t b = 0; b < code->block_count; b++)
        work += (double)w->tally.blocks[b].warps * (1 + ACCESS_BLOCKS * code->blocks[b].sites +
                                                    INSTRUCTION_BLOCKS * code->blocks[b].mix.total);
    return work;
}

/* Returns the number of cells to sample after the first one has run. A cell is the work-groups of
 * one wave on one compute unit. */
static double cells_to_run(const counting *c)
{
    const pm_count_request *r = c->request;
    const worker *first = &c->workers[0];
    size_t requests;

    if (r->sample > 0)
        return r->sample * (double)c->plan.cells;
    if (!first->done)
        return 2;
    pm_unit_queue(first->tally.unit, &requests);
    return fmin(fmin(r->work / work_of(c, first), MOST_REQUESTS / fmax(1, (double)requests)),
                r->most * (double)c->plan.cells);
}

/* Sets groups[d] to the launch's number of work-groups in dimension d. */
static void take_groups(const counting *c, uint64_t groups[3])
{
    for (unsigned d = 0; d < 3; d++)
        groups[d] = c->request->run->context.groups[d];
}

/* Fails if work-groups wait for each other that do not fit on the GPU at the same time. */
static pm_status check_resident(const counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    const pm_launch_rules *rules = &r->run->rules;

    if (!rules->code->waits_for_grid || c->plan.waves <= 1)
        return PM_OK;
    return pm_fail(
        err, PM_BAD_INPUT,
        "%s: the %llu work-groups of kernel %s wait for each other, and %s holds %llu at "
        "a time: make the grid smaller",
        rules->source_path, (unsigned long long)r->run->groups, rules->code->name, r->gpu->device,
        (unsigned long long)r->gpu->compute_units * r->resident);
}

/* Runs the first cell (work-groups of one wave on one compute unit) to measure its work, and then
 * makes the sampling plan. */
static pm_status choose(counting *c, pm_error *err)
{
    const pm_count_request *r = c->request;
    uint64_t groups[3];
    double cells;

    take_groups(c, groups);
    c->plan = pm_sampling_sample(r->gpu, groups, r->resident, 2, r->seed);
    if (check_resident(c, err) != PM_OK)
        return err->status;
    if (r->sample >= 1 || c->plan.whole || r->whole) {
        c->plan = pm_sampling_whole(r->gpu, r->run->groups, r->resident);
        return PM_OK;
    }
    c->pause = PATIENT;
    if (start_cell(c, &c->workers[0], (pm_cell){0}, err) != PM_OK || run_worker(c, 0, err) != PM_OK)
        return err->status;
    cells = cells_to_run(c);
    /* The first cell has run alone. If the kernel's work-groups wait for each other at a barrier of
     * the grid, a plan that runs all cells would be wrong now, so at least one cell is left out. */
    if (r->run->rules.code->waits_for_grid)
        cells = fmin(cells, (double)c->plan.cells - 1);
    c->plan = pm_sampling_sample(r->gpu, groups, r->resident, cells, r->seed);
    c->pause = c->plan.whole ? PORTION : LONG_PORTION;
    return PM_OK;
}

/* Starts the launch in the simulated L2, which needs the number of cells of the launch. Cells
 * (work-groups of one wave on one compute unit) have fewer groups if the wave is not full. The
 * number is therefore computed as the launch's number of groups, divided by the mean number of
 * groups of the sampled cells. */
static pm_status begin_l2(const counting *c, pm_error *err)
{
    const pm_sampling_plan *plan = &c->plan;
    double cells = 0, groups = 0;

    if (plan->whole)
        return pm_l2_begin(c->request->l2, (double)plan->cells, (double)plan->cells, err);
    for (uint64_t wave = 0; wave < plan->waves; wave = pm_sampling_next_wave(plan, wave))
        for (unsigned u = 0; u < plan->taken_units; u++) {
            uint64_t n = pm_sampling_cell_groups(plan, (pm_cell){.wave = wave, .unit = u});

            cells += n > 0;
            groups += (double)n;
        }
    return pm_l2_begin(c->request->l2, cells, cells * (double)plan->groups / groups, err);
}

/* Passes to the simulated L2 the strides of each memory instruction's addresses between
 * work-groups. From them L2 estimates the requests of the work-groups that do not run
 * (l2/wave_replay.h). */
static pm_status expect_wave(const counting *c, pm_error *err)
{
    const size_t sites = c->request->run->rules.code->site_count;
    pm_wave_plan plan = {c->plan.units, c->plan.resident, {1, 1, 1}};
    pm_site_shift *shift = calloc(sites + 1, sizeof *shift);
    pm_status status = PM_OK;

    if (!shift)
        return pm_fail(err, PM_FAILED, "%s: out of memory for its counts",
                       c->request->run->rules.code->name);
    take_groups(c, plan.groups);
    for (size_t i = 0; status == PM_OK && i < sites; i++)
        status = pm_shift_find(&c->starts[i], plan.groups, &shift[i], err);
    if (status == PM_OK)
        status = pm_l2_expect_wave(c->request->l2, &plan, shift, sites, err);
    free(shift);
    return status;
}

static pm_status count_all(counting *c, pm_error *err)
{
    pm_status status;
    bool pilot;

    status = create_workers(c, err);
    if (status != PM_OK)
        return status;
    status = begin_l2(c, err);
    pilot = c->workers[0].busy;
    if (status == PM_OK && pilot)
        status = finish_workers(c, err);
    for (uint64_t wave = 0; status == PM_OK && wave < c->plan.waves;
         wave = pm_sampling_next_wave(&c->plan, wave))
        status = run_wave(c, wave, wave == 0 && pilot ? 1 : 0, err);
    if (status == PM_OK && asks_for_waves(c))
        status = expect_wave(c, err);
    return status == PM_OK ? pm_l2_end(c->request->l2, err) : status;
}

/* ---- the whole count of a launch ----------------------------------------------------------- */

static void free_counting(counting *c)
{
    for (size_t i = 0; i < c->worker_count; i++) {
        pm_compute_unit_free(c->workers[i].unit);
        free(c->workers[i].tally.blocks);
        free(c->workers[i].tally.sites);
        free(c->workers[i].starts);
    }
    for (unsigned i = 0; c->units && i < c->request->gpu->compute_units; i++)
        pm_unit_free(c->units[i]);
    free(c->units);
    free(c->starts);
    free(c->workers);
    pm_contest_free(c->contest);
    pm_stratum_free(&c->first);
    pm_stratum_free(&c->rest);
    free(c);
}

void pm_launch_counts_free(pm_launch_counts *counts)
{
    free(counts->sites);
    *counts = (pm_launch_counts){0};
}

/* Returns the factors by which events in compare-and-swap retry loops on global memory are
 * multiplied because of contention. All resident work-groups of all compute units contend at the
 * same time. Their atomics queue at the busiest L2 slice, which processes them in passes: in a
 * pass, it changes different words of one sector. sampled: fraction of the launch's work-groups
 * that ran. */
static pm_attempt_scale scale_attempts(const counting *c, double sampled)
{
    const pm_sampling_plan *plan = &c->plan;
    const double resident = (double)plan->units * plan->resident;
    const double rounds = fmax(1, (double)plan->groups / resident);
    const double warps = pm_contest_warps(c->contest),
                 passes = pm_piles_fullest(&c->piles, plan->units);
    double others, come;
    pm_attempts attempts = pm_contest_take(c->contest, sampled, &others);

    come = attempts.work_items > 0 && attempts.entries > 0
               ? attempts.wins / attempts.entries / attempts.work_items
               : 0;
    pm_contest_in_launch(&attempts, others, warps, passes * come * warps / sampled / rounds,
                         rounds);
    return pm_attempts_scale(&attempts);
}

/* Scales the counts of the sampled cells (work-groups of one wave on one compute unit) to the whole
 * launch: those of the first wave to all work-groups of that wave, those of other waves to all
 * other work-groups. */
static pm_status scale(const counting *c, pm_launch_counts *counts, pm_error *err)
{
    const pm_kernel_code *code = c->request->run->rules.code;
    double groups = (double)c->plan.groups, first = 0;
    pm_attempt_scale again = {1, 1};

    counts->sites = calloc(code->site_count + 1, sizeof *counts->sites);
    if (!counts->sites)
        return pm_fail(err, PM_FAILED, "%s: out of memory for its counts", code->name);
    if (c->plan.waves > 1)
        first = (double)c->plan.units * c->plan.resident;
    counts->sampled = (c->first.groups + c->rest.groups) / groups;
    if (c->contest)
        again = scale_attempts(c, counts->sampled);
    pm_stratum_scale(&c->first, first, &again, code, counts);
    pm_stratum_scale(&c->rest, groups - first, &again, code, counts);
    counts->values[PM_EVENT_atomic_pile] =
        pm_piles_highest(&c->piles, again.work_items) / counts->sampled;
    return PM_OK;
}

static pm_status create_contest(counting *c, pm_error *err)
{
    const pm_launch_rules *rules = &c->request->run->rules;
    uint64_t bytes = 0;

    for (size_t i = 0; i < rules->region_count; i++)
        bytes += rules->regions[i].bytes;
    c->contest = pm_contest_create(bytes);
    return c->contest
               ? PM_OK
               : pm_fail(err, PM_FAILED, "%s: out of memory for its atomics", rules->code->name);
}

pm_status pm_launch_count(const pm_count_request *request, pm_launch_counts *counts, pm_error *err)
{
    const pm_kernel_code *code = request->run->rules.code;
    counting *c = calloc(1, sizeof *c);
    pm_status status = PM_OK;

    *counts = (pm_launch_counts){0};
    if (!c)
        return pm_fail(err, PM_FAILED, "%s: out of memory", code->name);
    c->request = request;
    c->pause = PORTION;
    c->units = calloc(request->gpu->compute_units, sizeof(pm_memory_unit *));
    c->starts = calloc(code->site_count + 1, sizeof *c->starts);
    c->workers = calloc(MOST_WORKERS + request->gpu->compute_units, sizeof *c->workers);
    if (!c->units || !c->starts || !c->workers)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", code->name);
    if (status == PM_OK && code->tries_again[PM_AGAIN_GLOBAL])
        status = create_contest(c, err);
    if (status == PM_OK)
        status = pm_stratum_create(&c->first, &request->run->rules, err);
    if (status == PM_OK)
        status = pm_stratum_create(&c->rest, &request->run->rules, err);
    if (status == PM_OK)
        status = create_worker(c, err);
    if (status == PM_OK)
        status = choose(c, err);
    if (status == PM_OK && !(c->plan.whole && request->code == PM_CODE_SLICE)) {
        status = count_all(c, err);
        if (status == PM_OK)
            status = scale(c, counts, err);
    }
    if (status != PM_OK)
        pm_launch_counts_free(counts);
    free_counting(c);
    return status;
}
