/* Runs one shard (part) of a tuning campaign. For every target GPU, the trace engine counts the
 * events of each version (combination of tuning parameters) that belongs to the shard. See
 * campaign.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which versions a campaign has, and which shard traces a version, depends only on names and the
 * seed. So a shard needs no contact with the other shards. If it is started again, it finds the
 * results of its earlier run in its own file.
 */
#include "answer/tune/campaign.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/version.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/scramble.h"
#include "base/session/session.h"
#include "base/shard.h"
#include "collector/worker/executor_trace.h"

/* Resources of one thread: a worker process, and one trace engine per target. */
typedef struct {
    pm_worker *worker;
    pm_executor **engines;
} lane;

typedef struct {
    const pm_tuner *tuner;
    size_t version;
    /* pseudo-random number; if the campaign is limited to some versions (combinations of tuning
     * parameters), those with the smallest keys are used */
    uint64_t key;
    /* index of the version (a combination of tuning parameters) among the versions of all workloads
     */
    size_t place;
    const char *title, *name; /* title is "PROGRAM VERSION"; name points to VERSION in it */
} item;

typedef struct {
    pm_session *session;
    const pm_tune_options *options;
    const char *const *targets, *const *workloads;
    const pm_shard *shard;
    pm_share_result *result;
    size_t target_count, tuner_count;
    pm_tuner *tuners; /* tuners[w]: tuner of workload w */
    /* asked[w]: options of the tuner of workload w; they differ from `options` in the path of the
     * workload */
    pm_tune_options *asked;
    size_t item_count, next;
    /* versions (combinations of tuning parameters) that this shard has to trace; items[next] is the
     * next one */
    item *items;
    const pm_count_columns *columns;
    pm_pool *pool;
    size_t lane_count;
    lane *lanes;
    json_t *run;
    pm_finished *finished;
    pthread_mutex_t lock; /* guards next, result, finished and the progress display */
    pm_memory memory;
} campaign;

/* ---- choice of versions ---------------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const item *x = a, *y = b;

    return x->key != y->key ? (x->key > y->key) - (x->key < y->key)
                            : (x->place > y->place) - (x->place < y->place);
}

/* If the campaign is limited to `budget` versions (combinations of tuning parameters) of each
 * workload, chooses a random sample: the versions with the smallest pseudo-random keys. budget 0:
 * all versions. Appends the versions that this shard has to trace to c->items. first: index of the
 * workload's first version among the versions of all workloads. */
static void choose_items(campaign *c, const pm_tuner *t, size_t first)
{
    const uint64_t seed = pm_scramble(pm_session_chosen(c->session)->seed);
    const size_t budget = c->options->budget;
    item *all = pm_take(&c->memory, t->count, sizeof *all);

    for (size_t v = 0; v < t->count; v++) {
        const char *program = t->program->info.name;
        const char *title = pm_format(&c->memory, "%s %s", program,
                                      pm_version_text(&c->memory, t->space, t->versions[v].values));
        const char *name = title + strlen(program) + 1;

        all[v] = (item){t, v, pm_scramble(seed ^ pm_hash_text(name)), first + v, title, name};
    }
    if (t->count > 0)
        qsort(all, t->count, sizeof *all, by_key);
    for (size_t i = 0; i < t->count && (budget == 0 || i < budget); i++)
        if (pm_shard_has(c->shard, t->program->info.name, all[i].name))
            *pm_add(&c->memory, c->items, c->item_count) = all[i];
}

static void choose_all(campaign *c)
{
    size_t first = 0;

    while (c->workloads[c->tuner_count])
        c->tuner_count++;
    while (c->targets[c->target_count])
        c->target_count++;
    c->asked = pm_take(&c->memory, c->tuner_count, sizeof *c->asked);
    c->tuners = pm_take(&c->memory, c->tuner_count, sizeof *c->tuners);
    for (size_t i = 0; i < c->tuner_count; i++) {
        pm_tuner *t = &c->tuners[i];

        c->asked[i] = *c->options;
        c->asked[i].workload = c->workloads[i];
        *t = (pm_tuner){.session = c->session, .options = &c->asked[i]};
        t->memory = pm_memory_beside(&c->memory);
        pm_tune_choose(t);
        choose_items(c, t, first);
        first += t->count;
    }
}

