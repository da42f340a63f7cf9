/* A kernel source in another layout, with the host code that goes with it, or with arrays staged in
 * local memory. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/session.h"
#include "transform/staging.h"
#include "worker/session_worker.h"
#include "worker/source.h"

void pm_transformed_free(pm_transformed *transformed)
{
    pm_staged shared = {.array_count = transformed->array_count,
                        .arrays = transformed->arrays,
                        .assumption_count = transformed->assumption_count,
                        .assumptions = transformed->assumptions};

    for (size_t i = 0; i < transformed->header_count; i++) {
        free(transformed->headers[i].structure);
        free(transformed->headers[i].text);
    }
    free(transformed->headers);
    pm_staged_free(&shared);
    free(transformed->source);
    *transformed = (pm_transformed){0};
}

/* ---- the layouts ---------------------------------------------------------------------------- */

/* A source on its way to other layouts; what goes wrong ends the attempt. */
typedef struct {
    pm_memory memory;
    const char *layouts, *path;
    pm_source *source;
    const pm_source_info *info;
    pm_plan **plans; /* by struct */
    pm_rewritten rewritten;
    pm_transformed *out;
} changing;

static void check(changing *c)
{
    const char **kernels = pm_take(&c->memory, c->info->kernel_count, sizeof *kernels);

    for (size_t k = 0; k < c->info->kernel_count; k++)
        kernels[k] = c->info->kernels[k].name;
    pm_require(&c->memory, pm_layouts_check(c->layouts, &c->info->structs, kernels,
                                            c->info->kernel_count, c->memory.err));
    if (c->info->structs.count == 0)
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "%s: no kernel takes an array of structs in global or constant memory; there is "
                 "no layout to change",
                 c->path);
    if (strchr(c->layouts, '@'))
        pm_leave(&c->memory, PM_BAD_INPUT,
                 "%s: layouts by kernel need conversions between the launches, which a source "
                 "alone does not have; give one layout, or transform each kernel",
                 c->layouts);
}

static void make_plans(changing *c)
{
    c->plans = pm_take(&c->memory, c->info->structs.count, sizeof *c->plans);
    for (size_t s = 0; s < c->info->structs.count; s++) {
        const pm_struct *structure = &c->info->structs.items[s];
        pm_layout layout = {0};

        if (pm_layouts_find(c->layouts, structure, c->info->kernels[0].name, &layout,
                            c->memory.err) == PM_OK)
            c->plans[s] = pm_plan_create(structure, &layout, c->memory.err);
        pm_layout_free(&layout);
        if (!c->plans[s])
            pm_give_up(&c->memory, c->memory.err->status);
    }
}

static void add_header(changing *c, const pm_plan *plan)
{
    pm_transformed *out = c->out;
    pm_header *header = &out->headers[out->header_count++]; /* which has room for every struct */

    header->structure = strdup(plan->structure->name);
    header->text = pm_plan_c(plan, c->memory.err);
    if (!header->text)
        pm_give_up(&c->memory, c->memory.err->status);
    if (!header->structure)
        pm_leave(&c->memory, PM_FAILED, "out of memory for the host code");
}

static void change(void *user)
{
    changing *c = user;
    pm_transformed *out = c->out;

    check(c);
    make_plans(c);
    pm_require(&c->memory, pm_source_rewrite(c->source, (const pm_plan *const *)c->plans,
                                             &c->rewritten, c->memory.err));
    out->source = c->rewritten.text;
    out->edits = c->rewritten.edits;
    out->wide_loads = c->rewritten.wide_loads;
    out->wide_stores = c->rewritten.wide_stores;
    c->rewritten.text = NULL;
    out->headers = calloc(c->info->structs.count, sizeof *out->headers);
    if (!out->headers)
        pm_leave(&c->memory, PM_FAILED, "out of memory for the host code");
    for (size_t s = 0; s < c->info->structs.count; s++)
        if (!c->plans[s]->identity)
            add_header(c, c->plans[s]);
}

static pm_status change_layouts(pm_session *session, const char *text, const char *path,
                                const pm_transform_options *options, const char *layouts,
                                pm_transformed *out, pm_error *err)
{
    changing c = {.layouts = layouts, .path = path, .out = out};
    pm_status status;

    c.source = pm_source_open(text, path, options->build_options, pm_session_worker(session),
                              pm_session_log(session), err);
    if (!c.source)
        return err->status;
    c.info = pm_source_describe(c.source);
    status = pm_attempt(&c.memory, change, &c, err);
    for (size_t s = 0; c.plans && s < c.info->structs.count; s++)
        pm_plan_free(c.plans[s]);
    pm_rewritten_free(&c.rewritten);
    pm_source_close(c.source);
    pm_memory_free(&c.memory);
    return status;
}

