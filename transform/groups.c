/* Which layouts a workload's structs have, and which kernels have the same ones. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "transform/parts.h"

pm_status pm_transform_kernel(const pm_transform *t, const char *name, size_t *kernel,
                              pm_error *err)
{
    for (*kernel = 0; *kernel < t->info->kernel_count; (*kernel)++)
        if (strcmp(t->info->kernels[*kernel].name, name) == 0)
            return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s: a launch runs kernel %s, which it does not have",
                   t->path, name);
}

/* ---- plans -------------------------------------------------------------------------------- */

/* The plan of that layout in the struct's list; made where it is new. Both are put the same way
 * where their canonical texts are the same. */
static pm_status plan_for(pm_transform *t, size_t s, const pm_layout *layout, size_t *index,
                          pm_error *err)
{
    pm_plan_list *list = &t->plans[s];
    char *text = pm_layout_text(layout, &t->structs.items[s]);
    pm_plan **grown;
    pm_plan *plan;

    for (*index = 0; text && *index < list->count; (*index)++) {
        char *other = pm_layout_text(&list->items[*index]->layout, &t->structs.items[s]);
        bool same = other && strcmp(text, other) == 0;

        free(other);
        if (same) {
            free(text);
            return PM_OK;
        }
    }
    free(text);
    grown = text ? realloc(list->items, (list->count + 1) * sizeof(*list->items)) : NULL;
    if (!grown)
        return pm_fail(err, PM_FAILED, "out of memory for the plan of a layout");
    list->items = grown;
    plan = pm_plan_create(&t->structs.items[s], layout, err);
    if (!plan)
        return err->status;
    grown[list->count++] = plan;
    return PM_OK;
}

/* plans has a member for each struct. */
static pm_status plans_of_kernel(pm_transform *t, const char *layouts, const char *kernel,
                                 size_t *plans, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t s = 0; status == PM_OK && s < t->structs.count; s++) {
        pm_layout layout;

        status = pm_layouts_find(layouts, &t->structs.items[s], kernel, &layout, err);
        if (status != PM_OK)
            break;
        status = plan_for(t, s, &layout, &plans[s], err);
        pm_layout_free(&layout);
    }
    return status;
}

/* ---- groups ------------------------------------------------------------------------------- */

static pm_status add_group(pm_transform *t, const size_t *plans, pm_error *err)
{
    pm_group *grown = realloc(t->groups, (t->group_count + 1) * sizeof *grown);
    size_t bytes = t->structs.count * sizeof *plans;

    if (grown)
        t->groups = grown;
    if (!grown || !(grown[t->group_count] = (pm_group){.plans = malloc(bytes + 1)}).plans)
        return pm_fail(err, PM_FAILED, "out of memory for the layouts of a kernel");
    memcpy(grown[t->group_count++].plans, plans, bytes);
    return PM_OK;
}

static pm_status join_group(pm_transform *t, size_t kernel, const size_t *plans, pm_error *err)
{
    size_t *g = &t->group_of[kernel];

    for (*g = 0; *g < t->group_count; (*g)++)
        if (memcmp(t->groups[*g].plans, plans, t->structs.count * sizeof *plans) == 0)
            return PM_OK;
    return add_group(t, plans, err);
}

static pm_status check_names(const pm_transform *t, const char *layouts, pm_error *err)
{
    const char **names = calloc(t->info->kernel_count + 1, sizeof *names);
    pm_status status;

    if (!names)
        return pm_fail(err, PM_FAILED, "out of memory for the names of kernels");
    for (size_t k = 0; k < t->info->kernel_count; k++)
        names[k] = t->info->kernels[k].name;
    status = pm_layouts_check(layouts, &t->structs, names, t->info->kernel_count, err);
    free(names);
    return status;
}

/* Source of every group. */
static pm_status rewrite(pm_transform *t, pm_error *err)
{
    const pm_plan **plans = calloc(t->structs.count + 1, sizeof *plans);
    pm_status status = PM_OK;

    if (!plans)
        return pm_fail(err, PM_FAILED, "out of memory for the plans of a source");
    for (size_t g = 0; status == PM_OK && g < t->group_count; g++) {
        for (size_t s = 0; s < t->structs.count; s++) {
            const pm_plan *plan = t->plans[s].items[t->groups[g].plans[s]];

            plans[s] = plan->identity ? NULL : plan;
        }
        status = pm_source_rewrite(t->source, plans, &t->groups[g].rewritten, err);
    }
    free(plans);
    return status;
}

pm_status pm_transform_groups(pm_transform *t, const char *layouts, pm_error *err)
{
    size_t *plans = calloc(t->structs.count + 1, sizeof *plans);
    pm_status status;

    t->plans = calloc(t->structs.count + 1, sizeof *t->plans);
    t->group_of = calloc(t->info->kernel_count + 1, sizeof *t->group_of);
    if (!plans || !t->plans || !t->group_of)
        status = pm_fail(err, PM_FAILED, "out of memory for the layouts of a workload");
    else
        status = check_names(t, layouts, err);
    for (size_t l = 0; status == PM_OK && l < t->original->launch_count; l++) {
        const char *name = t->original->launches[l].kernel;
        size_t kernel;

        status = pm_transform_kernel(t, name, &kernel, err);
        if (status == PM_OK)
            status = plans_of_kernel(t, layouts, name, plans, err);
        if (status == PM_OK)
            status = join_group(t, kernel, plans, err);
    }
    free(plans);
    if (status == PM_OK && !pm_transform_is_identity(t))
        status = rewrite(t, err);
    return status;
}

bool pm_transform_is_identity(const pm_transform *t)
{
    for (size_t s = 0; s < t->structs.count; s++)
        for (size_t p = 0; p < t->plans[s].count; p++)
            if (!t->plans[s].items[p]->identity)
                return false;
    return true;
}
