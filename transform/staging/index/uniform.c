/* Finds variables and expressions that are uniform, which means equal in all work-items of a group.
 * See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All variables of the kernel are first assumed to be uniform. If a variable gets a value that is
 * not uniform, the assumption is dropped for this variable, repeatedly until nothing changes.
 * Variables of helper functions are never uniform.
 */
#include <string.h>

#include "transform/staging/index/parts.h"

/* ---- loads from memory that does not change ------------------------------------------------- */

/* Returns true if no work-item writes the memory to which a parameter points while the kernel
 * runs. */
static bool is_read_only(const pm_reader *r, const pm_symbol *parameter)
{
    CXType type = clang_getCursorType(parameter->node->cursor), pointee, other;

    pointee = clang_getPointeeType(clang_getCanonicalType(type));
    if (clang_getAddressSpace(pointee) == PM_SPACE_CONSTANT)
        return true;
    if (!clang_isConstQualifiedType(pointee))
        return false;
    if (clang_isRestrictQualifiedType(type))
        return true;
    for (const pm_node *child = parameter->function->first; child; child = child->next) {
        if (child->kind == CXCursor_ParmDecl && pm_type_is_array(child->type))
            return false;
        if (child->kind != CXCursor_ParmDecl || !pm_points_to_array(r, child))
            continue;
        other = clang_getPointeeType(child->type);
        if (!clang_isConstQualifiedType(other) &&
            !clang_isRestrictQualifiedType(clang_getCursorType(child->cursor)))
            return false;
    }
    return true;
}

/* Returns true if no work-item writes the memory that is read through the pointer. */
static bool reads_constants(const pm_reader *r, pm_node *pointer)
{
    for (pm_node *node = pointer; node; node = node->first) {
        const pm_symbol *symbol;

        if (node->type.kind == CXType_Pointer &&
            clang_getAddressSpace(clang_getPointeeType(node->type)) == PM_SPACE_CONSTANT)
            return true;
        if (node->kind == CXCursor_BinaryOperator && node->first &&
            node->first->type.kind != CXType_Pointer)
            return false;
        if (node->kind != CXCursor_DeclRefExpr)
            continue;
        symbol = pm_index_symbol(r, node);
        return symbol && symbol->node->kind == CXCursor_ParmDecl &&
               symbol->function == r->index->kernel && pm_points_to_array(r, symbol->node) &&
               is_read_only(r, symbol);
    }
    return false;
}

/* ---- expressions ---------------------------------------------------------------------------- */

static bool all_uniform(const pm_reader *r, const pm_node *parent)
{
    for (pm_node *child = parent->first; child; child = child->next)
        if (clang_isExpression(child->kind) && !pm_index_uniform(r, child))
            return false;
    return true;
}

static bool uniform_symbol(const pm_reader *r, const pm_node *use)
{
    const pm_symbol *symbol = pm_index_symbol(r, use);
    const pm_node *declaration;
    const pm_head *head;

    if (!symbol) {
        declaration = use->declaration;
        return declaration &&
               (declaration->kind == CXCursor_EnumConstantDecl ||
                (declaration->kind == CXCursor_VarDecl && pm_is_constant_variable(declaration)));
    }
    if (symbol->function != r->index->kernel)
        return false;
    head = pm_index_head(r, symbol, use);
    if (head)
        return pm_index_uniform(r, head->start) && (!head->step || pm_index_uniform(r, head->step));
    return symbol->uniform;
}

/* Returns true if an id or a size of the launch is equal for all work-items of a group. */
static bool uniform_id(const pm_reader *r, const pm_id *id)
{
    const bool known = !id->argument || pm_index_uniform(r, id->argument);
    long long dimension = id->dimension;

    if (id->kind != PM_ID_LOCAL && id->kind != PM_ID_GLOBAL)
        return id->kind != PM_ID_OTHER && known;
    if (id->argument && !pm_ast_evaluate(id->argument, &dimension))
        return false;
    /* A local or global id is uniform (equal in all work-items of a group) if the work-group has
     * only one work-item in this dimension. */
    return r->index->sized && dimension >= 0 && dimension < 3 &&
           r->index->work_group[dimension] == 1;
}

