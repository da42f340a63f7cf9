/* How much of a program each version of it rewrites. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines and kernels are those that differ between the base's source and the version's. Host code is
 * what perfmodel transform writes for each new layout of a struct, packing and unpacking, and a
 * line for each buffer and each argument that the base does not have. What the host code of a
 * version written by hand is beyond that, nobody can see.
 */
#include <stdlib.h>
#include <string.h>

#include "advise/parts.h"
#include "advise/source_lines.h"
#include "base/error.h"
#include "layout/plan.h"
#include "session/session.h"
#include "staging/staging.h"
#include "suite/suite.h"
#include "worker/session_worker.h"
#include "worker/source.h"

/* A kernel that the base launches. */
typedef struct {
    char *name;
    size_t args;
} launched;

struct pm_rewrite_base {
    char *source;
    size_t buffers;
    size_t launched_count;
    launched *launched;
    pm_structs structs; /* where the program has layouts */
    size_t kernel_count;
    char **kernels; /* of the source */
};

void pm_advise_rewrite_free(pm_rewrite_base *base)
{
    if (!base)
        return;
    for (size_t i = 0; i < base->launched_count; i++)
        free(base->launched[i].name);
    for (size_t i = 0; i < base->kernel_count; i++)
        free(base->kernels[i]);
    free(base->launched);
    free(base->kernels);
    free(base->source);
    pm_structs_free(&base->structs);
    free(base);
}

/* ---- the base ------------------------------------------------------------------------------- */

static const launched *find_launched(const launched *all, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for what a version rewrites");
}

static pm_status keep_launches(pm_rewrite_base *base, const pm_workload *workload, pm_error *err)
{
    base->buffers = workload->buffer_count;
    base->launched = calloc(workload->launch_count + 1, sizeof *base->launched);
    if (!base->launched)
        return no_memory(err);
    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];
        launched *new = &base->launched[base->launched_count];

        if (find_launched(base->launched, base->launched_count, launch->kernel))
            continue;
        *new = (launched){strdup(launch->kernel), launch->arg_count};
        if (!new->name)
            return no_memory(err);
        base->launched_count++;
    }
    return PM_OK;
}

static pm_status keep_kernels(pm_rewrite_base *base, const pm_source_info *info, pm_error *err)
{
    base->kernels = calloc(info->kernel_count + 1, sizeof *base->kernels);
    for (size_t k = 0; base->kernels && k < info->kernel_count; k++) {
        base->kernels[k] = strdup(info->kernels[k].name);
        if (!base->kernels[k])
            return no_memory(err);
        base->kernel_count++;
    }
    return base->kernels ? PM_OK : no_memory(err);
}

static pm_status keep_structs(pm_rewrite_base *base, const pm_workload *workload,
                              pm_session *session, pm_error *err)
{
    pm_source *source =
        pm_source_open(workload->source, workload->source_path, workload->build_options,
                       pm_session_worker(session), pm_session_log(session), err);
    pm_status status;

    if (!source)
        return err->status;
    status = pm_structs_copy(&pm_source_describe(source)->structs, &base->structs, err);
    if (status == PM_OK)
        status = keep_kernels(base, pm_source_describe(source), err);
    pm_source_close(source);
    return status;
}

static pm_status keep_base(pm_advising *a, const pm_workload *workload, pm_error *err)
{
    pm_rewrite_base *base = a->plain = calloc(1, sizeof *base);
    pm_status status;

    if (!base)
        return no_memory(err);
    base->source = strdup(workload->source);
    if (!base->source)
        return no_memory(err);
    status = keep_launches(base, workload, err);
    if (status == PM_OK && a->program->info.layouts)
        status = keep_structs(base, workload, a->session, err);
    return status;
}

/* ---- layouts -------------------------------------------------------------------------------- */

/* The lines of the C that packs and unpacks a struct in a layout; 0 where it stays as it is. */
static pm_status count_host_lines(const pm_struct *structure, const pm_layout *layout,
                                  size_t *lines, pm_error *err)
{
    pm_plan *plan = pm_plan_create(structure, layout, err);
    char *text = NULL;
    pm_status status = plan ? PM_OK : err->status;

    *lines = 0;
    if (plan && !plan->identity) {
        text = pm_plan_c(plan, err);
        status = text ? pm_source_lines(text, lines, err) : err->status;
    }
    free(text);
    pm_plan_free(plan);
    return status;
}

