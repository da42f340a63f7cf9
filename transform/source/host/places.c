/* Finds the memory in the interpreter to which an lvalue expression of host code refers, and
 * executes declarations of variables. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/places.h"

#include "transform/source/host/state.h"

static const pm_host_place nowhere = {0};

/* ---- memory of expressions ----------------------------------------------------------------- */

static pm_host_place place_of(pm_host_value value)
{
    return value.kind == PM_HOST_POINTER || value.kind == PM_HOST_RECORD
               ? (pm_host_place){value.object, value.offset}
               : nowhere;
}

/* Returns the memory of a static variable or a variable at file scope. The first use of the
 * variable creates the memory and initializes it. */
static pm_host_place locate_global(pm_host_state *state, pm_host_node *variable)
{
    pm_host_node *definition = pm_host_definition(state->tree, variable);
    pm_host_place place = nowhere;

    if (clang_getCursorLinkage(variable->cursor) == CXLinkage_NoLinkage &&
        clang_Cursor_getStorageClass(variable->cursor) != CX_SC_Static)
        return nowhere;
    if (definition != variable && pm_host_find_binding(state, definition, &place))
        return place;
    pm_host_declare_variable(state, definition);
    return pm_host_find_binding(state, definition, &place) ? place : nowhere;
}

static pm_host_place locate_member(pm_host_state *state, pm_host_node *node)
{
    const long long bits = clang_Cursor_getOffsetOfField(node->named->cursor);
    const size_t only = pm_host_only_expression(node);
    pm_host_node *base = only == node->count ? NULL : node->children[only];
    pm_host_place place = state->self;

    if (base)
        place = pm_host_is_pointer(base->type) ? place_of(pm_host_evaluate(state, base))
                                               : pm_host_locate(state, base);
    if (place.object == 0 || bits < 0)
        return nowhere;
    place.offset += (uint64_t)bits / 8;
    return place;
}

static pm_host_place locate_element(pm_host_state *state, pm_host_node *node)
{
    const uint64_t bytes = pm_host_bytes(node->type);
    pm_host_value base, index;
    pm_host_place place;

    if (node->count != 2)
        return nowhere;
    base = pm_host_evaluate(state, node->children[0]);
    index = pm_host_evaluate(state, node->children[1]);
    if (index.kind == PM_HOST_POINTER) {
        const pm_host_value other = base;

        base = index;
        index = other;
    }
    if (base.kind != PM_HOST_POINTER || index.kind != PM_HOST_INTEGER || bytes == 0)
        return nowhere;
    place = place_of(base);
    place.offset += (uint64_t)index.integer * bytes;
    return place;
}

static pm_host_place locate_name(pm_host_state *state, pm_host_node *node)
{
    pm_host_place place;

    if (!node->named)
        return nowhere;
    if (node->named->kind == CXCursor_FieldDecl)
        return locate_member(state, node);
    if (node->named->kind != CXCursor_VarDecl && node->named->kind != CXCursor_ParmDecl)
        return nowhere;
    return pm_host_find_binding(state, node->named, &place) ? place
                                                            : locate_global(state, node->named);
}

static bool is_assignment(const pm_host_node *node)
{
    return node->kind == CXCursor_CompoundAssignOperator ||
           (node->kind == CXCursor_BinaryOperator && node->binary == CXBinaryOperator_Assign);
}

/* Returns the address of memory that contains an expression's value. If a call returns a reference,
 * this is the memory to which the reference refers. Any other value is stored in a new object. */
static pm_host_place locate_result(pm_host_state *state, pm_host_node *node)
{
    const pm_host_value value = node->kind == CXCursor_CallExpr ? state->follow_call(state, node)
                                                                : pm_host_evaluate(state, node);
    pm_host_place place;

    if (value.kind == PM_HOST_RECORD || (value.kind == PM_HOST_UNKNOWN && !value.origin))
        return place_of(value);
    place = (pm_host_place){
        .object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, "", node->type, node->line)};
    pm_host_store(&state->heap, place, node->type, value);
    return place;
}

pm_host_place pm_host_locate(pm_host_state *state, pm_host_node *node)
{
    node = pm_host_bare(state->tree, node);
    if (!node || !pm_host_step(state))
        return nowhere;
    if (node->kind == CXCursor_DeclRefExpr || node->kind == CXCursor_MemberRefExpr)
        return locate_name(state, node);
    if (node->kind == CXCursor_ArraySubscriptExpr)
        return locate_element(state, node);
    if (node->kind == CXCursor_UnaryOperator && node->unary == CXUnaryOperator_Deref)
        return place_of(pm_host_evaluate(state, node->children[0]));
    if (is_assignment(node) && node->count == 2) {
        pm_host_evaluate(state, node);
        return pm_host_locate(state, node->children[0]);
    }
    return locate_result(state, node);
}

/* ---- variables ----------------------------------------------------------------------------- */

/* Names an allocation after the first variable that points to it. Variables in helper functions do
 * not count, because their names say little. */
static void name_allocation(pm_host_state *state, const pm_host_node *variable, pm_host_value value,
                            CXType type)
{
    pm_host_object *object = &state->heap.objects[value.object];

    if (value.kind != PM_HOST_POINTER || object->space == PM_HOST_VARIABLE || !variable)
        return;
    if (!*object->name && state->depth <= 1)
        object->name = variable->name;
    if (object->type.kind == CXType_Invalid && pm_host_is_pointer(type))
        object->type = pm_host_element(clang_getPointeeType(type));
    if (object->type.kind == CXType_Void)
        object->type.kind = CXType_Invalid;
}

