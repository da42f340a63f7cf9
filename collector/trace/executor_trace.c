/* The trace engine as an executor. See executor_trace.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "executor_trace.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "access_table.h"
#include "backend_load.h"
#include "bind.h"
#include "collector/error.h"
#include "collector/measure.h"
#include "compile.h"
#include "counters_of.h"
#include "launches.h"

/* A warp's blocks, each some tens of nanoseconds. All resident warps take turns, so that a kernel
 * in which none of them ends is told after a minute or two. */
static const double STEP_LIMIT = 1e7;
/* Time that counting a workload is to take when it is sampled, and the least that a launch gets. */
static const double SAMPLE_SECONDS = 0.8, LAUNCH_SECONDS = 0.1;
/* Buffers of a gigabyte are to take memory in part only: a work-group touches a page of 4096 bytes
 * for as little as a line of 128, so one and a half in a hundred touch up to half of the pages. */
static const size_t LARGE_BYTES = (size_t)768 << 20;
static const double LARGE_SHARE = 0.015;

typedef struct {
    pm_executor base;
    pm_trace_engine_options options;
    const pm_counter_table *table;
    pm_gpu gpu;
    const pm_backend *backend;
    pm_pool *pool;
    /* of the loaded workload */
    const pm_workload *workload;
    pm_trace_program *program;
    const pm_kernel_code **codes; /* of each launch */
    pm_bound_launch *launches;
    pm_launch_choice *choices;
    size_t chosen; /* launches that are counted */
    pm_buffers buffers;
    pm_launch_counts *counts; /* of each launch, after count */
    bool counted, complete;
} trace_executor;

/* ---- load --------------------------------------------------------------------------------- */

static void forget_counts(trace_executor *self)
{
    for (size_t i = 0; self->counts && i < self->workload->launch_count; i++)
        pm_launch_counts_free(&self->counts[i]);
    self->counted = false;
}

static void trace_unload(pm_executor *executor)
{
    trace_executor *self = (trace_executor *)executor;

    if (!self->workload)
        return;
    forget_counts(self);
    for (size_t i = 0; self->launches && i < self->workload->launch_count; i++)
        pm_bound_launch_free(&self->launches[i]);
    pm_buffers_free(&self->buffers);
    free(self->codes);
    free(self->launches);
    free(self->choices);
    free(self->counts);
    self->codes = NULL;
    self->launches = NULL;
    self->choices = NULL;
    self->counts = NULL;
    if (self->program)
        self->backend->free(self->program);
    self->program = NULL;
    self->workload = NULL;
}

static pm_status build(trace_executor *self, pm_error *err)
{
    const pm_workload *w = self->workload;
    char costs[PATH_MAX], *bitcode = NULL;
    pm_backend_request request = {
        .source_path = w->source_path, .costs = costs, .warp_width = self->gpu.warp_width};
    pm_status status = pm_share_path("instructions.ini", costs, sizeof costs, err);

    if (status == PM_OK)
        status = pm_trace_compile(w->source, w->source_path, w->build_options, &bitcode,
                                  &request.bitcode_bytes, &self->base.log, err);
    request.bitcode = bitcode;
    if (status == PM_OK)
        status = self->backend->build(&request, &self->program, err);
    free(bitcode);
    return status;
}

static pm_status bind_all(trace_executor *self, pm_error *err)
{
    const pm_workload *w = self->workload;
    double limit = self->options.step_limit > 0 ? self->options.step_limit : STEP_LIMIT;

    self->codes = calloc(w->launch_count, sizeof *self->codes);
    self->launches = calloc(w->launch_count, sizeof *self->launches);
    self->choices = calloc(w->launch_count, sizeof *self->choices);
    self->counts = calloc(w->launch_count, sizeof *self->counts);
    if (!self->codes || !self->launches || !self->choices || !self->counts)
        return pm_fail(err, PM_FAILED, "%s: out of memory", w->program);
    self->chosen =
        pm_launches_choose(w, self->options.sample > 0, self->options.seed, self->choices);
    for (size_t i = 0; i < w->launch_count; i++)
        if (pm_bind_kernel(self->program, w, i, &self->codes[i], err) != PM_OK)
            return err->status;
    if (pm_buffers_create(w, &self->buffers, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < w->launch_count; i++)
        if (pm_bind_launch(self->codes[i], w, i, &self->buffers, &self->gpu,
                           limit < 1e18 ? (uint64_t)limit : (uint64_t)1e18, &self->launches[i],
                           err) != PM_OK)
            return err->status;
    return PM_OK;
}

/* A fault of a workload that a file describes names that file first. */
static pm_status name_origin(const pm_workload *workload, pm_status status, pm_error *err)
{
    const pm_error what = err ? *err : (pm_error){0};

    if (status != PM_BAD_INPUT || !workload->origin ||
        strncmp(what.text, workload->origin, strlen(workload->origin)) == 0)
        return status;
    return pm_fail(err, status, "%s: %s", workload->origin, what.text);
}

static pm_status trace_load(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    pm_status status;

    self->workload = workload;
    self->complete = false;
    status = build(self, err);
    if (status == PM_OK)
        status = bind_all(self, err);
    if (status != PM_OK)
        trace_unload(executor);
    return name_origin(workload, status, err);
}

/* ---- run ---------------------------------------------------------------------------------- */

static pm_status trace_run(pm_executor *executor, double *seconds, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;

    if (pm_buffers_reset(self->workload, &self->buffers, false, err) != PM_OK)
        return err->status;
    pm_buffers_poison(self->workload, &self->buffers);
    self->complete = false;
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        double start = pm_now_s();

        if (pm_launch_execute(&self->launches[i].run, NULL, self->pool, err) != PM_OK)
            return err->status;
        if (seconds)
            seconds[i] = pm_now_s() - start;
    }
    self->complete = true;
    return PM_OK;
}

