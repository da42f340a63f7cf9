/* Internal declarations of the files that make tiles (copies of parts of arrays in local memory).
 * emit.h declares the functions that write the staged source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TRANSFORM_STAGING_TILE_PARTS_H
#define PM_TRANSFORM_STAGING_TILE_PARTS_H

#include "transform/source/clang/builtins.h"
#include "transform/staging/tile/stage.h"

/* ---- forms.c */

/* Sets *low and *high to the smallest and the largest value of `form`, which is the position of
 * accesses along an axis as a polynomial of ids and iteration numbers. Returns false if one of the
 * two values is unknown. */
bool pm_form_range(const pm_sharing *s, pm_poly form, long long *low, long long *high);
/* Returns the number of consecutive elements that an access covers along an axis of the tile. It
 * exceeds one only for vector accesses, and only along the last axis. */
unsigned pm_member_width(const pm_sharing *s, const pm_tile *tile, const pm_tile_member *member,
                         size_t axis);
/* Returns true if a polynomial depends on data of the kernel (it has an atom of kind PM_ATOM_ITEM),
 * so that only bounds of its value are known. */
bool pm_stage_has_item(const pm_sharing *s, const pm_poly *poly);

/* ---- region.c */

/* Returns the first guard (condition) that belongs to a statement. Returns NULL if there is none.
 * leaves: true if the guard applies to the code after the statement, which some work-items leave by
 * a jump; otherwise to the code inside of it. */
const pm_guard *pm_stage_guard(const pm_sharing *s, const pm_node *node, bool leaves);

/* pm_stage_declares() returns true if the kernel declares a variable with the name name[0..length).
 * pm_stage_declared_as() returns true if it does and all variables of this name have the type
 * `kind`. */
bool pm_stage_declares(const pm_sharing *s, const char *name, size_t length);
bool pm_stage_declared_as(const pm_sharing *s, const char *name, size_t length,
                          enum CXTypeKind kind);
/* Returns true if the expression `text` has the same value before a region of statements as inside
 * of it. Each name in it must refer to the same variable at both places, and the region must not
 * change this variable. For this check, each name must be declared only once in the kernel.
 * variable: a name that is exempt from this; NULL: none. */
bool pm_region_sees_text(const pm_sharing *s, const pm_staging_region *region, const char *text,
                         const pm_node *variable);

/* ---- whole.c */

/* Makes a tile of a whole array. This is possible if an index depends on data and the array is
 * small in all launches. */
void pm_tile_whole(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why);

/* ---- limit.c */

/* Adds limits to the box (range of elements) of an access: from conditions around the access, and
 * from the end of a tiled loop. *sure is set to false if it is possible that the access is never
 * executed. *slack is set to true if some elements within the limits are not accessed. Returns
 * false if there are too many limits. */
bool pm_member_limits(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member, pm_box *box,
                      bool *sure, bool *slack, pm_text *why);
/* Returns true if a limit along an axis of the tile may differ between work-groups whose tiles have
 * the same position in the array. */
bool pm_limit_moves(const pm_sharing *s, const pm_tile *tile, const pm_limit *limit);

/* ---- count.c */

/* Sets the tile's members `elements` and `accesses` (numbers), `rank` (accesses per element) and
 * `bytes` (size). */
void pm_tile_count(pm_sharing *s, pm_tile *tile);
/* Sets the members `elements` and `accesses` (numbers), `rank` (accesses per element) and `bytes`
 * (size) of a tile of the whole array. All elements count as accessed. */
void pm_tile_count_whole(pm_sharing *s, pm_tile *tile);
/* Returns true if the work-items together access every element in an access's box (range of tile
 * elements). */
bool pm_member_is_dense(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member);
/* Returns true if an array that the kernel writes may have this tile. All accesses of the array
 * must then be accesses of the tile, and other work-groups must not need elements that the tile
 * skips. Otherwise sets `why` and returns false. */
bool pm_tile_may_be_written(pm_sharing *s, const pm_tile *tile, pm_text *why);

/* ---- box.c */

/* Returns true if the range of tile elements boxes[count] overlaps one of the ranges boxes[0] ...
 * boxes[count - 1]. */
bool pm_boxes_overlap(const pm_tile *tile, const pm_box *boxes, size_t count);

/* ---- report.c */

/* Appends a description of the kernel's arrays to out->arrays, and the assumptions of the chosen
 * tiles to out->assumptions. */
void pm_stage_report(pm_sharing *s, pm_staged *out);

/* ---- pointer.c */

/* Returns true if the array's accesses cannot be rewritten one by one, so that pointers into the
 * array must be changed to point to the tile. */
bool pm_stage_needs_pointer(const pm_sharing *s, size_t array);
/* Sets tile->by_pointer to true if the pointers into the array can be changed to point to the tile.
 * Otherwise sets `why` and returns false. */
bool pm_tile_may_be_pointed_to(pm_sharing *s, pm_tile *tile, pm_text *why);

/* ---- assume.c */

/* Adds the assumptions on which the chosen tile depends to s->assumptions. */
void pm_tile_assume(pm_sharing *s, const pm_tile *tile);
/* Returns true if the tile's assumptions hold in all known launches. Otherwise sets `why` to the
 * first assumption that fails. */
bool pm_tile_holds(pm_sharing *s, const pm_tile *tile, pm_text *why);
/* Returns true if the access is in a loop with an unknown iteration count, even if the kernel's
 * arguments are known. Only loops in the region (statements before which the tile is filled) are
 * examined. */
bool pm_member_in_unknown_loop(const pm_sharing *s, const pm_tile *tile,
                               const pm_tile_member *member);

#endif
