/* Types of the staging transform: regions of a kernel, tiles of arrays, and the state of one
 * kernel's staging.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each array of a kernel, the accesses are grouped so that the indices of a group differ by
 * constants only. Each group can have a tile in a region of the kernel. A region is a range of
 * statements, and its tile is filled before them. Then tiles are chosen, and the source is edited.
 */
#ifndef PM_TRANSFORM_STAGING_TILE_STAGE_H
#define PM_TRANSFORM_STAGING_TILE_STAGE_H

#include "transform/source/clang/edits.h"
#include "transform/source/clang/names.h"
#include "transform/source/clang/source_unit.h"
#include "transform/staging/index/index.h"
#include "transform/staging/staging.h"

enum { PM_MOST_AXES = 3, PM_MOST_LIMITS = 8, PM_MOST_BOXES = 12, PM_MOST_BOUNDS = 3 };

/* ---- regions -------------------------------------------------------------------------------- */

/* A region: consecutive statements of a kernel that use a tile. The tile is filled before the first
 * statement. */
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
     * PM_NO_ATOM if the loop is not in the region, or if its iteration count is unknown. */
    size_t *counts;
} pm_staging_region;

/* ---- tiles ---------------------------------------------------------------------------------- */

/* An axis of a tile. The position of an access along the axis (its coordinate) is an integer that
 * differs between the work-items of a group. The tile contains `extent` positions:
 * low, low + unit, low + 2 * unit, and so on. */
typedef struct {
    /* stride of the axis: distance in the array, in elements, between positions c and c + 1 along
     * the axis; equal in all work-items of a group */
    pm_poly key;
    /* distance in the array between elements that are neighbours in the tile: unit * key */
    pm_poly stride;
    long long low, unit;
    size_t extent;
    /* True if the index is clamped. The contribution of the axis to the element's index in the
     * array is then key * clamp(origin + coordinate, least, most). */
    bool clamped;
    /* operands of this clamp; origin is 0 if the tile's `base` already includes it */
    pm_poly origin, least, most;
} pm_axis;

/* Limit of the elements that are copied along an axis. Their positions along the axis are <= limit
 * if `upper`, else >= limit. The limit is a sum: `constant` plus one number for each entry of
 * `parts`. An entry limits some terms of the position. If `upper`, this number is the least of the
 * entry's `hull` (largest value that these terms can have) and its bounds. Otherwise it is the
 * greatest of `hull` (their smallest value) and the bounds. */
typedef struct {
    bool upper;
    long long constant;
    size_t part_count;
    struct {
        long long hull;
        size_t bound_count;
        pm_poly bounds[PM_MOST_BOUNDS];
    } parts[PM_MOST_AXES];
} pm_limit;

/* A box: a range of tile elements to copy between array and tile. Along axis k, it has extent[k]
 * elements from tile element first[k] on. limits[i] further restricts the positions along axis
 * limit_axis[i]. */
typedef struct {
    size_t first[PM_MOST_AXES], extent[PM_MOST_AXES];
    size_t limit_count;
    size_t limit_axis[PM_MOST_LIMITS];
    pm_limit limits[PM_MOST_LIMITS];
} pm_box;

/* An access of the kernel that uses the tile. */
typedef struct {
    size_t access; /* index of the access in pm_index.accesses */
    /* position of the access along each axis (coordinate): a polynomial of ids and iteration
     * numbers, including the constant term */
    pm_poly forms[PM_MOST_AXES];
    /* clamped_low: bit k is set if the access itself clamps its position along axis k at the lower
     * end; clamped_high: the same for the upper end */
    unsigned clamped_low, clamped_high;
    /* true: all elements that the access may possibly use are copied, so all of them must be inside
     * of the array */
    bool whole;
    /* true: the access may not be executed, but its elements are copied anyway for other accesses
     * of the tile */
    bool covered;
} pm_tile_member;

typedef struct {
    size_t array;
    pm_staging_region region;
    size_t axis_count;
    pm_axis axes[PM_MOST_AXES];
    /* index of an element in the array = base + sum over axes of key * position; base is equal in
     * all work-items of a group */
    pm_poly base;
    size_t member_count;
    pm_tile_member *members;
    /* number of boxes (ranges of elements) that are copied into the tile, and of boxes that are
     * copied back to the array */
    size_t box_count, out_count;
    /* arrays of boxes (ranges of elements), with space for PM_MOST_BOXES entries */
    pm_box *boxes, *outs;
    bool read, written;
    /* true: the tile contains the whole array, because some index into the array depends on data */
    bool whole;
    /* Index in `members` of the access that writes to the array instead of the tile, so that
     * nothing needs to be copied back. PM_NONE: there is none. */
    size_t straight;
    /* true: pointers are changed to point to the tile; false: each access is rewritten */
    bool by_pointer;
    size_t elements; /* number of distinct elements that the accesses of the tile use */
    /* Number of accesses of a work-group to the tile in one execution of the region. 0: unknown,
     * because the iteration count of a loop is unknown. */
    double accesses;
    /* Benefit of the tile: accesses per element. An access has as weight the number of its memory
     * requests, relative to those of a coalesced copy. A loop with an unknown iteration count
     * counts as 16 iterations. */
    double rank;
    size_t bytes;
    const char *name; /* name of the tile's variable in local memory; set when the tile is chosen */
} pm_tile;

