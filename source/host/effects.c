/* Finds effects of host code: nodes that launch kernels, and variables that are assigned. See
 * state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "source/host/state.h"

enum { MOST_DEPTH = 400 };

/* ---- launches ------------------------------------------------------------------------------ */

static bool matters(pm_host_tree *tree, pm_host_node *node, unsigned depth);

static bool function_matters(pm_host_tree *tree, pm_host_node *function, unsigned depth)
{
    pm_host_node *body;

    if (function->kind != CXCursor_FunctionDecl && function->kind != CXCursor_CXXMethod &&
        function->kind != CXCursor_Constructor)
        return false;
    function = pm_host_definition(tree, function);
    body = pm_host_is_kernel(tree, function) ? NULL : pm_host_body(tree, function);
    return body && matters(tree, body, depth);
}

static bool matters_itself(pm_host_tree *tree, pm_host_node *node, unsigned depth)
{
    pm_host_open(tree, node);
    if (node->kind == CXCursor_CallExpr &&
        (pm_host_allocates(node->name) || pm_host_configuration(tree, node)))
        return true;
    if (node->named && function_matters(tree, node->named, depth))
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (matters(tree, node->children[i], depth))
            return true;
    return false;
}

static bool matters(pm_host_tree *tree, pm_host_node *node, unsigned depth)
{
    if (depth == 0)
        return false;
    if (node->matters == PM_HOST_UNTRIED) {
        node->matters = PM_HOST_NO; /* result for recursive calls */
        if (matters_itself(tree, node, depth - 1))
            node->matters = PM_HOST_YES;
    }
    return node->matters == PM_HOST_YES;
}

bool pm_host_matters(pm_host_tree *tree, pm_host_node *node)
{
    return node && matters(tree, node, MOST_DEPTH);
}

/* ---- forgetting ---------------------------------------------------------------------------- */

static void forget_place(pm_host_state *state, const pm_host_node *node, pm_host_place place)
{
    const pm_host_object *object = &state->heap.objects[place.object];

    if (place.object == 0 || object->space == PM_HOST_BUFFER)
        return;
    if (pm_host_is_record(node->type) || pm_host_is_array(node->type))
        pm_host_forget(&state->heap, place.object);
    else
        pm_host_store(&state->heap, place, node->type, pm_host_unknown(NULL, 0));
}

/* Makes the object unknown to which a variable points. */
static void forget_behind(pm_host_state *state, const pm_host_node *node)
{
    pm_host_place place;
    pm_host_value value;

    if (!node->named || !pm_host_find_binding(state, node->named, &place))
        return;
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

/* Makes the variable unknown that an assigned expression names or starts from. */
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
