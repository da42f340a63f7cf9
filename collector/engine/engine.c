/* The trace engine: loads a workload, runs its kernel launches on the CPU and counts the events
 * that a GPU would count.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "collector/engine/backend.h"
#include "collector/engine/bind_launch.h"
#include "collector/engine/count.h"
#include "collector/engine/dependences.h"
#include "collector/engine/select_launches.h"
#include "collector/executor.h"

/* Default limit of the basic blocks that a warp may execute. A kernel that never ends reaches it
 * after one or two minutes, because a block takes some tens of nanoseconds and all resident warps
 * take turns. */
static const double STEP_LIMIT = 1e7;
/* Numbers of basic blocks to run when a workload is sampled. SAMPLE_WORK: number in all launches
 * together, which takes some tenths of a second on two CPU cores of 2023. LAUNCH_WORK: least number
 * in each launch, which takes some hundredths of a second. */
static const double SAMPLE_WORK = 1e7, LAUNCH_WORK = 1e6;
/* If the buffers together exceed LARGE_BYTES, at most the fraction LARGE_SHARE of the work-groups
 * runs, so that most pages of the buffers are never allocated. In the worst case a work-group
 * touches a page of 4096 bytes for each line of 128 bytes, so that 1.5 % of the work-groups touch
 * half of the pages. */
static const size_t LARGE_BYTES = (size_t)768 << 20;
static const double LARGE_SHARE = 0.015;
/* If the buffers exceed VERY_LARGE_BYTES, the fraction of work-groups that run falls with the size
 * of the buffers. The pages that scattered accesses touch then need about a gigabyte for buffers of
 * any size. */
static const size_t VERY_LARGE_BYTES = (size_t)3 << 30;
static const double SCATTERED_BYTES = (double)(3 << 29);
/* Maximum number of basic blocks that all launches together run to find the sizes of buffers. */
static const double REACH_WORK = 5e7;
/* The same for launches whose results later launches need, of which all work-groups run. */
static const double NEEDED_WORK = 1e7;
/* CPU time for counting one memory access of a warp, in units of the time for a basic block. */
static const double COUNTED_ACCESS = 10;

struct pm_engine {
    pm_engine_options options;
    pm_pool *pool;
    const pm_workload *workload;
    const pm_trace_program *program;
    const pm_kernel_code **codes; /* codes[launch]: code of the launch's kernel */
    pm_bound_launch *launches;
    pm_launch_choice *choices;
    size_t chosen; /* number of launches that are selected for counting */
    pm_buffers buffers;
    pm_launch_counts *counts; /* counts[launch]: counts of the launch after pm_engine_count */
    bool counted, complete;
};

/* ---- load --------------------------------------------------------------------------------- */

static void forget_counts(pm_engine *self)
{
    for (size_t i = 0; self->counts && i < self->workload->launch_count; i++)
        pm_launch_counts_free(&self->counts[i]);
    self->counted = false;
}

void pm_engine_free(pm_engine *self)
{
    if (!self)
        return;
    forget_counts(self);
    for (size_t i = 0; self->launches && i < self->workload->launch_count; i++)
        pm_bound_launch_free(&self->launches[i]);
    pm_buffers_free(&self->buffers);
    free(self->codes);
    free(self->launches);
    free(self->choices);
    free(self->counts);
    pm_pool_free(self->pool);
    free(self);
}

/* Fails if the private memory of all work-items that exist at the same time in launch i exceeds
 * half of the engine's memory limit. Counting creates the work-groups that reside on a compute
 * unit. Running without counting creates one work-group per thread. */
static pm_status check_private(const pm_engine *self, size_t i, pm_error *err)
{
    const pm_launch *launch = &self->workload->launches[i];
    const pm_kernel_code *code = self->codes[i];
    double items = (double)(launch->local[0] * launch->local[1] * launch->local[2]);
    double groups = fmax(self->launches[i].resident, pm_pool_threads(self->pool));
    double bytes = (double)code->private_bytes * items * groups;

    if (bytes <= (double)self->options.memory_bytes / 2)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: kernel %s: a work-item has %zu bytes of private memory, those that are "
                   "traced at once %.0f MiB; make its arrays smaller",
                   self->workload->source_path, code->name, code->private_bytes, bytes / (1 << 20));
}

/* Returns whether all buffers together fit into L2. The result is true for a GPU without L2. */
static bool stays_in_l2(const pm_workload *workload, const pm_gpu *gpu)
{
    double bytes = 0;

    for (size_t i = 0; i < workload->buffer_count; i++)
        bytes += (double)workload->buffers[i].bytes;
    return gpu->l2_bytes == 0 || bytes <= (double)gpu->l2_bytes / (1 + gpu->l2_far);
}

