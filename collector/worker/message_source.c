/* Writes and reads the messages about sources between perfmodel and a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/messages.h"

/* ---- opening ------------------------------------------------------------------------------- */

void pm_wire_open(pm_wire *wire, pm_open_message *open)
{
    pm_wire_name(wire, &open->text);
    pm_wire_name(wire, &open->path);
    pm_wire_text(wire, &open->parsed);
    PM_WIRE_ARRAY(wire, open->headers, open->header_count);
    for (size_t i = 0; i < open->header_count; i++) {
        pm_wire_name(wire, &open->headers[i].name);
        pm_wire_name(wire, &open->headers[i].text);
    }
    PM_WIRE_ARRAY(wire, open->arguments, open->argument_count);
    for (size_t i = 0; i < open->argument_count; i++)
        pm_wire_name(wire, &open->arguments[i]);
}

/* ---- the description ----------------------------------------------------------------------- */

static bool is_alignment(size_t align)
{
    return align > 0 && align <= 4096 && (align & (align - 1)) == 0;
}

/* Returns whether a field, with all elements of its array, is inside a struct of `bytes` bytes. */
static bool lies_within(const pm_field *field, size_t bytes)
{
    size_t left = bytes;

    if (field->bytes == 0 || !is_alignment(field->align) || field->offset > left ||
        field->bytes > left - field->offset)
        return false;
    left -= field->offset + field->bytes;
    for (size_t d = 0; d < field->extent_count; d++) {
        const pm_extent *extent = &field->extents[d];

        if (extent->count == 0 || extent->stride == 0 || extent->count - 1 > left / extent->stride)
            return false;
        left -= (extent->count - 1) * extent->stride;
    }
    return true;
}

static void wire_field(pm_wire *wire, pm_field *field, size_t bytes)
{
    pm_wire_name(wire, &field->path);
    pm_wire_text(wire, &field->access);
    pm_wire_name(wire, &field->name);
    pm_wire_name(wire, &field->type);
    PM_WIRE_NUMBER(wire, field->bytes);
    PM_WIRE_NUMBER(wire, field->align);
    PM_WIRE_NUMBER(wire, field->offset);
    pm_wire_below(wire, &field->extent_count, sizeof field->extents / sizeof *field->extents + 1);
    for (size_t d = 0; d < field->extent_count; d++)
        PM_WIRE_NUMBER(wire, field->extents[d]);
    pm_wire_flag(wire, &field->whole);
    wire->failed |= !wire->writing && !lies_within(field, bytes);
}

static void wire_struct(pm_wire *wire, pm_struct *structure)
{
    pm_wire_name(wire, &structure->name);
    PM_WIRE_NUMBER(wire, structure->bytes);
    PM_WIRE_NUMBER(wire, structure->align);
    wire->failed |= !wire->writing && !is_alignment(structure->align);
    PM_WIRE_ARRAY(wire, structure->fields, structure->field_count);
    for (size_t f = 0; f < structure->field_count; f++)
        wire_field(wire, &structure->fields[f], structure->bytes);
}

static void wire_structs(pm_wire *wire, pm_structs *structs)
{
    PM_WIRE_ARRAY(wire, structs->items, structs->count);
    for (size_t s = 0; s < structs->count; s++)
        wire_struct(wire, &structs->items[s]);
}

static void wire_param(pm_wire *wire, pm_source_param *param, const pm_source_info *info)
{
    size_t takes = param->takes, structure = param->structure + 1; /* 0: none */
    size_t passed = param->passed + 1;                             /* 0: none */

    pm_wire_name(wire, &param->name);
    pm_wire_below(wire, &takes, PM_TAKES_OPAQUE + 1);
    param->takes = (pm_source_takes)takes;
    pm_wire_chars(wire, param->type, sizeof param->type);
    pm_wire_below(wire, &structure, info->structs.count + 1);
    param->structure = structure - 1;
    PM_WIRE_NUMBER(wire, param->bytes);
    PM_WIRE_NUMBER(wire, param->element);
    pm_wire_below(wire, &passed, info->passed.count + 1);
    param->passed = passed - 1;
    pm_wire_flag(wire, &param->read);
    pm_wire_flag(wire, &param->written);
    pm_wire_flag(wire, &param->is_texture);
    pm_wire_flag(wire, &param->is_extent);
}

