/* Builds the workload of one version (combination of tuning parameters), compiles it, and counts
 * its events in the trace engine. See version.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/tune/version.h"

#include <math.h>
#include <string.h>

#include "base/cache/cache.h"
#include "base/session/session.h"
#include "collector/worker/executor_trace.h"

/* ---- launches -------------------------------------------------------------------------------- */

static uint64_t join(uint64_t hash, const void *bytes, size_t count)
{
    return (hash << 7 | hash >> 57) * 0x9e3779b97f4a7c15u ^ pm_hash_bytes(bytes, count);
}

static uint64_t hash_argument(uint64_t hash, const pm_arg *arg)
{
    const size_t numbers[] = {(size_t)arg->kind, arg->buffer, arg->offset, arg->bytes};

    hash = join(hash, numbers, sizeof numbers);
    return arg->kind == PM_ARG_VALUE ? join(hash, pm_arg_value(arg), arg->bytes) : hash;
}

uint64_t pm_version_launches(const pm_workload *w)
{
    uint64_t hash = w->launch_count;

    for (size_t b = 0; b < w->buffer_count; b++)
        hash = join(hash, &w->buffers[b].bytes, sizeof w->buffers[b].bytes);
    for (size_t s = 0; s < w->symbol_count; s++)
        hash = join(hash, w->symbols[s].data, w->symbols[s].bytes);
    for (size_t l = 0; l < w->launch_count; l++) {
        const pm_launch *launch = &w->launches[l];

        hash = join(hash, launch->kernel, strlen(launch->kernel));
        hash = join(hash, launch->global, sizeof launch->global);
        hash = join(hash, launch->local, sizeof launch->local);
        hash = join(hash, launch->offset, sizeof launch->offset);
        hash = join(hash, &launch->shared, sizeof launch->shared);
        for (size_t a = 0; a < launch->arg_count; a++)
            hash = hash_argument(hash, &launch->args[a]);
    }
    return hash;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static pm_sample sample_of(pm_memory *memory, const pm_version_counting *v,
                           const pm_kernel_time *kernel, const double *cells)
{
    return (pm_sample){.device = v->target,
                       .program = pm_copy(memory, v->workload->program),
                       .variant = pm_copy(memory, v->workload->variant),
                       .size = pm_copy(memory, v->workload->size),
                       .kernel = pm_copy(memory, kernel->kernel),
                       .counter_source = "trace",
                       .time_s = (double)NAN,
                       .time_mad_s = (double)NAN,
                       .work_items = kernel->work_items,
                       .work_group = kernel->work_group,
                       .counters = cells};
}

size_t pm_version_count(pm_memory *memory, const pm_version_counting *v, pm_sample **kernels)
{
    const pm_count_columns *columns = v->columns;
    const size_t counters = columns->table_size;
    double *values, *errors, *cells;
    size_t count;

    pm_require(memory, pm_timing_untimed(v->workload, v->timing, memory->err));
    count = v->timing->kernel_count;
    values = pm_take(memory, count * counters, sizeof *values);
    errors = pm_take(memory, count * counters, sizeof *errors);
    cells = pm_take(memory, count * columns->count, sizeof *cells);
    pm_require(memory, pm_count_once(&(pm_workload_counts){.engine = v->engine,
                                                           .table = columns->table,
                                                           .workload = v->workload,
                                                           .timing = v->timing,
                                                           .values = values,
                                                           .errors = errors},
                                     memory->err));
    pm_count_columns_fill(columns, v->timing, values, errors, cells);
    *kernels = pm_take(memory, count, sizeof **kernels);
    for (size_t k = 0; k < count; k++)
        (*kernels)[k] = sample_of(memory, v, &v->timing->kernels[k], cells + k * columns->count);
    return count;
}

/* ---- engines --------------------------------------------------------------------------------- */

pm_worker *pm_version_worker(pm_memory *memory, pm_session *session)
{
    const pm_worker_limits limits = {.cancel = pm_session_cancel(session),
                                     .cache = pm_session_cache(session)};
    pm_worker *worker = pm_worker_create(&limits, memory->err);

    if (!worker)
        pm_give_up(memory, memory->err->status);
    return worker;
}

pm_executor *pm_version_engine(pm_memory *memory, pm_session *session, const char *target,
                               pm_worker *worker, const pm_counter_table *table)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    const pm_trace_engine_options options = {.target = target,
                                             .datasets = chosen->datasets,
                                             .sample = chosen->sample,
                                             .step_limit = chosen->step_limit,
                                             .seed = chosen->seed,
                                             .threads = 1,
                                             .ptxas = chosen->ptxas,
                                             .worker = worker};
    pm_executor *engine;

    /* Messages of the engine are discarded (NULL) because every version (combination of tuning
     * parameters) would repeat them. */
    pm_require(memory, pm_executor_trace_open(&options, table, NULL, &engine, memory->err));
    return engine;
}
