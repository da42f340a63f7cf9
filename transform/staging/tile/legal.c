/* Tests whether an array can be copied to local memory before certain statements of a kernel (a
 * region) without changing the results. See region.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All work-items of a group fill a tile, and then wait at a barrier. Therefore all of them must
 * reach the start of the region, equally often. Conditions that differ between work-items can be
 * moved into the region (guard.c). Loops with different iteration counts cannot.
 */
#include "transform/staging/tile/reason.h"
#include "transform/staging/tile/region.h"

/* ---- conditions for a region ---------------------------------------------------------------- */

const pm_guard *pm_statement_guard(const pm_index *index, const pm_node *statement, bool leaves)
{
    for (size_t g = 0; g < index->guard_count; g++)
        if (index->guards[g].node == statement && index->guards[g].leaves == leaves)
            return &index->guards[g];
    return NULL;
}

/* Returns true for a statement `if (..) return;` that does nothing else. */
static bool only_returns(const pm_node *node)
{
    const pm_node *then = pm_ast_child(node, 1);

    if (!then || then->next)
        return false;
    if (then->kind == CXCursor_CompoundStmt)
        then = then->first && !then->first->next ? then->first : then;
    return then->kind == CXCursor_ReturnStmt;
}

/* Returns true if some work-items may not reach a barrier before the region's statements, because
 * the code before or around them has a goto, a label, or a return in another form than `if (..)
 * return;`. *why then gets the reason. */
static bool has_jumps(const pm_index *index, const pm_node *node, const pm_staging_region *region,
                      pm_text *why)
{
    for (const pm_node *child = node->first; child; child = child->next) {
        const pm_guard *guard = pm_statement_guard(index, child, true);

        if (child->begin >= region->last->end)
            break;
        if (child->kind == CXCursor_GotoStmt || child->kind == CXCursor_LabelStmt ||
            child->kind == CXCursor_ReturnStmt) {
            pm_stage_why(why, child,
                         "%s in front of or around what would be staged: not all work-items come "
                         "to the barrier",
                         child->kind == CXCursor_ReturnStmt ? "return" : "goto");
            return true;
        }
        if (guard && child->kind == CXCursor_IfStmt && only_returns(child) &&
            pm_ast_is_within(region->first, node))
            continue;
        if (has_jumps(index, child, region, why))
            return true;
    }
    return false;
}

/* Returns true if the statements before which a tile is filled may be inside of this if statement.
 * *divergent is set to true if the condition differs between work-items. It must then become a
 * condition of the statements inside, so that all work-items reach the barrier. */
static bool may_be_in_if(const pm_index *index, pm_node *node, bool *divergent, pm_text *why)
{
    const pm_guard *guard = pm_statement_guard(index, node, false);

    if (guard && guard->uniform)
        return true;
    *divergent = true;
    if (node->parent->kind != CXCursor_CompoundStmt)
        return pm_stage_why(why, node,
                            "only some work-items come here; put the if in braces of its own");
    if (pm_ast_child(node, 2))
        return pm_stage_why(why, node,
                            "only some work-items come here, and there is an else: the barrier "
                            "that staging needs cannot stand in it");
    return true;
}

/* Returns true if the statements before which a tile is filled may be inside of this loop: all
 * work-items run the same iterations, so that all reach the barrier. */
static bool may_be_in_loop(const pm_index *index, const pm_node *node, pm_text *why)
{
    for (size_t l = 0; l < index->loop_count; l++) {
        const pm_loop *loop = &index->loops[l];

        if (loop->node != node)
            continue;
        if (loop->jumps)
            pm_stage_why(why, node,
                         "the loop has break, continue, return or goto: not all "
                         "work-items run all of it");
        else if (!loop->uniform)
            pm_stage_why(why, node,
                         "work-items may run the loop differently often, so that a "
                         "barrier cannot stand in it");
        return loop->uniform && !loop->jumps;
    }
    return false;
}

/* Returns true for a statement with an attribute, such as a loop after a #pragma. */
static bool is_attributed(const pm_node *node)
{
    return node->kind == CXCursor_UnexposedStmt && node->first == node->last && node->first;
}

bool pm_region_is_reached(const pm_index *index, const pm_staging_region *region, pm_text *why)
{
    bool divergent = false;

    for (pm_node *at = region->first->parent; at && at != index->body; at = at->parent) {
        bool ok = at->kind == CXCursor_CompoundStmt || is_attributed(at) ||
                  (at->kind == CXCursor_IfStmt && may_be_in_if(index, at, &divergent, why)) ||
                  (pm_is_loop(at) && may_be_in_loop(index, at, why));

        if (!ok)
            return pm_stage_why(why, at, "nothing can be staged within this statement");
    }
    for (size_t g = 0; g < index->guard_count; g++)
        divergent |= index->guards[g].leaves && !index->guards[g].uniform &&
                     index->guards[g].node->begin < region->first->begin;
    if (divergent && index->barrier_count > 0)
        return pm_stage_why(why, index->barriers[0],
                            "a barrier in code that only some work-items run");
    return !has_jumps(index, index->body, region, why);
}

/* Returns true if the type of the loop's variable is int or wider. A narrower variable could
 * overflow when the new outer loop advances it by a whole tile. */
static bool is_wide_enough(const pm_index *index, const pm_loop *loop)
{
    const pm_node *variable = index->atoms[loop->atom].variable;
    enum CXTypeKind kind = variable ? variable->type.kind : CXType_Invalid;

    return kind == CXType_Int || kind == CXType_UInt || kind == CXType_Long || kind == CXType_ULong;
}

bool pm_loop_may_be_cut(const pm_index *index, size_t l, const pm_staging_region *region,
                        pm_text *why)
{
    const pm_loop *loop = &index->loops[l];

    if (!may_be_in_loop(index, loop->node, why))
        return false;
    if (loop->atom == PM_NO_ATOM || !is_wide_enough(index, loop) ||
        loop->node->kind != CXCursor_ForStmt || !loop->node->first ||
        loop->node->first->kind != CXCursor_DeclStmt ||
        loop->node->first->first != loop->node->first->last || !loop->start.known ||
        !loop->end.known)
        return pm_stage_why(why, loop->node,
                            "the loop is none of the kind for (int i = a; i < b; i += c)");
    return pm_region_sees(index, region, loop->start) && pm_region_sees(index, region, loop->end);
}
