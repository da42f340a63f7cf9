/* Serves requests about sources in a worker process: open, rewrite, stage arrays, close.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "collector/worker/messages.h"
#include "collector/worker/server/server.h"
#include "transform/layout/clang/rewrite.h"
#include "transform/source/clang/instances.h"
#include "transform/source/clang/prelude.h"
#include "transform/source/host/host.h"
#include "transform/staging/emit/stage.h"

struct pm_served_source {
    uint64_t number;
    pm_open_message open;
    pm_memory memory; /* memory of the message that opened the source */
    pm_source_unit unit;
    pm_source_unit expanded; /* the preprocessed source, if a client has sent it */
    char *expanded_text;
    pm_served_source *next;
};

static void free_source(pm_served_source *source)
{
    pm_ast_free(&source->unit.ast);
    pm_ast_free(&source->expanded.ast);
    pm_memory_free(&source->memory);
    free(source->expanded_text);
    free(source);
}

void pm_served_sources_free(pm_served_source *sources)
{
    while (sources) {
        pm_served_source *next = sources->next;

        free_source(sources);
        sources = next;
    }
}

static pm_status open_source(pm_served_things *things, pm_served *request, pm_error *err)
{
    pm_served_source *source = calloc(1, sizeof *source);
    pm_open_message *open;
    pm_status status;

    if (!source)
        return pm_fail(err, PM_FAILED, "out of memory for a source");
    open = &source->open;
    request->body.memory = &source->memory;
    /* perfmodel's CUDA declarations as a precompiled header; if it cannot be created, each source
     * takes longer to parse */
    if (!things->prelude)
        things->prelude = pm_prelude_create();
    pm_wire_open(&request->body, open);
    if (!pm_wire_done(&request->body)) {
        status = pm_serve_senseless(err);
    } else {
        const pm_parse_request parse = {.text = open->text,
                                        .path = open->path,
                                        .parsed = open->parsed,
                                        .headers = open->headers,
                                        .header_count = open->header_count,
                                        .arguments = (const char *const *)open->arguments,
                                        .argument_count = open->argument_count,
                                        .prelude = things->prelude};

        status = pm_source_unit_open(&source->unit, &parse, err);
    }
    if (status != PM_OK) {
        free_source(source);
        return status;
    }
    source->number = ++things->last;
    source->next = things->sources;
    things->sources = source;
    PM_WIRE_NUMBER(&request->reply, source->number);
    pm_wire_source_info(&request->reply, &source->unit.info);
    return PM_OK;
}

static pm_status expand(pm_served_source *source, pm_served *request, pm_error *err)
{
    pm_parse_request parse = source->unit.request;
    pm_status status;

    if (source->expanded_text)
        return pm_serve_senseless(err);
    pm_wire_name(&request->body, &source->expanded_text);
    if (pm_wire_done(&request->body)) {
        parse.text = source->expanded_text;
        parse.parsed = NULL;
        status = pm_source_unit_open(&source->expanded, &parse, err);
    } else {
        status = pm_serve_senseless(err);
    }
    source->expanded.preprocessed = true;
    if (status == PM_OK)
        return PM_OK;
    pm_ast_free(&source->expanded.ast);
    source->expanded = (pm_source_unit){.text = NULL};
    free(source->expanded_text);
    source->expanded_text = NULL;
    return status;
}

/* ---- transforms ---------------------------------------------------------------------------- */

/* Function that transforms a parsed source, checks the new source and writes it as the reply. The
 * argument `what` has the transformation's parameters. If the code to change is inside a macro, the
 * function sets *hidden to true and does nothing else; the source must then be preprocessed
 * first. */
typedef pm_status (*make_fn)(const pm_source_unit *unit, const void *what, pm_wire *reply,
                             bool *hidden, pm_error *err);

static pm_status make(pm_served_source *source, pm_served *request, make_fn fn, const void *what,
                      pm_error *err)
{
    bool hidden = false;
    pm_status status = fn(&source->unit, what, &request->reply, &hidden, err);

    if (!hidden)
        return status;
    if (!source->expanded_text) { /* the reply asks the client to send the preprocessed source */
        pm_wire_flag(&request->reply, &hidden);
        return PM_OK;
    }
    status = fn(&source->expanded, what, &request->reply, &hidden, err);
    if (status == PM_OK && hidden)
        status = pm_fail(err, PM_FAILED,
                         "%s: the preprocessor leaves what has to change in another file",
                         source->unit.path);
    return status;
}

static pm_status make_layouts(const pm_source_unit *unit, const void *what, pm_wire *reply,
                              bool *hidden, pm_error *err)
{
    const pm_plan *const *plans = what;
    pm_rewritten out = {.text = NULL};
    pm_status status = pm_unit_rewrite(unit, plans, &out, hidden, err);

    if (status == PM_OK && !*hidden)
        status = pm_source_unit_check(unit, out.parsed, err);
    if (status == PM_OK && !*hidden) {
        pm_wire_flag(reply, hidden);
        pm_wire_rewritten(reply, &out);
    }
    pm_memory_free(&out.memory);
    return status;
}

static pm_status make_staged(const pm_source_unit *unit, const void *what, pm_wire *reply,
                             bool *hidden, pm_error *err)
{
    pm_staged out = {.text = NULL};
    pm_status status = pm_unit_share(unit, what, &out, hidden, err);

    if (status == PM_OK && !*hidden)
        status = pm_source_unit_check(unit, out.parsed, err);
    if (status == PM_OK && !*hidden) {
        pm_wire_flag(reply, hidden);
        pm_wire_staged(reply, &out);
    }
    pm_memory_free(&out.memory);
    return status;
}

