/* Computes which elements of a tile are copied from the array, and which are copied back. See
 * stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A copy into the tile may only read memory that the kernel reads anyway: elements that are
 * accessed, and elements between two of them along one axis. A copy out of the tile must write
 * exactly the elements that the kernel writes, because other groups may write the rest. Therefore
 * each access first gets its own box (range of elements), with limits from conditions and loop
 * ends. Then boxes of reads are joined along one axis.
 */
#include <string.h>

#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* ---- ranges of coordinates ------------------------------------------------------------------ */

static void box_of(const pm_sharing *s, const pm_tile *tile, const pm_tile_member *member,
                   pm_box *box)
{
    *box = (pm_box){.limit_count = 0};
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        long long low = 0, high = 0;

        /* pm_form_range() cannot fail here, because the tile's axis was made with the range of this
         * position. */
        pm_form_range(s, member->forms[k], &low, &high);
        high += pm_member_width(s, tile, member, k) - 1;
        box->first[k] = (size_t)((low - axis->low) / axis->unit);
        box->extent[k] = (size_t)((high - low) / axis->unit) + 1;
    }
}

/* Returns false if the positions of an access along two axes depend on the same id or loop
 * iteration, as in a[i][i]. The accessed elements then form a diagonal, and a box (rectangle)
 * around them would mostly contain elements that are not accessed. */
static bool is_box(const pm_tile *tile, const pm_tile_member *member)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        for (size_t t = 0; t < member->forms[k].count; t++) {
            const pm_term *term = &member->forms[k].terms[t];

            for (size_t other = k + 1; term->factor_count > 0 && other < tile->axis_count; other++)
                if (pm_poly_has(&member->forms[other], term->factors[0]))
                    return false;
        }
    return true;
}

/* ---- joining boxes -------------------------------------------------------------------------- */

static bool same_part(const pm_limit *a, const pm_limit *b)
{
    if (a->upper != b->upper || a->part_count != b->part_count)
        return false;
    for (size_t p = 0; p < a->part_count; p++) {
        if (a->parts[p].hull != b->parts[p].hull ||
            a->parts[p].bound_count != b->parts[p].bound_count)
            return false;
        for (size_t i = 0; i < a->parts[p].bound_count; i++)
            if (!pm_poly_equal(a->parts[p].bounds[i], b->parts[p].bounds[i]))
                return false;
    }
    return true;
}

/* Returns true if two boxes (ranges of tile elements) have equal limits. Along the dimension
 * `axis`, constants of the limits may differ. If `axis` is the number of axes, there is no such
 * dimension. */
static bool same_limits(const pm_box *a, const pm_box *b, size_t axis)
{
    if (a->limit_count != b->limit_count)
        return false;
    for (size_t l = 0; l < a->limit_count; l++)
        if (a->limit_axis[l] != b->limit_axis[l] || !same_part(&a->limits[l], &b->limits[l]) ||
            (a->limit_axis[l] != axis && a->limits[l].constant != b->limits[l].constant))
            return false;
    return true;
}

/* Returns true if the box (range of tile elements) is limited on both sides along the axis, by
 * limits that differ between work-groups whose tiles are at the same position in the array. Two
 * such boxes may have elements between them that no group accesses. */
static bool is_window(const pm_sharing *s, const pm_tile *tile, const pm_box *box, size_t axis)
{
    bool sides[2] = {false, false}, moves = false;

    for (size_t l = 0; l < box->limit_count; l++)
        if (box->limit_axis[l] == axis) {
            sides[box->limits[l].upper] = true;
            moves |= pm_limit_moves(s, tile, &box->limits[l]);
        }
    return sides[0] && sides[1] && moves;
}

/* Extends box a (a range of tile elements) so that it contains box b, too. This is possible if
 * their limits are equal and they differ along at most one axis. Otherwise returns false. */
static bool join(const pm_sharing *s, const pm_tile *tile, pm_box *a, const pm_box *b)
{
    size_t axis = tile->axis_count, differing = 0;

    for (size_t k = 0; k < tile->axis_count; k++)
        if (a->first[k] != b->first[k] || a->extent[k] != b->extent[k]) {
            axis = k;
            differing++;
        }
    if (differing > 1 || !same_limits(a, b, axis) || is_window(s, tile, a, axis))
        return false;
    for (size_t l = 0; l < a->limit_count; l++)
        if (a->limits[l].upper == (b->limits[l].constant > a->limits[l].constant))
            a->limits[l].constant = b->limits[l].constant;
    if (axis < tile->axis_count) {
        size_t end = a->first[axis] + a->extent[axis], other = b->first[axis] + b->extent[axis];

        a->first[axis] = a->first[axis] < b->first[axis] ? a->first[axis] : b->first[axis];
        a->extent[axis] = (end > other ? end : other) - a->first[axis];
    }
    return true;
}