static bool uniform_call(const pm_reader *r, const pm_node *call)
{
    if (!pm_is_pure_call(r->ast, call))
        return false;
    for (pm_node *child = call->first ? call->first->next : NULL; child; child = child->next)
        if (child->type.kind == CXType_Pointer || !pm_index_uniform(r, child))
            return false;
    return true;
}

bool pm_index_uniform(const pm_reader *r, pm_node *expression)
{
    pm_node *node = pm_ast_bare(expression);
    const pm_id id = pm_id_of(node);

    if (id.kind != PM_ID_NONE)
        return uniform_id(r, &id);
    switch (node->kind) {
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CharacterLiteral:
    case CXCursor_UnaryExpr:
        return true;
    case CXCursor_DeclRefExpr:
        return uniform_symbol(r, node);
    case CXCursor_CallExpr:
        return uniform_call(r, node);
    case CXCursor_BinaryOperator:
    case CXCursor_CompoundAssignOperator:
        return all_uniform(r, node);
    case CXCursor_UnaryOperator:
        return (node->unary != CXUnaryOperator_Deref ||
                (node->first && reads_constants(r, node->first))) &&
               node->unary != CXUnaryOperator_AddrOf && all_uniform(r, node);
    case CXCursor_ArraySubscriptExpr:
        return node->first &&
               (pm_type_is_vector(node->first->type) || reads_constants(r, node->first)) &&
               all_uniform(r, node);
    case CXCursor_MemberRefExpr:
        return node->first &&
               (node->first->type.kind != CXType_Pointer || reads_constants(r, node->first)) &&
               all_uniform(r, node);
    case CXCursor_UnexposedExpr:
    case CXCursor_ConditionalOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_InitListExpr:
    case CXCursor_CompoundLiteralExpr:
        return all_uniform(r, node);
    default:
        return false;
    }
}

/* ---- control flow --------------------------------------------------------------------------- */

static bool controls(const pm_reader *r, const pm_node *parent, const pm_node *child)
{
    switch (parent->kind) {
    case CXCursor_IfStmt:
    case CXCursor_SwitchStmt:
    case CXCursor_ConditionalOperator:
        return child == parent->first || pm_index_uniform(r, parent->first);
    case CXCursor_WhileStmt:
        return pm_index_uniform(r, parent->first);
    case CXCursor_DoStmt:
        return pm_index_uniform(r, parent->last);
    case CXCursor_ForStmt:
        if (pm_ast_children(parent) == 4)
            return child == parent->first || pm_index_uniform(r, parent->first->next);
        for (pm_node *part = parent->first; part != parent->last; part = part->next)
            if (clang_isExpression(part->kind) && pm_is_integer(part) &&
                part->kind != CXCursor_CompoundAssignOperator &&
                part->kind != CXCursor_UnaryOperator && !pm_index_uniform(r, part))
                return false;
        return true;
    case CXCursor_BinaryOperator:
        return !pm_is_lazy(parent) || child == parent->first || pm_index_uniform(r, parent->first);
    default:
        return true;
    }
}

bool pm_index_controlled(const pm_reader *r, const pm_node *node, const pm_node *top)
{
    for (const pm_node *child = node; child != top && child->parent; child = child->parent) {
        if (!controls(r, child->parent, child))
            return false;
        if (child->parent != top && pm_is_loop(child->parent) &&
            pm_index_head_of(r, child->parent)->divergent)
            return false;
    }
    return true;
}

/* ---- iteration until no result changes ------------------------------------------------------ */

