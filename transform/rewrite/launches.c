/* Lists the kernel launches of a workload whose arrays of structs get other memory layouts. Where
 * needed, it adds launches of generated kernels that convert an array from one layout to another.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array that kernels use in several layouts has a copy in each. At the start of a pass over the
 * launches, all copies have the same contents. A launch that writes one copy makes the others
 * outdated. A conversion kernel is launched before a launch that needs an outdated copy.
 */
#include "transform/rewrite/parts.h"

enum { CONVERSION_GROUP = 128 };

/* ---- conversions -------------------------------------------------------------------------- */

static void check_scalars(const pm_transform *t, const pm_struct *structure)
{
    /* Raises an error below if an OpenCL C conversion kernel cannot copy a field. CUDA kernels can
     * copy fields of any size. */
    if (t->words->is_cuda)
        return;
    for (size_t f = 0; f < structure->field_count; f++) {
        size_t bytes = structure->fields[f].bytes;

        if (bytes > 128 || (bytes & (bytes - 1)) != 0)
            pm_leave(&t->memory, PM_BAD_INPUT,
                     "layout: struct %s cannot be converted between kernels: field %s is of type "
                     "%s",
                     structure->name, structure->fields[f].path, structure->fields[f].type);
    }
}

/* Returns the kernel that converts arrays of a struct from one layout to another. Adds the kernel
 * if there is none yet. */
static const pm_conversion *find_conversion(pm_transform *t, size_t structure, size_t from,
                                            size_t to)
{
    pm_conversion *made;

    for (size_t i = 0; i < t->conversion_count; i++) {
        const pm_conversion *c = &t->conversions[i];

        if (c->structure == structure && c->from == from && c->to == to)
            return c;
    }
    check_scalars(t, &t->structs.items[structure]);
    made = pm_more(&t->memory, t->conversions, t->conversion_count, sizeof *made);
    t->conversions = made;
    made += t->conversion_count;
    *made = (pm_conversion){.name = pm_transform_kernel_name(t, structure, to),
                            .structure = structure,
                            .from = from,
                            .to = to};
    t->conversion_count++;
    return made;
}

static void add_part_args(const pm_plan *plan, size_t first, pm_workload *workload)
{
    for (size_t p = 0; p < plan->part_count; p++)
        pm_workload_arg_buffer(workload, first + p);
}

/* Adds a launch of the conversion kernel that copies an array from the layout that was written last
 * to layout `to`. */
static void convert(pm_transform *t, pm_array *array, size_t to)
{
    const pm_plan_list *plans = &t->plans[array->structure];
    const size_t from = array->newest, local = CONVERSION_GROUP;
    const size_t groups = array->count / local + (array->count % local != 0);
    const size_t global = groups * local;

    pm_workload_launch(t->workload, find_conversion(t, array->structure, from, to)->name, 1,
                       &global, &local);
    add_part_args(plans->items[from], array->versions[from].first, t->workload);
    add_part_args(plans->items[to], array->versions[to].first, t->workload);
    pm_workload_arg_ulong(t->workload, array->count);
    array->versions[to].valid = true;
}

/* ---- launches ----------------------------------------------------------------------------- */

/* Returns the array that an argument passes, if the array's layout changes. Otherwise returns
 * NULL. */
static pm_array *changing_array(const pm_transform *t, const pm_arg *arg)
{
    pm_array *array = arg->kind == PM_ARG_BUFFER ? &t->arrays[arg->buffer] : NULL;

    return array && !pm_array_is_shared(t, array) ? array : NULL;
}

static void add_arguments(pm_transform *t, const pm_launch *launch, size_t kernel)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];
    const pm_kernel_map *map = &group->rewritten.kernels[kernel];

    for (size_t p = 0; p < map->count; p++) {
        const pm_param_map *param = &map->params[p];
        pm_arg arg = launch->args[param->argument];
        const pm_array *array = changing_array(t, &arg);

        if (param->kind == PM_PARAM_COUNT) {
            pm_workload_arg_ulong(t->workload, t->arrays[arg.buffer].count);
            continue;
        }
        if (arg.kind == PM_ARG_BUFFER)
            arg.buffer = (array ? array->versions[group->plans[array->structure]].first
                                : t->arrays[arg.buffer].shared) +
                         (param->kind == PM_PARAM_PART ? param->part : 0);
        if (arg.pointers.count > 0)
            arg.pointers.items = pm_transform_pointers(t, &arg.pointers);
        pm_workload_args(t->workload, &arg, 1);
    }
}

/* Adds launches of conversion kernels before `launch`. Afterwards, each array that `launch` uses
 * has its current contents in the layout that the launched kernel expects. */
static void prepare(pm_transform *t, const pm_launch *launch, size_t kernel)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];

    for (size_t a = 0; a < launch->arg_count; a++) {
        pm_array *array = changing_array(t, &launch->args[a]);

        if (array && !array->versions[group->plans[array->structure]].valid)
            convert(t, array, group->plans[array->structure]);
    }
}

static void note_writes(pm_transform *t, const pm_launch *launch, size_t kernel)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];

    for (size_t a = 0; a < launch->arg_count; a++) {
        pm_array *array = changing_array(t, &launch->args[a]);

        if (!array || !t->info->kernels[kernel].params[a].written)
            continue;
        array->newest = group->plans[array->structure];
        for (size_t p = 0; p < t->plans[array->structure].count; p++)
            array->versions[p].valid = p == array->newest;
    }
}

static void add_launch(pm_transform *t, const pm_launch *launch)
{
    const size_t kernel = pm_transform_kernel(t, launch->kernel);

    prepare(t, launch, kernel);
    pm_workload_launch(t->workload, t->groups[t->group_of[kernel]].rewritten.kernels[kernel].name,
                       launch->dimensions, launch->global, launch->local);
    pm_workload_label(t->workload, launch->label);
    pm_workload_offset(t->workload, launch->offset);
    pm_workload_shared(t->workload, launch->shared);
    add_arguments(t, launch, kernel);
    note_writes(t, launch, kernel);
}

/* Marks the buffers of output arrays as outputs, in the layout that was written last. */
static void mark_outputs(const pm_transform *t)
{
    for (size_t b = 0; b < t->original->buffer_count; b++) {
        const pm_array *array = &t->arrays[b];
        const pm_plan *plan;

        if (pm_array_is_shared(t, array) || !(t->original->buffers[b].flags & PM_BUFFER_OUTPUT))
            continue;
        plan = t->plans[array->structure].items[array->newest];
        for (size_t p = 0; p < plan->part_count; p++)
            t->workload->buffers[array->versions[array->newest].first + p].flags |=
                PM_BUFFER_OUTPUT;
    }
}

static void add_symbol(pm_transform *t, const pm_device_symbol *symbol)
{
    const pm_array *array = &t->arrays[symbol->in_buffer ? symbol->buffer : 0];

    if (!symbol->in_buffer) {
        pm_workload_symbol(t->workload, symbol->name, symbol->data, symbol->bytes);
        return;
    }
    if (!pm_array_is_shared(t, array))
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "layout: buffer %s is the memory of a variable; its layout cannot change",
                 t->original->buffers[symbol->buffer].name);
    pm_workload_symbol_buffer(t->workload, symbol->name, array->shared);
}

void pm_transform_launches(pm_transform *t)
{
    for (size_t s = 0; s < t->original->symbol_count; s++)
        add_symbol(t, &t->original->symbols[s]);
    for (size_t l = 0; l < t->original->launch_count; l++)
        add_launch(t, &t->original->launches[l]);
    if (t->workload->error.status == PM_OK)
        mark_outputs(t);
}
