/* Finds out which structs, pointers and variables of a source change if structs get a new layout,
 * and adds the edits of the source. See rewrite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/layout/clang/rewrite.h"

const pm_plan *pm_rewrite_plan(const pm_rewrite *rw, size_t structure)
{
    return rw->structs[structure].names.plan;
}

bool pm_rewrite_points(const pm_rewrite *rw, const pm_node *node, pm_pointee *to)
{
    return pm_unit_points(rw->unit, node, to) && rw->active[to->structure];
}

bool pm_rewrite_chain(const pm_rewrite *rw, pm_node *node, pm_chain *chain)
{
    return pm_chain_of(rw->unit, node, chain) && rw->active[chain->to.structure];
}

const pm_variable *pm_rewrite_variable(const pm_rewrite *rw, const pm_node *node)
{
    const pm_variable *variable = pm_unit_variable(rw->unit, node);

    return variable && rw->active[variable->to.structure] ? variable : NULL;
}

void pm_rewrite_need(pm_rewrite *rw, bool own)
{
    rw->hidden = !own;
    if (!own)
        pm_leave(&rw->memory, PM_FAILED,
                 "%s: the preprocessor leaves what has to change in another file", rw->unit->path);
}

void pm_rewrite_replace(pm_rewrite *rw, pm_edits *edits, const pm_node *node, const char *text)
{
    pm_rewrite_need(rw, pm_ast_is_replaceable(node, text));
    pm_edits_add(edits, node->begin, node->end, text);
    rw->edit_count++;
}