static bool assigned_uniform(const pm_reader *r, const pm_node *change)
{
    if (change->kind == CXCursor_UnaryOperator)
        return change->unary != CXUnaryOperator_AddrOf;
    return change->first && change->first->next && pm_index_uniform(r, change->first->next) &&
           (change->first->kind == CXCursor_DeclRefExpr || all_uniform(r, change->first));
}

static bool stays_uniform(const pm_reader *r, const pm_symbol *symbol)
{
    if (symbol->address || pm_type_is_array(symbol->node->type))
        return false;
    if (symbol->initializer && !pm_index_uniform(r, symbol->initializer))
        return false;
    if (r->has_goto && symbol->first_change != PM_NONE)
        return false;
    for (size_t c = symbol->first_change; c != PM_NONE; c = r->changes[c].next)
        if (!assigned_uniform(r, r->changes[c].node) ||
            !pm_index_controlled(r, r->changes[c].node, r->index->body))
            return false;
    return true;
}

/* Returns true if some work-items may execute a break, continue or return in the loop that others
 * do not. *leaves is set to true if such a jump ends the loop (break or return). */
static bool diverges(const pm_reader *r, const pm_node *loop, bool *leaves)
{
    bool found = false;

    *leaves = false;
    PM_EACH_NODE(r->ast, loop, node) {
        if (node->kind == CXCursor_GotoStmt || node->kind == CXCursor_IndirectGotoStmt)
            return *leaves = true;
        if ((node->kind != CXCursor_BreakStmt && node->kind != CXCursor_ContinueStmt &&
             node->kind != CXCursor_ReturnStmt) ||
            pm_index_controlled(r, node, loop))
            continue;
        found = true;
        *leaves |= node->kind != CXCursor_ContinueStmt;
    }
    return found;
}

void pm_index_find_uniform(pm_reader *r)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (size_t h = 0; h < r->head_count; h++)
            if (r->heads[h].function == r->index->kernel && !r->heads[h].leaves) {
                bool before = r->heads[h].divergent;

                r->heads[h].divergent = diverges(r, r->heads[h].node, &r->heads[h].leaves);
                changed |= r->heads[h].divergent != before || r->heads[h].leaves;
            }
        for (size_t s = 0; s < r->symbol_count; s++)
            if (r->symbols[s].function == r->index->kernel && r->symbols[s].uniform &&
                !stays_uniform(r, &r->symbols[s])) {
                r->symbols[s].uniform = false;
                changed = true;
            }
    }
}

bool pm_index_adds_uniform(const pm_reader *r, const pm_symbol_change *change)
{
    const pm_node *node = change->node, *value;
    const pm_symbol *symbol = &r->symbols[change->symbol];
    enum CXBinaryOperatorKind kind;

    if (!pm_index_controlled(r, node, r->index->body))
        return false;
    if (node->kind == CXCursor_UnaryOperator)
        return node->unary != CXUnaryOperator_AddrOf;
    if (pm_ast_strip(node->first)->kind != CXCursor_DeclRefExpr)
        return false;
    kind = node->binary;
    if (node->kind == CXCursor_CompoundAssignOperator)
        return (kind == CXBinaryOperator_AddAssign || kind == CXBinaryOperator_SubAssign) &&
               pm_index_uniform(r, node->first->next);
    value = pm_ast_strip(node->first->next);
    if (value->kind != CXCursor_BinaryOperator || !value->first || !value->first->next)
        return false;
    kind = value->binary;
    for (int side = 0; side < 2; side++) {
        pm_node *old = side ? value->first->next : value->first;
        pm_node *added = side ? value->first : value->first->next;
        const pm_node *bare = pm_ast_strip(old);

        if ((kind == CXBinaryOperator_Add || (kind == CXBinaryOperator_Sub && !side)) &&
            bare->kind == CXCursor_DeclRefExpr && pm_index_symbol(r, bare) == symbol &&
            pm_index_uniform(r, added))
            return true;
    }
    return false;
}