static pm_status trace_read(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    const trace_executor *self = (const trace_executor *)executor;

    (void)err;
    memcpy(dst, self->buffers.host[buffer], self->workload->buffers[buffer].bytes);
    return PM_OK;
}

static bool trace_complete(const pm_executor *executor)
{
    return ((const trace_executor *)executor)->complete;
}

/* ---- count -------------------------------------------------------------------------------- */

/* Whether launch `from` writes a buffer that launch `to` reads. */
static bool feeds(const trace_executor *self, size_t from, size_t to)
{
    const pm_launch *writer = &self->workload->launches[from];
    const pm_launch *reader = &self->workload->launches[to];

    for (size_t i = 0; i < writer->arg_count; i++)
        for (size_t k = 0; k < reader->arg_count; k++)
            if (writer->args[i].kind == PM_ARG_BUFFER && reader->args[k].kind == PM_ARG_BUFFER &&
                writer->args[i].buffer == reader->args[k].buffer &&
                self->codes[from]->parameters[i].written && self->codes[to]->parameters[k].read)
                return true;
    return false;
}

/* needed[i]: all of launch i must run, because what a later launch does depends on what i writes,
 * or on what a launch writes that reads it. */
static void find_needed(const trace_executor *self, bool *needed)
{
    size_t count = self->workload->launch_count;

    for (size_t i = count; i-- > 0;) {
        needed[i] = false;
        for (size_t later = i + 1; later < count && !needed[i]; later++)
            needed[i] =
                (needed[later] || self->codes[later]->data_dependent) && feeds(self, i, later);
    }
}

/* Whether what any launch from `first` on does depends on what the buffers hold. If not, pages that
 * a sample has written need not be kept. */
static bool data_matters(const trace_executor *self, const bool *needed, size_t first)
{
    for (size_t i = first; i < self->workload->launch_count; i++)
        if (needed[i] || self->codes[i]->data_dependent)
            return true;
    return false;
}

static pm_status count_launch(trace_executor *self, pm_l2 *l2, size_t i, bool needed, pm_error *err)
{
    const pm_bound_launch *launch = &self->launches[i];
    pm_count_request request = {
        .run = &launch->run,
        .gpu = &self->gpu,
        .resident = launch->resident,
        .l1_bytes = pm_gpu_l1_bytes(&self->gpu, launch->resident, launch->run.shared_bytes),
        .sample = self->options.sample,
        .seconds = fmax(SAMPLE_SECONDS / (double)self->chosen, LAUNCH_SECONDS),
        .most = self->buffers.arena_bytes > LARGE_BYTES ? LARGE_SHARE : 1,
        .seed = self->options.seed + i,
        .pool = self->pool,
        .l2 = l2,
        .executed = calloc(launch->run.groups / 8 + 1, 1)};
    pm_status status;

    if (!request.executed)
        return pm_fail(err, PM_FAILED, "%s: out of memory for %llu work-groups",
                       launch->run.rules.code->name, (unsigned long long)launch->run.groups);
    status = pm_launch_count(&request, &self->counts[i], err);
    if (status == PM_OK && self->counts[i].sampled < 1 && needed)
        status = pm_launch_execute(&launch->run, request.executed, self->pool, err);
    else if (status == PM_OK && self->counts[i].sampled < 1)
        self->complete = false;
    free(request.executed);
    return status;
}

/* A launch that is not counted runs only if it is needed. */
static pm_status pass_launch(trace_executor *self, size_t i, bool needed, pm_error *err)
{
    if (needed)
        return pm_launch_execute(&self->launches[i].run, NULL, self->pool, err);
    self->complete = false;
    return PM_OK;
}

