/* Finds how far into each buffer a workload's launches access, if the buffer's size is not known.
 * For this, it runs some work-groups of each launch and records the highest address. See engine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "collector/engine/backend.h"
#include "collector/engine/dependences.h"
#include "collector/engine/engine_parts.h"
#include "collector/engine/kernel_arguments.h"

/* Maximum number of basic blocks that all launches together run to find the sizes of buffers. */
static const double REACH_WORK = 5e7;
/* Maximum number of basic blocks that all work-groups of those launches run whose results later
 * launches need, in the search for the sizes of buffers. */
static const double NEEDED_WORK = 1e7;
/* CPU time for counting one memory access of a warp, in units of the time for a basic block. */
static const double COUNTED_ACCESS = 10;

static bool is_target(const pm_workload *workload, size_t buffer)
{
    for (size_t b = 0; b < workload->buffer_count; b++)
        for (size_t p = 0; p < workload->buffers[b].pointers.count; p++)
            if (workload->buffers[b].pointers.items[p].buffer == buffer)
                return true;
    for (size_t l = 0; l < workload->launch_count; l++)
        for (size_t a = 0; a < workload->launches[l].arg_count; a++) {
            const pm_pointers *pointers = &workload->launches[l].args[a].pointers;

            for (size_t p = 0; p < pointers->count; p++)
                if (pointers->items[p].buffer == buffer)
                    return true;
        }
    return false;
}

/* Returns whether a memory instruction may access the buffer through argument `a`, or through a
 * pointer in memory. */
static bool may_use(const pm_workload *workload, const pm_kernel_code *code,
                    const pm_launch *launch, const pm_site *site, size_t a, size_t buffer)
{
    const pm_arg arg = pm_kernel_argument(code, launch, a);

    return (a < 64 && site->arguments >> a & 1 && arg.kind == PM_ARG_BUFFER &&
            arg.buffer == buffer) ||
           (site->loaded && is_target(workload, buffer));
}

/* Sets in `reach` whether a launch reads and writes the buffer, and whether addresses or branches
 * depend on the data that it reads. */
static void see_use(const pm_engine *self, size_t launch, size_t buffer, pm_buffer_reach *reach)
{
    const pm_kernel_code *code = self->codes[launch];
    const pm_launch *of = &self->workload->launches[launch];

    for (size_t s = 0; s < code->site_count; s++) {
        const pm_site *site = &code->sites[s];

        for (size_t a = 0; a < pm_kernel_argument_count(code, of); a++)
            if (may_use(self->workload, code, of, site, a, buffer)) {
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
            warps += pm_engine_warps_of(self, &self->launches[i]);
    return NEEDED_WORK / fmax(warps, 1);
}

/* Returns launch i with a limit on basic blocks per warp, so that a few of its work-groups together
 * run at most REACH_WORK basic blocks. A limit that the user has set is not changed. */
static pm_launch_run bounded(const pm_engine *self, size_t i)
{
    pm_launch_run run = self->launches[i].run;
    const double warps = pm_engine_warps_of(self, &self->launches[i]) / (double)run.groups;
    const double most = REACH_WORK / (4 * warps);

    if (self->options.step_limit <= 0 && most < PM_ENGINE_STEP_LIMIT)
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
    const double groups = (double)launch->run.groups,
                 warps = pm_engine_warps_of(self, launch) / groups;
    const double each = ceil(groups / self->options.gpu.compute_units);
    const double counted = fmin(2 * fmin(each, launch->resident), groups);
    const double accesses = (double)code->site_count;

    if (needed || pm_launch_feeds_itself(self->workload, code, &self->workload->launches[i]))
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
