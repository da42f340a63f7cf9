/* Chooses the tool that counts the hardware events of a workload's kernels, such as CUPTI or the
 * trace engine, and counts them. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/collect/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/counts/counts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "collector/measure.h"
#include "collector/worker/executor_trace.h"
#include "machine/rules.h"

/* ---- the source ---------------------------------------------------------------------------- */

static pm_status open_trace(pm_counting *c, const pm_device *device, pm_error *err)
{
    const char *target = c->options->target, *folder = pm_session_chosen(c->session)->datasets;
    const pm_executor *engine;
    pm_gpu gpu;

    const bool own = !target && device && pm_session_find(c->session, PM_COUNTS_RULES, device->id);

    if (own || (!target && device && pm_gpu_find(device->id, folder, &gpu, NULL) == PM_OK))
        target = device->id;
    if (!target)
        target = PM_TRACE_TARGET;
    if (!own && pm_gpu_find(target, folder, &gpu, err) != PM_OK)
        return PM_BAD_INPUT;
    engine = pm_counts_engine(c->session, target, err);
    if (!engine)
        return err->status;
    snprintf(c->target, sizeof c->target, "%s", target);
    c->source = engine->type->counter_source;
    c->tool = engine->type->name;
    c->registers_source = pm_executor_trace_registers(engine);
    return PM_OK;
}

static pm_status open_cupti(pm_counting *c, const pm_device *device, pm_executor *timer,
                            pm_error *err)
{
    pm_status status;

    if (!device || !device->is_nvidia)
        return pm_fail(err, PM_BAD_INPUT,
                       "--counters cupti: %s is not an NVIDIA GPU; choose one with --device, or "
                       "--counters trace",
                       device ? device->name : "device none");
    status = pm_executor_cuda_open(timer, c->columns->table, pm_session_log(c->session),
                                   &c->executor, err);
    if (status == PM_OK) {
        c->source = c->executor->type->counter_source;
        c->tool = c->executor->type->name;
    }
    return status;
}

/* Returns true if the user has set an option that only the trace engine accepts: a target GPU, a
 * fraction of work-groups, a limit of steps, or the path of ptxas. */
static bool is_for_trace(const pm_counting *c)
{
    const pm_session_options *chosen = pm_session_chosen(c->session);

    return c->options->target || chosen->sample > 0 || chosen->step_limit > 0 || chosen->ptxas;
}

static pm_status unwanted(const char *what, const char *cure, pm_error *err)
{
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: --target, --sample, --step-limit and --ptxas are for --counters trace; %s",
                   what, cure);
}

/* Opens the source of counters for --counters auto: CUPTI on NVIDIA GPUs, otherwise the trace
 * engine. If it cannot be opened, rows have times only. This is an error for device `none`, which
 * has no times. */
static pm_status open_auto(pm_counting *c, const pm_device *device, pm_executor *timer,
                           pm_error *err)
{
    bool nvidia = device && device->is_nvidia;
    pm_error why = {0};
    pm_status status;

    if (nvidia && is_for_trace(c))
        return unwanted(device->name, "add that", err);
    status = nvidia ? open_cupti(c, device, timer, &why) : open_trace(c, device, &why);
    if (status == PM_OK)
        return PM_OK;
    if (!device || (!nvidia && status == PM_BAD_INPUT))
        return pm_fail(err, status, "%s", why.text);
    pm_notice(pm_session_log(c->session), "no counters, time only: %s", why.text);
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

static pm_status open_source(pm_counting *c, const pm_device *device, pm_executor *timer,
                             pm_error *err)
{
    const char *mode = c->options->counters ? c->options->counters : "auto";

    if (strcmp(mode, "auto") == 0)
        return open_auto(c, device, timer, err);
    if (strcmp(mode, "trace") == 0)
        return open_trace(c, device, err);
    if (is_for_trace(c)) {
        char what[32];

        snprintf(what, sizeof what, "--counters %.16s", mode);
        return unwanted(what, "leave them out", err);
    }
    return strcmp(mode, "cupti") == 0 ? open_cupti(c, device, timer, err) : open_none(device, err);
}

pm_status pm_counting_open(pm_counting *c, pm_session *session, const pm_collect_options *options,
                           const pm_device *device, pm_executor *timer, pm_error *err)
{
    pm_status status;

    *c = (pm_counting){.session = session, .options = options, .source = "none"};
    c->columns = pm_count_columns_find(session, false, err);
    if (!c->columns)
        return err->status;
    status = open_source(c, device, timer, err);
    if (status == PM_OK && c->target[0])
        c->columns = pm_count_columns_find(session, true, err);
    return c->columns ? status : err->status;
}

void pm_counting_close(pm_counting *c)
{
    if (c->executor)
        c->executor->type->close(c->executor);
    *c = (pm_counting){0};
}

/* ---- a workload ---------------------------------------------------------------------------- */

/* Copies the counts of the trace engine to `cells`, the counter values of the dataset's new rows,
 * one row per kernel. The engine's rows have the same columns in the same order. */
static pm_status trace(const pm_counting *c, const pm_program *program, const pm_workload *workload,
                       double *cells, pm_error *err)
{
    const pm_counted what = {.program = program,
                             .variant = workload->variant,
                             .size = workload->size,
                             .target = c->target};
    const pm_counts *counts;
    pm_status status = pm_counts_find(c->session, &what, workload, &counts, err);

    for (size_t k = 0; status == PM_OK && k < pm_dataset_rows(counts->rows); k++)
        memcpy(cells + k * c->columns->count, pm_dataset_sample(counts->rows, k)->counters,
               c->columns->count * sizeof *cells);
    return status;
}

pm_status pm_counting_workload(const pm_counting *c, const pm_program *program,
                               const pm_workload *workload, const pm_timing *timing, double *cells,
                               pm_error *err)
{
    size_t size = timing->kernel_count * c->columns->table_size;
    double *values, *errors;
    pm_status status;

    if (c->target[0])
        return trace(c, program, workload, cells, err);
    values = calloc(size, sizeof *values);
    errors = calloc(size, sizeof *errors);
    status =
        values && errors ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    if (status == PM_OK && c->executor)
        status = c->executor->type->load(c->executor, workload, err);
    if (status == PM_OK)
        status = pm_count_kernels(c->executor, c->columns->table, workload, timing, values, errors,
                                  NULL, err);
    if (c->executor)
        c->executor->type->unload(c->executor);
    if (status == PM_OK)
        pm_count_columns_fill(c->columns, timing, values, errors, cells);
    free(errors);
    free(values);
    return status;
}
