/* Variables of the source and the places that change them. See index_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "index_parts.h"
#include "unit.h"

/* LangAS of clang, as clang_getAddressSpace gives it. */
enum { SPACE_GLOBAL = 1, SPACE_LOCAL = 2, SPACE_CONSTANT = 3 };

/* ---- types ---------------------------------------------------------------------------------- */

bool pm_is_integer(const pm_node *expression)
{
    CXType type = pm_ast_type(expression);

    return (type.kind >= CXType_Bool && type.kind <= CXType_LongLong) || type.kind == CXType_Enum;
}

bool pm_is_unsigned(const pm_node *expression)
{
    CXType type = pm_ast_type(expression);

    if (type.kind == CXType_Enum)
        type = clang_getEnumDeclIntegerType(clang_getTypeDeclaration(type));
    return type.kind >= CXType_Bool && type.kind <= CXType_ULongLong;
}

bool pm_is_vector(const pm_node *expression)
{
    CXType type = pm_ast_type(expression);

    return type.kind == CXType_ExtVector || type.kind == CXType_Vector;
}

bool pm_points_to_array(const pm_node *expression)
{
    CXType type = pm_ast_type(expression);
    unsigned space;

    if (type.kind != CXType_Pointer)
        return false;
    space = clang_getAddressSpace(clang_getPointeeType(type));
    return space == SPACE_GLOBAL || space == SPACE_CONSTANT;
}

bool pm_is_comparison(enum CXBinaryOperatorKind kind)
{
    return kind >= CXBinaryOperator_LT && kind <= CXBinaryOperator_NE;
}

pm_node *pm_expression_bare(pm_node *node)
{
    while (node->kind == CXCursor_ParenExpr && node->first)
        node = node->first;
    return node;
}

/* ---- symbols -------------------------------------------------------------------------------- */

pm_symbol *pm_index_symbol(const pm_reader *r, const pm_node *node)
{
    const pm_node *declaration = node;

    if (node->kind == CXCursor_DeclRefExpr)
        declaration = pm_ast_declaration(r->ast, node);
    if (!declaration || r->symbol_of[declaration->number] == PM_NONE)
        return NULL;
    return &r->symbols[r->symbol_of[declaration->number]];
}

pm_symbol *pm_index_target(const pm_reader *r, pm_node *lvalue)
{
    for (pm_node *node = lvalue; node; node = node->first) {
        if (node->kind == CXCursor_DeclRefExpr)
            return pm_index_symbol(r, node);
        switch (node->kind) {
        case CXCursor_ParenExpr:
            break;
        case CXCursor_UnexposedExpr:
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            /* An array's elements are its own, what a pointer points to is not. */
            if (node->first && pm_ast_type(node->first).kind == CXType_Pointer &&
                !(node->first->kind == CXCursor_UnexposedExpr && node->first->first &&
                  pm_ast_type(node->first->first).kind == CXType_ConstantArray))
                return NULL;
            break;
        default:
            return NULL;
        }
    }
    return NULL;
}

static pm_node *initializer_of(const pm_node *node)
{
    CXCursor cursor = clang_Cursor_getVarDeclInitializer(node->cursor);

    for (pm_node *child = node->first; child; child = child->next)
        if (clang_equalCursors(child->cursor, cursor))
            return child;
    return NULL;
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
    if (!symbol.function ||
        !pm_reader_grow(r, (void **)&r->symbols, sizeof symbol, r->symbol_count, &r->symbol_room))
        return;
    /* Other work-items change it too. */
    symbol.address =
        node->kind == CXCursor_VarDecl && clang_getAddressSpace(pm_ast_type(node)) == SPACE_LOCAL;
    symbol.initializer = node->kind == CXCursor_VarDecl ? initializer_of(node) : NULL;
    for (symbol.scope = node->parent; !is_scope(symbol.scope);)
        symbol.scope = symbol.scope->parent;
    if (node->kind == CXCursor_ParmDecl)
        for (const pm_node *child = node->parent->first; child && child != node;
             child = child->next)
            symbol.argument += child->kind == CXCursor_ParmDecl;
    r->symbol_of[node->number] = r->symbol_count;
    r->symbols[r->symbol_count++] = symbol;
}

/* ---- changes -------------------------------------------------------------------------------- */

/* A statement of the block that the symbol is declared in; of a parameter, of the body. */
static bool is_straight(const pm_symbol *symbol, const pm_node *change)
{
    const pm_node *block = change->parent;

    /* Labels of a switch are jumped to. */
    if (!block || block->kind != CXCursor_CompoundStmt ||
        block->parent->kind == CXCursor_SwitchStmt)
        return false;
    return block == symbol->scope ||
           (symbol->scope->kind == CXCursor_FunctionDecl && block->parent == symbol->scope);
}

static void add_change(pm_reader *r, pm_node *node, size_t *last)
{
    bool address = node->kind == CXCursor_UnaryOperator &&
                   clang_getCursorUnaryOperatorKind(node->cursor) == CXUnaryOperator_AddrOf;
    pm_symbol *symbol = NULL;
    size_t number;

    if ((address || pm_changes_operand(node)) && node->first)
        symbol = pm_index_target(r, node->first);
    if (!symbol || !pm_reader_grow(r, (void **)&r->changes, sizeof *r->changes, r->change_count,
                                   &r->change_room))
        return;
    number = (size_t)(symbol - r->symbols);
    symbol->address |= address;
    if (symbol->first_change == PM_NONE)
        symbol->first_change = r->change_count;
    else
        r->changes[last[number]].next = r->change_count;
    last[number] = r->change_count;
    r->changes[r->change_count++] =
        (pm_symbol_change){.node = node,
                           .symbol = number,
                           .next = PM_NONE,
                           .straight = !address && is_straight(symbol, node) &&
                                       pm_ast_strip(node->first)->kind == CXCursor_DeclRefExpr};
}

pm_status pm_index_find_symbols(pm_reader *r)
{
    size_t *last;

    r->symbol_of = malloc((r->ast->count + 1) * sizeof *r->symbol_of);
    if (!r->symbol_of) {
        pm_reader_fail(r, PM_FAILED, "out of memory for the source's variables");
        return r->status;
    }
    for (size_t i = 0; i < r->ast->count; i++)
        r->symbol_of[i] = PM_NONE;
    for (size_t i = 0; i < r->ast->count; i++)
        if (r->ast->nodes[i]->kind == CXCursor_VarDecl ||
            r->ast->nodes[i]->kind == CXCursor_ParmDecl)
            add_symbol(r, r->ast->nodes[i]);
    last = calloc(r->symbol_count + 1, sizeof *last);
    if (!last)
        pm_reader_fail(r, PM_FAILED, "out of memory for the source's variables");
    for (size_t i = 0; last && i < r->ast->count; i++) {
        enum CXCursorKind kind = r->ast->nodes[i]->kind;

        add_change(r, r->ast->nodes[i], last);
        if (kind == CXCursor_GotoStmt || kind == CXCursor_IndirectGotoStmt) {
            const pm_node *function = pm_ast_ancestor(r->ast->nodes[i], CXCursor_FunctionDecl);

            r->has_goto |=
                function && (function == r->index->kernel || !pm_unit_is_kernel(function));
        }
    }
    free(last);
    return r->status;
}
