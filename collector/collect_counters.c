/* Choosing where counters come from, and counting a workload. See collect_counters.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collect_counters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_kernels.h"
#include "error.h"
#include "trace/executor_trace.h"
#include "trace/gpu.h"

/* Beside the table's: how many launches of a kernel a row sums. */
#define LAUNCHES "launches"
#define ERROR_SUFFIX "_se"

/* ---- the source ---------------------------------------------------------------------------- */

static pm_status choose_target(pm_counting *c, const pm_collect_options *options,
                               const pm_device *device, pm_error *err)
{
    const char *target = options->target;
    pm_gpu gpu;

    if (!target && device && pm_gpu_find(device->id, options->datasets, &gpu, NULL) == PM_OK)
        target = device->id;
    if (!target)
        target = PM_TRACE_TARGET;
    if (pm_gpu_find(target, options->datasets, &gpu, err) != PM_OK)
        return PM_BAD_INPUT;
    snprintf(c->target, sizeof c->target, "%s", target);
    return PM_OK;
}

static pm_status open_trace(pm_counting *c, const pm_collect_options *options,
                            const pm_device *device, pm_error *err)
{
    pm_trace_engine_options engine = {.target = c->target,
                                      .datasets = options->datasets,
                                      .sample = options->sample,
                                      .step_limit = options->step_limit,
                                      .seed = options->seed};
    pm_status status = choose_target(c, options, device, err);

    if (status == PM_OK)
        status = pm_executor_trace_open(&engine, c->table, &options->log, &c->executor, err);
    return status;
}

static pm_status open_cupti(pm_counting *c, const pm_collect_options *options,
                            const pm_device *device, pm_executor *timer, pm_error *err)
{
    if (!device || !device->is_nvidia)
        return pm_fail(err, PM_BAD_INPUT,
                       "--counters cupti: %s is not an NVIDIA GPU; choose one with --device, or "
                       "--counters trace",
                       device ? device->name : "device none");
    return pm_executor_cuda_open(timer, c->table, &options->log, &c->executor, err);
}

static pm_status unwanted(const char *what, const char *cure, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: --target, --sample and --step-limit are for --counters trace; %s", what,
                   cure);
}

/* The source of `auto`: hardware counters where the hardware may have them, else the engine's.
 * Where that is not to be had, time alone, but for no device, which has no time. */
static pm_status open_auto(pm_counting *c, const pm_collect_options *options,
                           const pm_device *device, pm_executor *timer, pm_error *err)
{
    bool nvidia = device && device->is_nvidia;
    pm_error why = {0};
    pm_status status;

    if (nvidia && (options->target || options->sample > 0 || options->step_limit > 0))
        return unwanted(device->name, "add that", err);
    status =
        nvidia ? open_cupti(c, options, device, timer, &why) : open_trace(c, options, device, &why);
    if (status == PM_OK)
        return PM_OK;
    c->target[0] = '\0';
    if (!device || (!nvidia && status == PM_BAD_INPUT))
        return pm_fail(err, status, "%s", why.text);
    pm_notice(&options->log, "no counters, time only: %s", why.text);
    return PM_OK;
}

static pm_status open_none(const pm_device *device, pm_error *err)
{
    if (device)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "--device none has no times, and --counters none no counters; choose a device, "
                   "or --counters trace");
}

static pm_status open_source(pm_counting *c, const pm_collect_options *options,
                             const pm_device *device, pm_executor *timer, pm_error *err)
{
    const char *mode = options->counters ? options->counters : "auto";
    bool traced = strcmp(mode, "auto") == 0 || strcmp(mode, "trace") == 0;
    pm_status status;

    if (!traced && (options->target || options->sample > 0 || options->step_limit > 0)) {
        char what[32];

        snprintf(what, sizeof what, "--counters %.16s", mode);
        return unwanted(what, "leave them out", err);
    }
    if (strcmp(mode, "auto") == 0)
        status = open_auto(c, options, device, timer, err);
    else if (strcmp(mode, "trace") == 0)
        status = open_trace(c, options, device, err);
    else if (strcmp(mode, "cupti") == 0)
        status = open_cupti(c, options, device, timer, err);
    else
        status = open_none(device, err);
    c->source = c->executor ? c->executor->type->counter_source : "none";
    return status;
}

