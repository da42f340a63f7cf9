/* Tracing one program, of the suite or out of a workload file: its counters and access tables, as
 * somebody looks at them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collect_names.h"
#include "collector/count_kernels.h"
#include "collector/error.h"
#include "executor_trace.h"
#include "gpu.h"

/* ---- freeing ------------------------------------------------------------------------------- */

static void free_texts(const char *const *texts, size_t count)
{
    for (size_t i = 0; texts && i < count; i++)
        free((char *)texts[i]);
    free((void *)texts);
}

void pm_trace_kernels_free(pm_trace_kernel *kernels, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        pm_trace_kernel *kernel = &kernels[k];

        for (size_t i = 0; i < kernel->access_count; i++) {
            free((char *)kernel->accesses[i].buffer);
            free((char *)kernel->accesses[i].structure);
            free((char *)kernel->accesses[i].field);
        }
        free(kernel->accesses);
        free_texts(kernel->names, kernel->count);
        free_texts(kernel->units, kernel->count);
        free((double *)kernel->values);
        free((double *)kernel->errors);
        free((char *)kernel->kernel);
    }
    free(kernels);
}

void pm_trace_free(pm_trace *trace)
{
    if (!trace)
        return;
    pm_trace_kernels_free(trace->kernels, trace->kernel_count);
    free(trace->program);
    free(trace->variant);
    free(trace->size);
    free(trace->target);
    free(trace);
}

/* ---- what to trace ------------------------------------------------------------------------- */

typedef struct {
    const pm_program *program;
    pm_program *own; /* the same, if it is out of a file */
    const char *variant, *size, *target;
} job;

static pm_status choose_of_suite(job *j, const char *program, const char *variant, const char *size,
                                 pm_error *err)
{
    const char *const programs[] = {program, NULL}, *const variants[] = {variant, NULL},
                      *const sizes[] = {size, NULL};
    const pm_collect_options names = {
        .programs = programs, .variants = variant ? variants : NULL, .sizes = size ? sizes : NULL};

    if (pm_collect_check(&names, err) != PM_OK)
        return err->status;
    j->program = pm_suite_find(program);
    return PM_OK;
}

static pm_status choose(job *j, const char *program, const char *variant, const char *size,
                        const pm_trace_options *options, pm_error *err)
{
    pm_gpu gpu;
    pm_status status = pm_sampling_check(options->sample, options->step_limit, err);

    if (status == PM_OK && options->workload) {
        j->program = j->own = pm_program_read(options->workload, err);
        status = j->own ? pm_program_check(j->own, variant, size, err) : err->status;
    } else if (status == PM_OK) {
        status = choose_of_suite(j, program, variant, size, err);
    }
    if (status != PM_OK || !j->program)
        return status;
    j->variant = variant ? variant : j->program->info.variants[0];
    j->size = size ? size : j->program->info.sizes[0];
    j->target = options->target ? options->target : PM_TRACE_TARGET;
    return pm_gpu_find(j->target, options->datasets, &gpu, err);
}

/* ---- what was traced ----------------------------------------------------------------------- */

/* The counts of a traced kernel: those of the table that are known. */
static pm_status fill_counters(pm_trace_kernel *kernel, const pm_counter_table *table,
                               const double *values, const double *errors)
{
    size_t most = pm_counter_table_size(table);
    const char **names = calloc(most, sizeof *names), **units = calloc(most, sizeof *units);
    double *known = calloc(most, sizeof *known), *known_errors = calloc(most, sizeof *known);

    kernel->names = names;
    kernel->units = units;
    kernel->values = known;
    kernel->errors = known_errors;
    if (!names || !units || !known || !known_errors)
        return PM_FAILED;
    for (size_t i = 0; i < most; i++) {
        size_t n = kernel->count;

        if (isnan(values[i]))
            continue;
        kernel->count++;
        names[n] = strdup(pm_counter_name(table, i));
        units[n] = strdup(pm_counter_unit(table, i));
        known[n] = values[i];
        known_errors[n] = errors[i];
        if (!names[n] || !units[n])
            return PM_FAILED;
    }
    return PM_OK;
}

