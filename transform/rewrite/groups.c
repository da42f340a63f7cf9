/* Finds which memory layout each struct has in each kernel of a workload, and groups the kernels
 * for which all layouts are equal. A group gets one rewritten source. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <string.h>

#include "transform/rewrite/parts.h"

size_t pm_transform_kernel(const pm_transform *t, const char *name)
{
    for (size_t k = 0; k < t->info->kernel_count; k++)
        if (strcmp(t->info->kernels[k].name, name) == 0)
            return k;
    pm_leave(&t->memory, PM_BAD_INPUT, "%s: a launch runs kernel %s, which it does not have",
             t->path, name);
}

/* ---- plans -------------------------------------------------------------------------------- */

/* Returns the index of a layout in the list of a struct's layouts, t->plans[s]. Adds the layout if
 * the list does not have it. */
static size_t plan_for(pm_transform *t, size_t s, const pm_layout *layout)
{
    pm_plan_list *list = &t->plans[s];
    pm_plan *plan;

    for (size_t p = 0; p < list->count; p++)
        if (pm_layout_is_same(&list->items[p]->layout, layout))
            return p;
    plan = pm_plan_create(&t->memory, &t->structs.items[s], layout);
    *pm_add(&t->memory, list->items, list->count) = plan;
    return list->count - 1;
}

/* Finds out which layout of each struct a kernel uses. used[s]: index of the layout in the list of
 * all layouts of struct s (t->plans[s]). */
static void plans_of_kernel(pm_transform *t, const char *kernel, size_t *used)
{
    for (size_t s = 0; s < t->structs.count; s++) {
        const pm_layout layout =
            pm_layouts_find(&t->memory, t->layouts, &t->structs.items[s], kernel);

        used[s] = plan_for(t, s, &layout);
    }
}

/* ---- groups of kernels with equal layouts ------------------------------------------------- */

/* Returns the index of the group of kernels that use these layouts. used[s]: index of the layout of
 * struct s in the list of all layouts of s (t->plans[s]). Adds a group if there is none. */
static size_t group_for(pm_transform *t, const size_t *used)
{
    const size_t bytes = t->structs.count * sizeof *used;
    pm_group group = {.plans = NULL};

    for (size_t g = 0; g < t->group_count; g++)
        if (memcmp(t->groups[g].plans, used, bytes) == 0)
            return g;
    group.plans = pm_take(&t->memory, t->structs.count, sizeof *used);
    memcpy(group.plans, used, bytes);
    *pm_add(&t->memory, t->groups, t->group_count) = group;
    return t->group_count - 1;
}

static void check_names(pm_transform *t)
{
    const char **names = pm_take(&t->memory, t->info->kernel_count, sizeof *names);

    for (size_t k = 0; k < t->info->kernel_count; k++)
        names[k] = t->info->kernels[k].name;
    pm_layouts_check(&t->memory, t->layouts, &t->structs, t->info->left, names,
                     t->info->kernel_count);
}

/* Rewrites the source once for each group of kernels. A group is the kernels for which every struct
 * has the same layout. */
static void rewrite(pm_transform *t)
{
    const pm_plan **plans = pm_take(&t->memory, t->structs.count, sizeof *plans);

    for (size_t g = 0; g < t->group_count; g++) {
        for (size_t s = 0; s < t->structs.count; s++) {
            const pm_plan *plan = t->plans[s].items[t->groups[g].plans[s]];

            plans[s] = plan->identity ? NULL : plan;
        }
        pm_require(&t->memory,
                   pm_source_rewrite(t->source, plans, &t->groups[g].rewritten, t->memory.err));
    }
}

void pm_transform_groups(pm_transform *t)
{
    size_t *plans = pm_take(&t->memory, t->structs.count, sizeof *plans);

    t->plans = pm_take(&t->memory, t->structs.count, sizeof *t->plans);
    t->group_of = pm_take(&t->memory, t->info->kernel_count, sizeof *t->group_of);
    check_names(t);
    for (size_t l = 0; l < t->original->launch_count; l++) {
        const char *name = t->original->launches[l].kernel;
        size_t kernel = pm_transform_kernel(t, name);

        plans_of_kernel(t, name, plans);
        t->group_of[kernel] = group_for(t, plans);
    }
    if (t->group_count > 1 && t->info->variable)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s: kernels in different layouts have variables of their own, and %s may hand "
                 "values from one to another: give all kernels the same layout, or make it an "
                 "argument",
                 t->path, t->info->variable);
    if (!pm_transform_is_identity(t))
        rewrite(t);
}

bool pm_transform_is_identity(const pm_transform *t)
{
    for (size_t s = 0; s < t->structs.count; s++)
        for (size_t p = 0; p < t->plans[s].count; p++)
            if (!t->plans[s].items[p]->identity)
                return false;
    return true;
}
