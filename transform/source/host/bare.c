/* Simplifies expressions of host code: skips parentheses and conversions, and finds the variable
 * that an expression names. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

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

/* Returns the text of an expression without blanks, except one after each comma. */
static const char *text_of(pm_host_tree *tree, const pm_host_node *node)
{
    const CXSourceRange extent = clang_getCursorExtent(node->cursor);
    const char *text = "";
    CXToken *tokens = NULL;
    unsigned count = 0;

    clang_tokenize(tree->unit, extent, &tokens, &count);
    for (unsigned i = 0; i < count; i++) {
        const CXString token = clang_getTokenSpelling(tree->unit, tokens[i]);
        const char *spelling = clang_getCString(token);
        const bool is_word = i > 0 && clang_getTokenKind(tokens[i]) != CXToken_Punctuation &&
                             clang_getTokenKind(tokens[i - 1]) != CXToken_Punctuation;

        text = pm_format(tree->memory, "%s%s%s%s", text, is_word ? " " : "", spelling,
                         strcmp(spelling, ",") == 0 ? " " : "");
        clang_disposeString(token);
    }
    clang_disposeTokens(tree->unit, tokens, count);
    return text;
}

pm_host_value pm_host_named_template(pm_host_state *state, pm_host_node *node)
{
    pm_host_tree *tree = state->tree;

    for (size_t i = 0; i < node->count; i++) {
        const CXCursor cursor = node->children[i]->cursor;
        pm_host_node *function;

        if (node->children[i]->kind != CXCursor_OverloadedDeclRef ||
            clang_getNumOverloadedDecls(cursor) != 1)
            continue;
        function = pm_host_declared(tree, clang_getOverloadedDecl(cursor, 0));
        if (function && function->kind == CXCursor_FunctionTemplate &&
            pm_host_is_kernel(tree, function))
            return (pm_host_value){
                .kind = PM_HOST_FUNCTION, .function = function, .text = text_of(tree, node)};
    }
    return pm_host_unknown(NULL, 0);
}
