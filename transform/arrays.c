/* The buffers of a workload in new layouts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "transform/parts.h"

/* Visits an argument of a launch that is a buffer, with the parameter it is bound to. */
typedef pm_status (*visit_fn)(pm_transform *t, const pm_launch *launch, size_t kernel, size_t arg,
                              pm_error *err);

static pm_status visit_launch(pm_transform *t, const pm_launch *launch, visit_fn visit,
                              pm_error *err)
{
    const pm_source_kernel *k;
    size_t kernel;
    pm_status status = pm_transform_kernel(t, launch->kernel, &kernel, err);

    if (status != PM_OK)
        return status;
    k = &t->info->kernels[kernel];
    if (launch->arg_count != k->param_count)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s:%u: kernel %s takes %zu arguments, a launch gives it %zu", t->path,
                       k->line, k->name, k->param_count, launch->arg_count);
    for (size_t a = 0; status == PM_OK && a < launch->arg_count; a++) {
        if (launch->args[a].kind == PM_ARG_BUFFER)
            status = visit(t, launch, kernel, a, err);
        else if (k->params[a].structure != PM_NO_STRUCT)
            status = pm_fail(err, PM_BAD_INPUT,
                             "%s:%u: kernel %s takes an array of structs as %s, a launch gives it "
                             "no buffer",
                             t->path, k->line, k->name, k->params[a].name);
    }
    return status;
}

static pm_status visit_buffers(pm_transform *t, visit_fn visit, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t l = 0; status == PM_OK && l < t->original->launch_count; l++)
        status = visit_launch(t, &t->original->launches[l], visit, err);
    return status;
}

/* ---- what they are ------------------------------------------------------------------------ */

static pm_status set_structure(pm_transform *t, size_t buffer, size_t structure, pm_error *err)
{
    const pm_buffer *b = &t->original->buffers[buffer];
    const pm_struct *s = &t->structs.items[structure];
    pm_array *array = &t->arrays[buffer];

    if (array->structure == structure)
        return PM_OK;
    if (array->structure != PM_NO_STRUCT)
        return pm_fail(err, PM_BAD_INPUT,
                       "layout: buffer %s is an array of struct %s to one kernel and of %s to "
                       "another; such a buffer must stay as it is",
                       b->name, t->structs.items[array->structure].name, s->name);
    if (b->bytes == 0 || b->bytes % s->bytes != 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "layout: buffer %s has %zu bytes, which is no number of structs %s of %zu "
                       "bytes",
                       b->name, b->bytes, s->name, s->bytes);
    array->versions = calloc(t->plans[structure].count, sizeof *array->versions);
    if (!array->versions)
        return pm_fail(err, PM_FAILED, "out of memory for the layouts of buffer %s", b->name);
    array->structure = structure;
    array->count = b->bytes / s->bytes;
    array->newest = SIZE_MAX;
    return PM_OK;
}

static bool struct_changes(const pm_transform *t, size_t structure)
{
    for (size_t p = 0; p < t->plans[structure].count; p++)
        if (!t->plans[structure].items[p]->identity)
            return true;
    return false;
}

static pm_status find_structure(pm_transform *t, const pm_launch *launch, size_t kernel, size_t arg,
                                pm_error *err)
{
    const pm_source_param *param = &t->info->kernels[kernel].params[arg];
    const size_t buffer = launch->args[arg].buffer;
    pm_array *array = &t->arrays[buffer];
    size_t plan;
    pm_status status;

    if (param->structure == PM_NO_STRUCT || !struct_changes(t, param->structure))
        return PM_OK;
    status = set_structure(t, buffer, param->structure, err);
    if (status != PM_OK)
        return status;
    plan = t->groups[t->group_of[kernel]].plans[param->structure];
    array->versions[plan].used = true;
    array->written |= param->written;
    /* Until it is written, the array starts in the layout it is used in first. */
    if (array->newest == SIZE_MAX)
        array->newest = plan;
    return PM_OK;
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

/* An array that changes must be one of the same structs to every kernel. */
static pm_status check_use(pm_transform *t, const pm_launch *launch, size_t kernel, size_t arg,
                           pm_error *err)
{
    const pm_source_kernel *k = &t->info->kernels[kernel];
    const size_t buffer = launch->args[arg].buffer;
    const pm_array *array = &t->arrays[buffer];

    if (pm_array_is_shared(t, array) || k->params[arg].structure == array->structure)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s:%u: buffer %s is an array of struct %s to other kernels, and something else "
                   "to %s, as %s; its layout cannot change",
                   t->path, k->line, t->original->buffers[buffer].name,
                   t->structs.items[array->structure].name, k->name, k->params[arg].name);
}

