/* Finds the variables and parameters of a kernel source (symbols), and for each all assignments and
 * other code that change it. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

bool pm_points_to_global(const pm_reader *r, CXType type)
{
    unsigned space =
        type.kind == CXType_Pointer ? clang_getAddressSpace(clang_getPointeeType(type)) : 0;

    if (r->ast->is_cuda)
        return type.kind == CXType_Pointer;
    return space == PM_SPACE_GLOBAL || space == PM_SPACE_CONSTANT;
}

bool pm_points_to_array(const pm_reader *r, const pm_node *expression)
{
    return pm_points_to_global(r, expression->type);
}

bool pm_is_comparison(enum CXBinaryOperatorKind kind)
{
    return kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_NE;
}

/* ---- symbols -------------------------------------------------------------------------------- */

pm_symbol *pm_index_symbol(const pm_reader *r, const pm_node *node)
{
    const pm_node *declaration = node;

    if (node->kind == CXCursor_DeclRefExpr)
        declaration = node->declaration;
    if (!declaration || r->symbol_of[declaration->number] == PM_NONE)
        return NULL;
    return &r->symbols[r->symbol_of[declaration->number]];
}

static bool is_scope(const pm_node *node)
{
    return node->kind == CXCursor_CompoundStmt || node->kind == CXCursor_ForStmt ||
           node->kind == CXCursor_FunctionDecl;
}

static void add_symbol(pm_reader *r, pm_node *node)
{
    pm_symbol symbol = {.node = node, .first_change = PM_NONE, .uniform = true};

    symbol.function = pm_ast_ancestor(node->parent, CXCursor_FunctionDecl);
    if (!symbol.function)
        return;
    /* symbol.address means that other code may change the variable. It is also true for a variable
     * in local memory, which all work-items of a group share, and for a C++ reference, which is
     * another name of a variable. */
    symbol.address = pm_is_local_variable(node) || node->type.kind == CXType_LValueReference;
    symbol.initializer = node->initializer;
    for (symbol.scope = node->parent; !is_scope(symbol.scope);)
        symbol.scope = symbol.scope->parent;
    if (node->kind == CXCursor_ParmDecl)
        symbol.argument = pm_ast_parameter_index(node);
    r->symbol_of[node->number] = r->symbol_count;
    *pm_add(r->memory, r->symbols, r->symbol_count) = symbol;
}

/* ---- changes of symbols --------------------------------------------------------------------- */

/* Returns true if a change of a variable is a statement directly in the block ({ }) that declares
 * the variable. If the variable is a parameter, this block is the function's body. Every work-item
 * that executes the block then makes the change. */
static bool is_straight(const pm_symbol *symbol, const pm_node *change)
{
    const pm_node *block = change->parent;

    /* A jump to a later label of a switch statement may skip the change. */
    if (!block || block->kind != CXCursor_CompoundStmt ||
        block->parent->kind == CXCursor_SwitchStmt)
        return false;
    return block == symbol->scope ||
           (symbol->scope->kind == CXCursor_FunctionDecl && block->parent == symbol->scope);
}

/* Marks variables that are bound to a C++ reference, because code may change them through the
 * reference. */
static void add_references(const pm_reader *r, const pm_node *node)
{
    if (!pm_takes_reference(node))
        return;
    for (const pm_node *child = node->first; child; child = child->next) {
        const pm_node *owner = pm_ast_owner(pm_ast_strip(child));
        pm_symbol *symbol = owner ? pm_index_symbol(r, owner) : NULL;

        if (symbol)
            symbol->address = true;
    }
}

static void add_change(pm_reader *r, pm_node *node, size_t *last)
{
    bool address = node->unary == CXUnaryOperator_AddrOf;
    const pm_node *owner =
        (address || pm_changes_operand(node)) && node->first ? pm_ast_owner(node->first) : NULL;
    pm_symbol *symbol = owner ? pm_index_symbol(r, owner) : NULL;
    pm_symbol_change change = {.node = node, .next = PM_NONE};
    size_t number;

    if (!symbol)
        return;
    number = (size_t)(symbol - r->symbols);
    symbol->address |= address;
    if (symbol->first_change == PM_NONE)
        symbol->first_change = r->change_count;
    else
        r->changes[last[number]].next = r->change_count;
    last[number] = r->change_count;
    change.symbol = number;
    change.straight = !address && is_straight(symbol, node) &&
                      pm_ast_strip(node->first)->kind == CXCursor_DeclRefExpr;
    *pm_add(r->memory, r->changes, r->change_count) = change;
}

void pm_index_find_symbols(pm_reader *r)
{
    size_t *last;

    r->symbol_of = pm_take(r->memory, r->ast->count, sizeof *r->symbol_of);
    for (size_t i = 0; i < r->ast->count; i++)
        r->symbol_of[i] = PM_NONE;
    PM_EACH_NODE(r->ast, r->ast->root, node)
        if (node->kind == CXCursor_VarDecl || node->kind == CXCursor_ParmDecl)
            add_symbol(r, node);
    last = pm_take(r->memory, r->symbol_count, sizeof *last);
    PM_EACH_NODE(r->ast, r->ast->root, node) {
        const pm_node *function;

        add_change(r, node, last);
        if (r->ast->is_cuda)
            add_references(r, node);
        if (node->kind == CXCursor_LambdaExpr && !r->lambda)
            r->lambda = node;
        if (node->kind != CXCursor_GotoStmt && node->kind != CXCursor_IndirectGotoStmt)
            continue;
        function = pm_ast_ancestor(node, CXCursor_FunctionDecl);
        r->has_goto |= function && (function == r->index->kernel || !function->is_kernel);
    }
}