/* ---- one version ----------------------------------------------------------------------------- */

typedef struct {
    campaign *c;
    const item *of;
    const lane *lane;
    pm_workload *workload;
    pm_timing timing;
    size_t target;
    char code[2 * 16 + 2];
    pm_memory memory;
} examining;

static void compile(void *user)
{
    examining *x = user;
    const pm_tuner *t = x->of->tuner;
    uint64_t code;

    x->workload = pm_program_build(t->program, x->of->name, t->size,
                                   pm_session_chosen(x->c->session)->seed, NULL, x->memory.err);
    if (!x->workload)
        pm_give_up(&x->memory, x->memory.err->status);
    pm_require(&x->memory,
               pm_executor_trace_compile(x->lane->engines[0], x->workload, &code, x->memory.err));
    for (size_t i = 1; i < x->c->target_count; i++)
        pm_require(&x->memory,
                   pm_executor_trace_take(x->lane->engines[i], x->lane->engines[0], x->memory.err));
    snprintf(x->code, sizeof x->code, "%016" PRIx64 "-%016" PRIx64, code,
             pm_version_launches(x->workload));
}

static pm_status add(campaign *c, const char *key, size_t place, json_t *value, pm_error *err)
{
    pm_status status;

    pthread_mutex_lock(&c->lock);
    status = pm_finished_add(c->finished, key, place, value, err);
    pthread_mutex_unlock(&c->lock);
    return status;
}

static bool is_counted(campaign *c, const char *key)
{
    bool found;

    pthread_mutex_lock(&c->lock);
    found = pm_finished_find(c->finished, key) != NULL;
    pthread_mutex_unlock(&c->lock);
    return found;
}

typedef struct {
    examining *x;
    json_t *kernels;
} counted;

static void count(void *user)
{
    counted *n = user;
    examining *x = n->x;
    const campaign *c = x->c;
    pm_sample *kernels;
    const size_t found =
        pm_version_count(&x->memory,
                         &(pm_version_counting){.engine = x->lane->engines[x->target],
                                                .columns = c->columns,
                                                .target = c->targets[x->target],
                                                .workload = x->workload,
                                                .timing = &x->timing},
                         &kernels);

    n->kernels = pm_campaign_kernels(c->columns, kernels, found);
}

/* Returns the text of an error as a JSON string. If the text is not UTF-8, because it contains a
 * file name for example, a fixed text replaces it. */
static json_t *text_of(const pm_error *why)
{
    json_t *text = json_string(why->text);

    return text ? text : json_string("the reason is not UTF-8");
}

/* Traces a version (combination of tuning parameters) for one target GPU to count its events. Does
 * nothing if the shard's file already has the counts of this target for a version with the same
 * code and launches. If the trace fails, adds the error's text to `failures` under the target's
 * name and returns PM_OK. */
static pm_status count_for(examining *x, size_t target, json_t *failures, pm_error *err)
{
    campaign *c = x->c;
    pm_executor *engine = x->lane->engines[target];
    counted n = {.x = x};
    pm_error why = {0};
    char key[128];
    pm_status status;

    snprintf(key, sizeof key, "%s %.80s", x->code, c->targets[target]);
    if (is_counted(c, key))
        return PM_OK;
    x->target = target;
    status = pm_attempt(&x->memory, count, &n, &why);
    pm_timing_free(&x->timing);
    x->timing = (pm_timing){0};
    engine->type->unload(engine);
    if (status == PM_OK)
        return add(c, key, PM_NO_PLACE, n.kernels, err);
    json_object_set_new(failures, c->targets[target], text_of(&why));
    return PM_OK;
}

static json_t *values_of(const item *of)
{
    const pm_tuner *t = of->tuner;
    json_t *values = json_array();

    for (size_t p = 0; p < t->space->count; p++)
        json_array_append_new(values, json_integer(t->versions[of->version].values[p]));
    return values;
}

/* Returns the global and local size of the version's first launch as a JSON list of six numbers;
 * null if the version (combination of tuning parameters) cannot be launched. */