pm_status pm_transform_arrays(pm_transform *t, pm_error *err)
{
    const size_t count = t->original->buffer_count;
    pm_status status;

    t->arrays = calloc(count + 1, sizeof *t->arrays);
    if (!t->arrays)
        return pm_fail(err, PM_FAILED, "out of memory for the buffers of a workload");
    t->array_count = count;
    for (size_t b = 0; b < count; b++)
        t->arrays[b].structure = PM_NO_STRUCT;
    status = visit_buffers(t, find_structure, err);
    if (status == PM_OK)
        status = visit_buffers(t, check_use, err);
    for (size_t b = 0; status == PM_OK && b < count; b++) {
        pm_array *array = &t->arrays[b];
        size_t used = 0;

        for (size_t p = 0; array->versions && p < t->plans[array->structure].count; p++)
            used += array->versions[p].used;
        array->converted = used > 1;
    }
    return status;
}

/* ---- buffers ------------------------------------------------------------------------------ */

static bool name_is_taken(const pm_workload *workload, const char *name)
{
    for (size_t b = 0; b < workload->buffer_count; b++)
        if (strcmp(workload->buffers[b].name, name) == 0)
            return true;
    return false;
}

/* particles.pos_x, or where another layout of the array has that, particles.pos_x_2. */
static void name_part(const pm_workload *workload, const char *buffer, const char *part, char *name,
                      size_t size)
{
    snprintf(name, size, "%s.%s", buffer, part);
    for (unsigned i = 2; name_is_taken(workload, name); i++)
        snprintf(name, size, "%s.%s_%u", buffer, part, i);
}

/* The memory of the parts, zeroed, where the array has initial contents. */
static void add_parts(const pm_buffer *buffer, const pm_plan *plan, size_t n, unsigned flags,
                      pm_workload *workload, void **contents)
{
    for (size_t p = 0; p < plan->part_count; p++) {
        size_t bytes = pm_plan_part_bytes(plan, p, n);
        char name[512];
        size_t index;

        if (bytes == SIZE_MAX) {
            if (workload->error.status == PM_OK)
                pm_fail(&workload->error, PM_BAD_INPUT, "layout: buffer %s is too large for it",
                        buffer->name);
            return;
        }
        name_part(workload, buffer->name, plan->parts[p].name, name, sizeof name);
        contents[p] = buffer->initial ? pm_workload_contents(workload, bytes) : NULL;
        index = pm_workload_buffer(workload, name, bytes, contents[p], flags);
        if (buffer->origin)
            pm_workload_origin(workload, index, buffer->origin);
    }
}

static void add_version(const pm_buffer *buffer, const pm_plan *plan, size_t n, unsigned flags,
                        pm_workload *workload)
{
    void **contents = calloc(plan->part_count, sizeof *contents);

    if (!contents) {
        if (workload->error.status == PM_OK)
            pm_fail(&workload->error, PM_FAILED, "out of memory for the parts of buffer %s",
                    buffer->name);
        return;
    }
    add_parts(buffer, plan, n, flags, workload, contents);
    if (workload->error.status == PM_OK && buffer->initial)
        pm_plan_pack(plan, buffer->initial, n, contents);
    free(contents);
}

/* In every layout that it is used in, all with the same contents. Which of them is an output is not
 * known yet. Where kernels write the array, each pass must find them so: at the end of a pass only
 * one of them holds what the original's buffer would. */
static void add_versions(pm_transform *t, size_t b, pm_workload *workload)
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
        array->versions[p].first = workload->buffer_count;
        array->versions[p].valid = true;
        if (!plan->identity) {
            add_version(buffer, plan, array->count, flags, workload);
            continue;
        }
        pm_workload_share(workload, t->original, b);
        if (workload->error.status == PM_OK)
            workload->buffers[array->versions[p].first].flags = flags;
    }
}

void pm_transform_buffers(pm_transform *t, pm_workload *workload)
{
    for (size_t b = 0; b < t->original->buffer_count; b++) {
        if (pm_array_is_shared(t, &t->arrays[b]))
            t->arrays[b].shared = pm_workload_share(workload, t->original, b);
        else
            add_versions(t, b, workload);
    }
}
