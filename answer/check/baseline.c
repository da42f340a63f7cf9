/* Reads and writes baselines. A baseline is a JSON file in a repository with the event counts of
 * its kernels, with which perfmodel check later compares the counts of the changed kernels. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * {"perfmodel": VERSION, "format": 2, "seed": N, "sample": S, "registers_source": TEXT,
 *  "targets": [NAME...],
 *  "sources": [{"program", "variant", "file", "lines": [HASH...]}...],
 *  "kernels": [{"target", "program", "variant", "size", "kernel", "cuda": true if CUDA
 *   source, "launches": [NAME...], "source": index, "work_items", "work_group", "counters": {NAME:
 * value...}, "accesses": [[kind, space, buffer, structure, field, line, transactions]...]}...]}
 *
 * Unknown counters are omitted. HASH is pm_hash_text of a line without white space at both ends, in
 * hexadecimal digits.
 */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/check/parts.h"
#include "base/error.h"
#include "base/file.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

enum { FORMAT = 2, MOST_BYTES = 1 << 28 };

/* ---- writing -------------------------------------------------------------------------------- */

json_t *pm_check_source_json(const pm_check_source *source)
{
    json_t *lines = json_array();

    for (size_t i = 0; i < source->line_count; i++) {
        char digits[17];

        snprintf(digits, sizeof digits, "%016" PRIx64, source->lines[i]);
        json_array_append_new(lines, json_string(digits));
    }
    return json_pack("{s:s,s:s,s:s,s:o}", "program", source->program, "variant", source->variant,
                     "file", source->file, "lines", lines);
}

static json_t *accesses_json(const pm_check_side *side)
{
    json_t *list = json_array();

    for (size_t i = 0; i < side->access_count; i++) {
        const pm_access *a = &side->accesses[i];

        json_array_append_new(list,
                              json_pack("[s,s,s,s,s,i,f]", a->kind, a->space, a->buffer,
                                        a->structure, a->field, (int)a->line, a->transactions));
    }
    return list;
}

static json_t *launches_json(const pm_check_side *side)
{
    json_t *list = json_array();

    for (size_t i = 0; i < side->launch_count; i++)
        json_array_append_new(list, json_string(side->launches[i]));
    return list;
}

json_t *pm_check_side_json(const pm_checking *c, const pm_check_side *side)
{
    const pm_sample *s = side->sample;
    json_t *counters = json_object();

    for (size_t i = 0; i < pm_dataset_counters(c->columns); i++)
        if (isfinite(s->counters[i]))
            json_object_set_new(counters, pm_dataset_counter_name(c->columns, i),
                                json_real(s->counters[i]));
    return json_pack("{s:s,s:s,s:s,s:s,s:s,s:b,s:o,s:I,s:f,s:f,s:o,s:o}", "target", side->target,
                     "program", s->program, "variant", s->variant, "size", s->size, "kernel",
                     s->kernel, "cuda", (int)s->cuda, "launches", launches_json(side), "source",
                     (json_int_t)side->source, "work_items", s->work_items, "work_group",
                     s->work_group, "counters", counters, "accesses", accesses_json(side));
}

static json_t *document_of(const pm_checking *c)
{
    json_t *targets = json_array(), *sources = json_array(), *kernels = json_array();

    for (size_t i = 0; i < c->now.target_count; i++)
        json_array_append_new(targets, json_string(c->now.targets[i]));
    for (size_t i = 0; i < c->now.source_count; i++)
        json_array_append_new(sources, pm_check_source_json(&c->now.sources[i]));
    for (size_t i = 0; i < c->now.side_count; i++)
        json_array_append_new(kernels, pm_check_side_json(c, &c->now.sides[i]));
    return json_pack("{s:s,s:i,s:I,s:f,s:s,s:o,s:o,s:o}", "perfmodel", PM_VERSION, "format", FORMAT,
                     "seed", (json_int_t)c->seed, "sample", c->sample, "registers_source",
                     c->now.registers_source, "targets", targets, "sources", sources, "kernels",
                     kernels);
}

