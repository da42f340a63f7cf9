/* Runs one shard (part) of a check that is divided among several processes or machines, and later
 * joins the results of all shards. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An item of a shard's file (answer/shares/shares.h) is one workload. Its key is "PROGRAM VARIANT
 * SIZE", and its value is {"definition", "registers_source", "path", "source", "kernels"}. `path`
 * is that of the source. `source` and `kernels` are as in a baseline, except that each kernel's
 * source index is 0.
 */
#include <string.h>

#include "answer/check/parts.h"
#include "answer/shares/shares.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/shard.h"

/* ---- one shard ------------------------------------------------------------------------------- */

typedef struct {
    /* the first member, because share() gets a pointer to this member from pm_check_attempt and
     * converts it to a pointer to the whole struct */
    pm_checking c;
    const pm_shard *shard;
    pm_share_result *result;
    pm_finished *finished;
    /* run: JSON object that describes the run; value: JSON object with the counts of the workload
     * that is being traced */
    json_t *run, *value;
} sharing;

static json_t *names_json(const char *const *names)
{
    json_t *list = names ? json_array() : json_null();

    for (; names && *names; names++)
        json_array_append_new(list, json_string(*names));
    return list;
}

static json_t *run_json(const pm_checking *c)
{
    json_t *targets = json_array(), *names = json_array();

    for (size_t i = 0; i < c->now.target_count; i++)
        json_array_append_new(targets, json_string(c->now.targets[i]));
    for (size_t i = 0; i < c->name_count; i++)
        json_array_append_new(names, json_string(c->names[i]));
    return json_pack("{s:I,s:f,s:o,s:o,s:o,s:o}", "seed", (json_int_t)c->seed, "sample", c->sample,
                     "targets", targets, "programs", names, "variants",
                     names_json(c->options->variants), "sizes", names_json(c->options->sizes));
}

static const char *key_of(pm_checking *c, const pm_check_workload *of)
{
    return pm_format(&c->memory, "%s %s %s", of->program->info.name, of->variant, of->size);
}

static void define(sharing *s, const pm_check_workload *of, char text[PM_DEFINITION])
{
    pm_require(&s->c.memory, pm_program_define(s->c.session, of->program, of->variant, of->size,
                                               text, s->c.memory.err));
}

/* Returns true if the shard's file already has the counters of the workload. Raises an error if the
 * workload's sources have changed since it was traced. */
static bool is_finished(sharing *s, const pm_check_workload *of, const char *key)
{
    const json_t *value = pm_finished_find(s->finished, key);
    const char *there = json_string_value(json_object_get(value, "definition"));
    char now[PM_DEFINITION];

    if (!value)
        return false;
    define(s, of, now);
    if (!there || strcmp(there, now) != 0)
        pm_leave(&s->c.memory, PM_BAD_INPUT,
                 "%s: its sources have changed since %s was counted: remove the file, or choose "
                 "another with -o",
                 s->result->path, key);
    return true;
}

static void count(sharing *s, const pm_check_workload *of, const char *key, size_t place)
{
    pm_checking *c = &s->c;
    const size_t first = c->now.side_count;
    const pm_check_source *source;
    size_t number;
    char definition[PM_DEFINITION];
    json_t *kernels = NULL;

    c->now.registers_source = NULL;
    define(s, of, definition);
    number = pm_check_count_one(c, of);
    source = &c->now.sources[number];
    s->value = json_pack("{s:s,s:s,s:s,s:o,s:[]}", "definition", definition, "registers_source",
                         c->now.registers_source, "path", source->path, "source",
                         pm_check_source_json(source), "kernels");
    kernels = json_object_get(s->value, "kernels");
    for (size_t i = first; i < c->now.side_count; i++) {
        c->now.sides[i].source = 0;
        json_array_append_new(kernels, pm_check_side_json(c, &c->now.sides[i]));
    }
    pm_require(&c->memory,
               pm_finished_add(s->finished, key, place, json_incref(s->value), c->memory.err));
    json_decref(s->value);
    s->value = NULL;
    s->result->done++;
}

static void share(void *user)
{
    sharing *s = user;
    pm_checking *c = &s->c;
    pm_check_workload *all = NULL;
    pm_finished_head head = {.command = "check", .shard = *s->shard};
    size_t count_of_all, done = 0;

    pm_check_begin(c);
    pm_check_find_targets(c);
    pm_check_find_programs(c);
    count_of_all = pm_check_list(c, &all);
    for (size_t i = 0; i < count_of_all; i++)
        head.planned += pm_shard_has(s->shard, all[i].program->info.name, all[i].variant);
    head.run = s->run = run_json(c);
    s->finished =
        pm_finished_open(s->result->path, &head, pm_session_log(c->session), c->memory.err);
    if (!s->finished)
        pm_give_up(&c->memory, c->memory.err->status);
    for (size_t i = 0; i < count_of_all; i++) {
        const char *key = key_of(c, &all[i]);

        if (!pm_shard_has(s->shard, all[i].program->info.name, all[i].variant))
            continue;
        pm_check_show(c, done++, head.planned, &all[i]);
        if (is_finished(s, &all[i], key))
            s->result->kept++;
        else
            count(s, &all[i], key, i);
    }
}

