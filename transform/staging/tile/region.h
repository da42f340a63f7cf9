/* Regions: ranges of a kernel's statements before which a tile (a copy of part of an array in local
 * memory) can be filled.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This pass needs only the index (pm_index). It appends the atoms (symbolic values) of iteration
 * numbers to index->atoms; index->memory owns them and the regions.
 */
#ifndef PM_TRANSFORM_STAGING_TILE_REGION_H
#define PM_TRANSFORM_STAGING_TILE_REGION_H

#include "base/text.h"
#include "transform/staging/index/index.h"

/* The accesses of a kernel to one of its arrays. */
typedef struct {
    size_t count;
    size_t *items; /* indices in pm_index.accesses, in source order */
} pm_array_accesses;

/* A region: consecutive statements of a kernel that use a tile (a copy of a part of an array in
 * local memory). The tile is filled before the first statement. */
typedef struct {
    /* Parent node of the statements: a { } block, or the loop or if whose body is the single
     * statement. For a tiled loop, the parent of the loop. */
    pm_node *block;
    pm_node *first, *last; /* first and last statement; for a tiled loop, both are the loop */
    /* index of the loop that is tiled: a tile is filled anew for each `iterations` iterations;
     * PM_NONE: no loop is tiled */
    size_t tiled;
    size_t iterations; /* number of iterations of the tiled loop for which a tile is filled */
    /* for a tiled loop: atom (symbolic value) of the loop's variable at the start of a tile */
    size_t piece;
    /* counts[loop]: atom (symbolic value) of the iteration number, from 0, of a loop of the kernel.
     * PM_NO_ATOM if the loop is not in the region's statements, or if its iteration count is
     * unknown. */
    size_t *counts;
} pm_staging_region;

/* ---- region.c */

/* Returns a copy of a region (the statements before which a tile is filled). Its member `counts` is
 * allocated from `memory`. */
pm_staging_region pm_region_copy(const pm_index *index, const pm_staging_region *region,
                                 pm_memory *memory);
/* Returns true if `node` is inside of a statement of the region (the statements before which a tile
 * is filled). */
bool pm_region_has(const pm_staging_region *region, const pm_node *node);
/* Changes a region (the statements before which a tile is filled) so that the loop region->tiled is
 * tiled: a tile is filled for each `iterations` iterations. Adds symbolic values (atoms) for the
 * variables of the new outer loop to the kernel's table. */
void pm_region_cut(pm_index *index, pm_staging_region *region, size_t iterations);
/* Sets region->counts: for each loop in the statements that use a tile, a symbolic value for the
 * index of the current iteration. The tiled loop region->tiled is assumed to have one iteration per
 * tile. */
void pm_region_count_loops(pm_index *index, pm_staging_region *region);
/* Returns the polynomial `form` with the variables of the region's loops replaced by start + step *
 * iteration number. The region is the statements that use a tile. Returns an unknown polynomial if
 * the iteration count of such a loop is unknown. */
pm_poly pm_region_form(const pm_index *index, const pm_staging_region *region, pm_poly form);

/* ---- visible.c */

/* Returns true if the expression `text` has the same value before a region of statements as inside
 * of it. For this, each name in `text` must refer to the same variable at both places, and the
 * region must not change this variable. A name that the kernel declares several times is accepted
 * only for `variable`. variable NULL: it is not accepted at all. */
bool pm_region_sees_text(const pm_index *index, const pm_staging_region *region, const char *text,
                         const pm_node *variable);
/* Returns true if all variables of the polynomial can be used before the region (the statements
 * before which a tile is filled), and the region does not change them. */
bool pm_region_sees(const pm_index *index, const pm_staging_region *region, pm_poly poly);
/* ---- legal.c */

/* Returns the first guard (condition) that belongs to a statement. Returns NULL if there is none.
 * leaves: true if the guard applies to the code after the statement, which some work-items leave by
 * a jump; otherwise to the code inside of it. */
const pm_guard *pm_statement_guard(const pm_index *index, const pm_node *statement, bool leaves);
/* Returns true if either all work-items of a group reach the start of the region (the statements
 * before which a tile is filled) or none does, possibly after conditions were moved. Otherwise sets
 * *why. */
bool pm_region_is_reached(const pm_index *index, const pm_staging_region *region, pm_text *why);
/* Returns true if the loop with index `loop` can be tiled. Otherwise sets *why to the reason, or
 * leaves it empty if the loop's bounds are not known before the region, the statements before which
 * the tile would be filled. */
bool pm_loop_may_be_cut(const pm_index *index, size_t loop, const pm_staging_region *region,
                        pm_text *why);

/* ---- find_regions.c */

/* All regions (sequences of statements) of a kernel that could use a copy of an array in local
 * memory (tile). First come sequences of statements, from the outermost to the innermost, then
 * loops that would have to be tiled. */
typedef struct {
    size_t count;
    pm_staging_region *items;
} pm_regions;
/* Finds the regions of an array: the sequences of statements that access it and before which a tile
 * of it can be filled. Sets *why to a reason if there is none. */
void pm_regions_find(pm_index *index, const pm_array_accesses *accesses, pm_regions *regions,
                     pm_text *why);

#endif
