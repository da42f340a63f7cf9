/* Finds declarations of a kernel by name. See declared.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/declared.h"

#include <string.h>

bool pm_is_declaration_of(const pm_node *node, const char *name, size_t length)
{
    return (node->kind == CXCursor_VarDecl || node->kind == CXCursor_ParmDecl) &&
           strlen(node->name) == length && strncmp(node->name, name, length) == 0;
}

size_t pm_count_declarations(const pm_index *index, const char *name, size_t length)
{
    size_t count = 0;

    PM_EACH_NODE(index->ast, index->kernel, node)
        count += pm_is_declaration_of(node, name, length);
    return count;
}

bool pm_is_declared_as(const pm_index *index, const char *name, size_t length, enum CXTypeKind kind)
{
    bool found = false;

    PM_EACH_NODE(index->ast, index->kernel, node)
        if (pm_is_declaration_of(node, name, length)) {
            if (node->type.kind != kind)
                return false;
            found = true;
        }
    return found;
}