static json_t *range_of(const item *of)
{
    pm_launch_range r;

    if (!pm_tune_range(of->tuner, of->version, &r))
        return json_null();
    return json_pack("[I,I,I,I,I,I]", (json_int_t)r.global[0], (json_int_t)r.global[1],
                     (json_int_t)r.global[2], (json_int_t)r.local[0], (json_int_t)r.local[1],
                     (json_int_t)r.local[2]);
}

/* Compiles a version (combination of tuning parameters) and traces it for every target. Adds `code`
 * (the hash of the compiled code) to the JSON object `value`, and `failures` with the error of each
 * target that failed. If it cannot be compiled, adds `failure` with the error instead. */
static pm_status count_all(examining *x, json_t *value, pm_error *err)
{
    json_t *failures = json_object();
    pm_error why = {0};
    pm_status status = pm_attempt(&x->memory, compile, x, &why);

    if (status != PM_OK) {
        json_decref(failures);
        json_object_set_new(value, "failure", text_of(&why));
        return PM_OK;
    }
    json_object_set_new(value, "code", json_string(x->code));
    for (size_t t = 0; status == PM_OK && t < x->c->target_count; t++)
        status = count_for(x, t, failures, err);
    if (json_object_size(failures) > 0)
        json_object_set_new(value, "failures", json_incref(failures));
    json_decref(failures);
    return status;
}

/* Traces a version (combination of tuning parameters) for all targets. Appends its event counts to
 * the shard's file, and then an item for the version itself, which marks it as done. If the user
 * cancels, this item is not written, and the next run traces the version again. */
static pm_status examine(campaign *c, const item *of, const lane *own, pm_error *err)
{
    const double measured_s = of->tuner->versions[of->version].measured_s;
    examining x = {.c = c, .of = of, .lane = own};
    json_t *value = json_pack("{s:o,s:o}", "values", values_of(of), "range", range_of(of));
    pm_status status = count_all(&x, value, err);
    const bool failed =
        json_object_get(value, "failure") != NULL || json_object_get(value, "failures") != NULL;

    if (measured_s > 0)
        json_object_set_new(value, "measured_s", json_real(measured_s));
    if (status == PM_OK && !pm_session_is_cancelled(c->session)) {
        status = add(c, of->title, of->place, json_incref(value), err);
        pthread_mutex_lock(&c->lock);
        c->result->done += status == PM_OK;
        c->result->failed += failed;
        pthread_mutex_unlock(&c->lock);
    }
    json_decref(value);
    pm_workload_free(x.workload);
    pm_memory_free(&x.memory);
    return status;
}

/* ---- all versions ---------------------------------------------------------------------------- */

/* Returns the next version (combination of tuning parameters) that was not traced yet; NULL: none
 * is left, or the user cancelled. */
static const item *take_next(campaign *c)
{
    const item *found = NULL;

    pthread_mutex_lock(&c->lock);
    while (!found && c->next < c->item_count && !pm_session_is_cancelled(c->session)) {
        found = &c->items[c->next++];
        if (pm_finished_find(c->finished, found->title)) {
            c->result->kept++;
            found = NULL;
        }
    }
    if (found)
        pm_session_show(c->session, c->next - 1, c->item_count, found->tuner->program->info.name);
    pthread_mutex_unlock(&c->lock);
    return found;
}

static pm_status work(void *user, size_t number, pm_error *err)
{
    campaign *c = user;
    const item *of;
    pm_status status = PM_OK;

    while (status == PM_OK && (of = take_next(c)))
        status = examine(c, of, &c->lanes[number], err);
    return status;
}

static void open_lanes(campaign *c)
{
    c->columns = pm_count_columns_find(c->session, true, c->memory.err);
    c->pool = pm_pool_create(pm_session_chosen(c->session)->threads, c->memory.err);
    if (!c->columns || !c->pool)
        pm_give_up(&c->memory, c->memory.err->status);
    c->lane_count = pm_pool_threads(c->pool);
    c->lanes = pm_take(&c->memory, c->lane_count, sizeof *c->lanes);
    for (size_t i = 0; i < c->lane_count; i++) {
        lane *l = &c->lanes[i];

        l->engines = pm_take(&c->memory, c->target_count, sizeof(pm_executor *));
        l->worker = pm_version_worker(&c->memory, c->session);
        for (size_t t = 0; t < c->target_count; t++)
            l->engines[t] = pm_version_engine(&c->memory, c->session, c->targets[t], l->worker,
                                              c->columns->table);
    }
}

