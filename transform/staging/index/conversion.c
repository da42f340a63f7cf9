/* Converts casts, and components of vectors, to polynomials that represent their values in array
 * indices. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

static const pm_poly unknown;

/* Returns the expression with which a component of a vector is initialised. Returns NULL if it is
 * unknown. */
pm_node *pm_index_vector_part(pm_node *initializer, size_t component)
{
    pm_node *node = pm_ast_strip(initializer), *list = NULL;
    long long size = clang_getNumElements(node->type);

    while (node && node->kind != CXCursor_InitListExpr) {
        list = node->last;
        if (node->kind != CXCursor_CompoundLiteralExpr && node->kind != CXCursor_CStyleCastExpr &&
            node->kind != CXCursor_UnexposedExpr && node->kind != CXCursor_ParenExpr)
            return NULL;
        node = list;
    }
    if (!node || size < 0 || pm_ast_children(node) != (size_t)size)
        return NULL;
    node = pm_ast_child(node, component);
    return node && pm_is_integer(node) ? node : NULL;
}

/* Sets *low and *high to the range of values of an expression's type, if the type is narrower than
 * int. Returns false for other types. */
bool pm_index_is_narrow(const pm_node *node, long long *low, long long *high)
{
    CXType type = node->type;
    long long bytes = clang_Type_getSizeOf(type);

    if (!pm_is_integer(node) || bytes < 1 || bytes > 2)
        return false;
    if (type.kind == CXType_Bool) {
        *low = 0;
        *high = 1;
        return true;
    }
    *low = pm_is_unsigned(node) ? 0 : -(1LL << (8 * bytes - 1));
    *high = *low + (1LL << (8 * bytes)) - 1;
    return true;
}

pm_poly pm_index_converted(const pm_reader *r, const pm_node *node, pm_poly value)
{
    long long least, most, low, high;

    if (!pm_index_is_narrow(node, &least, &most) ||
        (pm_index_low(r->index, value, &low) && pm_index_high(r->index, value, &high) &&
         low >= least && high <= most))
        return value;
    return unknown;
}

pm_node *pm_index_last_expression(const pm_node *node)
{
    pm_node *found = NULL;

    for (pm_node *child = node->first; child; child = child->next)
        if (clang_isExpression(child->kind))
            found = child;
    return found;
}
