/* The module's functions. See module.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "module.h"

#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "share.h"
#include "unit.h"

struct pm_module_source {
    pm_unit unit;
    pm_unit expanded; /* the same after the preprocessor, when that was needed */
    bool is_expanded;
    pm_status (*preprocess)(void *user, char **text, pm_error *err);
    void *user;
};

/* ---- units --------------------------------------------------------------------------------- */

static void free_info(pm_source_info *info)
{
    for (size_t k = 0; k < info->kernel_count; k++) {
        for (size_t p = 0; p < info->kernels[k].param_count; p++)
            free(info->kernels[k].params[p].name);
        free(info->kernels[k].params);
        free(info->kernels[k].accesses);
        free(info->kernels[k].name);
    }
    free(info->kernels);
    for (size_t i = 0; i < info->name_count; i++)
        free(info->names[i]);
    free(info->names);
}

static void free_unit(pm_unit *unit)
{
    for (size_t s = 0; unit->structs && s < unit->info.structs.count; s++)
        free(unit->structs[s].spelling);
    free(unit->structs);
    free_info(&unit->info);
    pm_structs_free(&unit->info.structs);
    free(unit->variables);
    free(unit->variable_of);
    pm_ast_free(&unit->ast);
    for (size_t i = 0; i < unit->argument_count; i++)
        free(unit->arguments[i]);
    free(unit->arguments);
    free(unit->text);
    free(unit->path);
    *unit = (pm_unit){.text = NULL};
}

static pm_status copy_request(pm_unit *unit, const char *text, const char *path,
                              const char *const *arguments, size_t argument_count, pm_error *err)
{
    *unit = (pm_unit){.text = strdup(text), .path = strdup(path)};
    unit->arguments = calloc(argument_count + 1, sizeof *unit->arguments);
    if (!unit->text || !unit->path || !unit->arguments)
        return pm_fail(err, PM_FAILED, "%s: out of memory", path);
    for (size_t i = 0; i < argument_count; i++) {
        unit->arguments[i] = strdup(arguments[i]);
        if (!unit->arguments[i])
            return pm_fail(err, PM_FAILED, "%s: out of memory", path);
        unit->argument_count++;
    }
    return PM_OK;
}

static pm_status open_unit(pm_unit *unit, const char *text, const char *path,
                           const char *const *arguments, size_t argument_count, pm_error *err)
{
    pm_status status = copy_request(unit, text, path, arguments, argument_count, err);

    if (status == PM_OK)
        status = pm_ast_parse(&unit->ast, unit->text, unit->path,
                              (const char *const *)unit->arguments, argument_count, err);
    if (status == PM_OK)
        status = pm_unit_find_structs(unit, err);
    if (status == PM_OK)
        status = pm_unit_find_variables(unit, err);
    return status == PM_OK ? pm_unit_describe(unit, err) : status;
}

/* ---- the table ----------------------------------------------------------------------------- */

static void close_source(pm_module_source *source)
{
    if (!source)
        return;
    free_unit(&source->unit);
    if (source->is_expanded)
        free_unit(&source->expanded);
    free(source);
}

static pm_module_source *open_source(const pm_module_request *request, pm_error *err)
{
    pm_module_source *source = calloc(1, sizeof *source);

    if (!source) {
        pm_fail(err, PM_FAILED, "%s: out of memory", request->path);
        return NULL;
    }
    source->preprocess = request->preprocess;
    source->user = request->user;
    if (open_unit(&source->unit, request->text, request->path, request->arguments,
                  request->argument_count, err) != PM_OK) {
        close_source(source);
        return NULL;
    }
    return source;
}

static const pm_source_info *describe_source(const pm_module_source *source)
{
    return &source->unit.info;
}

static pm_status expand(pm_module_source *source, pm_error *err)
{
    const pm_unit *unit = &source->unit;
    char *text = NULL;
    pm_status status;

    if (source->is_expanded)
        return PM_OK;
    status = source->preprocess(source->user, &text, err);
    if (status != PM_OK)
        return status;
    status = open_unit(&source->expanded, text, unit->path, (const char *const *)unit->arguments,
                       unit->argument_count, err);
    free(text);
    source->expanded.preprocessed = true;
    source->is_expanded = status == PM_OK;
    if (status != PM_OK)
        free_unit(&source->expanded);
    return status;
}

/* What was made must be source again: this catches what the rewriting got wrong. */
static pm_status check(const pm_unit *unit, const char *text, pm_error *err)
{
    pm_ast ast;
    pm_error why = {0};
    pm_status status = pm_ast_parse(&ast, text, unit->path, (const char *const *)unit->arguments,
                                    unit->argument_count, &why);

    pm_ast_free(&ast);
    if (status == PM_OK)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "what perfmodel made of %s does not compile, which is its fault "
                   "(lines are those of what it made): %.800s",
                   unit->path, why.text);
}

static void free_rewritten(pm_rewritten *out)
{
    for (size_t k = 0; k < out->kernel_count; k++) {
        free(out->kernels[k].name);
        free(out->kernels[k].params);
    }
    free(out->kernels);
    free(out->text);
    *out = (pm_rewritten){.text = NULL};
}

static pm_status rewrite_source(pm_module_source *source, const pm_plan *const *plans,
                                pm_rewritten *out, pm_error *err)
{
    bool hidden = false;
    pm_status status;

    *out = (pm_rewritten){.text = NULL};
    status = pm_unit_rewrite(&source->unit, plans, out, &hidden, err);
    if (hidden) {
        status = expand(source, err);
        if (status == PM_OK)
            status = pm_unit_rewrite(&source->expanded, plans, out, &hidden, err);
        if (status == PM_OK && hidden)
            status = pm_fail(err, PM_FAILED,
                             "%s: the preprocessor leaves what has to change in another file",
                             source->unit.path);
    }
    if (status == PM_OK)
        status = check(&source->unit, out->text, err);
    if (status != PM_OK)
        free_rewritten(out);
    return status;
}

static pm_status share_source(pm_module_source *source, const pm_share_request *request,
                              pm_shared *out, pm_error *err)
{
    bool hidden = false;
    pm_status status;

    *out = (pm_shared){.text = NULL};
    status = pm_unit_share(&source->unit, request, out, &hidden, err);
    if (hidden) {
        pm_shared_free(out);
        status = expand(source, err);
        if (status == PM_OK)
            status = pm_unit_share(&source->expanded, request, out, &hidden, err);
        if (status == PM_OK && hidden)
            status = pm_fail(err, PM_FAILED,
                             "%s: the preprocessor leaves what has to change in another file",
                             source->unit.path);
    }
    if (status == PM_OK)
        status = check(&source->unit, out->text, err);
    if (status != PM_OK)
        pm_shared_free(out);
    return status;
}

extern __attribute__((visibility("default"))) const pm_module pm_layout_module;
const pm_module pm_layout_module = {.version = PM_MODULE_VERSION,
                                    .open = open_source,
                                    .close = close_source,
                                    .describe = describe_source,
                                    .rewrite = rewrite_source,
                                    .share = share_source};
