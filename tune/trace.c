/* Versions compiled and traced, in several threads. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread has an engine of its own, with a process of its own. Versions that compile to the same
 * code and run it in the same launches are traced once. Counters do not depend on what was traced
 * before, so that it does not matter which thread takes which version.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "collector/measure.h"
#include "counts/counts.h"
#include "samples/dataset.h"
#include "session/session.h"
#include "tune/parts.h"
#include "worker/executor_trace.h"

typedef struct pm_traced_code {
    uint64_t code, launches;
    size_t version;
} pm_traced_code;

/* What became of a version. */
typedef struct {
    bool begun;
    bool has_twin; /* it was not traced: twin has the same code */
    size_t twin;
    pm_status status;
    pm_error why;
    pm_memory memory;
    size_t kernel_count;
    pm_sample *kernels;
} outcome;

typedef struct pm_tracer {
    pm_pool *pool;
    pthread_mutex_t lock; /* of what follows, and of the tuner's codes */
    const pm_count_columns *columns;
    size_t lane_count;
    pm_worker **workers;
    pm_executor **engines;
    /* of the list that is under way */
    const size_t *list;
    size_t list_count, next;
    outcome *outcomes;
} pm_tracer;

/* ---- codes that were traced ------------------------------------------------------------------ */

typedef struct {
    const pm_traced_codes *codes;
    uint64_t code, launches;
} code_key;

static bool is_same(const void *key, size_t value)
{
    const code_key *k = key;
    const pm_traced_code *item = &k->codes->items[value];

    return item->code == k->code && item->launches == k->launches;
}

/* The version whose code and launches these are; a new one is noted as version's. */
static size_t find_code(pm_tuner *t, uint64_t code, uint64_t launches, size_t version)
{
    const code_key key = {&t->codes, code, launches};
    const uint64_t hash = code + 3 * launches;
    const size_t found = pm_hash_index_find(&t->codes.index, hash, is_same, &key);

    if (found != PM_NO_ENTRY)
        return t->codes.items[found].version;
    /* Without memory for it, it is traced again where it comes again. */
    if (pm_hash_index_add(&t->codes.index, hash, t->codes.count))
        t->codes.items[t->codes.count++] = (pm_traced_code){code, launches, version};
    return version;
}

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

/* What a workload runs beside its code: launches, and how large buffers are. Their contents are the
 * same in all versions of that size. */
static uint64_t hash_launches(const pm_workload *w)
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

/* ---- one version ----------------------------------------------------------------------------- */

/* A version that a thread has at hand. */
typedef struct {
    pm_tuner *tuner;
    pm_executor *engine;
    size_t version;
    outcome *out;
    pm_workload *workload;
    pm_timing timing;
} tracing;

static void keep_kernels(const tracing *v, const double *cells)
{
    const pm_count_columns *columns = v->tuner->tracer->columns;
    outcome *out = v->out;

    out->kernels = pm_take(&out->memory, v->timing.kernel_count, sizeof *out->kernels);
    for (size_t k = 0; k < v->timing.kernel_count; k++) {
        const pm_kernel_time *kernel = &v->timing.kernels[k];

        out->kernels[out->kernel_count++] =
            (pm_sample){.device = v->tuner->options->target,
                        .program = v->tuner->program->info.name,
                        .variant = pm_copy(&out->memory, v->workload->variant),
                        .size = v->tuner->size,
                        .kernel = pm_copy(&out->memory, kernel->kernel),
                        .counter_source = "trace",
                        .time_s = (double)NAN,
                        .time_mad_s = (double)NAN,
                        .work_items = kernel->work_items,
                        .work_group = kernel->work_group,
                        .counters = cells + k * columns->count};
    }
}

static void count_loaded(tracing *v)
{
    const pm_count_columns *columns = v->tuner->tracer->columns;
    pm_memory *memory = &v->out->memory;
    const size_t counters = columns->table_size;
    double *values, *errors, *cells;
    size_t kernels;

    pm_require(memory, v->engine->type->load(v->engine, v->workload, memory->err));
    pm_require(memory, pm_timing_untimed(v->workload, &v->timing, memory->err));
    kernels = v->timing.kernel_count;
    values = pm_take(memory, kernels * counters, sizeof *values);
    errors = pm_take(memory, kernels * counters, sizeof *errors);
    cells = pm_take(memory, kernels * columns->count, sizeof *cells);
    pm_require(memory, pm_count_kernels(v->engine, columns->table, v->workload, &v->timing, values,
                                        errors, memory->err));
    pm_count_columns_fill(columns, &v->timing, values, errors, cells);
    keep_kernels(v, cells);
}