static pm_status bind_all(pm_engine *self, pm_error *err)
{
    const pm_workload *w = self->workload;
    double limit = self->options.step_limit > 0 ? self->options.step_limit : STEP_LIMIT;

    self->codes = calloc(w->launch_count, sizeof *self->codes);
    self->launches = calloc(w->launch_count, sizeof *self->launches);
    self->choices = calloc(w->launch_count, sizeof *self->choices);
    self->counts = calloc(w->launch_count, sizeof *self->counts);
    if (!self->codes || !self->launches || !self->choices || !self->counts)
        return pm_fail(err, PM_FAILED, "%s: out of memory", w->program);
    for (size_t i = 0; i < w->launch_count; i++)
        if (pm_bind_kernel(self->program, w, i, &self->codes[i], err) != PM_OK)
            return err->status;
    self->chosen =
        pm_launches_choose(w, self->codes, self->options.sample > 0,
                           stays_in_l2(w, &self->options.gpu), self->options.seed, self->choices);
    if (pm_buffers_create(w, &self->buffers, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < w->launch_count; i++)
        if (pm_bind_launch(self->codes[i], w, i, &self->buffers, &self->options.gpu,
                           limit < 1e18 ? (uint64_t)limit : (uint64_t)1e18, &self->launches[i],
                           err) != PM_OK ||
            check_private(self, i, err) != PM_OK)
            return err->status;
    return PM_OK;
}

pm_engine *pm_engine_create(const pm_engine_options *options, const pm_workload *workload,
                            const pm_trace_program *program, pm_error *err)
{
    pm_engine *self = calloc(1, sizeof *self);

    if (!self) {
        pm_fail(err, PM_FAILED, "out of memory for the trace engine");
        return NULL;
    }
    self->options = *options;
    self->workload = workload;
    self->program = program;
    self->pool = pm_pool_create(options->threads, err);
    if (self->pool && bind_all(self, err) == PM_OK)
        return self;
    pm_engine_free(self);
    return NULL;
}

pm_status pm_engine_set_resources(pm_engine *self, const char *kernel,
                                  const pm_kernel_resources *resources, pm_error *err)
{
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        if (strcmp(self->codes[i]->name, kernel) != 0)
            continue;
        pm_bind_resources(&self->workload->launches[i], &self->options.gpu, resources,
                          &self->launches[i]);
        if (check_private(self, i, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

static pm_pool *pool_for(const pm_engine *self, size_t launch)
{
    return pm_groups_interact(self->codes[launch], &self->workload->launches[launch]) ? NULL
                                                                                      : self->pool;
}

/* ---- run ---------------------------------------------------------------------------------- */

pm_status pm_engine_run(pm_engine *self, double *seconds, pm_error *err)
{
    if (pm_trace_program_compile(self->program, PM_CODE_WHOLE, err) != PM_OK ||
        pm_buffers_reset(self->workload, &self->buffers, false, err) != PM_OK)
        return err->status;
    pm_buffers_poison(self->workload, &self->buffers);
    self->complete = false;
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        double start = pm_now_s();

        if (pm_launch_execute(&self->launches[i].run, NULL, pool_for(self, i), err) != PM_OK)
            return err->status;
        if (pm_touched_pages_check(self->buffers.pages, err) != PM_OK)
            return err->status;
        if (seconds)
            seconds[i] = pm_now_s() - start;
    }
    self->complete = true;
    return PM_OK;
}

static double warps_of(const pm_engine *self, const pm_bound_launch *launch)
{
    const unsigned width = self->options.gpu.warp_width;
    const uint32_t *size = launch->run.context.local_size;
    /* on a CPU one thread runs the whole work-group */
    const unsigned warps = pm_gpu_runs_loops(&self->options.gpu)
                               ? 1
                               : (size[0] * size[1] * size[2] + width - 1) / width;

    return (double)launch->run.groups * warps;
}

/* Sets in `reach` whether a launch reads and writes the buffer, and whether addresses or branches
 * depend on the data that it reads. */
static void see_use(const pm_engine *self, size_t launch, size_t buffer, pm_buffer_reach *reach)
{
    const pm_kernel_code *code = self->codes[launch];
    const pm_launch *of = &self->workload->launches[launch];

    for (size_t s = 0; s < code->site_count; s++) {
        const pm_site *site = &code->sites[s];

        for (size_t a = 0; a < of->arg_count; a++)
            if (site->arguments >> a & 1 && of->args[a].kind == PM_ARG_BUFFER &&
                of->args[a].buffer == buffer) {
                reach->decides |= site->decides;
                reach->reads |= site->kind != PM_ACCESS_STORE;
                reach->writes |= site->kind != PM_ACCESS_LOAD;
            }
    }
}

/* Returns a limit on basic blocks per warp for launches whose results later launches need. All
 * work-groups of these launches must run. The limit makes them end within seconds. */
static double steps_of_needed(const pm_engine *self, const bool *needed)
{
    double warps = 0;

    for (size_t i = 0; i < self->workload->launch_count; i++)
        if (needed[i])
            warps += warps_of(self, &self->launches[i]);
    return NEEDED_WORK / fmax(warps, 1);
}

/* Returns launch i with a limit on basic blocks per warp, so that a few work-groups run within
 * REACH_WORK. A limit that the user has set is not changed. */
static pm_launch_run bounded(const pm_engine *self, size_t i)
{
    pm_launch_run run = self->launches[i].run;
    const double warps = warps_of(self, &self->launches[i]) / (double)run.groups;
    const double most = REACH_WORK / (4 * warps);

    if (self->options.step_limit <= 0 && most < STEP_LIMIT)
        run.rules.step_limit = (uint64_t)most;
    return run;
}

/* Estimates the CPU time, in basic blocks, of launch i when the workload is counted. steps: basic
 * blocks of its longest warp. All work-groups run if later launches, or a repetition of the launch,
 * need the results. Otherwise only the groups of two compute units run, and their accesses are
 * counted. */
static double work_of(const pm_engine *self, size_t i, bool needed, uint64_t steps)
{
    const pm_bound_launch *launch = &self->launches[i];
    const pm_kernel_code *code = self->codes[i];
    const double groups = (double)launch->run.groups, warps = warps_of(self, launch) / groups;
    const double each = ceil(groups / self->options.gpu.compute_units);
    const double counted = fmin(2 * fmin(each, launch->resident), groups);
    const double accesses = (double)code->site_count;

    if (needed || pm_launch_feeds_itself(code, &self->workload->launches[i]))
        return groups * warps * (double)steps;
    return counted * warps * (double)steps * (1 + COUNTED_ACCESS * accesses);
}

static pm_status find_reach(pm_engine *self, const bool *needed, uint64_t *corners, uint64_t *all,
                            double *work, pm_error *err)
{
    const double most = steps_of_needed(self, needed);

    if (pm_trace_program_compile(self->program, PM_CODE_WHOLE, err) != PM_OK ||
        pm_buffers_reset(self->workload, &self->buffers, true, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        pm_launch_run run = bounded(self, i);
        uint64_t steps = 0;

        run.rules.longest = &steps;
        if (needed[i] && pm_launch_is_longer(&run, most < 1e18 ? (uint64_t)most : UINT64_MAX))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: what kernel %s writes decides what a later launch does, and all "
                           "of its %llu work-groups " PM_SAYS_TOO_LONG "; make the problem smaller",
                           self->workload->source_path, self->codes[i]->name,
                           (unsigned long long)run.groups);
        if (pm_launch_reach(&run, needed[i], corners, all, err) != PM_OK)
            return err->status;
        *work += work_of(self, i, needed[i], steps);
    }
    return PM_OK;
}

pm_status pm_engine_reach(pm_engine *self, pm_buffer_reach *reach, double *work, pm_error *err)
{
    const size_t buffers = self->workload->buffer_count;
    uint64_t *corners = calloc(2 * buffers + 1, sizeof *corners);
    bool *needed = calloc(self->workload->launch_count, sizeof *needed);
    pm_status status = PM_FAILED;

    *work = 0;
    if (corners && needed) {
        pm_launches_needed(self->workload, self->codes, needed);
        status = find_reach(self, needed, corners, corners + buffers, work, err);
    } else {
        pm_fail(err, PM_FAILED, "out of memory for a trace");
    }
    free(needed);
    self->complete = false;
    for (size_t b = 0; status == PM_OK && b < buffers; b++) {
        reach[b] = (pm_buffer_reach){.corners = corners[b], .all = corners[buffers + b]};
        for (size_t i = 0; i < self->workload->launch_count; i++)
            see_use(self, i, b, &reach[b]);
    }
    free(corners);
    return status;
}

const void *pm_engine_buffer(const pm_engine *self, size_t buffer)
{
    return self->buffers.host[buffer];
}

bool pm_engine_complete(const pm_engine *self)
{
    return self->complete;
}

/* ---- count -------------------------------------------------------------------------------- */

/* Returns the least number of basic blocks to run for the sample of one launch. Launches of the
 * same kernel and range form a kind. If they depend on data of earlier launches, all of them are
 * counted. Their samples are then smaller, so that together they run as many blocks as
 * PM_MOST_LAUNCHES launches of another kind. */
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
    return pm_launch_execute(&self->launches[i].run, executed, pool_for(self, i), err);
}

static bool was_whole(const pm_engine *self, size_t i)
{
    for (size_t before = i; before-- > 0;)
        if (self->codes[before] == self->codes[i] && self->choices[before].counted)
            return self->counts[before].sampled >= 1;
    return false;
}

/* Chooses the code with which launch i is counted first: a slice, which computes only addresses and
 * branches, or the complete code. Counting with a slice fails if all work-groups have to run. If
 * they had to in the kernel's previous counted launch, the complete code is chosen at once. */
static pm_code_kind code_for(const pm_engine *self, size_t i, bool needed)
{
    const bool slice = self->program->has_slices && !needed && self->options.sample < 1 &&
                       !pm_groups_interact(self->codes[i], &self->workload->launches[i]) &&
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
        .work = fmax(SAMPLE_WORK / (double)self->chosen, least_work(&self->choices[i])),
        .most = most_share(self),
        .seed = self->options.seed + i,
        .pool = pool_for(self, i),
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
        /* slices (code that computes only addresses and branches) store no results */
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

/* Estimates the number of loop iterations of a kernel per warp, at least 1. It is chosen so that
 * outside + iterations * inside = executed. outside, inside: instructions of the GPU compiler's
 * code outside and inside of loops. executed: counted instructions per warp. */
static double rounds(const pm_kernel_resources *taken, double executed)
{
    return taken->inside.instructions > 0
               ? fmax((executed - taken->outside.instructions) / taken->inside.instructions, 1)
               : 1;
}

/* Adds to a launch's counts the stores and loads of spilled registers. The lanes of a warp access
 * adjacent words. The fraction of the loads that hit L1 is the fraction of the spilled data that
 * fits into L1. */
static void add_spills(const pm_engine *self, size_t launch)
{
    const pm_gpu *gpu = &self->options.gpu;
    const pm_bound_launch *l = &self->launches[launch];
    double *values = self->counts[launch].values;
    const pm_code_part *once = &l->taken.outside, *looped = &l->taken.inside;
    const double warps = warps_of(self, l),
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
 * ratio of waits to loads is that of the compiler's code, whose loops are assumed to iterate as
 * often as rounds() says. The counted waits stay if a loop has loads but no wait, because the loop
 * may then wait for loads of the previous iteration. */
static void place_waits(const pm_engine *self, size_t launch)
{
    const pm_bound_launch *l = &self->launches[launch];
    double *values = self->counts[launch].values;
    const pm_code_part *once = &l->taken.outside, *looped = &l->taken.inside;
    const double often = rounds(&l->taken, values[PM_EVENT_inst_executed] / warps_of(self, l)),
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
                 /* fraction that misses L3, too */
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

        counts->values[PM_EVENT_launched_warps] = warps_of(self, launch);
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

    forget_counts(self);
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

typedef struct {
    const pm_engine *engine;
    pm_trace_tables *tables;
} tabling;

static void make_tables(void *user)
{
    const tabling *t = user;
    const pm_engine *self = t->engine;
    size_t launches = self->counted ? self->workload->launch_count : 0;
    pm_trace_kernel *kernels;

    kernels = t->tables->kernels = pm_take(&t->tables->memory, launches, sizeof *kernels);
    for (size_t i = 0; i < launches; i++) {
        size_t k = 0;

        while (k < t->tables->count && strcmp(kernels[k].kernel, self->codes[i]->name) != 0)
            k++;
        t->tables->count = k == t->tables->count ? k + 1 : t->tables->count;
        pm_access_table_add(&kernels[k], self->codes[i], &self->counts[i], &t->tables->memory);
    }
    for (size_t k = 0; k < t->tables->count; k++)
        pm_access_table_finish(&kernels[k]);
}

pm_status pm_engine_accesses(const pm_engine *self, pm_trace_tables *tables, pm_error *err)
{
    *tables = (pm_trace_tables){.count = 0};
    return pm_attempt(&tables->memory, make_tables, &(tabling){self, tables}, err);
}
