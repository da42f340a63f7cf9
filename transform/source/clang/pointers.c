/* Finds the pointer that an expression of the source dereferences, and the variables from which a
 * pointer is computed. See ast.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/ast.h"

/* Returns whether a node is a pointer. A parameter that is written as an array is a pointer, but
 * libclang reports an array type. */
static bool is_pointer(const pm_node *node)
{
    return node->type.kind == CXType_Pointer || pm_type_is_array(node->type);
}

bool pm_ast_dereference(const pm_node *node, pm_node **pointer, pm_node **index)
{
    pm_node *left = node->first, *right = left ? left->next : NULL;
    bool swapped;

    *index = NULL;
    *pointer = left;
    if (node->unary == CXUnaryOperator_Deref)
        return left != NULL;
    if (node->kind == CXCursor_MemberRefExpr)
        return left && !right && is_pointer(left); /* p->x */
    if (node->kind != CXCursor_ArraySubscriptExpr || !right || right->next)
        return false;
    swapped = !is_pointer(left); /* i[p] means p[i] */
    *pointer = swapped ? right : left;
    *index = swapped ? left : right;
    return is_pointer(*pointer);
}

static pm_origin origin_of_binary(const pm_node *node)
{
    pm_node *left = node->first, *right = left ? left->next : NULL;

    if (!right)
        return (pm_origin){.kind = PM_ORIGIN_UNKNOWN};
    switch (node->binary) {
    case CXBinaryOperator_Comma:
        return (pm_origin){.kind = PM_ORIGIN_POINTER, .pointer = right};
    case CXBinaryOperator_Assign:
        return (pm_origin){.kind = PM_ORIGIN_POINTER, .pointer = right, .other = left};
    case CXBinaryOperator_Add:
    case CXBinaryOperator_Sub:
        return (pm_origin){.kind = PM_ORIGIN_POINTER,
                           .pointer = is_pointer(left) ? left : right,
                           .number = is_pointer(left) ? right : left,
                           .back = node->binary == CXBinaryOperator_Sub};
    default:
        return (pm_origin){.kind = PM_ORIGIN_UNKNOWN};
    }
}

pm_origin pm_ast_origin(const pm_node *pointer)
{
    const pm_node *node = pm_ast_bare(pointer);
    pm_origin origin = {.kind = PM_ORIGIN_UNKNOWN};

    switch (node->kind) {
    case CXCursor_DeclRefExpr:
        return (pm_origin){.kind = PM_ORIGIN_VARIABLE, .pointer = pm_ast_bare(node)};
    case CXCursor_UnexposedExpr:
    case CXCursor_CStyleCastExpr:
        if (node->last && clang_isExpression(node->last->kind))
            origin =
                (pm_origin){.kind = PM_ORIGIN_POINTER, .pointer = node->last, .converted = true};
        return origin;
    case CXCursor_BinaryOperator:
        return origin_of_binary(node);
    case CXCursor_ConditionalOperator:
        if (pm_ast_children(node) == 3)
            origin = (pm_origin){
                .kind = PM_ORIGIN_CHOICE, .pointer = pm_ast_child(node, 1), .other = node->last};
        return origin;
    case CXCursor_UnaryOperator:
    case CXCursor_CompoundAssignOperator:
        if (node->unary == CXUnaryOperator_AddrOf
                ? pm_ast_dereference(pm_ast_strip(node->first), &origin.pointer, &origin.number) &&
                      pm_ast_strip(node->first)->kind != CXCursor_MemberRefExpr
                : pm_changes_operand(node)) {
            origin.kind = PM_ORIGIN_POINTER;
            origin.pointer = origin.pointer ? origin.pointer : node->first;
        }
        return origin;
    default:
        return origin;
    }
}