static void join_all(const pm_sharing *s, const pm_tile *tile, pm_box *boxes, size_t *count)
{
    bool joined = true;

    /* repeat the search from the start, because the larger box may be joined with boxes that did
     * not fit before */
    while (joined) {
        joined = false;
        for (size_t i = 0; i < *count; i++)
            for (size_t k = i + 1; k < *count; k++)
                if (join(s, tile, &boxes[i], &boxes[k])) {
                    boxes[k--] = boxes[--*count];
                    joined = true;
                }
    }
}

static bool overlap(const pm_tile *tile, const pm_box *a, const pm_box *b)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        if (a->first[k] >= b->first[k] + b->extent[k] || b->first[k] >= a->first[k] + a->extent[k])
            return false;
    return true;
}

/* Computes which elements of `box` are not in `by`, as at most two boxes (ranges) for each axis, in
 * rest[]. Returns their number. */
static size_t subtract(const pm_tile *tile, pm_box box, const pm_box *by, pm_box *rest)
{
    size_t count = 0;

    for (size_t k = 0; k < tile->axis_count; k++) {
        size_t end = box.first[k] + box.extent[k], by_end = by->first[k] + by->extent[k];

        if (box.first[k] < by->first[k]) {
            rest[count] = box;
            rest[count++].extent[k] = by->first[k] - box.first[k];
        }
        if (end > by_end) {
            rest[count] = box;
            rest[count].first[k] = by_end;
            rest[count++].extent[k] = end - by_end;
        }
        box.first[k] = box.first[k] > by->first[k] ? box.first[k] : by->first[k];
        box.extent[k] = (end < by_end ? end : by_end) - box.first[k];
    }
    return count;
}

/* Splits boxes (ranges of tile elements) with equal limits so that they do not overlap, because
 * each element is copied once. Boxes with different limits may still overlap; then a barrier is
 * needed between their copies. Returns false if there are too many boxes. */
static bool part_boxes(const pm_tile *tile, pm_box *boxes, size_t *count)
{
    for (size_t i = 0; i < *count; i++)
        for (size_t k = i + 1; k < *count; k++) {
            pm_box rest[2 * PM_MOST_AXES];
            size_t more;

            if (!overlap(tile, &boxes[i], &boxes[k]) ||
                !same_limits(&boxes[i], &boxes[k], tile->axis_count))
                continue;
            more = subtract(tile, boxes[k], &boxes[i], rest);
            if (*count - 1 + more > PM_MOST_BOXES)
                return false;
            boxes[k] = boxes[--*count];
            memcpy(boxes + *count, rest, more * sizeof *rest);
            *count += more;
            k--;
        }
    return true;
}

bool pm_boxes_overlap(const pm_tile *tile, const pm_box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (overlap(tile, &boxes[i], &boxes[count]))
            return true;
    return false;
}

/* ---- boxes of accesses ---------------------------------------------------------------------- */

static bool is_inside(const pm_tile *tile, const pm_box *inner, const pm_box *outer)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        if (inner->first[k] < outer->first[k] ||
            inner->first[k] + inner->extent[k] > outer->first[k] + outer->extent[k])
            return false;
    for (size_t o = 0; o < outer->limit_count; o++) {
        bool found = false;

        for (size_t i = 0; i < inner->limit_count; i++)
            found |= inner->limit_axis[i] == outer->limit_axis[o] &&
                     same_part(&inner->limits[i], &outer->limits[o]) &&
                     inner->limits[i].constant == outer->limits[o].constant;
        if (!found)
            return false;
    }
    return true;
}

/* Adds a box (range) of elements that the kernel may or may not access. If another box contains it,
 * its elements are copied anyway. Otherwise they are copied only for this access, so all of them
 * must be inside of the array. */
static bool take_possible(pm_sharing *s, pm_tile *tile, pm_tile_member *member, const pm_box *box,
                          pm_text *why)
{
    for (size_t b = 0; b < tile->box_count; b++)
        if (is_inside(tile, box, &tile->boxes[b])) {
            member->covered = true;
            return true;
        }
    for (size_t k = 0; k < tile->axis_count; k++)
        if (tile->axes[k].clamped)
            return pm_stage_why(
                why, s->index.accesses[member->access].node,
                "whether these elements are accessed is decided by more than ids, loop "
                "variables and arguments");
    member->whole = true;
    join_all(s, tile, tile->boxes, &tile->box_count);
    if (tile->box_count == PM_MOST_BOXES)
        return false;
    tile->boxes[tile->box_count++] = *box;
    return true;
}

/* Computes the boxes (ranges) of elements that are copied into the tile. Accesses that are always
 * executed are examined first. */