static void wire_access(pm_wire *wire, pm_source_access *access, const pm_structs *structs)
{
    pm_wire_below(wire, &access->structure, structs->count);
    pm_wire_below(wire, &access->field,
                  wire->failed ? 0 : structs->items[access->structure].field_count);
    PM_WIRE_NUMBER(wire, access->line);
    PM_WIRE_NUMBER(wire, access->column);
    PM_WIRE_NUMBER(wire, access->loop);
    pm_wire_flag(wire, &access->read);
    pm_wire_flag(wire, &access->written);
}

static void wire_source_kernel(pm_wire *wire, pm_source_kernel *kernel, const pm_source_info *info)
{
    pm_wire_name(wire, &kernel->name);
    PM_WIRE_NUMBER(wire, kernel->line);
    PM_WIRE_ARRAY(wire, kernel->params, kernel->param_count);
    for (size_t p = 0; p < kernel->param_count; p++)
        wire_param(wire, &kernel->params[p], info);
    PM_WIRE_ARRAY(wire, kernel->accesses, kernel->access_count);
    for (size_t a = 0; a < kernel->access_count; a++)
        wire_access(wire, &kernel->accesses[a], &info->structs);
    PM_WIRE_NUMBER(wire, kernel->shape);
}

void pm_wire_source_info(pm_wire *wire, pm_source_info *info)
{
    wire->memory = &info->memory;
    wire_structs(wire, &info->structs);
    wire_structs(wire, &info->passed);
    pm_wire_text(wire, &info->left);
    pm_wire_text(wire, &info->variable);
    PM_WIRE_ARRAY(wire, info->kernels, info->kernel_count);
    for (size_t k = 0; k < info->kernel_count; k++)
        wire_source_kernel(wire, &info->kernels[k], info);
    pm_wire_names(wire, &info->templates, &info->template_count);
    pm_wire_names(wire, &info->names, &info->name_count);
}

/* ---- templates ----------------------------------------------------------------------------- */

void pm_wire_names(pm_wire *wire, char ***names, size_t *count)
{
    PM_WIRE_ARRAY(wire, *names, *count);
    for (size_t i = 0; i < *count; i++)
        pm_wire_name(wire, &(*names)[i]);
}

void pm_wire_instances(pm_wire *wire, pm_instances *instances)
{
    wire->memory = &instances->memory;
    pm_wire_text(wire, &instances->text);
    pm_wire_names(wire, &instances->kernels, &instances->kernel_count);
    pm_wire_text(wire, &instances->left);
}

/* ---- layouts ------------------------------------------------------------------------------- */

void pm_wire_rewritten(pm_wire *wire, pm_rewritten *rewritten)
{
    wire->memory = &rewritten->memory;
    pm_wire_name(wire, &rewritten->text);
    PM_WIRE_NUMBER(wire, rewritten->edits);
    PM_WIRE_NUMBER(wire, rewritten->wide_loads);
    PM_WIRE_NUMBER(wire, rewritten->wide_stores);
    PM_WIRE_ARRAY(wire, rewritten->kernels, rewritten->kernel_count);
    for (size_t k = 0; k < rewritten->kernel_count; k++) {
        pm_kernel_map *kernel = &rewritten->kernels[k];

        pm_wire_name(wire, &kernel->name);
        PM_WIRE_ARRAY(wire, kernel->params, kernel->count);
        for (size_t p = 0; p < kernel->count; p++) {
            size_t kind = kernel->params[p].kind;

            pm_wire_below(wire, &kind, PM_PARAM_COUNT + 1);
            kernel->params[p].kind = (pm_param_kind)kind;
            PM_WIRE_NUMBER(wire, kernel->params[p].argument);
            PM_WIRE_NUMBER(wire, kernel->params[p].part);
        }
    }
}

