/* A tile is a copy of a part of an array in local memory. Computes which of its elements are copied
 * from the array, and which are copied back. See box.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A copy into the tile may only read memory that the kernel reads anyway: elements that are
 * accessed, and elements between two of them along one axis. A copy out of the tile must write
 * exactly the elements that the kernel writes, because other groups may write the rest. Therefore
 * each access first gets its own box (range of elements), with limits from conditions and loop
 * ends. Then boxes of reads are joined along one axis.
 */
#include "transform/staging/tile/box.h"

#include "transform/staging/tile/reason.h"

/* ---- ranges of coordinates ------------------------------------------------------------------ */

/* Computes the range of tile elements of an access, without limits from conditions. */
static void compute_box(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                        pm_box *box)
{
    *box = (pm_box){.limit_count = 0};
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        long long low = 0, high = 0;

        /* pm_index_range() cannot fail here, because the tile's axis was made with the range of
         * this position. */
        pm_index_range(index, member->forms[k], &low, &high);
        high += pm_member_width(index, tile, member, k) - 1;
        box->first[k] = (size_t)((low - axis->low) / axis->unit);
        box->extent[k] = (size_t)((high - low) / axis->unit) + 1;
    }
}

/* ---- boxes of accesses ---------------------------------------------------------------------- */

/* Adds a box (range) of elements that are copied into the tile. First joins boxes of the list where
 * possible. Returns false if the list is full even then. */
static bool add_box(const pm_index *index, const pm_tile *tile, const pm_box *box, pm_boxes *boxes)
{
    pm_boxes_join(index, tile, boxes);
    if (boxes->count == PM_MOST_BOXES)
        return false;
    boxes->items[boxes->count++] = *box;
    return true;
}

/* Adds a box (range) of elements that the kernel may or may not access. If another box contains it,
 * nothing needs to be added, because the elements are copied for the other box. Otherwise the
 * elements are copied only for this access, so all of them must be inside of the array. */
static bool add_possible_box(const pm_index *index, const pm_tile *tile, size_t m,
                             const pm_box *box, pm_tile_copies *copies, pm_text *why)
{
    for (size_t b = 0; b < copies->in.count; b++)
        if (pm_box_is_inside(tile, box, &copies->in.items[b])) {
            copies->reasons[m] = PM_COPY_SHARED;
            return true;
        }
    for (size_t k = 0; k < tile->axis_count; k++)
        if (tile->axes[k].clamped)
            return pm_stage_why(why, pm_tile_access(index, tile, m)->node,
                                "whether these elements are accessed is decided by more than ids, "
                                "loop variables and arguments");
    copies->reasons[m] = PM_COPY_POSSIBLE;
    return add_box(index, tile, box, &copies->in);
}

/* Computes the boxes (ranges) of elements that are copied into the tile. Accesses that are always
 * executed are examined first. */
static bool find_boxes(const pm_index *index, const pm_tile *tile, pm_memory *scratch,
                       pm_tile_copies *copies, pm_text *why)
{
    pm_box *may = pm_take(scratch, tile->member_count, sizeof *may);
    size_t *members = pm_take(scratch, tile->member_count, sizeof *members), may_count = 0;
    bool ok = true;

    for (size_t m = 0; ok && m < tile->member_count; m++) {
        bool sure = true, slack = false;
        pm_box box;

        compute_box(index, tile, &tile->members[m], &box);
        ok = pm_member_limits(index, tile, &tile->members[m], &box, &sure, &slack, why);
        if (ok && sure)
            ok = add_box(index, tile, &box, &copies->in);
        else if (ok) {
            members[may_count] = m;
            may[may_count++] = box;
        }
    }
    if (ok)
        pm_boxes_join(index, tile, &copies->in);
    for (size_t i = 0; ok && i < may_count; i++)
        ok = add_possible_box(index, tile, members[i], &may[i], copies, why);
    if (ok)
        pm_boxes_join(index, tile, &copies->in);
    return ok;
}

/* Computes the boxes (ranges) of elements that are copied from the tile back to the array: exactly
 * the elements that the kernel always writes. */