static pm_status count_launches(trace_executor *self, pm_l2 *l2, const bool *needed, pm_error *err)
{
    const pm_workload *w = self->workload;
    size_t counted = 0;

    for (size_t i = 0; i < w->launch_count; i++)
        if (!self->choices[i].counted) {
            if (pass_launch(self, i, needed[i], err) != PM_OK)
                return err->status;
        } else if (count_launch(self, l2, i, needed[i], err) != PM_OK ||
                   (self->counts[i].sampled < 1 && !data_matters(self, needed, i + 1) &&
                    pm_buffers_reset(w, &self->buffers, true, err) != PM_OK)) {
            return err->status;
        }
    for (size_t i = 0; i < w->launch_count; i++)
        if (self->choices[i].counted && pm_l2_totals(l2, counted++, self->counts[i].values,
                                                     self->counts[i].variance, err) != PM_OK)
            return err->status;
    return pm_launches_fill(w, self->choices, self->codes, self->counts, err);
}

static pm_status count_all(trace_executor *self, pm_l2 *l2, const bool *needed, double *values,
                           double *errors, pm_error *err)
{
    const pm_workload *w = self->workload;
    size_t counters = pm_counter_table_size(self->table);

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
        const uint32_t *size = launch->run.context.local_size;
        unsigned width = self->gpu.warp_width;
        unsigned warps = (size[0] * size[1] * size[2] + width - 1) / width;

        counts->values[PM_EVENT_launched_warps] = (double)launch->run.groups * warps;
        pm_launch_counters(self->table, &self->gpu, launch, counts, values + i * counters,
                           errors ? errors + i * counters : NULL);
    }
    self->counted = true;
    return PM_OK;
}

static pm_status trace_count(pm_executor *executor, double *values, double *errors, pm_error *err)
{
    trace_executor *self = (trace_executor *)executor;
    pm_l2 *l2 = pm_l2_create(&self->gpu, self->buffers.regions, self->buffers.count, err);
    bool *needed = calloc(self->workload->launch_count, sizeof *needed);
    pm_status status = PM_FAILED;

    forget_counts(self);
    if (!needed)
        pm_fail(err, PM_FAILED, "%s: out of memory", self->workload->program);
    if (l2 && needed) {
        find_needed(self, needed);
        status = count_all(self, l2, needed, values, errors, err);
    }
    if (status != PM_OK)
        self->complete = false;
    free(needed);
    pm_l2_free(l2);
    return name_origin(self->workload, status, err);
}

pm_status pm_executor_trace_accesses(pm_executor *executor, pm_trace_kernel **kernels,
                                     size_t *count, pm_error *err)
{
    const trace_executor *self = (const trace_executor *)executor;
    size_t launches = self->counted ? self->workload->launch_count : 0;
    pm_status status = PM_OK;

    *count = 0;
    *kernels = calloc(launches + 1, sizeof **kernels);
    if (!*kernels)
        return pm_fail(err, PM_FAILED, "out of memory for the access tables");
    for (size_t i = 0; status == PM_OK && i < launches; i++) {
        size_t k = 0;

        while (k < *count && strcmp((*kernels)[k].kernel, self->codes[i]->name) != 0)
            k++;
        *count = k == *count ? k + 1 : *count;
        status = pm_access_table_add(&(*kernels)[k], self->codes[i], &self->counts[i], err);
    }
    for (size_t k = 0; k < *count; k++)
        pm_access_table_finish(&(*kernels)[k]);
    if (status != PM_OK) {
        pm_trace_kernels_free(*kernels, *count);
        *kernels = NULL;
        *count = 0;
    }
    return status;
}

/* ---- open --------------------------------------------------------------------------------- */

static void trace_close(pm_executor *executor)
{
    trace_executor *self = (trace_executor *)executor;

    if (!self)
        return;
    trace_unload(executor);
    pm_pool_free(self->pool);
    free(self);
}

static const pm_executor_class trace_class = {
    .name = "trace engine",
    .counter_source = "trace",
    .load = trace_load,
    .run = trace_run,
    .read = trace_read,
    .count = trace_count,
    .complete = trace_complete,
    .unload = trace_unload,
    .close = trace_close,
};

pm_status pm_executor_trace_open(const pm_trace_engine_options *options,
                                 const pm_counter_table *table, const pm_log *log,
                                 pm_executor **out, pm_error *err)
{
    trace_executor *self = calloc(1, sizeof *self);
    pm_status status;

    *out = NULL;
    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the trace engine");
    self->base.type = &trace_class;
    if (log)
        self->base.log = *log;
    self->options = *options;
    self->table = table;
    status = pm_gpu_find(options->target, options->datasets, &self->gpu, err);
    if (status == PM_OK)
        status = pm_backend_load(&self->backend, err);
    if (status == PM_OK)
        status = pm_trace_compiler_find(err);
    if (status == PM_OK) {
        strncpy(self->base.device.id, self->gpu.device, sizeof self->base.device.id - 1);
        strncpy(self->base.device.name, "the trace engine", sizeof self->base.device.name - 1);
        self->pool = pm_pool_create(options->threads, err);
        status = self->pool ? PM_OK : err->status;
    }
    if (status == PM_OK)
        *out = &self->base;
    else
        trace_close(&self->base);
    return status;
}