static pm_status fill_kernels(pm_trace *trace, const pm_counter_table *table,
                              const pm_timing *timing, const double *values, const double *errors,
                              pm_error *err)
{
    size_t counters = pm_counter_table_size(table);

    for (size_t i = 0; i < trace->kernel_count; i++) {
        size_t k = pm_timing_kernel(timing, trace->kernels[i].kernel);

        if (k == timing->kernel_count)
            return pm_fail(err, PM_FAILED, "%s: the access table of kernel %s, which did not run",
                           trace->program, trace->kernels[i].kernel);
        trace->kernels[i].launches = (size_t)timing->kernels[k].launches;
        if (fill_counters(&trace->kernels[i], table, values + k * counters,
                          errors + k * counters) != PM_OK)
            return pm_fail(err, PM_FAILED, "%s: out of memory", trace->program);
    }
    return PM_OK;
}

/* Counts the loaded workload and takes its access tables. */
static pm_status trace_loaded(pm_trace *trace, pm_executor *executor, const pm_counter_table *table,
                              const pm_workload *workload, pm_error *err)
{
    size_t counters = pm_counter_table_size(table);
    pm_timing timing = {0};
    double *values = NULL, *errors = NULL;
    pm_status status = pm_timing_untimed(workload, &timing, err);

    if (status == PM_OK) {
        values = calloc(timing.kernel_count * counters, sizeof *values);
        errors = calloc(timing.kernel_count * counters, sizeof *errors);
        if (!values || !errors)
            status = pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    }
    if (status == PM_OK)
        status = pm_count_kernels(executor, table, workload, &timing, values, errors, err);
    if (status == PM_OK)
        status = pm_executor_trace_accesses(executor, &trace->kernels, &trace->kernel_count, err);
    if (status == PM_OK)
        status = fill_kernels(trace, table, &timing, values, errors, err);
    free(errors);
    free(values);
    pm_timing_free(&timing);
    return status;
}

/* ---- all of it ----------------------------------------------------------------------------- */

static pm_status name_trace(pm_trace *trace, const job *j, pm_error *err)
{
    trace->program = strdup(j->program->info.name);
    trace->variant = strdup(j->variant);
    trace->size = strdup(j->size);
    trace->target = strdup(j->target);
    if (!trace->program || !trace->variant || !trace->size || !trace->target)
        return pm_fail(err, PM_FAILED, "%s: out of memory", j->program->info.name);
    return PM_OK;
}

static pm_status run_job(pm_trace *trace, const job *j, const pm_trace_options *options,
                         pm_error *err)
{
    const pm_trace_engine_options engine = {.target = j->target,
                                            .datasets = options->datasets,
                                            .sample = options->sample,
                                            .step_limit = options->step_limit,
                                            .seed = options->seed};
    pm_counter_table *table = pm_counter_table_read(NULL, err);
    pm_executor *executor = NULL;
    pm_workload *workload = NULL;
    pm_status status = table ? name_trace(trace, j, err) : PM_FAILED;

    if (status == PM_OK)
        status = pm_executor_trace_open(&engine, table, &options->log, &executor, err);
    if (status == PM_OK) {
        workload =
            pm_program_build(j->program, j->variant, j->size, options->seed, &options->log, err);
        status = workload ? executor->type->load(executor, workload, err) : PM_FAILED;
    }
    if (status == PM_OK)
        status = trace_loaded(trace, executor, table, workload, err);
    if (executor) {
        executor->type->unload(executor);
        executor->type->close(executor);
    }
    pm_workload_free(workload);
    pm_counter_table_free(table);
    return status;
}

pm_trace *pm_trace_run(const char *program, const char *variant, const char *size,
                       const pm_trace_options *options, pm_error *err)
{
    pm_trace *trace = calloc(1, sizeof *trace);
    pm_error unread = {0};
    job j = {0};
    pm_status status;

    err = err ? err : &unread;
    status = trace ? choose(&j, program, variant, size, options, err)
                   : pm_fail(err, PM_FAILED, "out of memory for a trace");
    if (status == PM_OK && j.program)
        status = run_job(trace, &j, options, err);
    pm_program_read_free(j.own);
    if (status == PM_OK)
        return trace;
    pm_trace_free(trace);
    return NULL;
}