static bool find_outs(const pm_index *index, const pm_tile *tile, pm_tile_copies *copies,
                      pm_text *why)
{
    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_index_access *access = pm_tile_access(index, tile, m);
        bool sure = true, slack = false, known = false;
        pm_box box;

        if (!access->written)
            continue;
        compute_box(index, tile, &tile->members[m], &box);
        if (!pm_member_limits(index, tile, &tile->members[m], &box, &sure, &slack, why))
            return false;
        if (!sure || (slack && box.limit_count > 0) || copies->out.count == PM_MOST_BOXES)
            return pm_stage_why(why, access->node,
                                "which of these elements are written is decided by "
                                "more than ids, loop variables and arguments");
        for (size_t b = 0; b < copies->out.count; b++)
            known |= pm_box_is_inside(tile, &box, &copies->out.items[b]) &&
                     pm_box_is_inside(tile, &copies->out.items[b], &box);
        if (!known)
            copies->out.items[copies->out.count++] = box;
    }
    return true;
}

/* Returns true if a loop in the tile's region (the statements that use the tile) contains the
 * access. */
static bool is_in_loop(const pm_index *index, const pm_tile *tile, const pm_index_access *access)
{
    return access->loop != PM_NONE && pm_region_has(&tile->region, index->loops[access->loop].node);
}

/* If the last access to the tile writes all elements that would be copied back, and nothing reads
 * them from the tile afterwards, makes this access write to the array directly. Then nothing is
 * copied back. */
static void find_straight(const pm_index *index, const pm_tile *tile, pm_tile_copies *copies)
{
    const size_t last = tile->member_count - 1;
    const pm_index_access *access = pm_tile_access(index, tile, last);

    if (copies->out.count == 1 && !access->read && access->written &&
        !is_in_loop(index, tile, access) && !access->in_helper &&
        access->node->kind == CXCursor_ArraySubscriptExpr && !tile->by_pointer && tile->read) {
        copies->straight = last;
        copies->out.count = 0;
    }
}

/* ---- all boxes of a tile -------------------------------------------------------------------- */

/* Returns true if an array that the kernel writes may have this tile. The tile must have all
 * accesses to the array. If the array is not temporary, the accessed elements must have no gaps
 * between them, because other work-groups may write the elements in the gaps. Otherwise sets `why`
 * and returns false. */
static bool may_be_written(const pm_index *index, const pm_tile *tile, bool temporary,
                           pm_memory *scratch, pm_text *why)
{
    const pm_node *first = pm_tile_access(index, tile, 0)->node;

    for (size_t b = 0; b < index->barrier_count; b++)
        if (pm_ast_called(index->barriers[b]))
            return pm_stage_why(why, index->barriers[b],
                                "a barrier in a function that the kernel calls, for an array that "
                                "is written");
    if (!pm_tile_has_all_accesses(index, tile))
        return pm_stage_why(why, first,
                            "the kernel writes the array, and accesses it in places that one tile "
                            "does not have");
    if (temporary)
        return true;
    for (size_t m = 0; m < tile->member_count; m++)
        if (pm_tile_access(index, tile, m)->written &&
            !pm_member_is_dense(index, tile, &tile->members[m], scratch))
            return pm_stage_why(why, pm_tile_access(index, tile, m)->node,
                                "elements between those that are written may be another group's");
    /* If the tile has gaps, copying it would read elements that another group may write. */
    if (tile->elements * index->arrays[tile->array].element_bytes < tile->bytes)
        return pm_stage_why(why, first,
                            "elements between those that are accessed may be another group's");
    return true;
}

/* Returns true if the first access writes all elements of the tile, so that nothing needs to be
 * copied into it. */
static bool starts_written(const pm_index *index, const pm_tile *tile)
{
    const pm_index_access *access = pm_tile_access(index, tile, 0);
    pm_box box;

    compute_box(index, tile, &tile->members[0], &box);
    for (size_t k = 0; k < tile->axis_count; k++)
        if (box.extent[k] != tile->axes[k].extent)
            return false;
    return !access->read && access->guard_count == 0 && !access->may && !access->in_helper &&
           !is_in_loop(index, tile, access);
}

bool pm_tile_boxes(const pm_index *index, const pm_tile *tile, bool temporary, pm_memory *scratch,
                   pm_tile_copies *copies, pm_text *why)
{
    if (index->arrays[tile->array].written && !may_be_written(index, tile, temporary, scratch, why))
        return false;
    if (temporary)
        return true;
    if (tile->read && !(tile->written && starts_written(index, tile)) &&
        !find_boxes(index, tile, scratch, copies, why))
        return false;
    if (tile->written && !find_outs(index, tile, copies, why))
        return false;
    if (tile->written)
        find_straight(index, tile, copies);
    if (!pm_boxes_split(tile, &copies->in) || !pm_boxes_split(tile, &copies->out))
        return pm_stage_why(why, pm_tile_access(index, tile, 0)->node,
                            "what is accessed has too many corners");
    return true;
}
