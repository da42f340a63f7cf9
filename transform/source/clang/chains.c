/* Recognizes accesses to arrays of structs, such as p[e].n[k].x: which element, which member, and
 * whether it is read or written. See source_unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "transform/source/clang/source_unit.h"

enum { MOST_SUBSCRIPTS = sizeof((pm_chain *)0)->subscripts / sizeof(pm_node *) };

/* Starts a chain (path of member accesses) at the object to which `pointer` points. Returns false
 * if the pointer is not one into an array of structs. */
static bool start(const pm_source_unit *unit, pm_node *pointer, pm_node *index, pm_chain *chain)
{
    if (!pm_unit_points(unit, pointer, &chain->to))
        return false;
    chain->pointer = pointer;
    chain->index = index;
    return true;
}

static bool follow(const pm_source_unit *unit, pm_node *lvalue, pm_chain *chain);

/* Continues a chain (path of member accesses) at `pointer`, which the expression dereferences.
 * `pointer` points into an array of structs, or is an array member of the chain. index: the
 * subscript; NULL: there is none, as in *p. */
static bool follow_pointer(const pm_source_unit *unit, pm_node *pointer, pm_node *index,
                           pm_chain *chain)
{
    pm_node *inner = pm_ast_strip(pointer);

    if (!pm_unit_is_array(inner))
        return start(unit, pointer, index, chain);
    if (!follow(unit, inner, chain) || chain->subscript_count == MOST_SUBSCRIPTS)
        return false;
    chain->subscripts[chain->subscript_count++] = index;
    return true;
}

static bool follow_member(const pm_source_unit *unit, const pm_node *node, pm_chain *chain)
{
    pm_node *pointer, *index;
    size_t length;

    if (!node->first || node->first->next || pm_type_is_cuda_vector(node->first->type) ||
        !(pm_ast_dereference(node, &pointer, &index) ? follow_pointer(unit, pointer, NULL, chain)
                                                     : follow(unit, node->first, chain)))
        return false;
    length = strlen(chain->path);
    if (length + strlen(node->name) + 2 > sizeof chain->path)
        return false;
    /* An unnamed struct or union, whose name libclang gives with a parenthesis, does not appear in
     * the path of the access. */
    if (*node->name && !strchr(node->name, '('))
        snprintf(chain->path + length, sizeof chain->path - length, "%s%s", length ? "." : "",
                 node->name);
    return true;
}

static bool follow(const pm_source_unit *unit, pm_node *lvalue, pm_chain *chain)
{
    const pm_node *node = pm_ast_strip(lvalue);
    pm_node *pointer, *index;

    if (node->kind == CXCursor_DeclRefExpr)
        return pm_unit_is_reference(unit, node) && start(unit, pm_ast_strip(lvalue), NULL, chain);
    if (node->kind == CXCursor_MemberRefExpr)
        return follow_member(unit, node, chain);
    return pm_ast_dereference(node, &pointer, &index) &&
           follow_pointer(unit, pointer, index, chain);
}

bool pm_chain_of(const pm_source_unit *unit, pm_node *node, pm_chain *chain)
{
    const pm_struct *structure;

    *chain = (pm_chain){.pointer = NULL};
    if (node->kind != CXCursor_MemberRefExpr && node->kind != CXCursor_ArraySubscriptExpr &&
        node->kind != CXCursor_UnaryOperator && node->kind != CXCursor_DeclRefExpr)
        return false;
    if (!follow(unit, node, chain))
        return false;
    structure = &unit->info.structs.items[chain->to.structure];
    chain->field = structure->field_count;
    for (size_t f = 0; f < structure->field_count; f++)
        if (strcmp(structure->fields[f].path, chain->path) == 0)
            chain->field = f;
    return true;
}

bool pm_chain_is_scalar(const pm_source_unit *unit, const pm_chain *chain)
{
    const pm_struct *structure = &unit->info.structs.items[chain->to.structure];

    return chain->field < structure->field_count &&
           structure->fields[chain->field].extent_count == chain->subscript_count;
}

/* ---- uses ---------------------------------------------------------------------------------- */

/* Skips selections of vector components, such as v.x, v[0] or v.lo.y, above `node`. Returns the
 * node that uses the selected components. */
static pm_node *leave_vector(pm_node *node, pm_node **child)
{
    pm_node *user = pm_ast_user(node, child);

    while (user && pm_type_is_vector((*child)->type) && user->first == *child &&
           (user->kind == CXCursor_UnexposedExpr || user->kind == CXCursor_ArraySubscriptExpr ||
            user->kind == CXCursor_MemberRefExpr))
        user = pm_ast_user(user, child);
    return user;
}

const pm_node *pm_chain_part(pm_node *node)
{
    pm_node *child = node;

    leave_vector(node, &child);
    return child;
}

bool pm_is_atomic_call(const pm_node *node)
{
    return node->kind == CXCursor_CallExpr && strncmp(node->name, "atom", 4) == 0 &&
           !node->declaration;
}

pm_lvalue_use pm_chain_use(pm_node *node)
{
    pm_node *child = NULL, *user = leave_vector(node, &child);
    pm_lvalue_use use = {.read = true, .node = user};

    for (pm_node *at = user; at && clang_isExpression(at->kind); at = at->parent)
        /* sizeof or a similar operator, which does not evaluate its operand */
        if (at->kind == CXCursor_UnaryExpr)
            return (pm_lvalue_use){.unevaluated = true, .node = at};
    if (!user)
        return use;
    if (user->unary == CXUnaryOperator_AddrOf)
        return (pm_lvalue_use){.address = true, .node = user};
    use.written = (user->first == child && pm_changes_operand(user)) || pm_ast_is_handed_out(child);
    use.read = !use.written || user->binary != CXBinaryOperator_Assign;
    return use;
}
