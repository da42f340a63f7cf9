/* Finds the variables of host code from which the size of an allocation is computed. See results.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/source/host/results.h"

enum { MOST_NAMES = 4, MOST_DEPTH = 24 };

typedef struct {
    pm_host_tree *tree;
    pm_memory *memory;
    size_t count;
    const pm_host_node *variables[MOST_NAMES];
} search;

static size_t add_variables(search *s, pm_host_node *node, unsigned depth);

static void add(search *s, const pm_host_node *variable)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->variables[i] == variable)
            return;
    if (s->count < MOST_NAMES)
        s->variables[s->count++] = variable;
}

/* Adds the integer variables from which a variable's initial value is computed. If there are none,
 * adds the variable itself. */
static void add_origins(search *s, pm_host_node *variable, unsigned depth)
{
    pm_host_node *initializer =
        variable->kind == CXCursor_VarDecl ? pm_host_initializer(s->tree, variable) : NULL;

    if (!initializer || depth == 0 || add_variables(s, initializer, depth - 1) == 0)
        add(s, variable);
}

/* Adds, for each integer variable that an expression names, the variables from which it is
 * computed. Returns the number of variables that the expression names. */
static size_t add_variables(search *s, pm_host_node *node, unsigned depth)
{
    size_t named = 0;

    pm_host_open(s->tree, node);
    if (node->named && pm_host_is_integer(node->named->type) &&
        (node->named->kind == CXCursor_VarDecl || node->named->kind == CXCursor_ParmDecl ||
         node->named->kind == CXCursor_FieldDecl)) {
        if (depth > 0)
            add_origins(s, node->named, depth - 1);
        return 1;
    }
    for (size_t i = 0; i < node->count && depth > 0; i++)
        named += add_variables(s, node->children[i], depth - 1);
    return named;
}

char *pm_host_origins(pm_host_tree *tree, pm_host_node *call, pm_memory *memory)
{
    search s = {.tree = tree, .memory = memory};
    char *names = pm_copy(memory, "");

    if (call)
        for (size_t i = 0; i < pm_host_arguments(call); i++) {
            pm_host_node *argument = pm_host_argument(tree, call, i);

            if (argument && pm_host_is_integer(argument->type))
                add_variables(&s, argument, MOST_DEPTH);
        }
    for (size_t i = 0; i < s.count; i++)
        names = pm_format(memory, "%s%s%s", names, i ? ", " : "", s.variables[i]->name);
    return names;
}
