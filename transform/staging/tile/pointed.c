/* Tests whether an array's accesses can use its tile (copy in local memory) only if pointers into
 * the array are changed to point to the tile, and whether this is possible. See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This is needed if accesses are in helper functions, use pointers that change, or have an index
 * that depends on data. The code of the accesses then does not change (pointer.c).
 */
#include "transform/staging/tile/reason.h"
#include "transform/staging/tile/tile.h"

bool pm_array_needs_pointer(const pm_index *index, size_t array)
{
    for (size_t a = 0; a < index->access_count; a++) {
        const pm_index_access *access = &index->accesses[a];

        if (access->array == array &&
            (access->in_helper || access->may || pm_index_has_item(index, &access->index)))
            return true;
    }
    return false;
}

bool pm_tile_offset(const pm_tile *tile, const pm_index_pointer *root, long long *offset)
{
    if (!pm_poly_is_constant(pm_poly_subtract(root->offset, tile->base), offset))
        return false;
    *offset -= tile->axis_count ? tile->axes[0].low : 0;
    return true;
}

/* Extends the tile so that all pointers into the array point into the tile or to its end. This
 * includes pointers that are not dereferenced. Returns false if a pointer is too far away, or if
 * its offset is unknown. */
static bool reach_pointers(const pm_index *index, pm_tile *tile, pm_text *why)
{
    const long long extent = tile->axis_count ? (long long)tile->axes[0].extent : 1;
    const long long first = tile->axis_count ? tile->axes[0].low : 0;
    long long least = 0, most = extent;

    for (size_t p = 0; p < index->pointer_count; p++) {
        const pm_index_pointer *pointer = &index->pointers[p];
        pm_poly at = pm_region_form(index, &tile->region, pointer->offset);
        long long low, high;

        if (pointer->array != tile->array)
            continue;
        /* If the iteration count of a loop is unknown, bounds of the loop's variable may still be
         * known, so use the offset with this variable. */
        at = pm_poly_subtract(at.known ? at : pointer->offset, tile->base);
        if (!at.known || !pm_index_range(index, at, &low, &high))
            return pm_stage_why(why, pointer->node,
                                "how far this points into what would be staged is not known");
        least = low - first < least ? low - first : least;
        most = high - first > most ? high - first : most;
        if (least < -extent || most > 2 * extent ||
            (tile->axis_count == 0 && (least < 0 || most > extent)))
            return pm_stage_why(why, pointer->node, "this points far beside what is accessed");
    }
    if (tile->axis_count > 0) {
        tile->axes[0].low += least;
        tile->axes[0].extent = (size_t)(most - least);
    }
    return true;
}

bool pm_tile_may_be_pointed_to(const pm_index *index, pm_tile *tile, pm_text *why)
{
    const pm_node *node = pm_tile_access(index, tile, 0)->node;
    long long one = 1, offset;

    if (!pm_tile_has_all_accesses(index, tile))
        return pm_stage_why(why, node,
                            "pointers into the array are used in places that one tile does not "
                            "serve");
    if (tile->axis_count > 1 ||
        (tile->axis_count == 1 &&
         (tile->axes[0].clamped || !pm_poly_is_constant(tile->axes[0].key, &one) || one != 1)))
        return pm_stage_why(why, node,
                            "pointers into the array are used, and what is accessed is not "
                            "one piece of it");
    for (size_t r = 0; r < index->root_count; r++)
        if (index->roots[r].array == tile->array &&
            (index->roots[r].node->parent->kind == CXCursor_ConditionalOperator ||
             !pm_tile_offset(tile, &index->roots[r], &offset)))
            return pm_stage_why(why, index->roots[r].node,
                                "how far this points into what would be staged is not known");
    if (!tile->whole && !reach_pointers(index, tile, why))
        return false;
    tile->by_pointer = true;
    return true;
}
