/* Counts the hardware events (such as memory requests and instructions) that a GPU would count
 * while it runs a workload. The trace engine simulates the GPU. See counts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/counts/counts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/counts/bad_kernels.h"
#include "answer/counts/profiler.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/version.h"
#include "collector/measure.h"
#include "collector/worker/executor_trace.h"
#include "compiler/language.h"
#include "model/samples/dataset.h"
#include "program/suite/suite.h"

/* ---- the engine ----------------------------------------------------------------------------- */

static void release_engine(void *object)
{
    pm_executor *engine = object;

    engine->type->close(engine);
}

/* Returns the trace engine that counts the events of `what`. If what->sample is 0, the session's
 * fraction of work-groups applies. */
static pm_executor *engine_for(pm_session *session, const pm_counted *what,
                               const pm_count_columns *c, pm_error *err)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    pm_trace_engine_options options = {.target = what->target,
                                       .datasets = chosen->datasets,
                                       .gpu =
                                           pm_session_find(session, PM_COUNTS_RULES, what->target),
                                       .sample = what->sample,
                                       .as_written = what->as_written,
                                       .step_limit = chosen->step_limit,
                                       .seed = chosen->seed,
                                       .threads = chosen->threads,
                                       .ptxas = chosen->ptxas,
                                       .worker = pm_session_worker(session)};
    char key[160];
    pm_executor *engine;

    snprintf(key, sizeof key, "%.99s %.17g %d", what->target, options.sample, what->as_written);
    engine = pm_session_find(session, "trace engine", key);
    if (engine)
        return engine;
    if (pm_executor_trace_open(&options, c->table, &chosen->log, &engine, err) != PM_OK ||
        pm_session_keep(session, "trace engine", key, engine, release_engine, err) != PM_OK)
        return NULL;
    return engine;
}

pm_executor *pm_counts_engine(pm_session *session, const char *target, pm_error *err)
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

/* ---- results -------------------------------------------------------------------------------- */

static void release_counts(void *object)
{
    pm_counts *counts = object;

    pm_dataset_free(counts->rows);
    pm_memory_free(&counts->memory);
    free(counts);
}

/* State while the trace engine counts the events of a workload. If a function that takes it
 * fails, it jumps by longjmp to the pm_attempt with counts->memory. */
typedef struct {
    pm_executor *engine;
    const pm_count_columns *columns;
    const pm_workload *workload;
    const char *target;
    bool any_results; /* as in pm_counted */
    const pm_profiler *profiler;
    pm_counts *counts;
    pm_timing timing;
    /* values and standard errors of the counters: first those of kernel 0, then those of kernel 1,
     * and so on */
    double *values, *errors;
} counting;

/* Fills the kernel's lists of counters (for display) with the counters whose value is known. */
static void fill_kernel(const counting *c, pm_trace_kernel *kernel)
{
    const pm_counter_table *table = c->columns->table;
    const size_t most = pm_counter_table_size(table);
    size_t k = pm_timing_kernel(&c->timing, kernel->kernel);
    pm_memory *memory = &c->counts->memory;
    const char **names = pm_take(memory, most, sizeof *names);
    const char **units = pm_take(memory, most, sizeof *units);
    const char **theirs = pm_take(memory, most, sizeof *theirs);
    double *known = pm_take(memory, most, sizeof *known);
    double *errors = pm_take(memory, most, sizeof *errors);

    if (k == c->timing.kernel_count)
        pm_leave(memory, PM_FAILED, "%s: the access table of kernel %s, which did not run",
                 c->workload->program, kernel->kernel);
    kernel->launches = (size_t)c->timing.kernels[k].launches;
    for (size_t i = 0; i < most; i++) {
        if (isnan(c->values[k * most + i]))
            continue;
        names[kernel->count] = pm_counter_name(table, i);
        units[kernel->count] = pm_counter_unit(table, i);
        theirs[kernel->count] = pm_profiler_name(c->profiler, pm_counter_name(table, i));
        known[kernel->count] = c->values[k * most + i];
        errors[kernel->count++] = c->errors[k * most + i];
    }
    kernel->names = names;
    kernel->units = units;
    kernel->profiler = c->profiler->profiler;
    kernel->profiler_names = theirs;
    kernel->values = known;
    kernel->errors = errors;
}

static void fill_trace(const counting *c, const pm_workload_counts *counted)
{
    pm_trace *trace = &c->counts->trace;
    pm_memory *memory = &c->counts->memory;

    trace->program = pm_copy(memory, c->workload->program);
    trace->variant = pm_copy(memory, c->workload->variant);
    trace->size = pm_copy(memory, c->workload->size);
    trace->target = pm_copy(memory, c->target);
    trace->terms = pm_terms_of(pm_language_of(c->workload->source_path));
    trace->kernels = counted->accesses.kernels;
    trace->kernel_count = counted->accesses.count;
    c->counts->registers_source = pm_copy(memory, counted->registers_source);
    for (size_t i = 0; i < trace->kernel_count; i++) {
        fill_kernel(c, &trace->kernels[i]);
        trace->kernels[i].registers_source = c->counts->registers_source;
    }
}

