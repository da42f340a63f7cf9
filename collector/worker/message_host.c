/* Writes and reads a message: the kernel launches that a worker found in a source's host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/messages.h"

static void wire_buffer(pm_wire *wire, pm_launch_buffer *buffer)
{
    pm_wire_name(wire, &buffer->name);
    pm_wire_name(wire, &buffer->type);
    PM_WIRE_NUMBER(wire, buffer->elements);
    pm_wire_flag(wire, &buffer->assumed);
    pm_wire_flag(wire, &buffer->zeros);
    PM_WIRE_NUMBER(wire, buffer->line);
    pm_wire_name(wire, &buffer->decided_by);
    pm_wire_name(wire, &buffer->pointers);
    pm_wire_name(wire, &buffer->fields);
    pm_wire_name(wire, &buffer->contents);
    pm_wire_name(wire, &buffer->symbol);
    pm_wire_flag(wire, &buffer->partial);
    pm_wire_flag(wire, &buffer->changes);
}

static void wire_argument(pm_wire *wire, pm_launch_argument *argument, size_t buffers)
{
    size_t kind = argument->kind;

    pm_wire_below(wire, &kind, PM_LAUNCH_LOCAL + 1);
    argument->kind = (pm_launch_argument_kind)kind;
    if (argument->kind == PM_LAUNCH_BUFFER)
        pm_wire_below(wire, &argument->buffer, buffers);
    PM_WIRE_NUMBER(wire, argument->offset);
    pm_wire_text(wire, &argument->value);
    pm_wire_text(wire, &argument->bytes);
}

static void wire_launch(pm_wire *wire, pm_source_launch *launch, size_t buffers)
{
    pm_wire_name(wire, &launch->kernel);
    PM_WIRE_NUMBER(wire, launch->grid);
    PM_WIRE_NUMBER(wire, launch->block);
    PM_WIRE_NUMBER(wire, launch->shared);
    PM_WIRE_NUMBER(wire, launch->times);
    wire->failed |= launch->times == 0;
    PM_WIRE_NUMBER(wire, launch->line);
    PM_WIRE_ARRAY(wire, launch->arguments, launch->argument_count);
    for (size_t i = 0; i < launch->argument_count; i++)
        wire_argument(wire, &launch->arguments[i], buffers);
}

void pm_wire_launches(pm_wire *wire, pm_source_launches *launches)
{
    wire->memory = &launches->memory;
    PM_WIRE_ARRAY(wire, launches->buffers, launches->buffer_count);
    for (size_t i = 0; i < launches->buffer_count; i++)
        wire_buffer(wire, &launches->buffers[i]);
    PM_WIRE_ARRAY(wire, launches->textures, launches->texture_count);
    for (size_t i = 0; i < launches->texture_count; i++) {
        pm_wire_name(wire, &launches->textures[i].name);
        pm_wire_name(wire, &launches->textures[i].object);
    }
    PM_WIRE_ARRAY(wire, launches->launches, launches->launch_count);
    for (size_t i = 0; i < launches->launch_count; i++)
        wire_launch(wire, &launches->launches[i], launches->buffer_count);
    PM_WIRE_ARRAY(wire, launches->assumptions, launches->assumption_count);
    for (size_t i = 0; i < launches->assumption_count; i++) {
        pm_wire_name(wire, &launches->assumptions[i].name);
        pm_wire_name(wire, &launches->assumptions[i].value);
        PM_WIRE_NUMBER(wire, launches->assumptions[i].line);
    }
    pm_wire_names(wire, &launches->needed, &launches->needed_count);
    pm_wire_flag(wire, &launches->is_opencl);
    pm_wire_name(wire, &launches->build_options);
}
