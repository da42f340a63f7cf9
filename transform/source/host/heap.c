/* The memory of the interpreter of host code: variables and buffers, which store values by offset.
 * See value.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/value.h"

/* Limits on the number of stored values: of an object, of all objects together, and of one copy.
 * Values beyond the limits are unknown. */
enum { MOST_OBJECT_CELLS = 8192, MOST_CELLS = 1 << 18, MOST_COPIED = 1 << 16 };

size_t pm_host_add_object(pm_host_heap *heap, pm_host_space space, const char *name, CXType type,
                          int line)
{
    if (heap->count == 0) {
        pm_add(heap->memory, heap->objects, heap->count)->space = PM_HOST_VARIABLE;
        heap->objects[0].forgotten = true;
    }
    *pm_add(heap->memory, heap->objects, heap->count) =
        (pm_host_object){.space = space, .name = name, .type = type, .line = line};
    if (space != PM_HOST_VARIABLE)
        *pm_add(heap->memory, heap->allocations, heap->allocation_count) = heap->count - 1;
    return heap->count - 1;
}

size_t pm_host_find_cell(const pm_host_cell *cells, size_t count, uint64_t offset)
{
    size_t low = 0, high = count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if (cells[middle].offset < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t find_cell(const pm_host_object *object, uint64_t offset)
{
    return pm_host_find_cell(object->cells, object->cell_count, offset);
}

static bool has_cell(const pm_host_object *object, size_t at, uint64_t offset)
{
    return at < object->cell_count && object->cells[at].offset == offset;
}

static void put_cell(pm_host_heap *heap, pm_host_place place, pm_host_value value)
{
    pm_host_object *object = &heap->objects[place.object];
    const size_t at = find_cell(object, place.offset);

    if (!has_cell(object, at, place.offset)) {
        if (object->cell_count >= MOST_OBJECT_CELLS || heap->cells >= MOST_CELLS) {
            object->forgotten = true;
            object->zeros = false;
            return;
        }
        pm_add(heap->memory, object->cells, object->cell_count)->offset = 0;
        memmove(&object->cells[at + 1], &object->cells[at],
                (object->cell_count - 1 - at) * sizeof *object->cells);
        heap->cells++;
    }
    object->cells[at] = (pm_host_cell){place.offset, value};
}

pm_host_value pm_host_load(const pm_host_heap *heap, pm_host_place place, CXType type)
{
    const pm_host_object *object = &heap->objects[place.object];
    size_t at;

    if (place.object == 0)
        return pm_host_unknown(NULL, 0);
    if (pm_host_is_array(type))
        return pm_host_pointer(place);
    at = find_cell(object, place.offset);
    if (pm_host_is_record(type)) {
        if (has_cell(object, at, place.offset) && object->cells[at].value.kind == PM_HOST_FUNCTION)
            return object->cells[at].value;
        return pm_host_record(place);
    }
    if (has_cell(object, at, place.offset))
        return object->cells[at].value;
    if (object->zeros && object->space != PM_HOST_BUFFER)
        return pm_host_convert(pm_host_integer(0), type);
    return pm_host_unknown(NULL, 0);
}

void pm_host_copy(pm_host_heap *heap, pm_host_place to, pm_host_place from, uint64_t bytes)
{
    pm_host_object *target;
    size_t at, first;

    if (to.object == 0)
        return;
    target = &heap->objects[to.object];
    at = first = find_cell(target, to.offset);
    while (at < target->cell_count && target->cells[at].offset - to.offset < bytes)
        at++;
    for (; first < at; first++)
        target->cells[first].value = target->zeros ? pm_host_integer(0) : pm_host_unknown(NULL, 0);
    if (from.object == 0)
        return;
    if (to.offset == 0 && bytes >= pm_host_bytes(target->type))
        target->zeros = heap->objects[from.object].zeros;
    if (bytes > MOST_COPIED)
        bytes = MOST_COPIED;
    for (at = find_cell(&heap->objects[from.object], from.offset);; at++) {
        const pm_host_object *source = &heap->objects[from.object];
        uint64_t distance;

        if (at >= source->cell_count)
            break;
        distance = source->cells[at].offset - from.offset;
        if (distance >= bytes)
            break;
        if (to.object == from.object && to.offset + distance == source->cells[at].offset)
            continue;
        put_cell(heap, (pm_host_place){to.object, to.offset + distance}, source->cells[at].value);
        if (to.object == from.object)
            /* an insertion has moved the stored values, so the loop's index is not valid any
             * more */
            break;
    }
}

void pm_host_store(pm_host_heap *heap, pm_host_place place, CXType type, pm_host_value value)
{
    if (place.object == 0)
        return;
    if (value.kind == PM_HOST_RECORD)
        pm_host_copy(heap, place, (pm_host_place){value.object, value.offset},
                     pm_host_bytes(type) ? pm_host_bytes(type) : MOST_COPIED);
    else
        put_cell(heap, place, value);
}

pm_host_snapshot pm_host_take_snapshot(pm_host_heap *heap, size_t object)
{
    const pm_host_object *of = &heap->objects[object];
    pm_host_snapshot snapshot = {.zeros = of->zeros, .cell_count = of->cell_count};

    snapshot.cells = pm_take(heap->memory, of->cell_count + 1, sizeof *snapshot.cells);
    if (of->cell_count > 0)
        memcpy(snapshot.cells, of->cells, of->cell_count * sizeof *snapshot.cells);
    return snapshot;
}

bool pm_host_same_value(pm_host_value a, pm_host_value b)
{
    if (a.kind != b.kind)
        return false;
    switch (a.kind) {
    case PM_HOST_INTEGER:
        return a.integer == b.integer;
    case PM_HOST_REAL:
        return memcmp(&a.real, &b.real, sizeof a.real) == 0;
    case PM_HOST_POINTER:
        return a.object == b.object && a.offset == b.offset;
    case PM_HOST_FUNCTION:
        return a.function == b.function &&
               (a.text && b.text ? strcmp(a.text, b.text) == 0 : a.text == b.text);
    default:
        return true;
    }
}

bool pm_host_equals_snapshot(const pm_host_heap *heap, size_t object,
                             const pm_host_snapshot *snapshot)
{
    const pm_host_object *of = &heap->objects[object];
    bool equal = of->zeros == snapshot->zeros && of->cell_count == snapshot->cell_count;

    for (size_t c = 0; equal && c < of->cell_count; c++)
        equal = of->cells[c].offset == snapshot->cells[c].offset &&
                pm_host_same_value(of->cells[c].value, snapshot->cells[c].value);
    return equal;
}

size_t pm_host_count_cells(const pm_host_heap *heap, pm_host_place place, uint64_t bytes)
{
    const pm_host_object *object = &heap->objects[place.object];
    const size_t first = find_cell(object, place.offset);
    size_t end = first;

    while (end < object->cell_count && object->cells[end].offset - place.offset < bytes)
        end++;
    return end - first;
}

bool pm_host_leads_to_buffer(const pm_host_heap *heap, pm_host_value value)
{
    return value.kind == PM_HOST_POINTER && value.object != 0 &&
           heap->objects[value.object].space == PM_HOST_BUFFER;
}

bool pm_host_has_pointers(const pm_host_heap *heap, pm_host_place place, uint64_t bytes)
{
    const pm_host_object *object = &heap->objects[place.object];

    for (size_t c = find_cell(object, place.offset);
         c < object->cell_count && object->cells[c].offset - place.offset < bytes; c++)
        if (pm_host_leads_to_buffer(heap, object->cells[c].value))
            return true;
    return false;
}

void pm_host_forget(pm_host_heap *heap, size_t object)
{
    pm_host_object *of = &heap->objects[object];

    heap->cells -= of->cell_count;
    of->cell_count = 0;
    of->forgotten = true;
    of->zeros = false;
}

void pm_host_clear(pm_host_heap *heap, size_t object)
{
    pm_host_object *of = &heap->objects[object];

    heap->cells -= of->cell_count;
    of->cell_count = 0;
    of->forgotten = false;
    of->zeros = true;
}
