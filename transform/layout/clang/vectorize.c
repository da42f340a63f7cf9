/* Searches the blocks ({ }) of a function for reads and writes of several members of a struct that
 * one vector access (such as a load of 16 bytes) can replace. See vectorize.h. vectorize_load.c and
 * vectorize_store.c decide what becomes a load or a store.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/clang/vectorize.h"

/* Finds vector accesses in the blocks ({ }) below a node, outer blocks first. Accesses in an inner
 * block are skipped if a vector access of an outer block already replaces them. */
static void search(pm_vector *wide, const pm_node *node)
{
    if (node->kind == CXCursor_CompoundStmt) {
        pm_vector_statement *block = NULL;
        size_t count = 0;

        for (pm_node *child = node->first; child; child = child->next) {
            pm_vector_statement *statement = pm_add(&wide->rw->memory, block, count);

            *statement = (pm_vector_statement){.node = child,
                                               .effects = {.unit = wide->rw->unit,
                                                           .active = wide->rw->active,
                                                           .memory = &wide->rw->memory}};
            pm_effects_add(&statement->effects, child);
        }
        pm_vector_find_stores(wide, block, count);
        pm_vector_find_loads(wide, block, count);
    }
    for (const pm_node *child = node->first; child; child = child->next)
        search(wide, child);
}

void pm_vector_find(pm_rewrite *rw, pm_node *function, pm_vector *wide)
{
    *wide = (pm_vector){.rw = rw};
    PM_EACH_NODE(&rw->unit->ast, function, node) {
        const pm_node *owner = NULL;

        if (node->kind == CXCursor_GotoStmt || node->kind == CXCursor_IndirectGotoStmt)
            return;
        if (node->unary == CXUnaryOperator_AddrOf)
            owner = pm_ast_owner(node->first);
        if (owner)
            *pm_add(&rw->memory, wide->addressed, wide->addressed_count) = owner;
    }
    search(wide, function);
}
