/* The launches of a workload in new layouts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An array that kernels use in several layouts is there in all of them. A pass starts with the same
 * contents in each; a launch that writes one makes the others stale, and one that needs a stale one
 * is preceded by a conversion.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "transform/parts.h"

enum { CONVERSION_GROUP = 128 };

/* ---- conversions -------------------------------------------------------------------------- */

static pm_status check_scalars(const pm_struct *structure, pm_error *err)
{
    for (size_t f = 0; f < structure->field_count; f++) {
        size_t bytes = structure->fields[f].bytes;

        if (bytes > 128 || (bytes & (bytes - 1)) != 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "layout: struct %s cannot be converted between kernels: field %s is of "
                           "type %s",
                           structure->name, structure->fields[f].path, structure->fields[f].type);
    }
    return PM_OK;
}

/* The kernel for a conversion, as an index; added where it is new. */
static pm_status find_conversion(pm_transform *t, size_t structure, size_t from, size_t to,
                                 size_t *index, pm_error *err)
{
    pm_conversion *grown;
    pm_status status;

    for (*index = 0; *index < t->conversion_count; (*index)++) {
        const pm_conversion *c = &t->conversions[*index];

        if (c->structure == structure && c->from == from && c->to == to)
            return PM_OK;
    }
    status = check_scalars(&t->structs.items[structure], err);
    if (status != PM_OK)
        return status;
    grown = realloc(t->conversions, (t->conversion_count + 1) * sizeof *grown);
    if (grown)
        t->conversions = grown;
    if (!grown ||
        !(grown[*index] = (pm_conversion){.name = pm_transform_kernel_name(t, structure, to),
                                          .structure = structure,
                                          .from = from,
                                          .to = to})
             .name)
        return pm_fail(err, PM_FAILED, "out of memory for a conversion between layouts");
    t->conversion_count++;
    return PM_OK;
}

static void add_part_args(const pm_plan *plan, size_t first, pm_workload *workload)
{
    for (size_t p = 0; p < plan->part_count; p++)
        pm_workload_arg_buffer(workload, first + p);
}

/* Brings version `to` of an array up to date. */
static pm_status convert(pm_transform *t, pm_array *array, size_t to, pm_workload *workload,
                         pm_error *err)
{
    const pm_plan_list *plans = &t->plans[array->structure];
    const size_t from = array->newest, local = CONVERSION_GROUP;
    const size_t groups = array->count / local + (array->count % local != 0);
    const size_t global = groups * local;
    size_t c;
    pm_status status = find_conversion(t, array->structure, from, to, &c, err);

    if (status != PM_OK)
        return status;
    pm_workload_launch(workload, t->conversions[c].name, 1, &global, &local);
    add_part_args(plans->items[from], array->versions[from].first, workload);
    add_part_args(plans->items[to], array->versions[to].first, workload);
    pm_workload_arg_ulong(workload, array->count);
    array->versions[to].valid = true;
    return PM_OK;
}

/* ---- launches ----------------------------------------------------------------------------- */

/* The buffer that stands for an array in a kernel of that group; of its parts, the first. */
static size_t buffer_in(const pm_transform *t, const pm_array *array, const pm_group *group)
{
    if (pm_array_is_shared(t, array))
        return array->shared;
    return array->versions[group->plans[array->structure]].first;
}

static void add_value(const pm_arg *arg, pm_workload *workload)
{
    pm_launch *launch;

    pm_workload_arg_local(workload, arg->bytes); /* which looks whether there is room for it */
    if (workload->error.status != PM_OK)
        return;
    launch = &workload->launches[workload->launch_count - 1];
    launch->args[launch->arg_count - 1] = *arg;
}

static void add_arguments(const pm_transform *t, const pm_launch *launch, size_t kernel,
                          pm_workload *workload)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];
    const pm_kernel_map *map = &group->rewritten.kernels[kernel];

    for (size_t p = 0; p < map->count; p++) {
        const pm_param_map *param = &map->params[p];
        const pm_arg *arg = &launch->args[param->argument];
        const pm_array *array = arg->kind == PM_ARG_BUFFER ? &t->arrays[arg->buffer] : NULL;

        if (!array)
            add_value(arg, workload);
        else if (param->kind == PM_PARAM_COUNT)
            pm_workload_arg_ulong(workload, array->count);
        else
            pm_workload_arg_buffer(workload, buffer_in(t, array, group) +
                                                 (param->kind == PM_PARAM_PART ? param->part : 0));
    }
}

/* What a launch is about to read and write must be up to date in its layout. */
static pm_status prepare(pm_transform *t, const pm_launch *launch, size_t kernel,
                         pm_workload *workload, pm_error *err)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];
    pm_status status = PM_OK;

    for (size_t a = 0; status == PM_OK && a < launch->arg_count; a++) {
        pm_array *array =
            launch->args[a].kind == PM_ARG_BUFFER ? &t->arrays[launch->args[a].buffer] : NULL;
        size_t plan;

        if (!array || pm_array_is_shared(t, array))
            continue;
        plan = group->plans[array->structure];
        if (!array->versions[plan].valid)
            status = convert(t, array, plan, workload, err);
    }
    return status;
}

static void note_writes(pm_transform *t, const pm_launch *launch, size_t kernel)
{
    const pm_group *group = &t->groups[t->group_of[kernel]];
    const pm_source_kernel *k = &t->info->kernels[kernel];

    for (size_t a = 0; a < launch->arg_count; a++) {
        pm_array *array =
            launch->args[a].kind == PM_ARG_BUFFER ? &t->arrays[launch->args[a].buffer] : NULL;

        if (!array || pm_array_is_shared(t, array) || !k->params[a].written)
            continue;
        array->newest = group->plans[array->structure];
        for (size_t p = 0; p < t->plans[array->structure].count; p++)
            array->versions[p].valid = p == array->newest;
    }
}

static pm_status add_launch(pm_transform *t, const pm_launch *launch, pm_workload *workload,
                            pm_error *err)
{
    size_t kernel;
    pm_status status = pm_transform_kernel(t, launch->kernel, &kernel, err);

    if (status == PM_OK)
        status = prepare(t, launch, kernel, workload, err);
    if (status != PM_OK)
        return status;
    pm_workload_launch(workload, t->groups[t->group_of[kernel]].rewritten.kernels[kernel].name,
                       launch->dimensions, launch->global, launch->local);
    pm_workload_offset(workload, launch->offset);
    add_arguments(t, launch, kernel, workload);
    note_writes(t, launch, kernel);
    return PM_OK;
}

/* The outputs are those parts that hold the array at the end of a pass. */
static void mark_outputs(const pm_transform *t, pm_workload *workload)
{
    for (size_t b = 0; b < t->original->buffer_count; b++) {
        const pm_array *array = &t->arrays[b];
        const pm_plan *plan;

        if (pm_array_is_shared(t, array) || !(t->original->buffers[b].flags & PM_BUFFER_OUTPUT))
            continue;
        plan = t->plans[array->structure].items[array->newest];
        for (size_t p = 0; p < plan->part_count; p++)
            workload->buffers[array->versions[array->newest].first + p].flags |= PM_BUFFER_OUTPUT;
    }
}

pm_status pm_transform_launches(pm_transform *t, pm_workload *workload, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t l = 0; status == PM_OK && l < t->original->launch_count; l++)
        status = add_launch(t, &t->original->launches[l], workload, err);
    if (status == PM_OK && workload->error.status == PM_OK)
        mark_outputs(t, workload);
    return status;
}