/* ---- the columns --------------------------------------------------------------------------- */

/* Adds the columns of the errors. */
static pm_status add_errors(pm_counting *c, pm_error *err)
{
    for (size_t i = 0; i < c->table_size; i++) {
        char *name;

        if (!pm_counter_is_sampled(c->table, i))
            continue;
        if (asprintf(&name, "%s" ERROR_SUFFIX, pm_counter_name(c->table, i)) < 0)
            return pm_fail(err, PM_FAILED, "out of memory for the counter columns");
        c->error_of[c->column_count] = i;
        c->columns[c->column_count++] = name;
    }
    return PM_OK;
}

static pm_status choose_columns(pm_counting *c, pm_error *err)
{
    size_t most = 2 * c->table_size + 1;

    c->columns = calloc(most, sizeof *c->columns);
    c->error_of = calloc(most, sizeof *c->error_of);
    if (!c->columns || !c->error_of)
        return pm_fail(err, PM_FAILED, "out of memory for the counter columns");
    for (size_t i = 0; i < c->table_size; i++)
        c->columns[i] = pm_counter_name(c->table, i);
    c->columns[c->table_size] = LAUNCHES;
    c->column_count = c->table_size + 1;
    return c->target[0] ? add_errors(c, err) : PM_OK;
}

pm_status pm_counting_open(pm_counting *c, const pm_collect_options *options,
                           const pm_device *device, pm_executor *timer, pm_error *err)
{
    pm_status status;

    *c = (pm_counting){.source = "none", .table = pm_counter_table_read(NULL, err)};
    if (!c->table)
        return err->status;
    c->table_size = pm_counter_table_size(c->table);
    status = open_source(c, options, device, timer, err);
    return status == PM_OK ? choose_columns(c, err) : status;
}

void pm_counting_close(pm_counting *c)
{
    if (c->executor)
        c->executor->type->close(c->executor);
    for (size_t i = c->table_size + 1; i < c->column_count; i++)
        free((char *)c->columns[i]);
    free(c->columns);
    free(c->error_of);
    pm_counter_table_free(c->table);
    pm_trace_kernels_free(c->accesses, c->access_count);
    *c = (pm_counting){0};
}

/* ---- a workload ---------------------------------------------------------------------------- */

static void fill_cells(const pm_counting *c, const pm_timing *timing, const double *values,
                       const double *errors, double *cells)
{
    for (size_t k = 0; k < timing->kernel_count; k++) {
        double *row = cells + k * c->column_count;

        memcpy(row, values + k * c->table_size, c->table_size * sizeof *row);
        row[c->table_size] = timing->kernels[k].launches;
        for (size_t i = c->table_size + 1; i < c->column_count; i++)
            row[i] = errors[k * c->table_size + c->error_of[i]];
    }
}

static pm_status take_accesses(pm_counting *c, pm_error *err)
{
    pm_trace_kernels_free(c->accesses, c->access_count);
    c->accesses = NULL;
    c->access_count = 0;
    return pm_executor_trace_accesses(c->executor, &c->accesses, &c->access_count, err);
}

pm_status pm_counting_workload(pm_counting *c, const pm_workload *workload, const pm_timing *timing,
                               double *cells, pm_error *err)
{
    double *values = calloc(timing->kernel_count * c->table_size, sizeof *values);
    double *errors = calloc(timing->kernel_count * c->table_size, sizeof *errors);
    pm_status status =
        values && errors ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);

    if (status == PM_OK && c->executor)
        status = c->executor->type->load(c->executor, workload, err);
    if (status == PM_OK)
        status = pm_count_kernels(c->executor, c->table, workload, timing, values, errors, err);
    if (status == PM_OK && c->keep_accesses && c->target[0])
        status = take_accesses(c, err);
    if (c->executor)
        c->executor->type->unload(c->executor);
    if (status == PM_OK)
        fill_cells(c, timing, values, errors, cells);
    free(errors);
    free(values);
    return status;
}