/* Whether an earlier kernel has the struct in that layout. seen: texts of those. */
static bool is_seen(char *const *seen, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(seen[i], text) == 0)
            return true;
    return false;
}

/* The host code for one struct in all its layouts. */
static pm_status measure_struct(const pm_rewrite_base *base, const pm_struct *structure,
                                const char *layouts, size_t *lines, pm_error *err)
{
    char **seen = calloc(base->kernel_count + 1, sizeof *seen);
    pm_status status = seen ? PM_OK : no_memory(err);
    size_t count = 0;

    *lines = 0;
    for (size_t k = 0; status == PM_OK && k < base->kernel_count; k++) {
        pm_layout layout = {0};
        char *text = NULL;
        size_t own = 0;

        status = pm_layouts_find(layouts, structure, base->kernels[k], &layout, err);
        if (status == PM_OK && !(text = pm_layout_text(&layout, structure)))
            status = no_memory(err);
        if (status == PM_OK && !is_seen(seen, count, text)) {
            status = count_host_lines(structure, &layout, &own, err);
            seen[count++] = text;
            text = NULL;
        }
        *lines += own;
        free(text);
        pm_layout_free(&layout);
    }
    for (size_t i = 0; i < count; i++)
        free(seen[i]);
    free(seen);
    return status;
}

static pm_status measure_layouts(const pm_advising *a, const char *variant, pm_rewrite_size *size,
                                 pm_error *err)
{
    const pm_structs *structs = &a->plain->structs;
    char *layouts, *share;
    pm_status status = pm_stage_split(variant, &layouts, &share, err);

    for (size_t s = 0; status == PM_OK && s < structs->count; s++) {
        size_t lines;

        status = measure_struct(a->plain, &structs->items[s],
                                pm_program_layouts(a->program, layouts), &lines, err);
        size->structs += lines > 0;
        size->host_lines += lines;
    }
    free(layouts);
    free(share);
    return status;
}

/* ---- a version ------------------------------------------------------------------------------ */

/* Buffers, and arguments of each kernel, beyond the base's. */
static size_t count_arguments(const pm_rewrite_base *base, const pm_workload *workload)
{
    size_t lines =
        workload->buffer_count > base->buffers ? workload->buffer_count - base->buffers : 0;

    for (size_t l = 0; l < workload->launch_count; l++) {
        const pm_launch *launch = &workload->launches[l];
        const launched *old = find_launched(base->launched, base->launched_count, launch->kernel);
        size_t before = old ? old->args : 0;
        bool seen = false;

        for (size_t k = 0; k < l && !seen; k++)
            seen = strcmp(workload->launches[k].kernel, launch->kernel) == 0;
        if (!seen && launch->arg_count > before)
            lines += launch->arg_count - before;
    }
    return lines;
}

static pm_status measure(const pm_advising *a, const pm_workload *workload, pm_rewrite_size *size,
                         pm_error *err)
{
    const char *old = a->plain->source, *new = workload->source;
    pm_status status = pm_source_lines_changed(old, new, &size->source_lines, err);

    if (status == PM_OK)
        status = pm_source_kernels_changed(old, new, &size->kernels, err);
    size->by_hand = !pm_program_is_transformed(a->program, workload->variant);
    if (status == PM_OK && a->program->info.layouts && !size->by_hand)
        status = measure_layouts(a, workload->variant, size, err);
    size->host_lines += count_arguments(a->plain, workload);
    return status;
}

pm_status pm_advise_rewrite(pm_advising *a, const pm_workload *workload, pm_rewrite_size *size,
                            pm_error *err)
{
    *size = (pm_rewrite_size){0};
    if (strcmp(workload->variant, a->advice->base) == 0)
        return a->plain ? PM_OK : keep_base(a, workload, err);
    return measure(a, workload, size, err);
}