static void trace(void *user)
{
    tracing *v = user;
    pm_tuner *t = v->tuner;
    pm_memory *memory = &v->out->memory;
    const pm_session_options *chosen = pm_session_chosen(t->session);
    const char *name = pm_version_text(memory, t->space, t->versions[v->version].values);
    uint64_t code;

    v->workload = pm_program_build(t->program, name, t->size, chosen->seed, NULL, memory->err);
    if (!v->workload)
        pm_give_up(memory, memory->err->status);
    pm_require(memory, pm_executor_trace_compile(v->engine, v->workload, &code, memory->err));
    pthread_mutex_lock(&t->tracer->lock);
    v->out->twin = find_code(t, code, hash_launches(v->workload), v->version);
    pthread_mutex_unlock(&t->tracer->lock);
    v->out->has_twin = v->out->twin != v->version;
    if (!v->out->has_twin)
        count_loaded(v);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The next one that a thread is to take; false: there is none, or no time for it. */
static bool take_next(pm_tuner *t, size_t *place)
{
    pm_tracer *r = t->tracer;
    bool there;

    pthread_mutex_lock(&r->lock);
    there =
        r->next < r->list_count && pm_now_s() < t->deadline && !pm_session_is_cancelled(t->session);
    if (there) {
        *place = r->next++;
        pm_session_show(t->session, t->examined + t->failed + *place, t->budget,
                        t->program->info.name);
    }
    pthread_mutex_unlock(&r->lock);
    return there;
}

static pm_status work(void *user, size_t lane, pm_error *err)
{
    pm_tuner *t = user;
    pm_executor *engine = t->tracer->engines[lane];
    size_t place;

    (void)err;
    while (take_next(t, &place)) {
        outcome *out = &t->tracer->outcomes[place];
        tracing v = {.tuner = t, .engine = engine, .version = t->tracer->list[place], .out = out};

        out->begun = true;
        out->status = pm_attempt(&out->memory, trace, &v, &out->why);
        pm_timing_free(&v.timing);
        engine->type->unload(engine);
        pm_workload_free(v.workload);
    }
    return PM_OK;
}

/* ---- what they say --------------------------------------------------------------------------- */

void pm_tune_fail(pm_tuner *t, size_t version, const pm_error *why)
{
    t->examined -= t->versions[version].state == PM_TUNE_EXAMINED;
    t->versions[version].state = PM_TUNE_FAILED;
    t->versions[version].predicted_s = 0;
    if (t->failed++ == 0)
        t->first = *why;
}

/* Kernels run one after another, so times add up. The ends of their intervals do too: the model
 * tends to be wrong the same way on all kernels of a program. */
static void predict_outcome(pm_tuner *t, size_t version, const outcome *out,
                            const pm_transferred *carried)
{
    static const pm_error unknown = {.status = PM_FAILED,
                                     .text = "counters that the model needs are unknown"};
    pm_tune_version *v = &t->versions[version];

    v->predicted_s = v->lo_s = v->hi_s = 0;
    for (size_t k = 0; k < out->kernel_count; k++) {
        v->predicted_s += carried[k].known ? carried[k].predicted_s : (double)NAN;
        v->lo_s += carried[k].lo_s;
        v->hi_s += carried[k].hi_s;
    }
    if (isnan(v->predicted_s)) {
        pm_tune_fail(t, version, &unknown);
        return;
    }
    if (!t->kernel)
        t->kernel = pm_copy(&t->kept, out->kernels[0].kernel);
    v->state = PM_TUNE_EXAMINED;
    t->examined++;
    t->traced++;
}

/* The times of what was traced. */
typedef struct {
    pm_tuner *tuner;
    pm_dataset *rows;
    pm_memory memory;
} predicting;

static void predict_traced(void *user)
{
    predicting *p = user;
    pm_tuner *t = p->tuner;
    const pm_tracer *r = t->tracer;
    pm_error *err = p->memory.err;
    pm_transferred *carried;
    size_t row = 0;

    for (size_t i = 0; i < r->list_count; i++)
        for (size_t k = 0; k < r->outcomes[i].kernel_count; k++)
            pm_require(&p->memory, pm_dataset_append(p->rows, &r->outcomes[i].kernels[k], err));
    carried = pm_take(&p->memory, pm_dataset_rows(p->rows), sizeof *carried);
    if (pm_dataset_rows(p->rows) > 0)
        pm_require(&p->memory,
                   pm_transfer_predict(t->learned->carry, p->rows, t->without, NULL, carried, err));
    for (size_t i = 0; i < r->list_count; i++) {
        const outcome *out = &r->outcomes[i];

        if (out->begun && out->status != PM_OK)
            pm_tune_fail(t, r->list[i], &out->why);
        else if (out->begun && !out->has_twin)
            predict_outcome(t, r->list[i], out, carried + row);
        row += out->kernel_count;
    }
}

/* Those with the code of another, which may be of the same list. */
static void take_over(pm_tuner *t)
{
    const pm_tracer *r = t->tracer;

    for (size_t i = 0; i < r->list_count; i++) {
        const outcome *out = &r->outcomes[i];
        pm_tune_version *v = &t->versions[r->list[i]];
        const pm_tune_version *twin = &t->versions[out->twin];

        if (!out->begun || out->status != PM_OK || !out->has_twin)
            continue;
        v->state = twin->state;
        v->predicted_s = twin->predicted_s;
        v->lo_s = twin->lo_s;
        v->hi_s = twin->hi_s;
        t->examined += v->state == PM_TUNE_EXAMINED;
        t->failed += v->state == PM_TUNE_FAILED;
    }
}

static pm_status predict(pm_tuner *t, pm_error *err)
{
    predicting p = {.tuner = t, .rows = pm_counts_columns(t->session, err)};
    pm_status status = p.rows ? pm_attempt(&p.memory, predict_traced, &p, err) : err->status;

    pm_memory_free(&p.memory);
    pm_dataset_free(p.rows);
    if (status == PM_OK)
        take_over(t);
    return status;
}

void pm_tune_examine(pm_tuner *t, const size_t *list, size_t count)
{
    pm_tracer *r = t->tracer;
    pm_status status;

    r->list = list;
    r->list_count = count;
    r->next = 0;
    r->outcomes = pm_take(&t->memory, count, sizeof *r->outcomes);
    status = pm_pool_run(r->pool, r->lane_count, work, t, t->memory.err);
    if (status == PM_OK)
        status = pm_session_go_on(t->session, t->memory.err);
    if (status == PM_OK)
        status = predict(t, t->memory.err);
    for (size_t i = 0; i < count; i++)
        pm_memory_free(&r->outcomes[i].memory);
    r->outcomes = NULL;
    pm_require(&t->memory, status);
}

/* ---- engines --------------------------------------------------------------------------------- */

static bool is_cancelled(void *session)
{
    return pm_session_is_cancelled(session);
}

static void open_lane(pm_tuner *t, size_t lane)
{
    const pm_session_options *chosen = pm_session_chosen(t->session);
    const pm_worker_limits limits = {.cancel = {is_cancelled, t->session}};
    pm_tracer *r = t->tracer;
    pm_trace_engine_options options = {.target = t->options->target,
                                       .datasets = chosen->datasets,
                                       .sample = chosen->sample,
                                       .step_limit = chosen->step_limit,
                                       .seed = chosen->seed,
                                       .threads = 1,
                                       .ptxas = chosen->ptxas};

    r->workers[lane] = options.worker = pm_worker_create(&limits, t->memory.err);
    if (!options.worker)
        pm_give_up(&t->memory, t->memory.err->status);
    /* What it has to tell of each version would be told thousands of times. */
    pm_require(&t->memory, pm_executor_trace_open(&options, r->columns->table, NULL,
                                                  &r->engines[lane], t->memory.err));
}

void pm_tracer_open(pm_tuner *t)
{
    pm_tracer *r = calloc(1, sizeof *r);

    if (!r)
        pm_leave(&t->memory, PM_FAILED, "out of memory for the trace engine");
    pthread_mutex_init(&r->lock, NULL);
    t->tracer = r;
    t->codes.items = pm_take(&t->memory, t->count, sizeof *t->codes.items);
    r->columns = pm_count_columns_find(t->session, true, t->memory.err);
    r->pool = pm_pool_create(pm_session_chosen(t->session)->threads, t->memory.err);
    if (!r->columns || !r->pool)
        pm_give_up(&t->memory, t->memory.err->status);
    r->lane_count = pm_pool_threads(r->pool);
    r->workers = pm_take(&t->memory, r->lane_count, sizeof *r->workers);
    r->engines = pm_take(&t->memory, r->lane_count, sizeof(pm_executor *));
    for (size_t lane = 0; lane < r->lane_count; lane++)
        open_lane(t, lane);
}

void pm_tracer_close(pm_tuner *t)
{
    pm_tracer *r = t->tracer;

    if (!r)
        return;
    for (size_t lane = 0; r->engines && lane < r->lane_count; lane++) {
        if (r->engines[lane])
            r->engines[lane]->type->close(r->engines[lane]);
        pm_worker_free(r->workers[lane]);
    }
    pm_pool_free(r->pool);
    pthread_mutex_destroy(&r->lock);
    pm_hash_index_clear(&t->codes.index);
    free(r);
    t->tracer = NULL;
}
