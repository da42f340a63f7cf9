/* Finds the elements over which range-based for statements of host code iterate. See loops.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/loops.h"

typedef struct {
    CXType types[2]; /* types of the first two fields */
    /* true: the first field is named pm_data, as in the containers that perfmodel's own headers for
     * host code declare */
    bool are_library;
    size_t count;
} first_fields;

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    first_fields *fields = data;
    const CXString name = clang_getCursorSpelling(field);

    if (fields->count == 0)
        fields->are_library = strcmp(clang_getCString(name), "pm_data") == 0;
    clang_disposeString(name);
    fields->types[fields->count++] = clang_getCanonicalType(clang_getCursorType(field));
    return fields->count == 2 ? CXVisit_Break : CXVisit_Continue;
}

static bool take_array(pm_host_elements *elements, pm_host_place place, CXType type)
{
    const long long count = clang_getArraySize(type);

    elements->first = place;
    elements->type = clang_getCanonicalType(clang_getArrayElementType(type));
    elements->count = count > 0 ? (uint64_t)count : 0;
    return place.object != 0 && count >= 0;
}

/* Finds the elements of a container such as std::vector or std::array, as perfmodel's own headers
 * for host code (compiler/cuda/host) declare it. The container's first two fields are a pointer to
 * the elements and their number, or its first field is an array. Returns false for other types, or
 * if the elements are unknown. */
static bool take_container(pm_host_state *state, pm_host_elements *elements, pm_host_place place,
                           CXType type)
{
    first_fields fields = {.count = 0};
    pm_host_value data, size;

    if (place.object == 0)
        return false;
    if (clang_Type_getNumTemplateArguments(type) < 1)
        return false;
    clang_Type_visitFields(type, take_field, &fields);
    if (fields.count > 0 && fields.are_library && pm_host_is_array(fields.types[0]))
        return take_array(elements, place, fields.types[0]);
    if (fields.count < 2 || !fields.are_library || !pm_host_is_pointer(fields.types[0]))
        return false;
    data = pm_host_load(&state->heap, place, fields.types[0]);
    size = pm_host_load(&state->heap, (pm_host_place){place.object, place.offset + 8},
                        fields.types[1]);
    elements->type = clang_getCanonicalType(clang_getPointeeType(fields.types[0]));
    if (size.kind != PM_HOST_INTEGER || size.integer < 0)
        return false;
    elements->count = (uint64_t)size.integer;
    if (data.kind == PM_HOST_POINTER)
        elements->first = (pm_host_place){data.object, data.offset};
    return data.kind == PM_HOST_POINTER || size.integer == 0;
}

bool pm_host_find_elements(pm_host_state *state, pm_host_node *loop, pm_host_elements *elements)
{
    pm_host_node *range = NULL;
    pm_host_value value;
    CXType type;

    *elements = (pm_host_elements){.count = 0};
    for (size_t i = 0; i + 1 < loop->count; i++) {
        pm_host_node *child = loop->children[i];

        if (child->kind == CXCursor_VarDecl && *child->name)
            elements->variable = child;
        else if (clang_isExpression(child->kind))
            range = child;
    }
    if (!elements->variable || !range)
        return false;
    pm_host_open(state->tree, range);
    type = clang_getCanonicalType(range->type);
    if (type.kind == CXType_ConstantArray)
        return take_array(elements, pm_host_locate(state, range), type);
    value = pm_host_evaluate(state, range);
    return pm_host_is_record(type) && value.kind == PM_HOST_RECORD &&
           take_container(state, elements, (pm_host_place){value.object, value.offset}, type);
}

void pm_host_bind_element(pm_host_state *state, const pm_host_elements *elements, uint64_t index)
{
    pm_host_node *variable = elements->variable;
    pm_host_place place = elements->first;
    pm_host_place own;

    place.offset += index * pm_host_bytes(elements->type);
    if (pm_host_is_reference(variable->type)) {
        pm_host_bind(state, variable, place);
        return;
    }
    own = pm_host_bind_new(state, variable);
    pm_host_store(&state->heap, own, variable->type,
                  pm_host_load(&state->heap, place, elements->type));
}
