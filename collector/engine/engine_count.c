/* Counts the events (memory requests, instructions and so on) of all kernel launches of a workload.
 * See engine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/engine/backend.h"
#include "collector/engine/dependences.h"
#include "collector/engine/engine_parts.h"

/* Numbers of basic blocks to run when a workload is sampled. SAMPLE_WORK: number in all launches
 * together, which takes some tenths of a second on two CPU cores of 2023. LAUNCH_WORK: least number
 * in each launch, which takes some hundredths of a second. */
static const double SAMPLE_WORK = 1e7, LAUNCH_WORK = 1e6;
/* If the buffers together exceed LARGE_BYTES, at most the fraction LARGE_SHARE of the work-groups
 * runs, so that most pages of the buffers are never allocated. In the worst case each line of 128
 * bytes that a work-group touches is in another page of 4096 bytes. 1.5 % of the work-groups then
 * touch about half of the pages. */
static const size_t LARGE_BYTES = (size_t)768 << 20;
static const double LARGE_SHARE = 0.015;
/* If the buffers exceed VERY_LARGE_BYTES, the fraction of work-groups that run is LARGE_SHARE *
 * SCATTERED_BYTES / bytes of the buffers. The pages that scattered accesses touch then need about a
 * gigabyte for buffers of any size. */
static const size_t VERY_LARGE_BYTES = (size_t)3 << 30;
static const double SCATTERED_BYTES = (double)(3 << 29);

/* Returns the least number of basic blocks that the sampled work-groups of one launch shall
 * execute. Usually only PM_MOST_LAUNCHES of the launches with the same kernel and number of
 * work-items are counted. If addresses or branches depend on data of earlier launches (`depends`),
 * all `alike` launches are counted. Fewer work-groups of each are then run, so that the total work
 * is the same. */
static double least_work(const pm_launch_choice *choice)
{
    return choice->depends ? LAUNCH_WORK * PM_MOST_LAUNCHES / (double)choice->alike : LAUNCH_WORK;
}

/* Returns the largest fraction of a launch's work-groups that may run to be counted. */
static double most_share(const pm_engine *self)
{
    const size_t bytes = self->buffers.arena_bytes;

    if (bytes <= LARGE_BYTES)
        return 1;
    return bytes <= VERY_LARGE_BYTES ? LARGE_SHARE : LARGE_SHARE * SCATTERED_BYTES / (double)bytes;
}

/* Runs the work-groups of launch i whose bits in `executed` are 0 (NULL: all work-groups), without
 * counting. */
static pm_status execute(const pm_engine *self, size_t i, const uint8_t *executed, pm_error *err)
{
    if (pm_trace_program_compile(self->program, PM_CODE_WHOLE, err) != PM_OK)
        return err->status;
    return pm_launch_execute(&self->launches[i].run, executed, pm_engine_pool_for(self, i), err);
}

static bool was_whole(const pm_engine *self, size_t i)
{
    for (size_t before = i; before-- > 0;)
        if (self->codes[before] == self->codes[i] && self->choices[before].counted)
            return self->counts[before].sampled >= 1;
    return false;
}

/* Chooses the code with which launch i is counted first: a slice, which computes only addresses and
 * branches, or the complete code. Counting with a slice is repeated with the complete code if all
 * work-groups have to run. If the kernel's previous counted launch had to be repeated, the complete
 * code is chosen at once. */
static pm_code_kind code_for(const pm_engine *self, size_t i, bool needed)
{
    const bool slice =
        self->program->has_slices && !needed && self->options.sample < 1 &&
        !pm_groups_interact(self->workload, self->codes[i], &self->workload->launches[i]) &&
        !was_whole(self, i);

    return slice ? PM_CODE_SLICE : PM_CODE_WHOLE;
}

static pm_status count_by(pm_engine *self, pm_count_request *request, pm_code_kind code, size_t i,
                          pm_error *err)
{
    request->code = code;
    memset(request->executed, 0, request->run->groups / 8 + 1);
    if (pm_trace_program_compile(self->program, code, err) != PM_OK)
        return err->status;
    return pm_launch_count(request, &self->counts[i], err);
}

