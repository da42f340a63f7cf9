/* Ends the rewriting of a source with an error if it declares pointers to elements of an array of
 * structs in a way that cannot be rewritten for another memory layout. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/clang/rewrite.h"

/* Returns true if the declared type contains a pointer to a pointer to a struct whose layout
 * changes, which the rewriter does not support. Arrays of pointers to such a struct are
 * supported. */
static bool points_to_pointer(const pm_rewrite *rw, const pm_node *node)
{
    CXType type = node->type;
    size_t depth = node->kind == CXCursor_ParmDecl && type.kind != CXType_Pointer;
    pm_pointee to;

    for (; type.kind == CXType_Pointer || pm_type_is_array(type); type = pm_type_pointee(type)) {
        depth += type.kind == CXType_Pointer;
        if (pm_unit_pointee(rw->unit, type, &to))
            return depth > 1 && rw->active[to.structure];
    }
    return false;
}

void pm_rewrite_check_declaration(pm_rewrite *rw, const pm_node *node)
{
    const pm_variable *variable;

    if (node->kind != CXCursor_FieldDecl && node->kind != CXCursor_VarDecl &&
        node->kind != CXCursor_ParmDecl)
        return;
    if (points_to_pointer(rw, node))
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to a pointer to a struct: return the pointer instead, or keep an "
                      "index");
    variable = node->kind == CXCursor_ParmDecl ? NULL : pm_unit_variable(rw->unit, node);
    if (variable && rw->active[variable->to.structure])
        pm_ast_refuse(&rw->memory, node,
                      "a pointer to an element is kept in a struct or at file scope: keep its "
                      "index instead");
}
