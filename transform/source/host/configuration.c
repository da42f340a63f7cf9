/* Recognizes kernel launches of the form kernel<<<...>>>(...) in host code. See state.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/state.h"

pm_host_node *pm_host_configuration(pm_host_tree *tree, pm_host_node *call)
{
    pm_host_open(tree, call);
    for (size_t i = 1; i < call->count && i < 3; i++) {
        pm_host_node *child = pm_host_open(tree, call->children[i]);

        if (child->kind == CXCursor_CallExpr &&
            (strcmp(child->name, "__cudaPushCallConfiguration") == 0 ||
             strcmp(child->name, "cudaConfigureCall") == 0))
            return child;
    }
    return NULL;
}
