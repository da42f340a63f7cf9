/* Compares, joins and splits boxes: ranges of the elements of a tile (a copy of a part of an array
 * in local memory). See box.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/box.h"

/* ---- comparing boxes ------------------------------------------------------------------------ */

/* Returns true if two limits of positions along an axis differ at most in the constant that is
 * added to them. */
static bool have_equal_parts(const pm_limit *a, const pm_limit *b)
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
static bool have_equal_limits(const pm_box *a, const pm_box *b, size_t axis)
{
    if (a->limit_count != b->limit_count)
        return false;
    for (size_t l = 0; l < a->limit_count; l++)
        if (a->limit_axis[l] != b->limit_axis[l] ||
            !have_equal_parts(&a->limits[l], &b->limits[l]) ||
            (a->limit_axis[l] != axis && a->limits[l].constant != b->limits[l].constant))
            return false;
    return true;
}

/* Returns true if the box (range of tile elements) has a lower and an upper limit along the axis,
 * and these limits differ between work-groups whose tiles have the same position in the array.
 * Between two such boxes, there may be elements that no group accesses. */
static bool is_window(const pm_index *index, const pm_tile *tile, const pm_box *box, size_t axis)
{
    bool sides[2] = {false, false}, moves = false;

    for (size_t l = 0; l < box->limit_count; l++)
        if (box->limit_axis[l] == axis) {
            sides[box->limits[l].upper] = true;
            moves |= pm_limit_moves(index, tile, &box->limits[l]);
        }
    return sides[0] && sides[1] && moves;
}

/* Extends box a (a range of tile elements) so that it contains box b, too. This is possible if the
 * boxes have equal limits and differ along at most one axis. Otherwise returns false. */
static bool join_pair(const pm_index *index, const pm_tile *tile, pm_box *a, const pm_box *b)
{
    size_t axis = tile->axis_count, differing = 0;

    for (size_t k = 0; k < tile->axis_count; k++)
        if (a->first[k] != b->first[k] || a->extent[k] != b->extent[k]) {
            axis = k;
            differing++;
        }
    if (differing > 1 || !have_equal_limits(a, b, axis) || is_window(index, tile, a, axis))
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

void pm_boxes_join(const pm_index *index, const pm_tile *tile, pm_boxes *boxes)
{
    pm_box *items = boxes->items;
    bool joined = true;

    /* repeat the search from the start, because the larger box may be joined with boxes that did
     * not fit before */
    while (joined) {
        joined = false;
        for (size_t i = 0; i < boxes->count; i++)
            for (size_t k = i + 1; k < boxes->count; k++)
                if (join_pair(index, tile, &items[i], &items[k])) {
                    items[k--] = items[--boxes->count];
                    joined = true;
                }
    }
}

static bool pair_overlaps(const pm_tile *tile, const pm_box *a, const pm_box *b)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        if (a->first[k] >= b->first[k] + b->extent[k] || b->first[k] >= a->first[k] + a->extent[k])
            return false;
    return true;
}

/* Computes which elements of `box` are not in `by`, as at most two boxes (ranges) for each axis, in
 * rest[]. Returns their number. */
static size_t subtract_box(const pm_tile *tile, pm_box box, const pm_box *by, pm_box *rest)
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

bool pm_boxes_split(const pm_tile *tile, pm_boxes *boxes)
{
    pm_box *items = boxes->items;

    for (size_t i = 0; i < boxes->count; i++)
        for (size_t k = i + 1; k < boxes->count; k++) {
            pm_box rest[2 * PM_MOST_AXES];
            size_t more;

            if (!pair_overlaps(tile, &items[i], &items[k]) ||
                !have_equal_limits(&items[i], &items[k], tile->axis_count))
                continue;
            more = subtract_box(tile, items[k], &items[i], rest);
            if (boxes->count - 1 + more > PM_MOST_BOXES)
                return false;
            items[k] = items[--boxes->count];
            memcpy(items + boxes->count, rest, more * sizeof *rest);
            boxes->count += more;
            k--;
        }
    return true;
}

bool pm_boxes_overlap(const pm_tile *tile, const pm_box *boxes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pair_overlaps(tile, &boxes[i], &boxes[count]))
            return true;
    return false;
}

bool pm_box_is_inside(const pm_tile *tile, const pm_box *inner, const pm_box *outer)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        if (inner->first[k] < outer->first[k] ||
            inner->first[k] + inner->extent[k] > outer->first[k] + outer->extent[k])
            return false;
    for (size_t o = 0; o < outer->limit_count; o++) {
        bool found = false;

        for (size_t i = 0; i < inner->limit_count; i++)
            found |= inner->limit_axis[i] == outer->limit_axis[o] &&
                     have_equal_parts(&inner->limits[i], &outer->limits[o]) &&
                     inner->limits[i].constant == outer->limits[o].constant;
        if (!found)
            return false;
    }
    return true;
}
