/* What the files that make tiles share with each other alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_STAGING_TILE_PARTS_H
#define PM_STAGING_TILE_PARTS_H

#include "source/clang/builtins.h"
#include "staging/tile/stage.h"

/* ---- region.c */

/* What a statement decides: about what is in it, or (leaves) about what is behind it. The first
 * one; NULL: nothing. */
const pm_guard *pm_stage_guard(const pm_sharing *s, const pm_node *node, bool leaves);

/* The kernel declares variables of that name, all of that type. */
bool pm_stage_declares(const pm_sharing *s, const char *name, size_t length);
bool pm_stage_declared_as(const pm_sharing *s, const char *name, size_t length,
                          enum CXTypeKind kind);
/* Every name in a text means in front of the region what it means in the kernel, and nothing in the
 * region changes it: there is one of that name, or it is that variable (NULL: none). */
bool pm_region_sees_text(const pm_sharing *s, const pm_staging_region *region, const char *text,
                         const pm_node *variable);

/* ---- whole.c */

/* Makes a tile of the whole array for an index by data, where launches tell that it is small. */
void pm_tile_whole(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why);

/* ---- tile.c */

/* Room for what the tile points to. */
void pm_tile_room(pm_sharing *s, pm_tile *tile, size_t members);
/* The tile is the sharing's then. */
void pm_stage_add_candidate(pm_sharing *s, pm_tile *tile);

/* ---- limit.c */

/* Adds the limits that conditions and the end of a loop that is cut set to a member's box.
 * *sure is false where it may not be accessed at all, *slack is true where elements within the
 * limits may be left out. False: failed. */
bool pm_member_limits(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member, pm_box *box,
                      bool *sure, bool *slack, pm_text *why);
/* A bound of the limit differs between groups that have the tile at the same place. */
bool pm_limit_moves(const pm_sharing *s, const pm_tile *tile, const pm_limit *limit);

/* ---- count.c */

/* Elements, accesses and bytes. */
void pm_tile_count(pm_sharing *s, pm_tile *tile);
/* The same of a tile that is all of an array: every element counts. */
void pm_tile_count_whole(pm_sharing *s, pm_tile *tile);
/* Whether coordinates of a member that is written take every value of its box. */
bool pm_member_is_dense(pm_sharing *s, const pm_tile *tile, const pm_tile_member *member);
/* A tile of an array that the kernel writes: it must be the only one, and no element twice in it.
 */
bool pm_tile_may_be_written(pm_sharing *s, const pm_tile *tile, pm_text *why);

/* ---- box.c */

/* Elements beside each other that a member accesses along an axis: the last one is of neighbours.
 */
unsigned pm_member_width(const pm_sharing *s, const pm_tile *tile, const pm_tile_member *member,
                         size_t axis);
/* boxes[count] has elements that one of those in front of it has. */
bool pm_boxes_overlap(const pm_tile *tile, const pm_box *boxes, size_t count);

/* ---- report.c */

/* Adds the kernel's arrays, and what is assumed. */
void pm_stage_report(pm_sharing *s, pm_staged *out);

/* ---- pointer.c */

/* Part of an index is data, of which no more than bounds are known. */
bool pm_stage_has_item(const pm_sharing *s, const pm_poly *poly);
/* Accesses of the array cannot be rewritten one by one. */
bool pm_stage_needs_pointer(const pm_sharing *s, size_t array);
/* Sets by_pointer where pointers into the array can point to the tile. */
bool pm_tile_may_be_pointed_to(pm_sharing *s, pm_tile *tile, pm_text *why);

/* ---- assume.c */

/* What has to hold for a tile that is chosen. */
void pm_tile_assume(pm_sharing *s, const pm_tile *tile);
/* Every launch that is known has what is assumed for the tile; else why says what it lacks. */
bool pm_tile_holds(pm_sharing *s, const pm_tile *tile, pm_text *why);
/* A loop of the region around the member has no known number of iterations, not even by arguments.
 */
bool pm_member_in_unknown_loop(const pm_sharing *s, const pm_tile *tile,
                               const pm_tile_member *member);
/* Nobody needs what the array holds before or after the launch. */
bool pm_stage_is_scratch(const pm_sharing *s, const pm_index_array *array);

#endif