void pm_check_write(pm_checking *c)
{
    json_t *document = document_of(c);
    char *text = document ? json_dumps(document, JSON_INDENT(1)) : NULL;
    pm_status status;

    json_decref(document);
    if (!text)
        pm_leave(&c->memory, PM_FAILED,
                 "%s: not written: a name in the workloads is not UTF-8, or memory ran out",
                 c->options->output);
    status = pm_file_write(c->options->output, text, "choose another place with -o", c->memory.err);
    free(text);
    pm_require(&c->memory, status);
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef struct {
    pm_checking *c;
    /* receives the sources and kernels that are read: the counts of the baseline or of a shard */
    pm_check_state *state;
    json_t *root;
    const char *fault; /* error text; NULL: no error so far */
} reading;

static void read_counters(reading *r, json_t *object, double *counters)
{
    const char *name;
    json_t *value;
    const pm_dataset *columns = r->c->columns;

    for (size_t i = 0; i < pm_dataset_counters(columns); i++)
        counters[i] = (double)NAN;
    json_object_foreach(object, name, value)
    {
        const size_t i = pm_dataset_counter_at(columns, name);

        if (i == pm_dataset_counters(columns) || !json_is_number(value)) {
            r->fault =
                pm_format(&r->c->memory, "no counter is called '%.80s', or it is no number", name);
            return;
        }
        counters[i] = json_number_value(value);
    }
}

static void read_accesses(reading *r, json_t *list, pm_check_side *side)
{
    pm_memory *memory = &r->c->memory;
    size_t count = json_array_size(list);
    pm_access *accesses = pm_take(memory, count, sizeof *accesses);

    for (size_t i = 0; i < count; i++) {
        pm_access *a = &accesses[i];
        int line;

        if (json_unpack(json_array_get(list, i), "[s,s,s,s,s,i,F!]", &a->kind, &a->space,
                        &a->buffer, &a->structure, &a->field, &line, &a->transactions) != 0) {
            r->fault = "an access is not [kind, space, buffer, structure, field, line, number]";
            return;
        }
        a->line = line > 0 ? (unsigned)line : 0;
    }
    side->accesses = accesses;
    side->access_count = count;
}

static void read_launches(reading *r, json_t *list, pm_check_side *side)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));

        if (!name) {
            r->fault = "the name of a launch is no text";
            return;
        }
        *pm_add(&r->c->memory, side->launches, side->launch_count) = name;
    }
}

static bool is_target(const pm_check_state *state, const char *name)
{
    for (size_t i = 0; i < state->target_count; i++)
        if (strcmp(state->targets[i], name) == 0)
            return true;
    return false;
}

static void read_kernel(reading *r, json_t *object)
{
    pm_memory *memory = &r->c->memory;
    pm_check_state *state = r->state;
    double *counters = pm_take(memory, pm_dataset_counters(r->c->columns), sizeof *counters);
    pm_sample *s = pm_take(memory, 1, sizeof *s);
    pm_check_side side = {.sample = s};
    json_t *counts, *accesses, *launches;
    json_int_t source;
    int cuda;

    if (json_unpack(object, "{s:s,s:s,s:s,s:s,s:s,s:b,s:o,s:I,s:F,s:F,s:o,s:o!}", "target",
                    &side.target, "program", &s->program, "variant", &s->variant, "size", &s->size,
                    "kernel", &s->kernel, "cuda", &cuda, "launches", &launches, "source", &source,
                    "work_items", &s->work_items, "work_group", &s->work_group, "counters", &counts,
                    "accesses", &accesses) != 0 ||
        !is_target(state, side.target) || source < 0 || (size_t)source >= state->source_count ||
        !json_is_object(counts) || !json_is_array(accesses) || !json_is_array(launches)) {
        r->fault = "a kernel lacks a member, has one too many, or one that is wrong";
        return;
    }
    side.source = (size_t)source;
    s->device = side.target;
    s->counter_source = "trace";
    s->time_s = s->time_mad_s = s->runs = (double)NAN;
    s->counters = counters;
    s->cuda = cuda != 0;
    read_counters(r, counts, counters);
    if (!r->fault)
        read_accesses(r, accesses, &side);
    if (!r->fault)
        read_launches(r, launches, &side);
    *pm_add(memory, state->sides, state->side_count) = side;
}