void pm_host_assign(pm_host_state *state, pm_host_node *node, pm_host_place place,
                    pm_host_value value)
{
    const pm_host_node *variable = pm_host_variable(state->tree, node);

    name_allocation(state, variable, value, node->type);
    if (variable && value.kind == PM_HOST_UNKNOWN && pm_host_is_integer(node->type))
        pm_host_note_default(state, variable, pm_host_load(&state->heap, place, node->type));
    value = variable ? pm_host_settle(state, variable, node->type, value)
                     : pm_host_convert(value, node->type);
    state->heap.objects[place.object].filled = true;
    pm_host_store(&state->heap, place, node->type, value);
}

typedef struct {
    CXCursor fields[64];
    size_t count;
} field_list;

static enum CXVisitorResult take_field(CXCursor field, CXClientData data)
{
    field_list *list = data;

    list->fields[list->count++] = field;
    return list->count == sizeof list->fields / sizeof *list->fields ? CXVisit_Break
                                                                     : CXVisit_Continue;
}

static void initialize_part(pm_host_state *state, pm_host_place place, CXType type,
                            pm_host_node *value)
{
    type = clang_getCanonicalType(type);
    pm_host_open(state->tree, value);
    if (value->kind == CXCursor_InitListExpr && (pm_host_is_record(type) || pm_host_is_array(type)))
        pm_host_initialize(state, place, type, value);
    else
        pm_host_store(&state->heap, place, type,
                      pm_host_convert(pm_host_evaluate(state, value), type));
}

void pm_host_initialize(pm_host_state *state, pm_host_place place, CXType type, pm_host_node *list)
{
    const CXType element = clang_getCanonicalType(clang_getArrayElementType(type));
    field_list fields = {.count = 0};

    if (pm_host_is_record(type))
        clang_Type_visitFields(type, take_field, &fields);
    if (place.offset == 0)
        pm_host_clear(&state->heap, place.object);
    for (size_t i = 0; i < list->count && pm_host_step(state); i++) {
        pm_host_place part = place;

        if (pm_host_is_record(type)) {
            if (i >= fields.count || clang_Cursor_getOffsetOfField(fields.fields[i]) < 0)
                break;
            part.offset += (uint64_t)clang_Cursor_getOffsetOfField(fields.fields[i]) / 8;
            initialize_part(state, part, clang_getCursorType(fields.fields[i]), list->children[i]);
        } else {
            part.offset += i * pm_host_bytes(element);
            initialize_part(state, part, element, list->children[i]);
        }
    }
}

/* Creates a variable in the interpreter's memory. lasts: true if the variable is static or at file
 * scope, so that it exists longer than the function that is executed. Such variables are recorded
 * in a list of their own. */
static pm_host_place make_variable(pm_host_state *state, pm_host_node *variable, bool lasts)
{
    pm_host_place place;

    if (!lasts)
        return pm_host_bind_new(state, variable);
    if (pm_host_is_of_device(state->tree, variable)) {
        place = pm_host_add_symbol(state, variable);
        pm_host_bind_global(state, variable, place);
        return place;
    }
    place =
        (pm_host_place){.object = pm_host_add_object(&state->heap, PM_HOST_VARIABLE, variable->name,
                                                     variable->type, variable->line)};
    state->heap.objects[place.object].zeros = true;
    pm_host_bind_global(state, variable, place);
    return place;
}

/* Returns whether an initializer only calls a default constructor that sets no member. */
static bool sets_nothing(pm_host_state *state, pm_host_node *initializer)
{
    pm_host_node *constructor;

    if (initializer->kind != CXCursor_CallExpr || !initializer->named ||
        initializer->named->kind != CXCursor_Constructor || pm_host_arguments(initializer) > 0)
        return false;
    constructor = pm_host_definition(state->tree, initializer->named);
    return clang_CXXMethod_isDefaulted(constructor->cursor) ||
           !pm_host_body(state->tree, constructor);
}

void pm_host_declare_variable(pm_host_state *state, pm_host_node *variable)
{
    const bool lasts = clang_getCursorLinkage(variable->cursor) != CXLinkage_NoLinkage ||
                       clang_Cursor_getStorageClass(variable->cursor) == CX_SC_Static;
    pm_host_node *initializer = pm_host_initializer(state->tree, variable);
    pm_host_place place;
    pm_host_value value;

    if (lasts && pm_host_find_binding(state, variable, &place))
        return;
    if (pm_host_is_reference(variable->type)) {
        pm_host_bind(state, variable, initializer ? pm_host_locate(state, initializer) : nowhere);
        return;
    }
    place = make_variable(state, variable, lasts);
    /* If the initializer sets no member, a variable at file scope keeps the zeros with which it
     * starts. */
    if (lasts && initializer && sets_nothing(state, pm_host_open(state->tree, initializer)))
        return;
    if (initializer && initializer->kind == CXCursor_InitListExpr &&
        (pm_host_is_record(variable->type) || pm_host_is_array(variable->type))) {
        pm_host_open(state->tree, initializer);
        pm_host_initialize(state, place, variable->type, initializer);
        return;
    }
    if (!initializer && !pm_host_find_setting(state, variable->name))
        return;
    value = initializer ? pm_host_evaluate(state, initializer) : pm_host_unknown(NULL, 0);
    name_allocation(state, variable, value, variable->type);
    value = pm_host_settle_first(state, variable, variable->type, value);
    if (!initializer && value.kind == PM_HOST_UNKNOWN)
        return;
    pm_host_store(&state->heap, place, variable->type, value);
}