static pm_status count_launch(pm_engine *self, pm_l2 *l2, size_t i, bool needed, pm_error *err)
{
    const pm_bound_launch *launch = &self->launches[i];
    pm_count_request request = {
        .run = &launch->run,
        .gpu = &self->options.gpu,
        .resident = launch->resident,
        .l1_bytes = pm_gpu_l1_bytes(&self->options.gpu, launch->resident, launch->shared_bytes),
        .sample = self->options.sample,
        /* `whole` is true, so that all work-groups run, if they wait for each other at a barrier of
         * the grid and exchange data that determine addresses, branches or later launches. */
        .whole = self->codes[i]->waits_for_grid &&
                 (needed || pm_launch_feeds_itself(self->workload, self->codes[i],
                                                   &self->workload->launches[i])),
        .work = fmax(SAMPLE_WORK / (double)self->chosen, least_work(&self->choices[i])),
        .most = most_share(self),
        .seed = self->options.seed + i,
        .pool = pm_engine_pool_for(self, i),
        .l2 = l2,
        .executed = calloc(launch->run.groups / 8 + 1, 1)};
    pm_status status;

    if (!request.executed)
        return pm_fail(err, PM_FAILED, "%s: out of memory for %llu work-groups",
                       launch->run.rules.code->name, (unsigned long long)launch->run.groups);
    status = count_by(self, &request, code_for(self, i, needed), i, err);
    if (status == PM_OK && self->counts[i].sampled == 0)
        status = count_by(self, &request, PM_CODE_WHOLE, i, err);
    if (status == PM_OK && self->counts[i].sampled < 1 && needed)
        status = execute(self, i, request.executed, err);
    else if (status == PM_OK && (self->counts[i].sampled < 1 || request.code == PM_CODE_SLICE))
        /* slices (code that computes only addresses and branches) store no results, so the results
         * are incomplete */
        self->complete = false;
    free(request.executed);
    return status;
}

/* Handles launch i if it is not counted: runs it only if a later launch needs its results. */
static pm_status pass_launch(pm_engine *self, size_t i, bool needed, pm_error *err)
{
    if (needed)
        return execute(self, i, NULL, err);
    self->complete = false;
    return PM_OK;
}

/* Returns the bytes of private memory of all work-groups that are resident on the GPU at the same
 * time. */
static double private_bytes(const pm_engine *self, size_t launch)
{
    const pm_bound_launch *l = &self->launches[launch];
    const uint32_t *size = l->run.context.local_size;
    const double groups =
        fmin((double)l->resident * self->options.gpu.compute_units, (double)l->run.groups);

    return groups * size[0] * size[1] * size[2] *
           ((double)l->run.rules.code->private_bytes + 4.0 * l->taken.spilled);
}

/* Estimates the number of loop iterations of a kernel per warp, at least 1. The number of
 * iterations follows from outside + iterations * inside = executed. outside, inside: instructions
 * of the GPU compiler's code outside and inside of loops. executed: counted instructions per
 * warp. */
static double rounds(const pm_kernel_resources *taken, double executed)
{
    return taken->inside.instructions > 0
               ? fmax((executed - taken->outside.instructions) / taken->inside.instructions, 1)
               : 1;
}

/* Adds to a launch's counts the stores and loads of spilled registers. The work-items of a warp
 * access adjacent words. The fraction of the loads that hit L1 is the fraction of the spilled data
 * that fits into L1. */
static void add_spills(const pm_engine *self, size_t launch)
{
    const pm_gpu *gpu = &self->options.gpu;
    const pm_bound_launch *l = &self->launches[launch];
    double *values = self->counts[launch].values;
    const pm_code_part *once = &l->taken.outside, *looped = &l->taken.inside;
    const double warps = pm_engine_warps_of(self, l),
                 often = rounds(&l->taken, values[PM_EVENT_inst_executed] / warps),
                 stores =
                     warps * (once->stores + often * looped->stores) + values[PM_EVENT_spill_store],
                 loads =
                     warps * (once->loads + often * looped->loads) + values[PM_EVENT_spill_load],
                 bytes = 4.0 * gpu->warp_width,
                 kept = private_bytes(self, launch) / gpu->compute_units,
                 missed = kept > (double)gpu->l1_bytes ? 1 - (double)gpu->l1_bytes / kept : 0,
                 lines = fmax(bytes / (gpu->l1_line ? gpu->l1_line : PM_MEMORY_LINE), 1);

    values[PM_EVENT_local_store] += stores;
    values[PM_EVENT_local_load] += loads;
    values[PM_EVENT_local_store_tag] += stores * lines;
    values[PM_EVENT_local_store_sector] += stores * bytes / PM_MEMORY_SECTOR;
    values[PM_EVENT_local_load_miss] += loads * bytes / PM_MEMORY_SECTOR * missed;
    values[PM_EVENT_global_wavefront] += (stores + loads) * lines;
    values[PM_EVENT_inst_executed] += stores + loads;
    values[PM_EVENT_thread_inst_executed] += (stores + loads) * gpu->warp_width;
    values[PM_EVENT_inst_memory] += (stores + loads) * gpu->warp_width;
}

/* Replaces the counted waits for loads by the number of waits in the code of AMD's compiler. The
 * ratio of waits to loads is taken from the compiler's code, whose loops are assumed to iterate as
 * often as rounds() says. The counted waits stay if a loop has loads but no wait, because the loop
 * may then wait for loads of the previous iteration. */