static void close_lanes(campaign *c)
{
    for (size_t i = 0; c->lanes && i < c->lane_count; i++) {
        for (size_t t = 0; c->lanes[i].engines && t < c->target_count; t++)
            if (c->lanes[i].engines[t])
                c->lanes[i].engines[t]->type->close(c->lanes[i].engines[t]);
        pm_worker_free(c->lanes[i].worker);
    }
    pm_pool_free(c->pool);
}

/* Adds a workload to c->run, which describes the campaign in each shard file. The workload is
 * identified by the hash of the source and options of its first version (combination of tuning
 * parameters). */
static void describe(campaign *c, const pm_tuner *t)
{
    char definition[PM_DEFINITION];

    if (t->count == 0)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s: its restrictions allow no version",
                 t->program->path);
    pm_require(&c->memory,
               pm_program_define(c->session, t->program,
                                 pm_version_text(&c->memory, t->space, t->versions[0].values),
                                 t->size, definition, c->memory.err));
    pm_campaign_add(c->run, t, definition);
}

static void run(void *user)
{
    campaign *c = user;
    pm_finished_head head = {.command = "tune", .shard = *c->shard};

    choose_all(c);
    open_lanes(c);
    c->run = pm_campaign_run(c->session, c->options, c->targets,
                             pm_executor_trace_registers(c->lanes[0].engines[0]), c->columns);
    for (size_t i = 0; i < c->tuner_count; i++)
        describe(c, &c->tuners[i]);
    head.run = c->run;
    head.planned = c->item_count;
    c->finished =
        pm_finished_open(c->result->path, &head, pm_session_log(c->session), c->memory.err);
    if (!c->finished)
        pm_give_up(&c->memory, c->memory.err->status);
    pm_require(&c->memory, pm_pool_run(c->pool, c->lane_count, work, c, c->memory.err));
    if (pm_session_is_cancelled(c->session))
        pm_leave(&c->memory, PM_FAILED,
                 "stopped; %zu of %zu versions are safe in %s: run the same command to go on",
                 c->result->done + c->result->kept, c->item_count, c->result->path);
}

/* Rejects options that would make a shard's results depend on its speed or on other results. */
static pm_status check(const pm_tune_options *options, const char *const *targets, pm_error *err)
{
    if (options->budget_s > 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "a share cannot have a budget in seconds, as what it reaches in them is "
                       "another thing each time: say how many versions, or nothing for all");
    if (options->known && *options->known)
        return pm_fail(err, PM_BAD_INPUT,
                       "what is known of other GPUs changes what is examined, of which a share "
                       "knows nothing: give it to a run without shares");
    if (options->measure > 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "a share measures nothing: run the most promising once all are joined");
    if (!targets || !*targets)
        return pm_fail(err, PM_BAD_INPUT, "no target is named: add one such as h200");
    return PM_OK;
}

pm_status pm_tune_share(pm_session *session, const pm_tune_options *options,
                        const char *const *targets, const char *const *workloads,
                        const pm_shard *shard, const char *output, pm_share_result *result,
                        pm_error *err)
{
    campaign c = {.session = session,
                  .options = options,
                  .targets = targets,
                  .workloads = workloads,
                  .shard = shard,
                  .result = result,
                  .lock = PTHREAD_MUTEX_INITIALIZER};
    pm_error ignored = {0};
    pm_status status;

    err = err ? err : &ignored;
    *result = (pm_share_result){0};
    status = check(options, targets, err);
    if (status == PM_OK)
        status = pm_finished_path(shard, output, result->path, sizeof result->path, err);
    if (status != PM_OK)
        return status;
    status = pm_attempt(&c.memory, run, &c, err);
    pm_finished_close(c.finished);
    close_lanes(&c);
    json_decref(c.run);
    for (size_t i = 0; c.tuners && i < c.tuner_count; i++) {
        json_decref(c.tuners[i].files);
        pm_memory_free(&c.tuners[i].memory);
    }
    pm_memory_free(&c.memory);
    return status;
}