/* ---- staging ------------------------------------------------------------------------------- */

static void wire_stage_arg(pm_wire *wire, pm_stage_arg *arg)
{
    pm_wire_flag(wire, &arg->is_integer);
    PM_WIRE_NUMBER(wire, arg->value);
    PM_WIRE_NUMBER(wire, arg->buffer_bytes);
    PM_WIRE_NUMBER(wire, arg->buffer);
    pm_wire_flag(wire, &arg->scratch);
}

/* Writes a text to the message, or reads it from the message into allocated memory. *text is a
 * const char * only because its struct has this type. */
static void wire_const_text(pm_wire *wire, const char **text)
{
    char *own = (char *)(uintptr_t)*text;

    pm_wire_text(wire, &own);
    *text = own;
}

static void wire_stage_launch(pm_wire *wire, pm_stage_launch *launch)
{
    pm_stage_arg *args = (pm_stage_arg *)(uintptr_t)launch->args;

    wire_const_text(wire, &launch->kernel);
    wire->failed |= !launch->kernel;
    PM_WIRE_NUMBER(wire, launch->dimensions);
    PM_WIRE_NUMBER(wire, launch->global);
    PM_WIRE_NUMBER(wire, launch->local);
    PM_WIRE_NUMBER(wire, launch->offset);
    PM_WIRE_NUMBER(wire, launch->shared);
    PM_WIRE_ARRAY(wire, args, launch->arg_count);
    for (size_t a = 0; a < launch->arg_count; a++)
        wire_stage_arg(wire, &args[a]);
    launch->args = args;
}

void pm_wire_stage_request(pm_wire *wire, pm_stage_request *request)
{
    pm_stage_launch *launches = (pm_stage_launch *)(uintptr_t)request->launches;

    wire_const_text(wire, &request->text);
    PM_WIRE_NUMBER(wire, request->work_group);
    PM_WIRE_NUMBER(wire, request->local_bytes);
    wire_const_text(wire, &request->scratch);
    pm_wire_flag(wire, &request->analyse);
    PM_WIRE_ARRAY(wire, launches, request->launch_count);
    for (size_t l = 0; l < request->launch_count; l++)
        wire_stage_launch(wire, &launches[l]);
    request->launches = launches;
}

static void wire_stage_array(pm_wire *wire, pm_stage_array *array)
{
    pm_wire_name(wire, &array->kernel);
    pm_wire_name(wire, &array->array);
    PM_WIRE_NUMBER(wire, array->line);
    PM_WIRE_NUMBER(wire, array->last_line);
    pm_wire_flag(wire, &array->read);
    pm_wire_flag(wire, &array->written);
    pm_wire_text(wire, &array->range);
    PM_WIRE_NUMBER(wire, array->elements);
    PM_WIRE_NUMBER(wire, array->accesses);
    PM_WIRE_NUMBER(wire, array->element_bytes);
    PM_WIRE_NUMBER(wire, array->tile_bytes);
    PM_WIRE_NUMBER(wire, array->tile);
    pm_wire_flag(wire, &array->staged);
    pm_wire_text(wire, &array->reason);
}

void pm_wire_staged(pm_wire *wire, pm_staged *staged)
{
    wire->memory = &staged->memory;
    pm_wire_text(wire, &staged->text);
    PM_WIRE_NUMBER(wire, staged->edits);
    PM_WIRE_ARRAY(wire, staged->arrays, staged->array_count);
    for (size_t i = 0; i < staged->array_count; i++)
        wire_stage_array(wire, &staged->arrays[i]);
    PM_WIRE_ARRAY(wire, staged->assumptions, staged->assumption_count);
    for (size_t i = 0; i < staged->assumption_count; i++)
        pm_wire_name(wire, &staged->assumptions[i]);
}
