/* Executes the functions of CUDA's runtime for variables in the GPU's memory (symbols), and copies
 * known contents of the host's memory to buffers. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

/* Limit on the values that the interpreter stores in all objects together. Copies of known contents
 * to a buffer stop at this limit, so that values can still be stored for the variables of the
 * host. */
enum { MOST_VALUES = 1 << 17 };

pm_host_place pm_host_add_symbol(pm_host_state *state, const pm_host_node *variable)
{
    const size_t object = pm_host_add_object(&state->heap, PM_HOST_BUFFER, variable->name,
                                             pm_host_element(variable->type), variable->line);
    pm_host_object *of = &state->heap.objects[object];

    of->bytes = pm_host_integer((long long)pm_host_bytes(variable->type));
    of->symbol = pm_host_variable_name(variable, state->memory);
    of->zeros = true;
    *pm_add(state->memory, state->symbols, state->symbol_count) = object;
    return (pm_host_place){.object = object};
}

static bool is_symbol(const pm_host_state *state, size_t object)
{
    return object != 0 && state->heap.objects[object].symbol;
}

/* Returns the memory of the variable that an argument names. The argument is the variable itself,
 * or its address, as in HIP's macro HIP_SYMBOL. Returns object 0 if it names no variable in the
 * GPU's memory. */
static pm_host_place find_symbol(pm_host_state *state, pm_host_node *argument)
{
    pm_host_node *bare = argument ? pm_host_bare(state->tree, argument) : NULL;
    pm_host_place place = {0};
    pm_host_value value;

    if (!bare)
        return place;
    place = pm_host_locate(state, bare);
    if (is_symbol(state, place.object))
        return place;
    value = pm_host_evaluate(state, bare);
    if (value.kind == PM_HOST_POINTER && is_symbol(state, value.object))
        return (pm_host_place){value.object, value.offset};
    return (pm_host_place){0};
}

static pm_host_value evaluate_argument(pm_host_state *state, pm_host_node *call, size_t index)
{
    return pm_host_evaluate(state, pm_host_argument(state->tree, call, index));
}

/* Returns the value of an argument in bytes. If the call does not have the argument, returns 0.
 * *known becomes false if the value is unknown. */
static uint64_t bytes_argument(pm_host_state *state, pm_host_node *call, size_t index, bool *known)
{
    pm_host_value value;

    if (index >= pm_host_arguments(call))
        return 0;
    value = evaluate_argument(state, call, index);
    if (value.kind == PM_HOST_INTEGER && value.integer >= 0)
        return (uint64_t)value.integer;
    *known = false;
    return 0;
}

/* ---- copies to buffers ----------------------------------------------------------------------- */

/* Returns whether the host code has set all of the `bytes` bytes at `from`, seen as an array of
 * elements of the type, so that they can be copied to a buffer. */
static bool is_whole(const pm_host_heap *heap, pm_host_place from, uint64_t bytes, CXType type)
{
    const uint64_t element = pm_host_bytes(type);
    pm_host_number *numbers;
    size_t count;

    if (heap->objects[from.object].zeros)
        return true;
    return element > 0 && pm_host_list_numbers(type, heap->memory, &numbers, &count) &&
           pm_host_count_cells(heap, from, bytes) >= bytes / element * count;
}

