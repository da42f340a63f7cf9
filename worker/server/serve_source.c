/* Sources: opened, rewritten, staged, closed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "layout/clang/rewrite.h"
#include "staging/tile/stage.h"
#include "worker/messages.h"
#include "worker/server/server.h"

struct pm_served_source {
    uint64_t number;
    pm_open_message open;
    pm_source_unit unit;
    pm_source_unit expanded; /* the same after the preprocessor, once that was needed */
    char *expanded_text;
    pm_served_source *next;
};

static void free_source(pm_served_source *source)
{
    pm_ast_free(&source->unit.ast);
    pm_ast_free(&source->expanded.ast);
    pm_open_message_free(&source->open);
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
    pm_wire_open(&request->body, open);
    if (!pm_wire_done(&request->body))
        status = pm_serve_senseless(err);
    else
        status =
            pm_source_unit_open(&source->unit, open->text, open->path,
                                (const char *const *)open->arguments, open->argument_count, err);
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
    const pm_source_unit *unit = &source->unit;
    pm_status status;

    if (source->expanded_text)
        return pm_serve_senseless(err);
    pm_wire_name(&request->body, &source->expanded_text);
    if (pm_wire_done(&request->body))
        status = pm_source_unit_open(&source->expanded, source->expanded_text, unit->path,
                                     unit->arguments, unit->argument_count, err);
    else
        status = pm_serve_senseless(err);
    source->expanded.preprocessed = true;
    if (status == PM_OK)
        return PM_OK;
    pm_ast_free(&source->expanded.ast);
    source->expanded = (pm_source_unit){.text = NULL};
    free(source->expanded_text);
    source->expanded_text = NULL;
    return status;
}

/* ---- making something of it ---------------------------------------------------------------- */

/* The new source of a unit, checked, as the answer to the request. */
typedef pm_status (*make_fn)(const pm_source_unit *unit, const void *what, pm_wire *reply,
                             bool *hidden, pm_error *err);

static pm_status make(pm_served_source *source, pm_served *request, make_fn fn, const void *what,
                      pm_error *err)
{
    bool hidden = false;
    pm_status status = fn(&source->unit, what, &request->reply, &hidden, err);

    if (!hidden)
        return status;
    if (!source->expanded_text) { /* the client has to */
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
        status = pm_source_unit_check(unit, out.text, err);
    if (status == PM_OK && !*hidden) {
        pm_wire_flag(reply, hidden);
        pm_wire_rewritten(reply, &out);
    }
    pm_rewritten_free(&out);
    return status;
}

static pm_status make_staged(const pm_source_unit *unit, const void *what, pm_wire *reply,
                             bool *hidden, pm_error *err)
{
    pm_staged out = {.text = NULL};
    pm_status status = pm_unit_share(unit, what, &out, hidden, err);

    if (status == PM_OK && !*hidden)
        status = pm_source_unit_check(unit, out.text, err);
    if (status == PM_OK && !*hidden) {
        pm_wire_flag(reply, hidden);
        pm_wire_staged(reply, &out);
    }
    pm_staged_free(&out);
    return status;
}

static pm_plan *plan_of(const pm_struct *structure, const char *text, pm_error *err)
{
    pm_layout layout = {0};
    pm_plan *plan = NULL;

    if (pm_layout_parse(text, structure, &layout, err) == PM_OK)
        plan = pm_plan_create(structure, &layout, err);
    pm_layout_free(&layout);
    return plan;
}

static pm_status rewrite(pm_served_source *source, pm_served *request, pm_error *err)
{
    const pm_structs *structs = &source->unit.info.structs;
    pm_plan **plans = calloc(structs->count + 1, sizeof *plans);
    pm_status status = plans ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for plans");

    for (size_t s = 0; status == PM_OK && s < structs->count; s++) {
        char *text = NULL;

        pm_wire_text(&request->body, &text);
        if (text)
            plans[s] = plan_of(&structs->items[s], text, err);
        if (text && !plans[s])
            status = err->status;
        free(text);
    }
    if (status == PM_OK && !pm_wire_done(&request->body))
        status = pm_serve_senseless(err);
    if (status == PM_OK)
        status = make(source, request, make_layouts, plans, err);
    for (size_t s = 0; plans && s < structs->count; s++)
        pm_plan_free(plans[s]);
    free(plans);
    return status;
}

static pm_status stage(pm_served_source *source, pm_served *request, pm_error *err)
{
    pm_stage_request what = {.text = NULL};
    pm_status status;

    pm_wire_stage_request(&request->body, &what);
    if (pm_wire_done(&request->body))
        status = make(source, request, make_staged, &what, err);
    else
        status = pm_serve_senseless(err);
    pm_stage_request_free(&what);
    return status;
}

/* ---- all of them --------------------------------------------------------------------------- */

pm_status pm_serve_source(pm_served_things *things, pm_served *request, pm_error *err)
{
    pm_served_source **at = &things->sources, *source;
    uint64_t number;

    if (request->kind == PM_REQUEST_SOURCE_OPEN)
        return open_source(things, request, err);
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
    default:
        *at = source->next;
        free_source(source);
        return PM_OK;
    }
}
