/* A kernel source in another layout, with the host code that goes with it. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/collect_names.h"
#include "collector/error.h"
#include "collector/workload.h"
#include "source.h"

void pm_transformed_free(pm_transformed *transformed)
{
    for (size_t i = 0; i < transformed->header_count; i++) {
        free(transformed->headers[i].structure);
        free(transformed->headers[i].text);
    }
    free(transformed->headers);
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

pm_status pm_transform_source(const char *text, const char *path, const char *build_options,
                              const char *layouts, const pm_log *log, pm_transformed *out,
                              pm_error *err)
{
    pm_error ignored = {0};
    pm_source *source;
    const pm_source_info *info;
    pm_plan **plans = NULL;
    pm_status status;

    *out = (pm_transformed){0};
    err = err ? err : &ignored;
    source = pm_source_open(text, path, build_options, log, err);
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
    if (status != PM_OK)
        pm_transformed_free(out);
    return status;
}

pm_status pm_transform_program(const char *program, const char *layouts, const pm_log *log,
                               pm_transformed *out, pm_error *err)
{
    const char *const programs[] = {program, NULL};
    const pm_collect_options names = {.programs = programs};
    const pm_program *found;
    pm_workload *workload;
    pm_error ignored = {0};
    pm_status status;

    *out = (pm_transformed){0};
    err = err ? err : &ignored;
    status = pm_collect_check(&names, err);
    if (status != PM_OK)
        return status;
    found = pm_suite_find(program);
    workload = found->build(found->info.variants[0], found->info.sizes[0], 1, err);
    if (!workload)
        return err->status;
    status = pm_transform_source(workload->source, workload->source_path, workload->build_options,
                                 layouts, log, out, err);
    pm_workload_free(workload);
    return status;
}