void pm_host_fill_buffer(pm_host_state *state, pm_host_place to, pm_host_value from, uint64_t bytes)
{
    pm_host_heap *heap = &state->heap;
    pm_host_object *target = &heap->objects[to.object];
    const pm_host_place place = {from.object, from.offset};
    const pm_host_object *source = &heap->objects[from.kind == PM_HOST_POINTER ? from.object : 0];
    const bool covers = to.offset == 0 && (target->bytes.kind != PM_HOST_INTEGER || bytes == 0 ||
                                           bytes >= (uint64_t)target->bytes.integer);
    bool zeros = target->zeros;

    if (target->launched && !target->symbol)
        return;
    target->filled = true;
    if (from.kind != PM_HOST_POINTER || source->space == PM_HOST_BUFFER || bytes == 0 ||
        heap->cells + source->cell_count > MOST_VALUES) {
        zeros = covers && from.kind == PM_HOST_POINTER && source->zeros && source->cell_count == 0;
        pm_host_forget(heap, to.object);
        target->zeros = zeros;
        return;
    }
    if (covers)
        zeros = source->zeros;
    else
        zeros = zeros && is_whole(heap, place, bytes, target->type);
    pm_host_copy(heap, to, place, bytes);
    target = &heap->objects[to.object];
    target->zeros = zeros;
    target->forgotten = target->forgotten || !zeros;
}

/* ---- functions of the runtime ---------------------------------------------------------------- */

static void copy_to_symbol(pm_host_state *state, pm_host_node *call)
{
    pm_host_place to = find_symbol(state, pm_host_argument(state->tree, call, 0));
    const pm_host_value from = evaluate_argument(state, call, 1);
    bool known = true;
    const uint64_t bytes = bytes_argument(state, call, 2, &known);

    to.offset += bytes_argument(state, call, 3, &known);
    if (to.object == 0)
        return;
    pm_host_fill_buffer(state, to, known ? from : pm_host_unknown(NULL, 0), bytes);
}

/* Executes a copy from a variable in the GPU's memory to the host. The copied values become
 * unknown, because kernels may have changed the variable. */
static void copy_from_symbol(pm_host_state *state, pm_host_node *call)
{
    const pm_host_value to = evaluate_argument(state, call, 0);
    bool known = true;
    const uint64_t bytes = bytes_argument(state, call, 2, &known);

    if (to.kind != PM_HOST_POINTER)
        return;
    if (known && bytes < pm_host_bytes(state->heap.objects[to.object].type))
        pm_host_copy(&state->heap, (pm_host_place){to.object, to.offset}, (pm_host_place){0},
                     bytes);
    else
        pm_host_forget(&state->heap, to.object);
}

/* Executes a function whose first argument is the address of a variable of the host that gets
 * `value`. */
static void give_value(pm_host_state *state, pm_host_node *call, CXType type, pm_host_value value)
{
    const pm_host_value target = evaluate_argument(state, call, 0);

    if (target.kind == PM_HOST_POINTER)
        pm_host_store(&state->heap, (pm_host_place){target.object, target.offset}, type, value);
}

static void give_address(pm_host_state *state, pm_host_node *call)
{
    const pm_host_place symbol = find_symbol(state, pm_host_argument(state->tree, call, 1));

    give_value(state, call, (CXType){.kind = CXType_Pointer},
               symbol.object ? pm_host_pointer(symbol) : pm_host_unknown(NULL, 0));
}

static void give_size(pm_host_state *state, pm_host_node *call)
{
    const pm_host_place symbol = find_symbol(state, pm_host_argument(state->tree, call, 1));

    give_value(state, call, (CXType){.kind = CXType_ULong},
               symbol.object ? state->heap.objects[symbol.object].bytes : pm_host_unknown(NULL, 0));
}

static const struct {
    const char *name;
    void (*follow)(pm_host_state *state, pm_host_node *call);
} functions[] = {
    {"cudaMemcpyToSymbol", copy_to_symbol},     {"cudaMemcpyToSymbolAsync", copy_to_symbol},
    {"cudaMemcpyFromSymbol", copy_from_symbol}, {"cudaMemcpyFromSymbolAsync", copy_from_symbol},
    {"cudaGetSymbolAddress", give_address},     {"cudaGetSymbolSize", give_size}};

bool pm_host_call_symbol(pm_host_state *state, pm_host_node *call, const char *name,
                         pm_host_value *result)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0) {
            functions[i].follow(state, call);
            *result = pm_host_integer(0);
            return true;
        }
    return false;
}
