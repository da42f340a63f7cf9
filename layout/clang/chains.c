/* Accesses to arrays of structs: which member of which element, and what is done to it. See unit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { MOST_SUBSCRIPTS = sizeof((pm_chain *)0)->subscripts / sizeof(pm_node *) };

/* Of a parameter that is written as an array libclang says that type. */
static bool is_pointer(const pm_node *node)
{
    enum CXTypeKind kind = pm_ast_type(node).kind;

    return kind == CXType_Pointer || kind == CXType_ConstantArray || kind == CXType_IncompleteArray;
}

/* Starts the chain at what pointer points to. */
static bool start(const pm_unit *unit, pm_node *pointer, pm_node *index, pm_chain *chain)
{
    if (!pm_unit_points(unit, pointer, &chain->to))
        return false;
    chain->pointer = pointer;
    chain->index = index;
    return true;
}

static bool follow(const pm_unit *unit, pm_node *node, pm_chain *chain);

/* Takes the dereferencing of a pointer, or of an array in a chain, with an index or none. */
static bool follow_pointer(const pm_unit *unit, pm_node *pointer, pm_node *index, pm_chain *chain)
{
    pm_node *inner = pm_ast_strip(pointer);

    if (!pm_unit_is_array(unit, inner))
        return start(unit, pointer, index, chain);
    if (!follow(unit, inner, chain) || chain->subscript_count == MOST_SUBSCRIPTS)
        return false;
    chain->subscripts[chain->subscript_count++] = index;
    return true;
}

static bool follow_member(const pm_unit *unit, pm_node *node, pm_chain *chain)
{
    size_t length;
    char *name;
    bool fits, found;

    if (!node->first || node->first->next)
        return false;
    found = is_pointer(node->first) ? follow_pointer(unit, node->first, NULL, chain)
                                    : follow(unit, node->first, chain);
    name = found ? pm_ast_name(node) : NULL;
    if (!name)
        return false;
    length = strlen(chain->path);
    fits = length + strlen(name) + 2 <= sizeof chain->path;
    if (fits && *name && !strchr(name, '(')) { /* a member without a name adds nothing */
        if (length > 0)
            chain->path[length++] = '.';
        memcpy(chain->path + length, name, strlen(name) + 1);
    }
    free(name);
    return fits;
}

static bool follow_subscript(const pm_unit *unit, pm_node *node, pm_chain *chain)
{
    pm_node *left = pm_ast_child(node, 0), *right = pm_ast_child(node, 1);

    if (!left || !right || right->next)
        return false;
    /* i[p] is p[i]. */
    if (is_pointer(left))
        return follow_pointer(unit, left, right, chain);
    return is_pointer(right) && follow_pointer(unit, right, left, chain);
}

static bool follow(const pm_unit *unit, pm_node *node, pm_chain *chain)
{
    node = pm_ast_strip(node);
    switch (node->kind) {
    case CXCursor_MemberRefExpr:
        return follow_member(unit, node, chain);
    case CXCursor_ArraySubscriptExpr:
        return follow_subscript(unit, node, chain);
    case CXCursor_UnaryOperator:
        return clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_Deref &&
               node->first && follow_pointer(unit, node->first, NULL, chain);
    default:
        return false;
    }
}

bool pm_chain_of(const pm_unit *unit, pm_node *node, pm_chain *chain)
{
    const pm_struct *structure;

    *chain = (pm_chain){.pointer = NULL};
    if (node->kind != CXCursor_MemberRefExpr && node->kind != CXCursor_ArraySubscriptExpr &&
        node->kind != CXCursor_UnaryOperator)
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

bool pm_chain_is_scalar(const pm_unit *unit, const pm_chain *chain)
{
    const pm_struct *structure = &unit->info.structs.items[chain->to.structure];

    return chain->field < structure->field_count &&
           structure->fields[chain->field].extent_count == chain->subscript_count;
}

/* ---- uses ---------------------------------------------------------------------------------- */

static bool is_vector(CXType type)
{
    return type.kind == CXType_ExtVector || type.kind == CXType_Vector;
}

/* Out of the components of a vector to what is done to them: v.x, v[0], v.lo.y. */
static pm_node *leave_vector(pm_node *node, pm_node **child)
{
    pm_node *user = pm_ast_user(node, child);

    while (user && is_vector(pm_ast_type(*child)) && user->first == *child &&
           (user->kind == CXCursor_UnexposedExpr || user->kind == CXCursor_ArraySubscriptExpr ||
            user->kind == CXCursor_MemberRefExpr))
        user = pm_ast_user(user, child);
    return user;
}

static pm_use use_of_unary(pm_node *user)
{
    switch (clang_getCursorUnaryOperatorKind(user->cursor)) {
    case CXUnaryOperator_PostInc:
    case CXUnaryOperator_PostDec:
    case CXUnaryOperator_PreInc:
    case CXUnaryOperator_PreDec:
        return (pm_use){.read = true, .written = true, .node = user};
    case CXUnaryOperator_AddrOf:
        return (pm_use){.address = true, .node = user};
    default:
        return (pm_use){.read = true, .node = user};
    }
}

bool pm_is_atomic_call(const pm_unit *unit, const pm_node *node)
{
    char *name = node->kind == CXCursor_CallExpr ? pm_ast_name(node) : NULL;
    bool atomic = name && strncmp(name, "atom", 4) == 0 && !pm_unit_callee(unit, node);

    free(name);
    return atomic;
}

pm_use pm_chain_use(pm_node *node)
{
    pm_node *child = NULL, *user = leave_vector(node, &child);

    for (pm_node *at = user; at && clang_isExpression(at->kind); at = at->parent)
        if (at->kind == CXCursor_UnaryExpr) /* sizeof and the like */
            return (pm_use){.unevaluated = true, .node = at};
    if (user && user->kind == CXCursor_UnaryOperator)
        return use_of_unary(user);
    if (user && user->first == child && user->kind == CXCursor_CompoundAssignOperator)
        return (pm_use){.read = true, .written = true, .node = user};
    if (user && user->first == child && user->kind == CXCursor_BinaryOperator &&
        clang_getCursorBinaryOperatorKind(user->cursor) == CXBinaryOperator_Assign)
        return (pm_use){.written = true, .node = user};
    return (pm_use){.read = true, .node = user};
}
