/* Joins the results of all shards (parts) of a tuning campaign. Predicts the times of the versions
 * from their event counts, and sorts the versions by them. See campaign.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/tune/campaign.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

/* A compiled code with its launches, and its event counts for the target GPU for which versions are
 * being ranked. Several versions may have the same code and launches. */
typedef struct {
    const char *text;
    /* index of the first version (combination of tuning parameters) with this code */
    size_t version;
    size_t first_row, kernel_count;
    pm_sample *kernels;
} code;

typedef struct {
    pm_session *session;
    pm_joined *joined;
    json_t *targets, *workloads, *counters;
    json_int_t leave_out;
} joining;

/* State while the versions of one workload are sorted by their predicted times on one target
 * GPU. */
typedef struct {
    const joining *j;
    const json_t *workload;
    pm_tune_options options;
    /* program of the workload; only its name and the name of its class (group of similar programs)
     * are set */
    pm_program program;
    pm_tune_space space;
    /* the workload's versions (combinations of tuning parameters) are the versions first ... end -
     * 1 of the search that all shards share */
    size_t first, end;
    size_t item_count;
    /* the versions (combinations of tuning parameters) that the shards traced, or tried to */
    const pm_finished_item *items;
    /* ranges[version]: global and local size of the version's first launch; zeros: the version
     * (combination of tuning parameters) cannot be launched */
    pm_launch_range *ranges;
    /* code_of[version]: index in `codes` of the version's compiled code and launches; PM_NO_ENTRY:
     * the version (combination of tuning parameters) could not be compiled or run */
    size_t *code_of;
    size_t code_count;
    code *codes;
    pm_hash_index index;
    pm_dataset *rows;
    pm_tuner tuner;
    pm_memory memory;
} ranking;

#define wrong(r, item, what)                                                                       \
    pm_leave(&(r)->memory, PM_BAD_INPUT, "%s:%zu: %.120s: %s", (item)->path, (item)->line,         \
             (item)->key, what)

/* ---- description of the run ------------------------------------------------------------------ */

static pm_status read_run(joining *j, pm_error *err)
{
    if (strcmp(j->joined->command, "tune") == 0 &&
        json_unpack(j->joined->run, "{s:I,s:o,s:o,s:o}", "leave_out", &j->leave_out, "targets",
                    &j->targets, "counters", &j->counters, "workloads", &j->workloads) == 0 &&
        j->leave_out >= PM_LEAVE_NOTHING && j->leave_out <= PM_LEAVE_CLASS &&
        json_array_size(j->targets) > 0 && json_array_size(j->workloads) > 0)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s:1: no share of a campaign of perfmodel tune",
                   j->joined->path);
}

/* Raises an error if the counters in the shards' files are not those of the counter table of the
 * perfmodel that joins them. */
static void check_counters(const ranking *r)
{
    const json_t *names = r->j->counters;
    bool same = json_array_size(names) == pm_dataset_counters(r->rows);

    for (size_t i = 0; same && i < pm_dataset_counters(r->rows); i++) {
        const char *name = json_string_value(json_array_get(names, i));

        same = name && strcmp(name, pm_dataset_counter_name(r->rows, i)) == 0;
    }
    if (!same)
        pm_leave(&r->memory, PM_BAD_INPUT,
                 "%s:1: its counters are not those of this perfmodel's table of counters",
                 r->j->joined->path);
}

static void read_parameter(ranking *r, const json_t *object, pm_tuned *tuned)
{
    json_t *values, *value;
    size_t i;
    int64_t *numbers;

    if (json_unpack((json_t *)object, "{s:s,s:o!}", "name", &tuned->name, "values", &values) != 0 ||
        json_array_size(values) == 0)
        pm_leave(&r->memory, PM_BAD_INPUT, "%s:1: a parameter without a name or values",
                 r->j->joined->path);
    numbers = pm_take(&r->memory, json_array_size(values), sizeof *numbers);
    json_array_foreach(values, i, value)
    {
        numbers[i] = json_integer_value(value);
    }
    tuned->values = numbers;
    tuned->count = json_array_size(values);
}

