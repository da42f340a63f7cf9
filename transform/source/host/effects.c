/* Finds the parts of host code that launch kernels or allocate memory, because the interpreter need
 * execute only these. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/source/host/state.h"

enum { MOST_DEPTH = 400 };

/* ---- launches ------------------------------------------------------------------------------ */

static bool matters(pm_host_tree *tree, pm_host_node *node, unsigned depth);

static bool function_matters(pm_host_tree *tree, pm_host_node *function, unsigned depth)
{
    pm_host_node *body;

    if (function->kind != CXCursor_FunctionDecl && function->kind != CXCursor_CXXMethod &&
        function->kind != CXCursor_Constructor)
        return false;
    function = pm_host_definition(tree, function);
    body = pm_host_is_kernel(tree, function) ? NULL : pm_host_body(tree, function);
    return body && matters(tree, body, depth);
}

static bool matters_itself(pm_host_tree *tree, pm_host_node *node, unsigned depth)
{
    pm_host_open(tree, node);
    if (node->kind == CXCursor_CallExpr &&
        (pm_host_allocates(node->name) || pm_host_configuration(tree, node)))
        return true;
    if (node->named && function_matters(tree, node->named, depth))
        return true;
    for (size_t i = 0; i < node->count; i++)
        if (matters(tree, node->children[i], depth))
            return true;
    return false;
}

static bool matters(pm_host_tree *tree, pm_host_node *node, unsigned depth)
{
    if (depth == 0)
        return false;
    if (node->matters == PM_HOST_UNTRIED) {
        /* provisional result, which is used if the node's function calls itself */
        node->matters = PM_HOST_NO;
        if (matters_itself(tree, node, depth - 1))
            node->matters = PM_HOST_YES;
    }
    return node->matters == PM_HOST_YES;
}

bool pm_host_matters(pm_host_tree *tree, pm_host_node *node)
{
    return node && matters(tree, node, MOST_DEPTH);
}
