/* Computes any section of a buffer's initial contents from its fills (rules), and writes the fills
 * into a message. See fill.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/contents/fill_parts.h"

/* Writes the initial contents of `count` whole elements, from element number `first` on, to `to`.
 * Returns false with a message in `fault`. */
static bool write_elements(const pm_fills *fills, size_t first, size_t count, uint8_t *to,
                           pm_fill_room *room, char *fault)
{
    memset(to, 0, count * fills->element_bytes);
    for (size_t i = 0; i < fills->count; i++) {
        const pm_fill_rule *fill = &fills->items[i];
        const size_t scalars = fill->scalars;

        if (!pm_fill_store(fill, first * scalars, count * scalars, to + fill->offset, room, fault))
            return false;
    }
    return true;
}

bool pm_fills_write(const pm_fills *fills, size_t at, size_t bytes, uint8_t *to, pm_fill_room *room,
                    char *fault)
{
    const size_t each = fills->element_bytes, first = at / each, skip = at - first * each;
    const size_t count = (skip + bytes + each - 1) / each;
    uint8_t *whole;

    if (skip == 0 && count * each == bytes)
        return write_elements(fills, first, count, to, room, fault);
    whole = pm_fill_room_bytes(room, count * each);
    if (!whole) {
        snprintf(fault, PM_EXPRESSION_FAULT, "out of memory");
        return false;
    }
    if (!write_elements(fills, first, count, whole, room, fault))
        return false;
    memcpy(to, whole + skip, bytes);
    return true;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void wire_type(pm_wire *wire, pm_file_type *type)
{
    char *name = wire->writing ? (char *)(uintptr_t)type->scalar->name : NULL;
    size_t width = type->width, bytes = type->bytes;

    pm_wire_name(wire, &name);
    PM_WIRE_NUMBER(wire, width);
    PM_WIRE_NUMBER(wire, bytes);
    if (wire->writing || wire->failed)
        return;
    wire->failed |= !pm_file_type_find(name, type) || width < 1 || width > 16;
    type->width = width;
    type->bytes = bytes;
}

/* Writes the expression of a fill to a message as text, or reads it from the message and parses it
 * again. */
static void wire_expression(pm_wire *wire, pm_fill_rule *fill)
{
    const bool real = !wire->failed && fill->type.scalar->kind == PM_SCALAR_REAL;
    char fault[PM_EXPRESSION_FAULT];

    pm_wire_name(wire, &fill->text);
    PM_WIRE_ARRAY(wire, fill->names, fill->name_count);
    for (size_t i = 0; i < fill->name_count; i++) {
        char *name = (char *)(uintptr_t)fill->names[i].name;

        pm_wire_name(wire, &name);
        fill->names[i].name = name;
        PM_WIRE_NUMBER(wire, fill->names[i].value);
    }
    if (wire->writing || wire->failed)
        return;
    fill->each = pm_try_take(wire->memory, 1, sizeof *fill->each);
    wire->failed |= !fill->each || fill->name_count == 0 ||
                    !pm_expression_read(fill->text, &(pm_numbers){fill->name_count, fill->names},
                                        real, fill->each, fault);
}

static void wire_fill(pm_wire *wire, pm_fill_rule *fill)
{
    size_t kind = fill->kind;

    pm_wire_below(wire, &kind, PM_FILL_KINDS);
    fill->kind = (pm_fill_kind)kind;
    wire->failed |= kind == PM_FILL_LIST;
    wire_type(wire, &fill->type);
    PM_WIRE_NUMBER(wire, fill->scalars);
    PM_WIRE_NUMBER(wire, fill->elements);
    PM_WIRE_NUMBER(wire, fill->offset);
    PM_WIRE_NUMBER(wire, fill->stride);
    pm_wire_flag(wire, &fill->whole);
    pm_wire_flag(wire, &fill->one_stream);
    for (size_t i = 0; i < 2; i++) {
        PM_WIRE_NUMBER(wire, fill->value[i].integer);
        PM_WIRE_NUMBER(wire, fill->value[i].real);
    }
    PM_WIRE_NUMBER(wire, fill->seed);
    pm_wire_text(wire, &fill->stream);
    if (fill->kind == PM_FILL_EACH)
        wire_expression(wire, fill);
}

/* Returns whether all scalars that a fill sets are inside of the buffer. A message from another
 * process may be wrong. */
static bool is_inside(const pm_fills *fills, const pm_fill_rule *fill)
{
    const size_t bytes = fill->type.scalar->bytes * fill->type.width;

    return fill->scalars == fill->type.width && fill->stride == fills->element_bytes &&
           fill->elements == fills->bytes / fills->element_bytes &&
           fill->offset < fills->element_bytes && bytes <= fills->element_bytes - fill->offset &&
           (fill->stream || (fill->kind != PM_FILL_RANDOM && !fill->one_stream)) &&
           (!fill->one_stream || fill->kind == PM_FILL_RANDOM);
}

void pm_fills_wire(pm_wire *wire, pm_fills *fills)
{
    pm_memory *before = wire->memory;

    if (!wire->writing)
        wire->memory = &fills->memory;
    PM_WIRE_NUMBER(wire, fills->element_bytes);
    PM_WIRE_NUMBER(wire, fills->bytes);
    wire->failed |= fills->element_bytes == 0 || fills->bytes % fills->element_bytes != 0;
    PM_WIRE_ARRAY(wire, fills->items, fills->count);
    for (size_t i = 0; i < fills->count && !wire->failed; i++) {
        wire_fill(wire, &fills->items[i]);
        wire->failed |= !wire->failed && !is_inside(fills, &fills->items[i]);
    }
    wire->memory = before;
}

void pm_fills_put(pm_wire *wire, const pm_fills *fills)
{
    /* the cast is safe, because a fill is not changed when it is written to a message */
    pm_fills_wire(wire, (pm_fills *)(uintptr_t)fills);
}

void pm_fills_free(pm_fills *fills)
{
    if (!fills)
        return;
    pm_memory_free(&fills->memory);
    free(fills);
}
