/* Finds the definition of a function template (its text with the body) from which instances are
 * written as plain functions. See instances.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/clang/instances.h"

const pm_node *pm_instances_pattern(const pm_instancing *in, const pm_node *template)
{
    const pm_node *pattern =
        template->kind == CXCursor_FunctionTemplate && template->in_main
            ? pm_ast_find(&in->ast, clang_getCursorDefinition(template->cursor))
            : NULL;

    for (size_t i = 0; pattern && i < in->count; i++)
        if (in->items[i]->pattern == pattern)
            return pattern;
    return NULL;
}
