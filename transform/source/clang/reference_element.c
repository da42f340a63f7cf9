/* Recognizes expressions that refer to array elements through C++ references. See references.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/references.h"

static bool stands_for_element(const pm_referring *r, const pm_node *variable)
{
    return variable && (r->names[variable->number] || r->pointers[variable->number]);
}

bool pm_reference_is_element(const pm_referring *r, const pm_node *lvalue)
{
    const pm_node *node = pm_ast_strip(lvalue), *owner;

    if (node->kind == CXCursor_DeclRefExpr)
        return stands_for_element(r, node->declaration);
    if (node->kind != CXCursor_MemberRefExpr && node->kind != CXCursor_ArraySubscriptExpr &&
        node->unary != CXUnaryOperator_Deref)
        return false;
    owner = pm_ast_owner(node);
    return !owner || stands_for_element(r, owner);
}
