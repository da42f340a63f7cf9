/* What a GPU would count of a workload. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "counts/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/access_tables.h"
#include "collector/count_kernels.h"
#include "counts/columns.h"
#include "samples/memory.h"
#include "session/session.h"
#include "suite/names.h"
#include "suite/suite.h"
#include "worker/executor_trace.h"
#include "worker/session_worker.h"

/* ---- the engine ----------------------------------------------------------------------------- */

static void release_engine(void *object)
{
    pm_executor *engine = object;

    engine->type->close(engine);
}

/* what->sample is that of the session where nobody chose it. */
static pm_executor *engine_for(pm_session *session, const pm_counted *what,
                               const pm_count_columns *c, pm_error *err)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    const pm_trace_engine_options options = {.target = what->target,
                                             .datasets = chosen->datasets,
                                             .sample = what->sample,
                                             .step_limit = chosen->step_limit,
                                             .seed = chosen->seed,
                                             .threads = chosen->threads,
                                             .worker = pm_session_worker(session)};
    char key[160];
    pm_executor *engine;

    snprintf(key, sizeof key, "%.99s %.17g", what->target, options.sample);
    engine = pm_session_find(session, "trace engine", key);
    if (engine)
        return engine;
    if (pm_executor_trace_open(&options, c->table, &chosen->log, &engine, err) != PM_OK ||
        pm_session_keep(session, "trace engine", key, engine, release_engine, err) != PM_OK)
        return NULL;
    return engine;
}

const pm_executor *pm_counts_engine(pm_session *session, const char *target, pm_error *err)
{
    const pm_counted what = {.target = target, .sample = pm_session_chosen(session)->sample};
    const pm_count_columns *c = pm_count_columns_find(session, true, err);

    return c ? engine_for(session, &what, c, err) : NULL;
}

pm_dataset *pm_counts_columns(pm_session *session, pm_error *err)
{
    const pm_count_columns *c = pm_count_columns_find(session, true, err);

    return c ? pm_dataset_memory("counted", c->names, c->count, err) : NULL;
}

/* ---- what was counted ----------------------------------------------------------------------- */

static void release_counts(void *object)
{
    pm_counts *counts = object;
    pm_trace *trace = &counts->trace;

    pm_dataset_free(counts->rows);
    pm_trace_kernels_free(trace->kernels, trace->kernel_count);
    free(trace->program);
    free(trace->variant);
    free(trace->size);
    free(trace->target);
    free(counts);
}

/* Of the table's counters those that are known. */
static pm_status fill_kernel(pm_trace_kernel *kernel, const pm_counter_table *table,
                             const double *values, const double *errors, pm_error *err)
{
    size_t most = pm_counter_table_size(table);
    const char **names = calloc(most, sizeof *names), **units = calloc(most, sizeof *units);
    double *known = calloc(most, sizeof *known), *known_errors = calloc(most, sizeof *known);

    kernel->names = names;
    kernel->units = units;
    kernel->values = known;
    kernel->errors = known_errors;
    if (!names || !units || !known || !known_errors)
        return pm_fail(err, PM_FAILED, "%s: out of memory for its counters", kernel->kernel);
    for (size_t i = 0; i < most; i++) {
        if (isnan(values[i]))
            continue;
        names[kernel->count] = pm_counter_name(table, i);
        units[kernel->count] = pm_counter_unit(table, i);
        known[kernel->count] = values[i];
        known_errors[kernel->count++] = errors[i];
    }
    return PM_OK;
}

static pm_status fill_trace(pm_trace *trace, const pm_workload *workload, const char *target,
                            const pm_count_columns *c, const pm_timing *timing,
                            const double *values, const double *errors, pm_error *err)
{
    trace->program = strdup(workload->program);
    trace->variant = strdup(workload->variant);
    trace->size = strdup(workload->size);
    trace->target = strdup(target);
    if (!trace->program || !trace->variant || !trace->size || !trace->target)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    for (size_t i = 0; i < trace->kernel_count; i++) {
        pm_trace_kernel *kernel = &trace->kernels[i];
        size_t k = pm_timing_kernel(timing, kernel->kernel), at = k * c->table_size;

        if (k == timing->kernel_count)
            return pm_fail(err, PM_FAILED, "%s: the access table of kernel %s, which did not run",
                           trace->program, kernel->kernel);
        kernel->launches = (size_t)timing->kernels[k].launches;
        if (fill_kernel(kernel, c->table, values + at, errors + at, err) != PM_OK)
            return err->status;
    }
    return PM_OK;
}

