/* Finds the buffers of a workload that are arrays of structs, and makes the buffers that replace
 * them if the structs get another memory layout. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <string.h>

#include "transform/rewrite/parts.h"

/* Callback that is called for each buffer argument of each launch. given: the argument, with the
 * index of its buffer. kernel: index of the launched kernel in the source's description. arg: index
 * of the kernel's parameter. */
typedef void (*visit_fn)(pm_transform *t, const pm_arg *given, size_t kernel, size_t arg);

static void visit_launch(pm_transform *t, const pm_launch *launch, visit_fn visit)
{
    const size_t kernel = pm_transform_kernel(t, launch->kernel);
    const pm_source_kernel *k = &t->info->kernels[kernel];

    if (launch->arg_count != k->param_count)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s:%u: kernel %s takes %zu arguments, a launch gives it %zu", t->path, k->line,
                 k->name, k->param_count, launch->arg_count);
    for (size_t a = 0; a < launch->arg_count; a++)
        if (launch->args[a].kind == PM_ARG_BUFFER)
            visit(t, &launch->args[a], kernel, a);
        else if (k->params[a].structure != PM_NO_STRUCT)
            pm_leave(
                &t->memory, PM_BAD_INPUT,
                "%s:%u: kernel %s takes an array of structs as %s, a launch gives it no buffer",
                t->path, k->line, k->name, k->params[a].name);
}

static void visit_buffers(pm_transform *t, visit_fn visit)
{
    for (size_t l = 0; l < t->original->launch_count; l++)
        visit_launch(t, &t->original->launches[l], visit);
}

/* ---- structs in the buffers --------------------------------------------------------------- */

static void set_structure(pm_transform *t, size_t buffer, size_t structure)
{
    const pm_buffer *b = &t->original->buffers[buffer];
    const pm_struct *s = &t->structs.items[structure];
    pm_array *array = &t->arrays[buffer];

    if (array->structure == structure)
        return;
    if (array->structure != PM_NO_STRUCT)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "layout: buffer %s is an array of struct %s to one kernel and of %s to another; "
                 "such a buffer must stay as it is",
                 b->name, t->structs.items[array->structure].name, s->name);
    if (b->bytes == 0 || b->bytes % s->bytes != 0)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "layout: buffer %s has %zu bytes, which is no number of structs %s of %zu bytes",
                 b->name, b->bytes, s->name, s->bytes);
    array->versions = pm_take(&t->memory, t->plans[structure].count, sizeof *array->versions);
    array->structure = structure;
    array->count = b->bytes / s->bytes;
    array->newest = SIZE_MAX;
}

static bool struct_changes(const pm_transform *t, size_t structure)
{
    for (size_t p = 0; p < t->plans[structure].count; p++)
        if (!t->plans[structure].items[p]->identity)
            return true;
    return false;
}

static void find_structure(pm_transform *t, const pm_arg *given, size_t kernel, size_t arg)
{
    const pm_source_param *param = &t->info->kernels[kernel].params[arg];
    pm_array *array = &t->arrays[given->buffer];
    size_t plan;

    if (param->structure == PM_NO_STRUCT || !struct_changes(t, param->structure))
        return;
    set_structure(t, given->buffer, param->structure);
    plan = t->groups[t->group_of[kernel]].plans[param->structure];
    array->versions[plan].used = true;
    array->written |= param->written;
    /* array->newest is the layout in which launches have written the array last. Before the first
     * such launch, it is the first layout in which a kernel uses the array. */
    if (array->newest == SIZE_MAX)
        array->newest = plan;
}

bool pm_array_is_shared(const pm_transform *t, const pm_array *array)
{
    if (array->structure == PM_NO_STRUCT)
        return true;
    for (size_t p = 0; p < t->plans[array->structure].count; p++)
        if (array->versions[p].used && !t->plans[array->structure].items[p]->identity)
            return false;
    return true;
}

/* given: an array of structs. Raises an error if its layout changes, but this kernel uses the
 * buffer in another way than as an array of the same struct that starts at the buffer's start. */
static void check_use(pm_transform *t, const pm_arg *given, size_t kernel, size_t arg)
{
    const pm_source_kernel *k = &t->info->kernels[kernel];
    const pm_array *array = &t->arrays[given->buffer];
    const char *name = t->original->buffers[given->buffer].name;

    if (pm_array_is_shared(t, array))
        return;
    if (k->params[arg].structure != array->structure)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s:%u: buffer %s is an array of struct %s to other kernels, and something else "
                 "to %s, as %s; its layout cannot change",
                 t->path, k->line, name, t->structs.items[array->structure].name, k->name,
                 k->params[arg].name);
    if (given->offset != 0)
        pm_leave(&t->memory, PM_BAD_INPUT,
                 "%s:%u: kernel %s gets %s from byte %zu of buffer %s on; the layout of a buffer "
                 "that is passed in part cannot change",
                 t->path, k->line, k->name, k->params[arg].name, given->offset, name);
}

void pm_transform_arrays(pm_transform *t)
{
    const size_t count = t->original->buffer_count;

    t->arrays = pm_take(&t->memory, count, sizeof *t->arrays);
    for (size_t b = 0; b < count; b++)
        t->arrays[b].structure = PM_NO_STRUCT;
    visit_buffers(t, find_structure);
    visit_buffers(t, check_use);
    for (size_t b = 0; b < count; b++) {
        pm_array *array = &t->arrays[b];
        size_t used = 0;

        for (size_t p = 0; array->versions && p < t->plans[array->structure].count; p++)
            used += array->versions[p].used;
        array->converted = used > 1;
    }
}