static void fill_rows(const counting *c)
{
    const pm_count_columns *columns = c->columns;
    const pm_workload *workload = c->workload;
    pm_memory *memory = &c->counts->memory;
    double *cells = pm_take(memory, c->timing.kernel_count * columns->count, sizeof *cells);

    pm_count_columns_fill(columns, &c->timing, c->values, c->errors, cells);
    c->counts->rows = pm_dataset_memory("counted", columns->names, columns->count, memory->err);
    if (!c->counts->rows)
        pm_give_up(memory, memory->err->status);
    for (size_t k = 0; k < c->timing.kernel_count; k++) {
        const pm_kernel_time *kernel = &c->timing.kernels[k];
        const pm_sample row = {.device = c->target,
                               .program = workload->program,
                               .variant = workload->variant,
                               .size = workload->size,
                               .kernel = kernel->kernel,
                               .counter_source = "trace",
                               .time_s = (double)NAN,
                               .time_mad_s = (double)NAN,
                               .work_items = kernel->work_items,
                               .work_group = kernel->work_group,
                               .counters = cells + k * columns->count,
                               .cuda = pm_is_cuda_launched(workload->source_path)};

        pm_require(memory, pm_dataset_append(c->counts->rows, &row, memory->err));
    }
}

/* ---- counting ------------------------------------------------------------------------------- */

static void count_workload(void *user)
{
    counting *c = user;
    const pm_counter_table *table = c->columns->table;
    const size_t size = pm_counter_table_size(table);
    pm_memory *memory = &c->counts->memory;
    pm_workload_counts counted = {.engine = c->engine,
                                  .table = table,
                                  .workload = c->workload,
                                  .timing = &c->timing,
                                  .tables = true,
                                  .any_results = c->any_results};
    pm_status status;

    pm_require(memory, pm_timing_untimed(c->workload, &c->timing, memory->err));
    counted.values = c->values = pm_take(memory, c->timing.kernel_count * size, sizeof *c->values);
    counted.errors = c->errors = pm_take(memory, c->timing.kernel_count * size, sizeof *c->errors);
    status = pm_count_once(&counted, memory->err);
    pm_memory_join(memory, &counted.accesses.memory);
    pm_require(memory, status);
    fill_trace(c, &counted);
    fill_rows(c);
}

/* Call this function after a workload could not be loaded as a whole. Counts the kernels that can
 * be loaded alone. If no kernel can be loaded alone, or all can, returns the error of the
 * workload. */
static pm_status count_part(pm_session *session, counting *c, pm_error *err)
{
    pm_workload part;
    pm_status status;

    if (!pm_counts_leave_out_bad(session, c->engine, c->workload, &part))
        return err->status;
    *err = (pm_error){0};
    c->workload = &part;
    c->timing = (pm_timing){0};
    status = pm_attempt(&c->counts->memory, count_workload, c, err);
    pm_timing_free(&c->timing);
    free(part.launches);
    return status;
}

/* Arguments of count(), which a session calls for counts that it does not have. workload: the
 * workload if it is already built; NULL: count() builds it. */
typedef struct {
    const pm_counted *what;
    const pm_workload *workload;
} wanted;

static pm_status count(pm_session *session, void *object, const void *user, pm_error *err)
{
    const wanted *w = user;
    const pm_count_columns *columns = pm_count_columns_find(session, true, err);
    pm_executor *engine = columns ? engine_for(session, w->what, columns, err) : NULL;
    counting c = {.engine = engine,
                  .columns = columns,
                  .workload = w->workload,
                  .target = w->what->target,
                  .any_results = w->what->any_results,
                  .profiler = pm_counts_profiler(session, w->what->target, err),
                  .counts = object};
    pm_workload *own = NULL;
    pm_status status;

    if (!engine || !c.profiler)
        return err->status;
    c.counts->trace.assumed = w->what->program->assumed;
    if (!c.workload)
        c.workload = own = pm_program_build(w->what->program, w->what->variant, w->what->size,
                                            pm_session_chosen(session)->seed, session, err);
    if (!c.workload)
        return err->status;
    status = pm_attempt(&c.counts->memory, count_workload, &c, err);
    pm_timing_free(&c.timing);
    if (status == PM_BAD_INPUT && (own || w->what->parts))
        status = count_part(session, &c, err);
    engine->type->unload(engine);
    pm_workload_free(own);
    return pm_session_end_step(session, status, err);
}

/* Returns the key under which a session stores the counts of `what`. It contains the address of the
 * program, because programs from different files may have the same name. */
static char *key_of(const pm_counted *what)
{
    char *key;

    return asprintf(&key, "%p %s %.17g %d %d %s %s", (const void *)what->program, what->target,
                    what->sample, what->as_written, what->any_results, what->size,
                    what->variant) < 0
               ? NULL
               : key;
}

pm_status pm_counts_find(pm_session *session, const pm_counted *what, const pm_workload *workload,
                         const pm_counts **out, pm_error *err)
{
    static const pm_session_kind kind = {"counts", sizeof **out, count, release_counts};
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
    *out = pm_session_have(session, &kind, key, &(wanted){&chosen, workload}, err);
    free(key);
    return *out ? PM_OK : err->status;
}

/* ---- traces for display --------------------------------------------------------------------- */

const pm_trace *pm_trace_run(pm_session *session, const char *program, const char *variant,
                             const char *size, const pm_trace_options *options, pm_error *err)
{
    pm_error unread = {0};
    const pm_counts *counts;
    pm_counted what = {.target = options->target ? options->target : PM_TRACE_TARGET};

    err = err ? err : &unread;
    if (PM_UNUSED(options, err) != PM_OK)
        return NULL;
    what.program =
        pm_program_choose(session, program, options->workload, variant, size, false, err);
    if (!what.program)
        return NULL;
    what.variant = variant ? variant : what.program->info.variants[0];
    what.size = size ? size : what.program->info.sizes[0];
    return pm_counts_find(session, &what, NULL, &counts, err) == PM_OK ? &counts->trace : NULL;
}
