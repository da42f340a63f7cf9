/* Counts the events of a kernel launch (such as memory requests) by running all of its work-groups,
 * or only a sample of them. See count.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * run_cells.h runs the work-groups. This file chooses the sample, and scales the counts of the
 * sampled work-groups to the launch. The sampling unit is a cell: the work-groups of one wave on
 * one compute unit.
 */
#include "collector/engine/count.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "collector/engine/run_cells.h"

enum {
    /* Limit of queued L2 requests at which a cell (work-groups of one wave on one compute unit)
     * pauses, if all work-groups of the launch run. */
    PORTION = 4096,
    /* Limit of queued L2 requests of a cell (work-groups of one wave on one compute unit), if the
     * launch is sampled. The simulated L2 then takes all requests of one cell before those of the
     * next. */
    LONG_PORTION = 1 << 18,
    /* Limit of queued L2 requests of the cell (work-groups of one wave on one compute unit) that
     * runs first in a sampled launch. The work of this cell decides how many cells are sampled. */
    PATIENT = 1 << 22
};
/* Upper limit of the number of L2 requests by the work-groups that are run as a sample of a launch.
 * It bounds the time of the simulated L2, which takes about 0.1 us a request if addresses are
 * scattered. */
static const double MOST_REQUESTS = 2e7;

/* ---- the launch --------------------------------------------------------------------------- */

/* Returns the number of cells to sample after the first cell has run. A cell is the work-groups of
 * one wave on one compute unit. */
static double cells_to_run(const pm_launch_counting *c)
{
    const pm_count_request *r = c->request;
    const pm_cell_worker *first = &c->workers[0];
    size_t requests;

    if (r->sample > 0)
        return r->sample * (double)c->plan.cells;
    if (!first->done)
        return 2;
    pm_unit_queue(first->tally.unit, &requests);
    return fmin(fmin(r->work / pm_cells_work(c, first), MOST_REQUESTS / fmax(1, (double)requests)),
                r->most * (double)c->plan.cells);
}

/* Sets groups[d] to the launch's number of work-groups in dimension d. */
static void take_groups(const pm_launch_counting *c, uint64_t groups[3])
{
    for (unsigned d = 0; d < 3; d++)
        groups[d] = c->request->run->context.groups[d];
}

/* Fails if work-groups wait for each other that do not fit on the GPU at the same time. */
static pm_status check_resident(const pm_launch_counting *c, pm_error *err)
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

/* Runs the first cell (work-groups that reside together on one compute unit) to measure how much
 * work a cell is. Then chooses which cells of the launch are run as a sample. */
static pm_status choose(pm_launch_counting *c, pm_error *err)
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
    if (pm_cells_start(c, &c->workers[0], (pm_cell){0}, err) != PM_OK ||
        pm_cells_run(c, 0, err) != PM_OK)
        return err->status;
    cells = cells_to_run(c);
    /* If work-groups wait for each other at a barrier of the grid, the launch can only run
     * completely if all its cells (work-groups that reside together on one compute unit) run at the
     * same time. The first cell has already run alone, so at least one cell is left out of the
     * sample. */
    if (r->run->rules.code->waits_for_grid)
        cells = fmin(cells, (double)c->plan.cells - 1);
    c->plan = pm_sampling_sample(r->gpu, groups, r->resident, cells, r->seed);
    c->pause = c->plan.whole ? PORTION : LONG_PORTION;
    return PM_OK;
}

/* Starts the launch in the simulated L2, which needs the number of cells of the launch. A cell has
 * the work-groups that reside together on one compute unit, and fewer of them if the launch does
 * not fill all compute units. The number of cells is therefore the launch's number of work-groups,
 * divided by the mean number of work-groups of the sampled cells. */
static pm_status begin_l2(const pm_launch_counting *c, pm_error *err)
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
 * work-groups. L2 uses the strides to estimate the requests of the work-groups that do not run
 * (l2/wave_replay.h). */
static pm_status expect_wave(const pm_launch_counting *c, pm_error *err)
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

static pm_status count_all(pm_launch_counting *c, pm_error *err)
{
    pm_status status;
    bool pilot;

    status = pm_cells_create_workers(c, err);
    if (status != PM_OK)
        return status;
    status = begin_l2(c, err);
    pilot = c->workers[0].busy;
    if (status == PM_OK && pilot)
        status = pm_cells_finish(c, err);
    for (uint64_t wave = 0; status == PM_OK && wave < c->plan.waves;
         wave = pm_sampling_next_wave(&c->plan, wave))
        status = pm_cells_run_wave(c, wave, wave == 0 && pilot ? 1 : 0, err);
    if (status == PM_OK && pm_cells_ask_for_waves(c))
        status = expect_wave(c, err);
    return status == PM_OK ? pm_l2_end(c->request->l2, err) : status;
}

/* ---- the whole count of a launch ----------------------------------------------------------- */

static void free_counting(pm_launch_counting *c)
{
    pm_cells_free_workers(c);
    for (unsigned i = 0; c->units && i < c->request->gpu->compute_units; i++)
        pm_unit_free(c->units[i]);
    free(c->units);
    free(c->starts);
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
 * pass, the slice changes different words of one sector. sampled: fraction of the launch's
 * work-groups that ran. */
static pm_attempt_scale scale_attempts(const pm_launch_counting *c, double sampled)
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

/* Scales the counts of the sampled work-groups to the whole launch. A wave is the work-groups that
 * run on all compute units at the same time. Counts of sampled work-groups of the first wave are
 * scaled to all of its work-groups, and counts of other sampled work-groups to all other waves. */
static pm_status scale(const pm_launch_counting *c, pm_launch_counts *counts, pm_error *err)
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

static pm_status create_contest(pm_launch_counting *c, pm_error *err)
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
    pm_launch_counting *c = calloc(1, sizeof *c);
    pm_status status = PM_OK;

    *counts = (pm_launch_counts){0};
    if (!c)
        return pm_fail(err, PM_FAILED, "%s: out of memory", code->name);
    c->request = request;
    c->pause = PORTION;
    c->units = calloc(request->gpu->compute_units, sizeof(pm_memory_unit *));
    c->starts = calloc(code->site_count + 1, sizeof *c->starts);
    c->workers = calloc(PM_CELLS_MOST_WORKERS + request->gpu->compute_units, sizeof *c->workers);
    if (!c->units || !c->starts || !c->workers)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", code->name);
    if (status == PM_OK && code->tries_again[PM_AGAIN_GLOBAL])
        status = create_contest(c, err);
    if (status == PM_OK)
        status = pm_stratum_create(&c->first, &request->run->rules, err);
    if (status == PM_OK)
        status = pm_stratum_create(&c->rest, &request->run->rules, err);
    if (status == PM_OK)
        status = pm_cells_create_worker(c, err);
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