/* A condition that staging needs to be correct and that the source does not prove. */
typedef struct {
    enum { PM_APART, PM_NOT_NEGATIVE, PM_SOMEWHERE, PM_WITHIN } kind;
    /* For PM_APART: arrays a and b do not overlap. For PM_WITHIN: array a has an element with the
     * index `value`. a and b are indices in pm_index.arrays. */
    size_t a, b;
    /* For PM_NOT_NEGATIVE: value >= 0 in every work-item. For PM_SOMEWHERE: value >= 0 in at least
     * one work-item. */
    pm_poly value;
    const char *text;
} pm_assumption;

typedef struct {
    const pm_source_unit *unit;
    const pm_stage_request *request;
    pm_memory *memory;
    /* memory for temporary data while the tiles of one array are made */
    pm_memory scratch;
    pm_index index;
    pm_stage_choice choice;
    size_t launch_count; /* number of known launches of this kernel */
    const pm_stage_launch **launches;
    bool several; /* true: the launches have different work-group sizes */
    /* first_id[dimension]: atom (symbolic value) of the work-group's first global id */
    size_t first_id[3];
    size_t candidate_count;
    /* All possible tiles, allocated with malloc, because they are large and are freed early. */
    pm_tile *candidates;
    size_t chosen_count;
    size_t *chosen; /* indices of the chosen tiles in `candidates` */
    /* reasons[array]: first reason why no tile could be made for some accesses of the array; empty:
     * none */
    pm_text *reasons;
    size_t assumption_count;
    pm_assumption *assumptions;
} pm_sharing;

/* ---- state.c */

/* Returns `memory`, a result of malloc. Raises an error if it is NULL. */
void *pm_stage_need(const pm_sharing *s, void *memory);
/* Returns the tile with number i among the chosen tiles. */
pm_tile *pm_stage_chosen(const pm_sharing *s, size_t i);
/* Returns true if a tile of the array is chosen. */
bool pm_stage_has_tile(const pm_sharing *s, size_t array);
/* Adds an atom (symbolic value) to the kernel's table of atoms and returns its index. */
size_t pm_stage_atom(pm_sharing *s, const pm_atom *atom);
/* Sets *why to "path:line: reason", unless it already has a reason. Always returns false, so that a
 * caller can write `return pm_stage_why(...)`. */
bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns true if the array is temporary: its contents are needed neither before nor after the
 * launch. */
bool pm_stage_is_scratch(const pm_sharing *s, const pm_index_array *array);
/* Allocates the arrays `members`, `boxes` and `outs` of a tile. */
void pm_tile_room(pm_sharing *s, pm_tile *tile, size_t members);
/* Moves the tile to s->candidates, which then owns the tile's arrays. */
void pm_stage_add_candidate(pm_sharing *s, pm_tile *tile);
/* Frees the arrays of a tile that pm_tile_room() allocated. */
void pm_tile_free(pm_tile *tile);

/* ---- region.c */

/* All regions that could have a tile for accesses[0..count) of an array. First come sequences of
 * statements, from the outermost to the innermost, then loops to tile. pm_regions_find() sets *why
 * to a reason if there is no region. */
typedef struct {
    size_t count;
    pm_staging_region *items;
} pm_regions;
void pm_regions_find(pm_sharing *s, const size_t *accesses, size_t count, pm_regions *regions,
                     pm_text *why);
pm_staging_region pm_region_copy(pm_sharing *s, const pm_staging_region *region);
bool pm_region_has(const pm_staging_region *region, const pm_node *node);
/* Makes `region` tile the loop region->tiled: a tile is filled for each `iterations` iterations.
 * Adds the atoms of the new outer loop to the kernel's table of atoms. */
void pm_region_cut(pm_sharing *s, pm_staging_region *region, size_t iterations);
/* Returns `form` with the variables of the region's loops replaced by start + step * iteration
 * number. Returns an unknown polynomial if the iteration count of such a loop is unknown. */
pm_poly pm_region_form(const pm_sharing *s, const pm_staging_region *region, pm_poly form);
/* Returns true if all variables of the polynomial can be used before the region's statements and
 * are not changed in them. */
bool pm_region_sees(const pm_sharing *s, const pm_staging_region *region, pm_poly poly);
bool pm_region_sees_axis(const pm_sharing *s, const pm_staging_region *region, const pm_axis *axis);

/* ---- tile.c */

/* Groups the accesses in a region (statements before which a tile is filled), makes a tile for each
 * group if possible, and adds the tiles to the candidates. why: gets the first reason why a tile
 * cannot be made. */
void pm_tiles_make(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why);

/* ---- box.c */

/* Computes the boxes (ranges) of elements that are copied: tile->boxes (into the tile) and
 * tile->outs (back to the array). Returns false and sets `why` if they cannot be determined. */
bool pm_tile_boxes(pm_sharing *s, pm_tile *tile, pm_text *why);

/* ---- choose.c */

void pm_stage_choose(pm_sharing *s);

/* ---- stage.c */

/* Stages the arrays of a source as the request asks. *hidden is set to true if code to change is in
 * a macro or in another file; out->text is then not set. */
pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err);

#endif
