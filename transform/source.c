/* A kernel source in another layout, with the host code that goes with it, or with arrays staged in
 * local memory. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "session/session.h"
#include "transform/source_text.h"
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

static void free_plans(pm_plan **plans, size_t count)
{
    for (size_t s = 0; plans && s < count; s++)
        pm_plan_free(plans[s]);
    free(plans);
}

static pm_status check(const char *layouts, const char *path, const pm_source_info *info,
                       pm_error *err)
{
    const char **kernels = calloc(info->kernel_count + 1, sizeof *kernels);
    pm_status status;

    if (!kernels)
        return pm_fail(err, PM_FAILED, "out of memory for %zu kernels", info->kernel_count);
    for (size_t k = 0; k < info->kernel_count; k++)
        kernels[k] = info->kernels[k].name;
    status = pm_layouts_check(layouts, &info->structs, kernels, info->kernel_count, err);
    free(kernels);
    if (status == PM_OK && info->structs.count == 0)
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: no kernel takes an array of structs in global or constant memory; "
                         "there is no layout to change",
                         path);
    if (status == PM_OK && strchr(layouts, '@'))
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: layouts by kernel need conversions between the launches, which a "
                         "source alone does not have; give one layout, or transform each kernel",
                         layouts);
    return status;
}

/* A plan for each struct, which are the info's. */
static pm_plan **make_plans(const char *layouts, const pm_source_info *info, pm_error *err)
{
    pm_plan **plans = calloc(info->structs.count, sizeof *plans);

    if (!plans) {
        pm_fail(err, PM_FAILED, "out of memory for %zu structs", info->structs.count);
        return NULL;
    }
    for (size_t s = 0; s < info->structs.count; s++) {
        const pm_struct *structure = &info->structs.items[s];
        pm_layout layout = {0};

        if (pm_layouts_find(layouts, structure, info->kernels[0].name, &layout, err) == PM_OK)
            plans[s] = pm_plan_create(structure, &layout, err);
        pm_layout_free(&layout);
        if (!plans[s]) {
            free_plans(plans, s);
            return NULL;
        }
    }
    return plans;
}

static pm_status add_header(pm_transformed *out, const pm_plan *plan, pm_error *err)
{
    pm_header *headers = realloc(out->headers, (out->header_count + 1) * sizeof *headers);
    pm_header header = {.structure = strdup(plan->structure->name), .text = pm_plan_c(plan, err)};

    if (headers)
        out->headers = headers;
    if (!headers || !header.structure || !header.text) {
        free(header.structure);
        free(header.text);
        return pm_fail(err, PM_FAILED, "out of memory for the host code");
    }
    headers[out->header_count++] = header;
    return PM_OK;
}

static pm_status rewrite(pm_source *source, const pm_plan *const *plans, pm_transformed *out,
                         pm_error *err)
{
    const pm_source_info *info = pm_source_describe(source);
    pm_rewritten rewritten = {0};
    pm_status status = pm_source_rewrite(source, plans, &rewritten, err);

    if (status == PM_OK) {
        out->source = rewritten.text;
        out->edits = rewritten.edits;
        out->wide_loads = rewritten.wide_loads;
        out->wide_stores = rewritten.wide_stores;
        rewritten.text = NULL;
    }
    pm_rewritten_free(&rewritten);
    for (size_t s = 0; status == PM_OK && s < info->structs.count; s++)
        if (!plans[s]->identity)
            status = add_header(out, plans[s], err);
    return status;
}

/* ---- the layouts ---------------------------------------------------------------------------- */

static pm_status change_layouts(pm_session *session, const char *text, const char *path,
                                const pm_transform_options *options, const char *layouts,
                                pm_transformed *out, pm_error *err)
{
    pm_source *source = pm_source_open(text, path, options->build_options,
                                       pm_session_worker(session), pm_session_log(session), err);
    const pm_source_info *info;
    pm_plan **plans = NULL;
    pm_status status;

    if (!source)
        return err->status;
    info = pm_source_describe(source);
    status = check(layouts, path, info, err);
    if (status == PM_OK) {
        plans = make_plans(layouts, info, err);
        status = plans ? rewrite(source, (const pm_plan *const *)plans, out, err) : err->status;
    }
    if (plans)
        free_plans(plans, info->structs.count);
    pm_source_close(source);
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