pm_status pm_check_share(pm_session *session, const pm_check_options *options,
                         const pm_shard *shard, pm_share_result *result, pm_error *err)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    sharing s = {.c = {.session = session,
                       .options = options,
                       .seed = chosen->seed,
                       .sample = chosen->sample},
                 .shard = shard,
                 .result = result};
    pm_error ignored = {0};
    pm_check *none;

    err = err ? err : &ignored;
    *result = (pm_share_result){0};
    if (pm_finished_path(shard, options->output, result->path, sizeof result->path, err) != PM_OK)
        return err->status;
    none = pm_check_attempt(&s.c, share, err);
    pm_finished_close(s.finished);
    json_decref(s.run);
    json_decref(s.value);
    if (!none)
        return err->status;
    pm_check_free(none);
    return PM_OK;
}

/* ---- all shards ------------------------------------------------------------------------------ */

typedef struct {
    /* the first member, because join() gets a pointer to this member from pm_check_attempt and
     * converts it to a pointer to the whole struct */
    pm_checking c;
    const char *const *paths;
    pm_joined *joined;
} joining;

/* Returns the strings of a JSON array as a NULL-terminated list, and their number. Returns NULL if
 * `list` is JSON null, which means that the user did not restrict the check to some variants or
 * sizes. */
static const char *const *names_of(joining *j, const json_t *list, size_t *count)
{
    const char **names = NULL;

    *count = 0;
    if (json_is_null(list))
        return NULL;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));

        if (!name)
            pm_leave(&j->c.memory, PM_BAD_INPUT, "%s:1: a name is no text", j->joined->path);
        *pm_add(&j->c.memory, names, *count) = name;
    }
    *pm_add(&j->c.memory, names, *count) = NULL;
    --*count;
    return names;
}

static void read_run(joining *j, pm_check_options *options)
{
    pm_checking *c = &j->c;
    json_t *targets, *names, *variants, *sizes;
    json_int_t seed;
    size_t ignored;

    if (strcmp(j->joined->command, "check") != 0 ||
        json_unpack(j->joined->run, "{s:I,s:F,s:o,s:o,s:o,s:o!}", "seed", &seed, "sample",
                    &c->sample, "targets", &targets, "programs", &names, "variants", &variants,
                    "sizes", &sizes) != 0 ||
        json_array_size(targets) == 0)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s:1: no share of perfmodel check", j->joined->path);
    c->seed = (unsigned long long)seed;
    options->targets = names_of(j, targets, &ignored);
    options->variants = names_of(j, variants, &ignored);
    options->sizes = names_of(j, sizes, &ignored);
    c->names = (const char **)names_of(j, names, &c->name_count);
}

/* Adds the source of a workload in a shard's file to the list of sources, unless the list already
 * has a source of the same program and variant. Returns the index of the source in the list. */
static size_t take_source(joining *j, const pm_finished_item *item, json_t *object)
{
    pm_checking *c = &j->c;
    pm_check_state *now = &c->now;
    const char *fault = pm_check_take_source(c, now, object);
    const char *path = json_string_value(json_object_get(item->value, "path"));
    pm_check_source *new = &now->sources[now->source_count - 1];

    if (fault || !path)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s:%zu: %s", item->path, item->line,
                 fault ? fault : "the path of its source is missing");
    new->path = pm_copy(&c->kept, path);
    for (size_t i = 0; i + 1 < now->source_count; i++)
        if (strcmp(now->sources[i].program, new->program) == 0 &&
            strcmp(now->sources[i].variant, new->variant) == 0) {
            now->source_count--;
            return i;
        }
    return now->source_count - 1;
}

static void take_item(joining *j, const pm_finished_item *item)
{
    pm_checking *c = &j->c;
    json_t *source = NULL, *kernels = NULL;
    const char *registers = NULL;
    size_t number;

    if (json_unpack(item->value, "{s:s,s:o,s:o}", "registers_source", &registers, "source", &source,
                    "kernels", &kernels) != 0 ||
        !json_is_array(kernels))
        pm_leave(&c->memory, PM_BAD_INPUT, "%s:%zu: it lacks a member", item->path, item->line);
    pm_check_note_registers(&c->now, registers);
    number = take_source(j, item, source);
    for (size_t k = 0; k < json_array_size(kernels); k++) {
        const char *fault = pm_check_take_side(c, &c->now, json_array_get(kernels, k));

        if (fault)
            pm_leave(&c->memory, PM_BAD_INPUT, "%s:%zu: %s", item->path, item->line, fault);
        c->now.sides[c->now.side_count - 1].source = number;
    }
}

static void join(void *user)
{
    joining *j = user;
    pm_checking *c = &j->c;
    pm_check_options options = *c->options;

    j->joined = pm_joined_read(j->paths, pm_session_log(c->session), c->memory.err);
    if (!j->joined)
        pm_give_up(&c->memory, c->memory.err->status);
    read_run(j, &options);
    if (j->joined->missing > 0)
        pm_leave(&c->memory, PM_FAILED,
                 "a check wants all that its shares have, and some of it is missing: run them "
                 "again");
    c->options = &options;
    pm_check_begin(c);
    pm_check_find_targets(c);
    for (size_t i = 0; i < j->joined->count; i++)
        take_item(j, &j->joined->items[i]);
    pm_check_finish(c);
}

pm_check *pm_check_join(pm_session *session, const char *const *paths,
                        const pm_check_options *options, pm_error *err)
{
    joining j = {.c = {.session = session, .options = options}, .paths = paths};
    pm_error ignored = {0};
    pm_check *check = pm_check_attempt(&j.c, join, err ? err : &ignored);

    pm_joined_free(j.joined);
    return check;
}