static pm_status fill_rows(pm_counts *counts, const pm_workload *workload, const char *target,
                           const pm_count_columns *c, const pm_timing *timing, const double *values,
                           const double *errors, pm_error *err)
{
    double *cells = calloc(timing->kernel_count * c->count, sizeof *cells);
    pm_status status =
        cells ? PM_OK : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);

    if (status == PM_OK) {
        pm_count_columns_fill(c, timing, values, errors, cells);
        counts->rows = pm_dataset_memory("counted", c->names, c->count, err);
        status = counts->rows ? PM_OK : err->status;
    }
    for (size_t k = 0; status == PM_OK && k < timing->kernel_count; k++) {
        const pm_kernel_time *kernel = &timing->kernels[k];
        const pm_sample row = {.device = target,
                               .program = workload->program,
                               .variant = workload->variant,
                               .size = workload->size,
                               .kernel = kernel->kernel,
                               .counter_source = "trace",
                               .time_s = (double)NAN,
                               .time_mad_s = (double)NAN,
                               .work_items = kernel->work_items,
                               .work_group = kernel->work_group,
                               .counters = cells + k * c->count};

        status = pm_dataset_append(counts->rows, &row, err);
    }
    free(cells);
    return status;
}

/* ---- counting ------------------------------------------------------------------------------- */

static pm_status count_loaded(pm_executor *engine, const pm_count_columns *c,
                              const pm_workload *workload, const char *target, pm_counts *counts,
                              pm_error *err)
{
    pm_timing timing = {0};
    double *values = NULL, *errors = NULL;
    pm_status status = pm_timing_untimed(workload, &timing, err);

    if (status == PM_OK) {
        values = calloc(timing.kernel_count * c->table_size, sizeof *values);
        errors = calloc(timing.kernel_count * c->table_size, sizeof *errors);
        if (!values || !errors)
            status = pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    }
    if (status == PM_OK)
        status = pm_count_kernels(engine, c->table, workload, &timing, values, errors, err);
    if (status == PM_OK)
        status = pm_executor_trace_accesses(engine, &counts->trace.kernels,
                                            &counts->trace.kernel_count, err);
    if (status == PM_OK)
        status = fill_trace(&counts->trace, workload, target, c, &timing, values, errors, err);
    if (status == PM_OK)
        status = fill_rows(counts, workload, target, c, &timing, values, errors, err);
    free(errors);
    free(values);
    pm_timing_free(&timing);
    return status;
}

static pm_status count(pm_session *session, const pm_counted *what, const pm_workload *workload,
                       pm_counts *counts, pm_error *err)
{
    const pm_count_columns *c = pm_count_columns_find(session, true, err);
    pm_executor *engine = c ? engine_for(session, what, c, err) : NULL;
    pm_workload *own = NULL;
    pm_status status;

    if (!engine)
        return err->status;
    if (!workload)
        workload = own = pm_program_build(what->program, what->variant, what->size,
                                          pm_session_chosen(session)->seed, session, err);
    if (!workload)
        return err->status;
    status = engine->type->load(engine, workload, err);
    if (status == PM_OK)
        status = count_loaded(engine, c, workload, what->target, counts, err);
    engine->type->unload(engine);
    pm_workload_free(own);
    return pm_session_end_step(session, status, err);
}

/* Programs are told from each other by where they are: those of files have any name. */
static char *key_of(const pm_counted *what)
{
    char *key;

    return asprintf(&key, "%p %s %.17g %s %s", (const void *)what->program, what->target,
                    what->sample, what->size, what->variant) < 0
               ? NULL
               : key;
}

/* Of what is not there yet. */
static pm_counts *count_new(pm_session *session, const pm_counted *what,
                            const pm_workload *workload, const char *key, pm_error *err)
{
    pm_counts *counts = calloc(1, sizeof *counts);

    if (!counts) {
        pm_fail(err, PM_FAILED, "out of memory for counts");
        return NULL;
    }
    if (count(session, what, workload, counts, err) != PM_OK) {
        release_counts(counts);
        return NULL;
    }
    return pm_session_keep(session, "counts", key, counts, release_counts, err) == PM_OK ? counts
                                                                                         : NULL;
}

pm_status pm_counts_find(pm_session *session, const pm_counted *what, const pm_workload *workload,
                         const pm_counts **out, pm_error *err)
{
    pm_counted chosen = *what;
    char *key;

    *out = NULL;
    if (pm_session_go_on(session, err) != PM_OK)
        return PM_FAILED;
    if (!(chosen.sample > 0))
        chosen.sample = pm_session_chosen(session)->sample;
    key = key_of(&chosen);
    if (!key)
        return pm_fail(err, PM_FAILED, "out of memory for counts");
    *out = pm_session_find(session, "counts", key);
    if (!*out)
        *out = count_new(session, &chosen, workload, key, err);
    free(key);
    return *out ? PM_OK : err->status;
}

/* ---- for people ----------------------------------------------------------------------------- */

const pm_trace *pm_trace_run(pm_session *session, const char *program, const char *variant,
                             const char *size, const pm_trace_options *options, pm_error *err)
{
    pm_error unread = {0};
    const pm_counts *counts;
    pm_counted what = {.target = options->target ? options->target : PM_TRACE_TARGET};

    err = err ? err : &unread;
    what.program =
        pm_program_choose(session, program, options->workload, variant, size, false, err);
    if (!what.program)
        return NULL;
    what.variant = variant ? variant : what.program->info.variants[0];
    what.size = size ? size : what.program->info.sizes[0];
    return pm_counts_find(session, &what, NULL, &counts, err) == PM_OK ? &counts->trace : NULL;
}
