/* Finds the sequences of statements of a kernel (regions) before which parts of an array can be
 * copied to local memory. See region.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/region.h"

/* ---- search for regions --------------------------------------------------------------------- */

static void add_region(pm_index *index, pm_regions *regions, pm_staging_region *region)
{
    pm_region_count_loops(index, region);
    *pm_add(&index->memory, regions->items, regions->count) = *region;
}

/* Returns true for a node whose children can be the statements of a region (a sequence of
 * statements before which a tile is filled). */
static bool is_list(const pm_node *node)
{
    return node->kind == CXCursor_CompoundStmt || node->kind == CXCursor_IfStmt || pm_is_loop(node);
}

static bool has_access(const pm_index *index, const pm_array_accesses *accesses,
                       const pm_node *statement)
{
    for (size_t a = 0; a < accesses->count; a++)
        if (pm_ast_is_within(index->accesses[accesses->items[a]].statement, statement))
            return true;
    return false;
}

/* Adds a region, that is, a sequence of statements before which a tile can be filled: the
 * statements of `list` from the first to the last one with an access. list: a { } block, or a
 * loop's body without braces. */
static void find_block(pm_index *index, pm_node *list, const pm_array_accesses *accesses,
                       pm_regions *regions, pm_text *why)
{
    pm_staging_region region = {.block = list, .tiled = PM_NONE, .piece = PM_NO_ATOM};

    for (pm_node *child = list->first; child; child = child->next) {
        if (list->kind != CXCursor_CompoundStmt &&
            (child != list->last || child->kind == CXCursor_CompoundStmt))
            continue; /* this child is part of the loop's head and not of its body */
        if (!has_access(index, accesses, child))
            continue;
        region.first = region.first ? region.first : child;
        region.last = child;
    }
    if (region.first && pm_region_is_reached(index, &region, why))
        add_region(index, regions, &region);
}

/* Adds a region (statements that use a tile) in which loop number l is tiled, so that the tile is
 * filled anew for each few iterations. Adds nothing if the loop cannot be tiled. */
static void find_tiled(pm_index *index, size_t l, const pm_array_accesses *accesses,
                       pm_regions *regions, pm_text *why)
{
    pm_node *node = index->loops[l].node;
    pm_staging_region region = {
        .block = node->parent, .first = node, .last = node, .tiled = l, .piece = PM_NO_ATOM};

    if (has_access(index, accesses, node) && pm_region_is_reached(index, &region, why) &&
        pm_loop_may_be_cut(index, l, &region, why))
        add_region(index, regions, &region);
}

/* Adds the regions (sequences of statements before which a tile can be filled) of all lists of
 * statements at or below `node`. */
static void find_below(pm_index *index, pm_node *node, const pm_array_accesses *accesses,
                       pm_regions *regions, pm_text *why)
{
    if (is_list(node))
        find_block(index, node, accesses, regions, why);
    for (pm_node *child = node->first; child; child = child->next)
        find_below(index, child, accesses, regions, why);
}

void pm_regions_find(pm_index *index, const pm_array_accesses *accesses, pm_regions *regions,
                     pm_text *why)
{
    find_below(index, index->body, accesses, regions, why);
    for (size_t l = 0; l < index->loop_count; l++)
        find_tiled(index, l, accesses, regions, why);
}
