/* Runs one part (shard) of a `perfmodel trace` that is divided among several processes, and joins
 * the results of all parts to the document that a single run would write.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A shard's file (answer/shares/shares.h) has an item for each workload: the program's name, and an
 * object with the members "definition" (a hash of the workload) and "document" (the result).
 */
#include <string.h>

#include "answer/shares/shares.h"
#include "base/error.h"
#include "base/session/session.h"
#include "base/shard.h"
#include "cli/cli.h"
#include "program/suite/suite.h"
#include "report/json/json.h"

/* ---- one shard ------------------------------------------------------------------------------- */

typedef struct {
    pm_session *session;
    const cli_options *o;
    const char *target; /* NULL: the default target */
    size_t count;
    const pm_program *const *programs;
    pm_finished *finished;
    pm_share_result result;
} sharing;

static const char *variant_of(const sharing *s, const pm_program *program)
{
    return s->o->variants.count ? cli_first(&s->o->variants) : program->info.variants[0];
}

static bool is_own(const sharing *s, size_t i)
{
    return pm_shard_has(&s->o->shard, s->programs[i]->info.name, variant_of(s, s->programs[i]));
}

static json_t *run_json(const sharing *s)
{
    const pm_session_options *chosen = pm_session_chosen(s->session);
    json_t *names = json_array();

    for (size_t i = 0; i < s->count; i++)
        json_array_append_new(names, json_string(s->programs[i]->info.name));
    return json_pack("{s:I,s:f,s:f,s:b,s:s?,s:s?,s:s?,s:o}", "seed", (json_int_t)chosen->seed,
                     "sample", chosen->sample, "step_limit", chosen->step_limit, "ptxas",
                     chosen->ptxas != NULL, "target", s->target, "variant",
                     cli_first(&s->o->variants), "size", cli_first(&s->o->sizes), "programs",
                     names);
}

/* Raises an error if the workload's source or data have changed since another run of this shard
 * traced it. value: the stored result; now: the workload's present definition (a hash). */
static pm_status check_definition(const sharing *s, const char *name, const json_t *value,
                                  const char *now, pm_error *err)
{
    const char *there = json_string_value(json_object_get(value, "definition"));

    if (there && strcmp(there, now) == 0)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: its sources have changed since %s was traced: remove the file, or choose "
                   "another with -o",
                   s->result.path, name);
}

static pm_status trace_one(sharing *s, size_t place, pm_error *err)
{
    const pm_program *program = s->programs[place];
    const char *name = program->info.name, *variant = variant_of(s, program);
    const char *size = s->o->sizes.count ? cli_first(&s->o->sizes) : program->info.sizes[0];
    const pm_trace_options options = {.target = s->target, .workload = program->path};
    const json_t *value = pm_finished_find(s->finished, name);
    const pm_trace *traced;
    char definition[PM_DEFINITION];

    if (pm_program_define(s->session, program, variant, size, definition, err) != PM_OK)
        return err->status;
    if (value) {
        s->result.kept++;
        return check_definition(s, name, value, definition, err);
    }
    traced = pm_trace_run(s->session, program->path ? NULL : name, variant, size, &options, err);
    if (!traced)
        return err->status;
    s->result.done++;
    return pm_finished_add(
        s->finished, name, place,
        json_pack("{s:s,s:o}", "definition", definition, "document", pm_json_trace(traced)), err);
}

/* Traces all workloads of the shard. A workload that fails is left out with a notice, and the next
 * run traces it again. */
static int trace_all(sharing *s, size_t planned, pm_error *err)
{
    int code = PM_OK;

    for (size_t i = 0, done = 0; i < s->count && !cli_stopped(); i++) {
        pm_error why = {0};

        if (!is_own(s, i))
            continue;
        pm_session_show(s->session, done++, planned, s->programs[i]->info.name);
        if (trace_one(s, i, &why) == PM_OK || cli_stopped())
            continue;
        cli_progress_clear();
        fprintf(stderr, "perfmodel: %s: left out: %s\n", s->programs[i]->info.name, why.text);
        s->result.failed++;
        code = code == PM_OK ? (int)why.status : code;
    }
    if (cli_stopped())
        code =
            pm_fail(err, PM_FAILED,
                    "stopped; %zu of %zu workloads are safe in %s: run the same command to go on",
                    s->result.done + s->result.kept, planned, s->result.path);
    return code;
}

static pm_status find_programs(sharing *s, const pm_program **one, pm_error *err)
{
    const cli_options *o = s->o;
    const pm_programs *programs;

    if (o->workloads.count == 0) {
        *one = pm_program_choose(s->session, cli_first(&o->programs), NULL, cli_first(&o->variants),
                                 cli_first(&o->sizes), false, err);
        s->programs = one;
        s->count = 1;
        return *one ? PM_OK : err->status;
    }
    programs = pm_workloads_find(s->session, o->workloads.names, err);
    if (!programs)
        return err->status;
    s->programs = programs->items;
    s->count = programs->count;
    return PM_OK;
}

int cli_trace_share(pm_session *session, const cli_options *o, pm_error *err)
{
    sharing s = {.session = session, .o = o, .target = cli_first(&o->targets)};
    pm_finished_head head = {.command = "trace", .shard = o->shard};
    const pm_program *one;
    json_t *run;
    int code;

    if (find_programs(&s, &one, err) != PM_OK ||
        pm_finished_path(&o->shard, o->output, s.result.path, sizeof s.result.path, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < s.count; i++)
        head.planned += is_own(&s, i);
    head.run = run = run_json(&s);
    s.finished = pm_finished_open(s.result.path, &head, pm_session_log(session), err);
    json_decref(run);
    if (!s.finished)
        return err->status;
    code = trace_all(&s, head.planned, err);
    pm_finished_close(s.finished);
    cli_progress_clear();
    if (cli_stopped())
        return code;
    cli_tell_share(o, &s.result);
    return code;
}

/* ---- merging all shards ---------------------------------------------------------------------- */

/* Returns the JSON document that a run without shards would print: one trace, or a list of traces
 * for several workloads. */
static json_t *document_of(const pm_joined *joined)
{
    const size_t count = json_array_size(json_object_get(joined->run, "programs"));
    json_t *list = json_array(), *document;

    for (size_t i = 0; i < joined->count; i++)
        json_array_append(list, json_object_get(joined->items[i].value, "document"));
    if (count != 1)
        return json_pack("{s:o}", "traces", list);
    document = json_incref(json_array_get(list, 0));
    json_decref(list);
    return document;
}

int cli_trace_join(const cli_options *o, const pm_log *log, pm_error *err)
{
    pm_joined *joined = pm_joined_read(o->datasets_named.names, log, err);
    json_t *document = NULL;
    int code;

    if (!joined)
        return err->status;
    if (joined->count == 0)
        code =
            pm_fail(err, PM_FAILED, "%s: nothing is finished: run the shares first", joined->path);
    else {
        document = document_of(joined);
        code = cli_write_json(o->output, document, err);
    }
    if (code == PM_OK && o->json)
        code = cli_print_document(o, json_incref(document));
    else if (code == PM_OK)
        printf("%s\n", o->output);
    json_decref(document);
    pm_joined_free(joined);
    return code;
}
