/* Searches the blocks of a function for wide accesses. See vectorize.h. vectorize_load.c and
 * vectorize_store.c decide what becomes a load or a store.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "layout/clang/vectorize.h"

#include <string.h>

bool pm_vector_word(const pm_plan *plan, size_t field, pm_word *word)
{
    const pm_field *f = &plan->structure->fields[field];
    size_t p, m, bytes, at;

    /* a vector of three has the size of four, and no word consists of three */
    if (!plan->layout.align || plan->tile > 1 || f->extent_count > 0 ||
        f->type[strlen(f->type) - 1] == '3')
        return false;
    pm_plan_find(plan, field, &p, &m);
    bytes = plan->parts[p].align < 16 ? plan->parts[p].align : 16;
    at = plan->parts[p].members[m].offset;
    *word = (pm_word){p, at / bytes, bytes};
    return bytes >= 8 && plan->parts[p].bytes % bytes == 0 &&
           at / bytes == (at + f->bytes - 1) / bytes && (f->bytes & (f->bytes - 1)) == 0 &&
           f->bytes % 4 == 0;
}

bool pm_vector_same_word(const pm_word *a, const pm_word *b)
{
    return a->part == b->part && a->word == b->word;
}

bool pm_vector_key(const pm_vector *wide, const pm_element_access *access, pm_element_key *key)
{
    if (!pm_element_key_of(&wide->rw->unit->ast, access, key))
        return false;
    for (size_t i = 0; i < key->variable_count; i++)
        if (pm_is_one_of(wide->addressed, wide->addressed_count, key->variables[i]))
            return false;
    return true;
}

/* Searches outer blocks first. Inner blocks skip the accesses that outer blocks have used. */
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