static void place_waits(const pm_engine *self, size_t launch)
{
    const pm_bound_launch *l = &self->launches[launch];
    double *values = self->counts[launch].values;
    const pm_code_part *once = &l->taken.outside, *looped = &l->taken.inside;
    const double often = rounds(&l->taken,
                                values[PM_EVENT_inst_executed] / pm_engine_warps_of(self, l)),
                 fetches = once->fetches + often * looped->fetches,
                 waits = once->waits + often * looped->waits, counted = values[PM_EVENT_load_wait];
    double placed;

    if (fetches <= 0 || waits <= 0 || counted <= 0 || (looped->fetches > 0 && looped->waits <= 0))
        return;
    placed = values[PM_EVENT_gld_request] * waits / fetches;
    values[PM_EVENT_load_wait] = placed;
    values[PM_EVENT_load_wait_miss] *= placed / counted;
}

/* Adds to a launch's counts the L2 requests of private memory, and DRAM traffic for the part of
 * private memory that does not fit into L2. */
static void add_private(const pm_engine *self, size_t launch)
{
    const pm_gpu *gpu = &self->options.gpu;
    const double bytes = private_bytes(self, launch), sector = PM_MEMORY_SECTOR,
                 capacity = (double)gpu->l2_bytes / (1 + gpu->l2_far),
                 lost = bytes > capacity ? 1 - capacity / bytes : 0,
                 /* fraction of the traffic that also misses L3; `lost` is the fraction that misses
                  * L2 */
        beyond = bytes > (double)gpu->l3_bytes ? lost : 0;
    double *values = self->counts[launch].values;
    const double read = values[PM_EVENT_local_load_miss],
                 written = values[PM_EVENT_local_store_sector];

    values[PM_EVENT_l2_read_sector] += read;
    values[PM_EVENT_l2_read_hit] += read * (1 - lost);
    values[PM_EVENT_l2_read_miss] += read * lost;
    values[PM_EVENT_l2_write_sector] += written * (1 + gpu->l2_far);
    values[PM_EVENT_dram_read_bytes] += read * beyond * sector;
    values[PM_EVENT_dram_write_bytes] += written * beyond * sector;
}

static pm_status count_launches(pm_engine *self, pm_l2 *l2, const bool *needed, pm_error *err)
{
    const pm_workload *w = self->workload;
    size_t counted = 0;

    for (size_t i = 0; i < w->launch_count; i++)
        if (!self->choices[i].counted) {
            if (pass_launch(self, i, needed[i], err) != PM_OK)
                return err->status;
        } else if (count_launch(self, l2, i, needed[i], err) != PM_OK ||
                   (self->counts[i].sampled < 1 &&
                    !pm_data_matters(w, self->codes, needed, i + 1) &&
                    pm_buffers_reset(w, &self->buffers, true, err) != PM_OK)) {
            return err->status;
        }
    if (pm_touched_pages_check(self->buffers.pages, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < w->launch_count; i++) {
        pm_launch_counts *counts = &self->counts[i];

        if (!self->choices[i].counted)
            continue;
        if (pm_l2_totals(l2, counted++, counts->values, counts->variance, err) != PM_OK)
            return err->status;
        place_waits(self, i);
        add_spills(self, i);
        add_private(self, i);
    }
    return pm_launches_fill(w, self->choices, self->codes, self->counts, err);
}

static pm_status count_all(pm_engine *self, pm_l2 *l2, const bool *needed,
                           pm_counted_launch *launches, pm_error *err)
{
    const pm_workload *w = self->workload;

    if (pm_buffers_reset(w, &self->buffers, false, err) != PM_OK)
        return err->status;
    if (self->options.sample >= 1)
        pm_buffers_poison(w, &self->buffers);
    self->complete = true;
    if (count_launches(self, l2, needed, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < w->launch_count; i++) {
        pm_launch_counts *counts = &self->counts[i];
        const pm_bound_launch *launch = &self->launches[i];

        counts->values[PM_EVENT_launched_warps] = pm_engine_warps_of(self, launch);
        launches[i] = (pm_counted_launch){.groups = (double)launch->run.groups,
                                          .registers = launch->taken.registers,
                                          .shared_bytes = (double)launch->shared_bytes,
                                          .resident_groups = launch->resident};
        memcpy(launches[i].values, counts->values, sizeof counts->values);
        memcpy(launches[i].variance, counts->variance, sizeof counts->variance);
    }
    self->counted = true;
    return PM_OK;
}

pm_status pm_engine_count(pm_engine *self, pm_counted_launch *launches, pm_error *err)
{
    pm_l2 *l2 = pm_l2_create(&self->options.gpu, self->buffers.regions, self->buffers.count, err);
    bool *needed = calloc(self->workload->launch_count, sizeof *needed);
    pm_status status = PM_FAILED;

    pm_engine_forget_counts(self);
    if (!needed)
        pm_fail(err, PM_FAILED, "%s: out of memory", self->workload->program);
    if (l2 && needed) {
        pm_launches_needed(self->workload, self->codes, needed);
        status = count_all(self, l2, needed, launches, err);
    }
    if (status != PM_OK)
        self->complete = false;
    free(needed);
    pm_l2_free(l2);
    return status;
}