static bool find_boxes(pm_sharing *s, pm_tile *tile, pm_text *why)
{
    pm_box *may = pm_take(&s->scratch, tile->member_count, sizeof *may);
    size_t *members = pm_take(&s->scratch, tile->member_count, sizeof *members), may_count = 0;
    bool ok = true;

    for (size_t m = 0; ok && m < tile->member_count; m++) {
        bool sure = true, slack = false;
        pm_box box;

        box_of(s, tile, &tile->members[m], &box);
        ok = pm_member_limits(s, tile, &tile->members[m], &box, &sure, &slack, why);
        if (ok && sure) {
            join_all(s, tile, tile->boxes, &tile->box_count);
            ok = tile->box_count < PM_MOST_BOXES;
            if (ok)
                tile->boxes[tile->box_count++] = box;
        } else if (ok) {
            members[may_count] = m;
            may[may_count++] = box;
        }
    }
    if (ok)
        join_all(s, tile, tile->boxes, &tile->box_count);
    for (size_t i = 0; ok && i < may_count; i++)
        ok = take_possible(s, tile, &tile->members[members[i]], &may[i], why);
    if (ok)
        join_all(s, tile, tile->boxes, &tile->box_count);
    return ok;
}

/* Computes the boxes (ranges) of elements that are copied from the tile back to the array: exactly
 * the elements that the kernel always writes. */
static bool find_outs(pm_sharing *s, pm_tile *tile, pm_text *why)
{
    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_index_access *access = &s->index.accesses[tile->members[m].access];
        bool sure = true, slack = false, known = false;
        pm_box box;

        if (!access->written)
            continue;
        box_of(s, tile, &tile->members[m], &box);
        if (!pm_member_limits(s, tile, &tile->members[m], &box, &sure, &slack, why))
            return false;
        if (!sure || (slack && box.limit_count > 0) || tile->out_count == PM_MOST_BOXES)
            return pm_stage_why(why, access->node,
                                "which of these elements are written is decided by "
                                "more than ids, loop variables and arguments");
        for (size_t b = 0; b < tile->out_count; b++)
            known |= is_inside(tile, &box, &tile->outs[b]) && is_inside(tile, &tile->outs[b], &box);
        if (!known)
            tile->outs[tile->out_count++] = box;
    }
    return true;
}

/* If the last access to the tile writes all elements that would be copied back, and nothing reads
 * them from the tile afterwards, makes this access write to the array directly. Then nothing is
 * copied back. */
static void find_straight(const pm_sharing *s, pm_tile *tile)
{
    const size_t last = tile->member_count - 1;
    const pm_index_access *access = &s->index.accesses[tile->members[last].access];
    bool in_region =
        access->loop != PM_NONE && pm_region_has(&tile->region, s->index.loops[access->loop].node);

    if (tile->out_count == 1 && !access->read && access->written && !in_region &&
        !access->in_helper && access->node->kind == CXCursor_ArraySubscriptExpr &&
        !tile->by_pointer && tile->read) {
        tile->straight = last;
        tile->out_count = 0;
    }
}

/* ---- all boxes of a tile -------------------------------------------------------------------- */

/* Returns true if the first access writes all elements of the tile, so that nothing needs to be
 * copied into it. */
static bool starts_written(const pm_sharing *s, const pm_tile *tile)
{
    const pm_tile_member *member = &tile->members[0];
    const pm_index_access *access = &s->index.accesses[member->access];
    pm_box box;

    box_of(s, tile, member, &box);
    for (size_t k = 0; k < tile->axis_count; k++)
        if (box.extent[k] != tile->axes[k].extent)
            return false;
    return !access->read && access->guard_count == 0 && !access->may && !access->in_helper &&
           (access->loop == PM_NONE ||
            !pm_region_has(&tile->region, s->index.loops[access->loop].node));
}

bool pm_tile_boxes(pm_sharing *s, pm_tile *tile, pm_text *why)
{
    for (size_t m = 0; m < tile->member_count; m++)
        if (!is_box(tile, &tile->members[m]))
            return pm_stage_why(
                why, s->index.accesses[tile->members[m].access].node,
                "an id or loop variable is in two dimensions of the index: what a group "
                "accesses is no box");
    pm_tile_count(s, tile);
    if (s->index.arrays[tile->array].written && !pm_tile_may_be_written(s, tile, why))
        return false;
    if (pm_stage_is_scratch(s, &s->index.arrays[tile->array]))
        return true;
    if (tile->read && !(tile->written && starts_written(s, tile)) && !find_boxes(s, tile, why))
        return false;
    if (tile->written && !find_outs(s, tile, why))
        return false;
    if (tile->written)
        find_straight(s, tile);
    if (!part_boxes(tile, tile->boxes, &tile->box_count) ||
        !part_boxes(tile, tile->outs, &tile->out_count))
        return pm_stage_why(why, s->index.accesses[tile->members[0].access].node,
                            "what is accessed has too many corners");
    return true;
}