static void read_workload(ranking *r)
{
    const char *definition, *size;
    json_t *parameters;
    json_int_t space;
    pm_tuned *tuned;

    if (json_unpack((json_t *)r->workload, "{s:s,s?:s,s:s,s:s,s:I,s:o!}", "program",
                    &r->program.info.name, "class", &r->program.class, "size", &size, "definition",
                    &definition, "space", &space, "parameters", &parameters) != 0 ||
        space < 1 || json_array_size(parameters) == 0)
        pm_leave(&r->memory, PM_BAD_INPUT, "%s:1: a workload that lacks a member",
                 r->j->joined->path);
    r->end = r->first + (size_t)space;
    r->space.count = json_array_size(parameters);
    r->space.parameters = tuned = pm_take(&r->memory, r->space.count, sizeof *tuned);
    for (size_t p = 0; p < r->space.count; p++)
        read_parameter(r, json_array_get(parameters, p), &tuned[p]);
    r->tuner.size = size;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void read_kernel(ranking *r, const pm_finished_item *item, json_t *object, pm_sample *sample)
{
    const size_t count = json_array_size(r->j->counters);
    double *cells = pm_take(&r->memory, count, sizeof *cells);
    json_t *counters;

    *sample = (pm_sample){.device = r->options.target,
                          .program = r->program.info.name,
                          .size = r->tuner.size,
                          .counter_source = "trace",
                          .time_s = (double)NAN,
                          .time_mad_s = (double)NAN,
                          .counters = cells};
    if (json_unpack(object, "{s:s,s:F,s:F,s:o!}", "kernel", &sample->kernel, "work_items",
                    &sample->work_items, "work_group", &sample->work_group, "counters",
                    &counters) != 0 ||
        json_array_size(counters) != count)
        wrong(r, item, "a kernel lacks a member or a counter");
    for (size_t i = 0; i < count; i++) {
        const json_t *cell = json_array_get(counters, i);

        cells[i] = json_is_number(cell) ? json_number_value(cell) : (double)NAN;
    }
}

static void read_code(ranking *r, const pm_finished_item *item, code *c)
{
    const char *variant =
        pm_version_text(&r->memory, &r->space, r->tuner.versions[c->version].values);

    c->kernel_count = json_array_size(item->value);
    if (c->kernel_count == 0)
        wrong(r, item, "no kernels were counted");
    c->kernels = pm_take(&r->memory, c->kernel_count, sizeof *c->kernels);
    c->first_row = pm_dataset_rows(r->rows);
    for (size_t k = 0; k < c->kernel_count; k++) {
        read_kernel(r, item, json_array_get(item->value, k), &c->kernels[k]);
        c->kernels[k].variant = variant;
        pm_require(&r->memory, pm_dataset_append(r->rows, &c->kernels[k], r->memory.err));
    }
    if (pm_dataset_rows(r->rows) != c->first_row + c->kernel_count)
        wrong(r, item, "a kernel is there twice");
}

typedef struct {
    const ranking *r;
    const char *text;
} wanted_code;

static bool is_code(const void *key, size_t value)
{
    const wanted_code *w = key;

    return strcmp(w->r->codes[value].text, w->text) == 0;
}

/* Returns the index in `codes` of a version's compiled code and launches. Reads their event counts
 * when the code is used first. */
static size_t find_code(ranking *r, size_t version, const pm_finished_item *of, const char *text)
{
    const wanted_code w = {r, text};
    size_t found = pm_hash_index_find(&r->index, pm_hash_text(text), is_code, &w);
    const pm_finished_item *item;

    if (found != PM_NO_ENTRY)
        return found;
    item =
        pm_joined_find(r->j->joined, pm_format(&r->memory, "%.99s %.99s", text, r->options.target));
    if (!item)
        wrong(r, of,
              "what it compiles to was counted in none of the shares: run its share again "
              "into a new file");
    found = r->code_count;
    *pm_add(&r->memory, r->codes, r->code_count) = (code){.text = text, .version = version};
    if (!pm_hash_index_add(&r->index, pm_hash_text(text), found))
        pm_leave(&r->memory, PM_FAILED, "out of memory for %zu codes", r->code_count);
    read_code(r, item, &r->codes[found]);
    return found;
}

/* ---- versions -------------------------------------------------------------------------------- */

static bool is_listed(const pm_tuned *tuned, int64_t value)
{
    for (size_t k = 0; k < tuned->count; k++)
        if (tuned->values[k] == value)
            return true;
    return false;
}

static void add_version(ranking *r, const pm_finished_item *item)
{
    const json_t *list = json_object_get(item->value, "values");
    int64_t *values = pm_take(&r->memory, r->space.count, sizeof *values);

    if (json_array_size(list) != r->space.count)
        wrong(r, item, "a value is missing");
    for (size_t p = 0; p < r->space.count; p++) {
        values[p] = json_integer_value(json_array_get(list, p));
        if (!is_listed(&r->space.parameters[p], values[p]))
            wrong(r, item, "a value that its parameter does not have");
    }
    pm_tune_add(&r->tuner, values, json_number_value(json_object_get(item->value, "measured_s")));
}

static pm_launch_range read_range(ranking *r, const pm_finished_item *item)
{
    json_t *list = json_object_get(item->value, "range");
    pm_launch_range range = {0};

    if (json_is_null(list))
        return range;
    if (json_array_size(list) != 6)
        wrong(r, item, "the range of a launch has six numbers");
    for (size_t k = 0; k < 6; k++) {
        json_int_t number = json_integer_value(json_array_get(list, k));

        if (number < 1 || number > UINT32_MAX)
            wrong(r, item, "a range of a launch that no GPU has");
        *(k < 3 ? &range.global[k] : &range.local[k - 3]) = (size_t)number;
    }
    return range;
}

/* Finds a version's code in the shards' results and stores its index in r->code_of, or marks the
 * version (combination of tuning parameters) as failed with the shard's message. */
static void read_version(ranking *r, size_t version)
{
    const pm_finished_item *item = &r->items[version];
    const json_t *value = item->value;
    const char *text = json_string_value(json_object_get(value, "code"));
    const json_t *failures = json_object_get(value, "failures");
    const char *failure = json_string_value(json_object_get(value, "failure"));
    pm_error why;

    r->code_of[version] = PM_NO_ENTRY;
    if (!failure)
        failure = json_string_value(json_object_get(failures, r->options.target));
    if (!failure && !text)
        wrong(r, item, "neither a code nor a failure");
    if (!failure) {
        r->code_of[version] = find_code(r, version, item, text);
        return;
    }
    pm_fail(&why, PM_FAILED, "%s", failure);
    pm_tune_fail(&r->tuner, version, &why);
}

static void predict(ranking *r)
{
    const pm_learned *learned;
    pm_transferred *carried;

    pm_require(&r->memory, pm_learned_find(r->j->session, r->options.target, PM_LEARN_OWN, &learned,
                                           r->memory.err));
    r->tuner.learned = learned;
    carried = pm_take(&r->memory, pm_dataset_rows(r->rows), sizeof *carried);
    if (pm_dataset_rows(r->rows) > 0)
        pm_require(&r->memory, pm_transfer_predict(learned->carry, r->rows, r->tuner.without, NULL,
                                                   carried, r->memory.err));
    for (size_t v = 0; v < r->item_count; v++) {
        const code *c = r->code_of[v] == PM_NO_ENTRY ? NULL : &r->codes[r->code_of[v]];

        if (c && c->version == v)
            pm_tune_predicted(&r->tuner, v, c->kernels, c->kernel_count, carried + c->first_row);
        else if (c)
            pm_tune_take_over(&r->tuner, v, c->version);
    }
}

/* ---- a workload on a target ------------------------------------------------------------------ */

static void find_items(ranking *r)
{
    const pm_joined *joined = r->j->joined;
    size_t from = 0, to;

    while (from < joined->count && joined->items[from].place < r->first)
        from++;
    for (to = from; to < joined->count && joined->items[to].place < r->end; to++)
        ;
    r->items = joined->items + from;
    r->item_count = to - from;
}

static void rank(void *user)
{
    ranking *r = user;

    r->tuner = (pm_tuner){.session = r->j->session,
                          .options = &r->options,
                          .program = &r->program,
                          .space = &r->space,
                          .memory = pm_memory_beside(&r->memory),
                          .kept = pm_memory_beside(&r->memory)};
    read_workload(r);
    r->tuner.without = (pm_withheld){r->options.leave_out, r->program.class};
    find_items(r);
    r->rows = pm_counts_columns(r->j->session, r->memory.err);
    if (!r->rows)
        pm_give_up(&r->memory, r->memory.err->status);
    check_counters(r);
    r->code_of = pm_take(&r->memory, r->item_count, sizeof *r->code_of);
    r->tuner.tuning = pm_take(&r->tuner.kept, 1, sizeof *r->tuner.tuning);
    r->ranges = pm_take(&r->memory, r->item_count, sizeof *r->ranges);
    for (size_t v = 0; v < r->item_count; v++) {
        add_version(r, &r->items[v]);
        r->ranges[v] = read_range(r, &r->items[v]);
    }
    for (size_t v = 0; v < r->item_count; v++)
        read_version(r, v);
    predict(r);
    pm_tune_features_of(&r->tuner, r->ranges);
    pm_tune_rank(&r->tuner);
    r->tuner.tuning->space = r->end - r->first;
    r->tuner.tuning->memory = r->tuner.kept.blocks;
}

/* Ranks the versions (combinations of tuning parameters) of one workload for one target GPU. first:
 * index of the workload's first version among the versions of all workloads; end gets the index
 * after its last one. The caller owns the result. NULL on error. */
static pm_tuning *rank_one(const joining *j, size_t workload, size_t target, size_t first,
                           size_t *end, pm_error *err)
{
    ranking r = {.j = j, .workload = json_array_get(j->workloads, workload), .first = first};
    pm_status status;

    r.options = (pm_tune_options){.target = json_string_value(json_array_get(j->targets, target)),
                                  .leave_out = (pm_leave_out)j->leave_out};
    if (!r.options.target) {
        pm_fail(err, PM_BAD_INPUT, "%s:1: a target is no text", j->joined->path);
        return NULL;
    }
    status = pm_attempt(&r.memory, rank, &r, err);
    pm_dataset_free(r.rows);
    pm_hash_index_clear(&r.index);
    pm_memory_free(&r.tuner.memory);
    pm_memory_free(&r.memory);
    *end = r.end;
    if (status == PM_OK)
        return r.tuner.tuning;
    pm_memory_free(&r.tuner.kept);
    return NULL;
}

static pm_status rank_all(const joining *j, pm_campaign *campaign, pm_error *err)
{
    size_t first = 0;

    campaign->target_count = json_array_size(j->targets);
    campaign->tunings =
        calloc(json_array_size(j->workloads) * campaign->target_count, sizeof(pm_tuning *));
    if (!campaign->tunings)
        return pm_fail(err, PM_FAILED, "out of memory for the tunings");
    while (campaign->workload_count < json_array_size(j->workloads)) {
        const size_t w = campaign->workload_count++;
        size_t end = first;

        for (size_t t = 0; t < campaign->target_count; t++) {
            pm_tuning **tuning = &campaign->tunings[w * campaign->target_count + t];

            pm_session_show(j->session, w * campaign->target_count + t,
                            json_array_size(j->workloads) * campaign->target_count, "predicting");
            *tuning = rank_one(j, w, t, first, &end, err);
            if (!*tuning)
                return err->status;
        }
        first = end;
    }
    return PM_OK;
}

/* ---- the rankings of all workloads ----------------------------------------------------------- */

pm_campaign *pm_tune_join(pm_session *session, const char *const *paths, pm_error *err)
{
    pm_error ignored = {0};
    joining j = {.session = session};
    pm_campaign *campaign = calloc(1, sizeof *campaign);
    pm_status status = campaign ? PM_OK : PM_FAILED;

    err = err ? err : &ignored;
    if (!campaign)
        pm_fail(err, PM_FAILED, "out of memory for a campaign");
    else
        j.joined = pm_joined_read(paths, pm_session_log(session), err);
    if (j.joined)
        status = read_run(&j, err);
    if (j.joined && status == PM_OK)
        status = rank_all(&j, campaign, err);
    if (!j.joined || status != PM_OK) {
        pm_campaign_free(campaign);
        campaign = NULL;
    }
    pm_joined_free(j.joined);
    return campaign;
}

void pm_campaign_free(pm_campaign *campaign)
{
    if (!campaign)
        return;
    for (size_t i = 0; i < campaign->workload_count * campaign->target_count; i++)
        pm_tuning_free(campaign->tunings[i]);
    free(campaign->tunings);
    free(campaign);
}