/* ---- buffers of the new workload ---------------------------------------------------------- */

static bool name_is_taken(const pm_workload *workload, const char *name)
{
    for (size_t b = 0; b < workload->buffer_count; b++)
        if (strcmp(workload->buffers[b].name, name) == 0)
            return true;
    return false;
}

/* Returns a name for a buffer of the new layout that replaces the buffer `buffer` of an array, such
 * as particles.pos_x. If another buffer has this name, returns particles.pos_x_2. */
static const char *name_part(pm_transform *t, const char *buffer, const char *part)
{
    const char *name = pm_format(&t->memory, "%s.%s", buffer, part);

    for (unsigned i = 2; name_is_taken(t->workload, name); i++)
        name = pm_format(&t->memory, "%s.%s_%u", buffer, part, i);
    return name;
}

static void add_version(pm_transform *t, size_t b, const pm_plan *plan, size_t n, unsigned flags)
{
    const pm_buffer *buffer = &t->original->buffers[b];
    void **contents = pm_take(&t->memory, plan->part_count, sizeof *contents);

    pm_require(&t->memory, pm_workload_write(t->original, b, t->memory.err));
    for (size_t p = 0; p < plan->part_count; p++) {
        size_t bytes = pm_plan_part_bytes(plan, p, n), index;

        if (bytes == SIZE_MAX)
            pm_leave(&t->memory, PM_BAD_INPUT, "layout: buffer %s is too large for it",
                     buffer->name);
        contents[p] = buffer->initial ? pm_workload_contents(t->workload, bytes) : NULL;
        index = pm_workload_buffer(t->workload, name_part(t, buffer->name, plan->parts[p].name),
                                   bytes, contents[p], flags);
        if (buffer->origin)
            pm_workload_origin(t->workload, index, buffer->origin);
    }
    if (t->workload->error.status == PM_OK && buffer->initial)
        pm_plan_pack(plan, buffer->initial, n, contents);
}

/* Adds buffers for an array to the new workload. Each layout in which a kernel uses the array has a
 * copy of the array, with buffers of its own. All copies get the same contents. If kernels write
 * the array and it has several copies, all copies are reset to their initial contents before each
 * pass over the launches (PM_BUFFER_RESTORE), so that every pass starts with equal copies.
 * mark_outputs() later marks the outputs. */
static void add_versions(pm_transform *t, size_t b)
{
    const pm_buffer *buffer = &t->original->buffers[b];
    pm_array *array = &t->arrays[b];
    unsigned flags = buffer->flags & ~(unsigned)PM_BUFFER_OUTPUT;

    if (array->converted && array->written)
        flags |= PM_BUFFER_RESTORE;
    for (size_t p = 0; p < t->plans[array->structure].count; p++) {
        const pm_plan *plan = t->plans[array->structure].items[p];

        if (!array->versions[p].used)
            continue;
        array->versions[p].first = t->workload->buffer_count;
        array->versions[p].valid = true;
        if (!plan->identity) {
            add_version(t, b, plan, array->count, flags);
            continue;
        }
        pm_workload_share(t->workload, t->original, b);
        if (t->workload->error.status == PM_OK)
            t->workload->buffers[array->versions[p].first].flags = flags;
    }
}

pm_pointer *pm_transform_pointers(pm_transform *t, const pm_pointers *pointers)
{
    pm_pointer *items = pm_take(&t->memory, pointers->count, sizeof *items);

    for (size_t i = 0; i < pointers->count; i++) {
        const size_t buffer = pointers->items[i].buffer;

        if (!pm_array_is_shared(t, &t->arrays[buffer]))
            pm_leave(&t->memory, PM_BAD_INPUT,
                     "layout: pointers in memory lead to buffer %s; its layout cannot change",
                     t->original->buffers[buffer].name);
        items[i] = pointers->items[i];
        items[i].buffer = t->arrays[buffer].shared;
    }
    return items;
}

/* Changes pointers that buffers contain. In the original workload, they point to other buffers of
 * that workload. In the new workload, they must point to buffers of the new workload. Raises an
 * error if the layout of a buffer with pointers changes. */
static void move_pointers(pm_transform *t)
{
    for (size_t b = 0; b < t->original->buffer_count; b++) {
        const pm_pointers *pointers = &t->original->buffers[b].pointers;

        if (pointers->count > 0 && !pm_array_is_shared(t, &t->arrays[b]))
            pm_leave(&t->memory, PM_BAD_INPUT,
                     "layout: buffer %s has pointers in it; its layout cannot change",
                     t->original->buffers[b].name);
        if (pointers->count > 0)
            pm_workload_point(t->workload, t->arrays[b].shared, pm_transform_pointers(t, pointers),
                              pointers->count);
    }
}

void pm_transform_buffers(pm_transform *t)
{
    for (size_t b = 0; b < t->original->buffer_count; b++) {
        if (pm_array_is_shared(t, &t->arrays[b]))
            t->arrays[b].shared = pm_workload_share(t->workload, t->original, b);
        else
            add_versions(t, b);
    }
    move_pointers(t);
}
