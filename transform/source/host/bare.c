/* Skips parentheses and conversions of host-code expressions, and finds the variables that
 * expressions name. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/places.h"
#include "transform/source/host/state.h"

size_t pm_host_only_expression(const pm_host_node *node)
{
    size_t found = node->count;

    for (size_t i = 0; i < node->count; i++)
        if (clang_isExpression(node->children[i]->kind)) {
            if (found != node->count)
                return node->count;
            found = i;
        }
    return found;
}

static bool is_conversion(const pm_host_node *node)
{
    return node->kind == CXCursor_ParenExpr || node->kind == CXCursor_UnexposedExpr ||
           (node->kind >= CXCursor_CStyleCastExpr && node->kind <= CXCursor_CStyleCastExpr) ||
           (node->kind >= CXCursor_CXXStaticCastExpr &&
            node->kind <= CXCursor_CXXFunctionalCastExpr);
}

pm_host_node *pm_host_bare(pm_host_tree *tree, pm_host_node *node)
{
    while (node && is_conversion(pm_host_open(tree, node))) {
        const size_t only = pm_host_only_expression(node);

        if (only == node->count)
            break;
        node = node->children[only];
    }
    return node ? pm_host_open(tree, node) : NULL;
}

pm_host_node *pm_host_variable(pm_host_tree *tree, pm_host_node *node)
{
    node = pm_host_bare(tree, node);
    if (!node || !node->named)
        return NULL;
    return node->named->kind == CXCursor_VarDecl || node->named->kind == CXCursor_ParmDecl ||
                   node->named->kind == CXCursor_FieldDecl
               ? node->named
               : NULL;
}