static void read_source(reading *r, json_t *object)
{
    pm_memory *memory = &r->c->memory;
    pm_check_state *state = r->state;
    json_t *lines;
    pm_check_source *source = pm_add(memory, state->sources, state->source_count);

    *source = (pm_check_source){0};
    if (json_unpack(object, "{s:s,s:s,s:s,s:o!}", "program", &source->program, "variant",
                    &source->variant, "file", &source->file, "lines", &lines) != 0 ||
        !json_is_array(lines)) {
        r->fault = "a source is not {program, variant, file, lines}";
        return;
    }
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *digits = json_string_value(json_array_get(lines, i));
        char *end = NULL;

        *pm_add(memory, source->lines, source->line_count) =
            digits ? strtoull(digits, &end, 16) : 0;
        if (!digits || !*digits || *end)
            r->fault = "a line of a source is no hexadecimal number";
    }
}

/* Rejects a baseline that was written by another version of perfmodel, with another seed or with
 * another fraction of sampled work-groups. Each of these changes counts even if the kernels are the
 * same. */
static void check_head(reading *r)
{
    const pm_checking *c = r->c;
    const char *version, *registers;
    double sample;
    json_int_t seed;
    int format;

    if (json_unpack(r->root, "{s:s,s:i,s:I,s:F,s:s}", "perfmodel", &version, "format", &format,
                    "seed", &seed, "sample", &sample, "registers_source", &registers) != 0)
        r->fault = "it is no baseline of perfmodel check";
    else if (format != FORMAT && strcmp(version, PM_VERSION) == 0)
        r->fault = pm_format(&r->c->memory,
                             "it is of format %d, and this perfmodel reads format %d: write it "
                             "anew with -o",
                             format, FORMAT);
    else if (format != FORMAT || strcmp(version, PM_VERSION) != 0)
        r->fault = pm_format(&r->c->memory,
                             "perfmodel %s wrote it, and this is " PM_VERSION
                             ", which may count by other rules: write it anew with -o",
                             version);
    else if ((unsigned long long)seed != c->seed || sample != c->sample)
        r->fault = pm_format(&r->c->memory,
                             "it was written with --seed %lld and a --sample of %g (0: the "
                             "default): say so too, or write it anew with -o",
                             (long long)seed, sample);
    else
        r->state->registers_source = registers;
}

static void read_targets(reading *r)
{
    const json_t *list = json_object_get(r->root, "targets");

    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));

        if (!name) {
            r->fault = "a target is no text";
            return;
        }
        *pm_add(&r->c->memory, r->state->targets, r->state->target_count) = name;
    }
}

static void read_members(reading *r, const char *name, void (*one)(reading *r, json_t *object))
{
    json_t *list = json_object_get(r->root, name);

    if (!r->fault && !json_is_array(list))
        r->fault = pm_format(&r->c->memory, "it has no list of %s", name);
    for (size_t i = 0; !r->fault && i < json_array_size(list); i++)
        one(r, json_array_get(list, i));
}

const char *pm_check_take_source(pm_checking *c, pm_check_state *state, json_t *source)
{
    reading r = {.c = c, .state = state};

    read_source(&r, source);
    return r.fault;
}

const char *pm_check_take_side(pm_checking *c, pm_check_state *state, json_t *side)
{
    reading r = {.c = c, .state = state};

    read_kernel(&r, side);
    return r.fault;
}

static void need_targets(const pm_checking *c)
{
    const char *const *asked = c->options->targets;

    for (; asked && *asked; asked++)
        if (!is_target(&c->before, *asked))
            pm_leave(&c->memory, PM_BAD_INPUT,
                     "%s: it has nothing of %s: write it anew with -o and this --target",
                     c->options->against, *asked);
}

void pm_check_read(pm_checking *c)
{
    reading r = {.c = c, .state = &c->before};
    json_error_t why;
    char *text;

    pm_require(&c->memory,
               pm_file_read(c->options->against, MOST_BYTES,
                            "a baseline, which perfmodel check -o writes", &text, c->memory.err));
    r.root = c->document = json_loads(text, JSON_REJECT_DUPLICATES, &why);
    free(text);
    if (!r.root)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s:%d: no JSON (%s): write it anew with -o",
                 c->options->against, why.line, why.text);
    check_head(&r);
    if (!r.fault)
        read_targets(&r);
    read_members(&r, "sources", read_source);
    read_members(&r, "kernels", read_kernel);
    if (r.fault)
        pm_leave(&c->memory, PM_BAD_INPUT, "%s: %s", c->options->against, r.fault);
    need_targets(c);
}
