/* Components of small vectors of ids: (int2)(get_global_id(0), get_global_id(1)).x. See
 * index_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "index_parts.h"

static const pm_poly unknown;

/* Which component `.x`, `.s0`, .. names; PM_NONE: several, or it is not to be seen. */
static size_t component_of(const pm_reader *r, const pm_node *node, const pm_node *vector)
{
    static const char letters[] = "xyzw", digits[] = "0123456789abcdef";
    const char *at = r->ast->text + vector->end, *end = r->ast->text + node->end, *found;
    char name[4] = "";
    size_t length = 0;

    if (!node->in_main || !node->begins_clean || !node->ends_clean || !vector->ends_clean)
        return PM_NONE;
    for (; at < end; at++)
        if (!strchr(" \t.)", *at)) {
            if (length + 1 >= sizeof name)
                return PM_NONE;
            name[length++] = *at;
        }
    if (length == 1 && (found = strchr(letters, name[0])) != NULL)
        return (size_t)(found - letters);
    if (length == 2 && (name[0] == 's' || name[0] == 'S') &&
        (found = strchr(digits, name[1])) != NULL && *found)
        return (size_t)(found - digits);
    return PM_NONE;
}

/* The expression that a component is initialized with. */
static pm_node *part_of(pm_node *initializer, size_t component)
{
    pm_node *node = pm_ast_strip(initializer), *list = NULL;
    long long size = clang_getNumElements(pm_ast_type(node));

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
    size_t which = vector ? component_of(r, component, vector) : PM_NONE;
    pm_poly value;

    if (use && use->kind == CXCursor_DeclRefExpr)
        symbol = pm_index_symbol(r, use);
    if (!symbol || which == PM_NONE || symbol->function != frame->function ||
        symbol->first_change != PM_NONE || !symbol->initializer)
        return unknown;
    part = part_of(symbol->initializer, which);
    value = part ? pm_index_value(r, frame, part) : unknown;
    return value.known && pm_index_is_stable(r, &value, symbol, symbol->node) ? value : unknown;
}