/* ---- staging -------------------------------------------------------------------------------- */

/* What the analysis found becomes out's. */
static void take_shared(pm_staged *shared, bool analyse, pm_transformed *out)
{
    out->array_count = shared->array_count;
    out->arrays = shared->arrays;
    out->assumption_count = shared->assumption_count;
    out->assumptions = shared->assumptions;
    out->edits += analyse ? 0 : shared->edits;
    free(out->source);
    out->source = analyse ? NULL : shared->text;
    if (analyse)
        free(shared->text);
    *shared = (pm_staged){.text = NULL};
}

static bool has_param(const pm_source_info *info, const char *name, size_t length)
{
    for (size_t k = 0; k < info->kernel_count; k++)
        for (size_t p = 0; p < info->kernels[k].param_count; p++) {
            const char *param = info->kernels[k].params[p].name;

            if (strlen(param) == length && strncmp(param, name, length) == 0)
                return true;
        }
    return false;
}

static pm_status no_param(const pm_source_info *info, const char *name, size_t length,
                          pm_error *err)
{
    char list[512] = "";

    for (size_t k = 0; k < info->kernel_count; k++)
        for (size_t p = 0; p < info->kernels[k].param_count; p++)
            pm_list_add(list, sizeof list, "%s", info->kernels[k].params[p].name);
    return pm_fail(err, PM_BAD_INPUT, "scratch: no kernel has a parameter '%.*s'; they have: %s",
                   length < 60 ? (int)length : 60, name, list);
}

static pm_status check_scratch(const char *names, const pm_source_info *info, pm_error *err)
{
    while (names) {
        size_t length = strcspn(names, "+");

        if (!has_param(info, names, length))
            return no_param(info, names, length, err);
        names = names[length] ? names + length + 1 : NULL;
    }
    return PM_OK;
}

/* launches: of a program; NULL: the source is all there is. */
static pm_status stage(pm_session *session, const char *text, const char *path,
                       const pm_transform_options *options, const char *share,
                       const pm_stage_launches *launches, pm_transformed *out, pm_error *err)
{
    pm_source *source = pm_source_open(text, path, options->build_options,
                                       pm_session_worker(session), pm_session_log(session), err);
    pm_stage_request request = {.text = share,
                                .scratch = options->scratch,
                                .analyse = options->analyse,
                                .local_bytes = options->local_bytes ? options->local_bytes
                                                                    : PM_STAGE_LOCAL_BYTES,
                                .launch_count = launches ? launches->count : 0,
                                .launches = launches ? launches->items : NULL};
    pm_staged shared = {.text = NULL};
    pm_status status;

    if (!source)
        return err->status;
    memcpy(request.work_group, options->work_group, sizeof request.work_group);
    status = check_scratch(options->scratch, pm_source_describe(source), err);
    if (status == PM_OK)
        status = pm_source_stage(source, &request, &shared, err);
    if (status == PM_OK)
        take_shared(&shared, options->analyse, out);
    pm_staged_free(&shared);
    pm_source_close(source);
    return status;
}

/* ---- a source ------------------------------------------------------------------------------- */

pm_status pm_transform_source_text(pm_session *session, const char *text, const char *path,
                                   const pm_transform_options *options,
                                   const pm_stage_launches *launches, pm_transformed *out,
                                   pm_error *err)
{
    char *layouts, *share;
    pm_status status = pm_stage_split(options->layouts, &layouts, &share, err);

    if (status != PM_OK)
        return status;
    if (!share && options->analyse)
        status = pm_fail(err, PM_BAD_INPUT, "%s: an analysis is of what to stage, such as shared",
                         options->layouts);
    else if (!share || strcmp(layouts, "aos") != 0)
        status = change_layouts(session, text, path, options, layouts, out, err);
    if (status == PM_OK && share)
        status = stage(session, out->source ? out->source : text, path, options, share, launches,
                       out, err);
    free(layouts);
    free(share);
    if (status != PM_OK)
        pm_transformed_free(out);
    return status;
}

pm_status pm_transform_source(pm_session *session, const char *text, const char *path,
                              const pm_transform_options *options, pm_transformed *out,
                              pm_error *err)
{
    pm_error ignored = {0};

    *out = (pm_transformed){0};
    return pm_transform_source_text(session, text, path, options, NULL, out, err ? err : &ignored);
}
