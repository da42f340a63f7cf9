/* Compiles versions (combinations of tuning parameters) of a kernel and counts their events in the
 * trace engine, in several threads. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each thread has a trace engine and a worker process of its own. Of several versions with the same
 * code and launches, only one is traced. The counts of a version do not depend on what an engine
 * traced before, so it does not matter which thread traces a version.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "answer/counts/counts.h"
#include "answer/tune/parts.h"
#include "answer/tune/version.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/session/session.h"
#include "collector/measure.h"
#include "collector/worker/executor_trace.h"
#include "model/samples/dataset.h"

typedef struct pm_traced_code {
    uint64_t code, launches;
    size_t version;
} pm_traced_code;

/* Result of compiling and tracing one version (combination of tuning parameters) of a kernel. */
typedef struct {
    bool begun;
    bool has_twin; /* true: not traced because version `twin` has the same code and launches */
    size_t twin;
    pm_status status;
    pm_error why;
    pm_memory memory;
    size_t kernel_count;
    pm_sample *kernels;
} outcome;

typedef struct pm_tracer {
    pm_pool *pool;
    pthread_mutex_t lock; /* guards the members below and the tuner's codes */
    const pm_count_columns *columns;
    size_t lane_count;
    pm_worker **workers;
    pm_executor **engines;
    /* arguments and results of the running call of pm_tune_examine */
    const size_t *list;
    size_t list_count, next;
    outcome *outcomes;
} pm_tracer;

/* ---- traced codes ---------------------------------------------------------------------------- */

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

/* Returns the index of the first version (combination of tuning parameters) with this compiled code
 * and these launches, which are given as hashes. If there is none yet, registers `version` for them
 * and returns it. */
static size_t find_code(pm_tuner *t, uint64_t code, uint64_t launches, size_t version)
{
    const code_key key = {&t->codes, code, launches};
    const uint64_t hash = code + 3 * launches;
    const size_t found = pm_hash_index_find(&t->codes.index, hash, is_same, &key);

    if (found != PM_NO_ENTRY)
        return t->codes.items[found].version;
    /* If memory runs out, the code is not registered. Another version (combination of tuning
     * parameters) with this code is then traced, too. */
    if (pm_hash_index_add(&t->codes.index, hash, t->codes.count))
        t->codes.items[t->codes.count++] = (pm_traced_code){code, launches, version};
    return version;
}

/* ---- one version ----------------------------------------------------------------------------- */

/* State while a thread compiles and traces one version (combination of tuning parameters). */
typedef struct {
    pm_tuner *tuner;
    pm_executor *engine;
    size_t version;
    outcome *out;
    pm_workload *workload;
    pm_timing timing;
} tracing;

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
    v->out->twin = find_code(t, code, pm_version_launches(v->workload), v->version);
    pthread_mutex_unlock(&t->tracer->lock);
    v->out->has_twin = v->out->twin != v->version;
    if (!v->out->has_twin)
        v->out->kernel_count =
            pm_version_count(memory,
                             &(pm_version_counting){.engine = v->engine,
                                                    .columns = t->tracer->columns,
                                                    .target = t->options->target,
                                                    .workload = v->workload,
                                                    .timing = &v->timing},
                             &v->out->kernels);
}

/* ---- all versions ---------------------------------------------------------------------------- */

/* Takes the next version (combination of tuning parameters) of r->list and sets *place to its index
 * in the list. Returns false if no version or no time is left, or if the user has cancelled the
 * search. */
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

/* ---- results --------------------------------------------------------------------------------- */

void pm_tune_fail(pm_tuner *t, size_t version, const pm_error *why)
{
    t->examined -= t->versions[version].state == PM_TUNE_EXAMINED;
    t->versions[version].state = PM_TUNE_FAILED;
    t->versions[version].predicted_s = 0;
    if (t->failed++ == 0 || version < t->first_failed) {
        t->first = *why;
        t->first_failed = version;
    }
}

/* Sums the predictions of the kernels. Kernels run one after another, so their times add up. The
 * lower and upper ends of the intervals of the kernels' times are summed in the same way, because
 * the model's errors on the kernels of one program tend to have the same sign. */
void pm_tune_predicted(pm_tuner *t, size_t version, const pm_sample *kernels, size_t count,
                       const pm_transferred *carried)
{
    static const pm_error unknown = {.status = PM_FAILED,
                                     .text = "counters that the model needs are unknown"};
    pm_tune_version *v = &t->versions[version];

    v->predicted_s = v->lo_s = v->hi_s = 0;
    for (size_t k = 0; k < count; k++) {
        v->predicted_s += carried[k].known ? carried[k].predicted_s : (double)NAN;
        v->lo_s += carried[k].lo_s;
        v->hi_s += carried[k].hi_s;
    }
    if (isnan(v->predicted_s)) {
        pm_tune_fail(t, version, &unknown);
        return;
    }
    if (!t->kernel)
        t->kernel = pm_copy(&t->kept, kernels[0].kernel);
    v->state = PM_TUNE_EXAMINED;
    t->examined++;
    t->traced++;
}

/* State while the times of the versions whose events were counted are predicted. */
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
            pm_tune_predicted(t, r->list[i], out->kernels, out->kernel_count, carried + row);
        row += out->kernel_count;
    }
}

void pm_tune_take_over(pm_tuner *t, size_t version, size_t twin)
{
    pm_tune_version *v = &t->versions[version];
    const pm_tune_version *from = &t->versions[twin];

    v->state = from->state;
    v->predicted_s = from->predicted_s;
    v->lo_s = from->lo_s;
    v->hi_s = from->hi_s;
    t->examined += v->state == PM_TUNE_EXAMINED;
    t->failed += v->state == PM_TUNE_FAILED;
}

/* Copies predictions to the versions (combinations of tuning parameters) that were not traced,
 * because another version (twin) has the same code and launches. The twin may be in the same list.
 */
static void take_over(pm_tuner *t)
{
    const pm_tracer *r = t->tracer;

    for (size_t i = 0; i < r->list_count; i++) {
        const outcome *out = &r->outcomes[i];

        if (out->begun && out->status == PM_OK && out->has_twin)
            pm_tune_take_over(t, r->list[i], out->twin);
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

static void open_lane(pm_tuner *t, size_t lane)
{
    pm_tracer *r = t->tracer;

    r->workers[lane] = pm_version_worker(&t->memory, t->session);
    r->engines[lane] = pm_version_engine(&t->memory, t->session, t->options->target,
                                         r->workers[lane], r->columns->table);
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

size_t pm_tracer_threads(const pm_tuner *t)
{
    return t->tracer->lane_count;
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
