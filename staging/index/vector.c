/* Components of small vectors of ids: (int2)(get_global_id(0), get_global_id(1)).x. See
 * parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "staging/index/parts.h"

static const pm_poly unknown;

/* The expression that a component is initialized with. */
static pm_node *part_of(pm_node *initializer, size_t component)
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

pm_poly pm_index_component_value(pm_reader *r, pm_frame *frame, pm_node *component)
{
    pm_node *vector = component->first, *use = vector ? pm_ast_strip(vector) : NULL, *part;
    const pm_symbol *symbol = NULL;
    size_t which = pm_ast_component(r->ast, component);
    pm_poly value;

    if (use && use->kind == CXCursor_DeclRefExpr)
        symbol = pm_index_symbol(r, use);
    if (!symbol || which == PM_NO_COMPONENT || symbol->function != frame->function ||
        symbol->first_change != PM_NONE || !symbol->initializer)
        return unknown;
    part = part_of(symbol->initializer, which);
    value = part ? pm_index_value(r, frame, part) : unknown;
    return value.known && pm_index_is_stable(r, value, symbol, symbol->node) ? value : unknown;
}