/* The new memory layouts of structs that a request to the worker contains. Each is converted to
 * a plan, which has the positions of the struct's fields. */
typedef struct {
    const pm_structs *structs;
    pm_wire *body;
    pm_memory memory;
    /* plans[s]: new layout of struct s of the source; NULL: the struct does not change */
    pm_plan **plans;
} planning;

static void make_plans(void *user)
{
    planning *p = user;

    p->body->memory = &p->memory;
    p->plans = pm_take(&p->memory, p->structs->count, sizeof *p->plans);
    for (size_t s = 0; s < p->structs->count; s++) {
        const pm_struct *structure = &p->structs->items[s];
        pm_layout layout;
        char *text;

        pm_wire_text(p->body, &text);
        if (!text)
            continue;
        layout = pm_layout_parse(&p->memory, text, structure);
        p->plans[s] = pm_plan_create(&p->memory, structure, &layout);
    }
    if (!pm_wire_done(p->body))
        pm_give_up(&p->memory, pm_serve_senseless(p->memory.err));
}

static pm_status rewrite(pm_served_source *source, pm_served *request, pm_error *err)
{
    planning p = {.structs = &source->unit.info.structs, .body = &request->body};
    pm_status status = pm_attempt(&p.memory, make_plans, &p, err);

    if (status == PM_OK)
        status = make(source, request, make_layouts, p.plans, err);
    pm_memory_free(&p.memory);
    return status;
}

static pm_status stage(pm_served_source *source, pm_served *request, pm_error *err)
{
    pm_stage_request what = {.text = NULL};
    pm_memory memory = {0};
    pm_status status;

    request->body.memory = &memory;
    pm_wire_stage_request(&request->body, &what);
    if (pm_wire_done(&request->body))
        status = make(source, request, make_staged, &what, err);
    else
        status = pm_serve_senseless(err);
    pm_memory_free(&memory);
    return status;
}

static pm_status write_instances(const pm_served_source *source, pm_served *request, pm_error *err)
{
    pm_memory memory = {0};
    pm_instances out = {.text = NULL};
    char **kernels = NULL;
    size_t count = 0;
    bool pointers, declared;
    pm_status status;

    request->body.memory = &memory;
    pm_wire_flag(&request->body, &pointers);
    pm_wire_flag(&request->body, &declared);
    pm_wire_names(&request->body, &kernels, &count);
    if (!pm_wire_done(&request->body))
        status = pm_serve_senseless(err);
    else if (declared)
        status = pm_instances_declare(&source->unit.request, (const char *const *)kernels, count,
                                      &out, err);
    else
        status = pm_instances_write(&source->unit.request, (const char *const *)kernels, count,
                                    pointers, &out, err);
    if (status == PM_OK)
        pm_wire_instances(&request->reply, &out);
    pm_memory_free(&out.memory);
    pm_memory_free(&memory);
    return status;
}

/* Serves a request for the kernel launches in host code. The source is parsed for this request only
 * and not stored. */
static pm_status read_launches(pm_served *request, pm_error *err)
{
    pm_memory memory = {0};
    pm_open_message open = {.text = NULL};
    pm_source_launches out = {.buffer_count = 0};
    char **sets = NULL, **arguments = NULL;
    size_t set_count = 0, argument_count = 0;
    bool has_arguments = false;
    uint64_t most = 0;
    pm_status status;

    request->body.memory = &memory;
    pm_wire_open(&request->body, &open);
    pm_wire_names(&request->body, &sets, &set_count);
    pm_wire_flag(&request->body, &has_arguments);
    pm_wire_names(&request->body, &arguments, &argument_count);
    PM_WIRE_NUMBER(&request->body, most);
    if (pm_wire_done(&request->body)) {
        const pm_host_request what = {.parse = {.text = open.text,
                                                .path = open.path,
                                                .arguments = (const char *const *)open.arguments,
                                                .argument_count = open.argument_count},
                                      .sets = (const char *const *)sets,
                                      .set_count = set_count,
                                      .has_arguments = has_arguments,
                                      .arguments = (const char *const *)arguments,
                                      .argument_count = argument_count,
                                      .most = most};

        status = pm_host_read(&what, &out, err);
    } else {
        status = pm_serve_senseless(err);
    }
    if (status == PM_OK)
        pm_wire_launches(&request->reply, &out);
    pm_source_launches_free(&out);
    pm_memory_free(&memory);
    return status;
}

/* ---- dispatch ------------------------------------------------------------------------------ */

pm_status pm_serve_source(pm_served_things *things, pm_served *request, pm_error *err)
{
    pm_served_source **at = &things->sources, *source;
    uint64_t number;

    if (request->kind == PM_REQUEST_SOURCE_OPEN)
        return open_source(things, request, err);
    if (request->kind == PM_REQUEST_SOURCE_LAUNCHES)
        return read_launches(request, err);
    PM_WIRE_NUMBER(&request->body, number);
    while (*at && (*at)->number != number)
        at = &(*at)->next;
    source = *at;
    if (!source)
        return pm_serve_senseless(err);
    switch (request->kind) {
    case PM_REQUEST_SOURCE_EXPAND:
        return expand(source, request, err);
    case PM_REQUEST_SOURCE_REWRITE:
        return rewrite(source, request, err);
    case PM_REQUEST_SOURCE_STAGE:
        return stage(source, request, err);
    case PM_REQUEST_SOURCE_INSTANCES:
        return write_instances(source, request, err);
    default:
        *at = source->next;
        free_source(source);
        return PM_OK;
    }
}
