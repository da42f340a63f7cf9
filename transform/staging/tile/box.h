/* A tile is a copy of a part of an array in local memory. Boxes are the ranges of its elements that
 * are copied from the array, and those that are copied back.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_BOX_H
#define PM_TRANSFORM_STAGING_TILE_BOX_H

#include "transform/staging/tile/tile.h"

/* ---- join.c */

/* Returns true if the range of tile elements boxes[count] overlaps one of the ranges boxes[0] ...
 * boxes[count - 1]. */
bool pm_boxes_overlap(const pm_tile *tile, const pm_box *boxes, size_t count);
/* Returns true if all elements of the box `inner` are in the box `outer`, and the limits of `outer`
 * also limit `inner`. */
bool pm_box_is_inside(const pm_tile *tile, const pm_box *inner, const pm_box *outer);
/* Joins boxes (ranges of tile elements) of the same limits that differ along one axis only. The
 * joined box also has the elements between them. */
void pm_boxes_join(const pm_index *index, const pm_tile *tile, pm_boxes *boxes);
/* Splits boxes (ranges of tile elements) with equal limits so that they do not overlap, because
 * each element is copied once. Boxes with different limits are not split. If such boxes overlap, a
 * barrier is needed between their copies. Returns false if there are too many boxes. */
bool pm_boxes_split(const pm_tile *tile, pm_boxes *boxes);

/* ---- differ.c */

/* Returns true if a polynomial that is equal in all work-items of a group may have different values
 * in work-groups that differ only in their group id along `dimension`. Loops around an access are
 * not examined. */
bool pm_poly_differs(const pm_index *index, const pm_tile *tile, const pm_poly *number,
                     unsigned dimension);
/* Returns true if the tile's position in the array depends on the group id along `dimension`. */
bool pm_tile_is_placed_by(const pm_index *index, const pm_tile *tile, unsigned dimension);
/* Returns true if a limit along an axis of the tile may differ between work-groups whose tiles have
 * the same position in the array. */
bool pm_limit_moves(const pm_index *index, const pm_tile *tile, const pm_limit *limit);
/* Returns true if an atom (symbolic value) is a group id, or the first global id of a
 * work-group. */
bool pm_atom_is_of_group(const pm_index *index, size_t atom);
/* Returns true if an atom (symbolic value) is an argument that the kernel never changes. */
bool pm_atom_is_argument(const pm_index *index, size_t atom);

/* ---- limit.c */

/* Adds limits to the box (range of elements) of an access: from conditions around the access, and
 * from the end of a tiled loop. *sure is set to false if it is possible that the access is never
 * executed. *slack is set to true if some elements within the limits are not accessed. Returns
 * false if there are too many limits. */
bool pm_member_limits(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                      pm_box *box, bool *sure, bool *slack, pm_text *why);

/* ---- box.c */

/* Computes the boxes (ranges) of elements that are copied into the tile and back to the array.
 * copies: gets the result; pm_tile_allocate() has allocated its arrays. temporary: true if the
 * array's contents are needed neither before nor after a launch, so that nothing is copied. Uses
 * `scratch` for temporary data. Returns false and sets `why` if the boxes cannot be determined. */
bool pm_tile_boxes(const pm_index *index, const pm_tile *tile, bool temporary, pm_memory *scratch,
                   pm_tile_copies *copies, pm_text *why);

#endif
