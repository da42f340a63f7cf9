/* The trace engine: loads a workload and runs its kernel launches on the CPU.
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
#include "collector/engine/dependences.h"
#include "collector/engine/engine_parts.h"
#include "collector/executor.h"

/* ---- load --------------------------------------------------------------------------------- */

void pm_engine_forget_counts(pm_engine *self)
{
    for (size_t i = 0; self->counts && i < self->workload->launch_count; i++)
        pm_launch_counts_free(&self->counts[i]);
    self->counted = false;
}

void pm_engine_free(pm_engine *self)
{
    if (!self)
        return;
    pm_engine_forget_counts(self);
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
 * half of the engine's memory limit. With counting, these are the work-groups that reside on a
 * compute unit. Without counting, they are one work-group per thread. */
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
    double limit = self->options.step_limit > 0 ? self->options.step_limit : PM_ENGINE_STEP_LIMIT;

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

void pm_engine_set_sass(pm_engine *self, const char *kernel, const pm_sass *sass)
{
    for (size_t i = 0; i < self->workload->launch_count; i++)
        if (strcmp(self->codes[i]->name, kernel) == 0)
            self->launches[i].run.rules.sass = sass;
}

pm_pool *pm_engine_pool_for(const pm_engine *self, size_t launch)
{
    return pm_groups_interact(self->workload, self->codes[launch],
                              &self->workload->launches[launch])
               ? NULL
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

        if (pm_launch_execute(&self->launches[i].run, NULL, pm_engine_pool_for(self, i), err) !=
            PM_OK)
            return err->status;
        if (pm_touched_pages_check(self->buffers.pages, err) != PM_OK)
            return err->status;
        if (seconds)
            seconds[i] = pm_now_s() - start;
    }
    self->complete = true;
    return PM_OK;
}

double pm_engine_warps_of(const pm_engine *self, const pm_bound_launch *launch)
{
    const unsigned width = self->options.gpu.warp_width;
    const uint32_t *size = launch->run.context.local_size;
    /* A work-group of a CPU counts as one warp, because one thread runs the whole work-group. */
    const unsigned warps = pm_gpu_runs_loops(&self->options.gpu)
                               ? 1
                               : (size[0] * size[1] * size[2] + width - 1) / width;

    return (double)launch->run.groups * warps;
}

const void *pm_engine_buffer(const pm_engine *self, size_t buffer)
{
    return self->buffers.host[buffer];
}

bool pm_engine_complete(const pm_engine *self)
{
    return self->complete;
}

/* ---- access tables ------------------------------------------------------------------------ */

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
