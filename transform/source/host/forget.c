/* If the interpreter skips a part of the host code, the values of the variables and memory that
 * this part may change become unknown. This file marks them so. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/state.h"

enum { MOST_DEPTH = 400 };

static void forget_place(pm_host_state *state, const pm_host_node *node, pm_host_place place)
{
    const pm_host_object *object = &state->heap.objects[place.object];

    if (place.object == 0 || object->space == PM_HOST_BUFFER)
        return;
    if (pm_host_is_record(node->type) || pm_host_is_array(node->type))
        pm_host_forget(&state->heap, place.object);
    else {
        if (pm_host_is_integer(node->type) && node->named)
            pm_host_note_default(state, node->named, pm_host_load(&state->heap, place, node->type));
        pm_host_store(&state->heap, place, node->type, pm_host_unknown(NULL, 0));
    }
}

/* Makes the elements of a container unknown, but not their number. */
static void forget_elements(pm_host_state *state, pm_host_place place)
{
    const CXType pointer = {.kind = CXType_Pointer};
    const pm_host_value data = pm_host_load(&state->heap, place, pointer);

    if (data.kind == PM_HOST_POINTER && state->heap.objects[data.object].space != PM_HOST_BUFFER)
        pm_host_forget(&state->heap, data.object);
}

/* Makes the contents of the object unknown to which a pointer variable points, because skipped code
 * may write through the pointer. */
static void forget_behind(pm_host_state *state, const pm_host_node *node)
{
    pm_host_place place;
    pm_host_value value;

    if (!node->named || !pm_host_find_binding(state, node->named, &place))
        return;
    if (pm_host_is_container(node->type)) {
        forget_elements(state, place);
        return;
    }
    if (!pm_host_is_pointer(node->type)) {
        forget_place(state, node, place);
        return;
    }
    value = pm_host_load(&state->heap, place, node->type);
    if (value.kind == PM_HOST_POINTER && state->heap.objects[value.object].space != PM_HOST_BUFFER)
        pm_host_forget(&state->heap, value.object);
}

void pm_host_forget_argument(pm_host_state *state, pm_host_node *argument)
{
    const CXType pointee = clang_getPointeeType(argument->type);
    pm_host_node *bare;

    if (clang_isConstQualifiedType(pointee) || !pm_host_is_pointer(argument->type))
        return;
    bare = pm_host_bare(state->tree, argument);
    if (!bare)
        return;
    if (bare->kind == CXCursor_UnaryOperator && bare->unary == CXUnaryOperator_AddrOf &&
        bare->count == 1)
        forget_place(state, bare->children[0], pm_host_locate(state, bare->children[0]));
    else if (bare->kind == CXCursor_DeclRefExpr)
        forget_behind(state, bare);
}

/* Makes a variable unknown to which skipped code assigns. target: left side of the assignment: the
 * variable, or an expression that starts with it, such as v[i].x. */
static void forget_target(pm_host_state *state, pm_host_node *target)
{
    bool behind = false;

    for (;;) {
        target = pm_host_bare(state->tree, target);
        if (!target || target->kind == CXCursor_DeclRefExpr || target->count == 0)
            break;
        behind = true;
        target = target->children[0];
    }
    if (!target || target->kind != CXCursor_DeclRefExpr || !target->named)
        return;
    if (behind) {
        forget_behind(state, target);
    } else {
        pm_host_place place;

        if (pm_host_find_binding(state, target->named, &place))
            forget_place(state, target, place);
    }
}

static void forget_assigned(pm_host_state *state, pm_host_node *node, unsigned depth)
{
    const bool steps = node->kind == CXCursor_UnaryOperator &&
                       node->unary >= CXUnaryOperator_PostInc &&
                       node->unary <= CXUnaryOperator_PreDec;

    pm_host_open(state->tree, node);
    if (node->count > 0 &&
        (steps || node->kind == CXCursor_CompoundAssignOperator ||
         (node->kind == CXCursor_BinaryOperator && node->binary == CXBinaryOperator_Assign)))
        forget_target(state, node->children[0]);
    for (size_t i = 0; i < node->count && depth > 0; i++) {
        if (node->kind == CXCursor_CallExpr)
            pm_host_forget_argument(state, node->children[i]);
        forget_assigned(state, node->children[i], depth - 1);
    }
}

void pm_host_forget_assigned(pm_host_state *state, pm_host_node *node)
{
    if (node)
        forget_assigned(state, node, MOST_DEPTH);
}
