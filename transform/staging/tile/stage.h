/* Types of the staging transform: regions, tiles and the state of one kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each array of a kernel, accesses are grouped. The indices of a group differ by constants
 * only. Each group can have a tile in a region of the kernel. A region is a range of statements,
 * and its tile is filled before them. Then tiles are chosen, and the source is edited.
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

/* A region: statements of a kernel that can use one tile. The tile is filled before the first
 * statement. */
typedef struct {
    /* Parent of the statements: a CompoundStmt, or the loop or if whose body is the single
     * statement. For a tiled loop, the parent of the loop. */
    pm_node *block;
    pm_node *first, *last; /* first and last statement; for a tiled loop, both are the loop */
    size_t tiled;          /* index of the loop that is tiled; PM_NONE: no loop is tiled */
    size_t iterations;     /* iterations of the tiled loop for which one tile is filled */
    size_t piece;          /* atom for the value of the loop's variable at the start of a tile */
    /* counts[loop]: atom for the iteration number of the kernel's loop, counted from 0. PM_NO_ATOM
     * if the loop is not in the region, or if its iteration count is unknown. */
    size_t *counts;
} pm_staging_region;

/* ---- tiles ---------------------------------------------------------------------------------- */

/* An axis: one coordinate of the accesses, which is an integer that differs between the work-items
 * of a group. The tile contains the coordinates low, low + unit, ..., low + (extent - 1) * unit. */
typedef struct {
    /* distance in the array between the elements at coordinates c and c + 1, in elements;
     * uniform */
    pm_poly key;
    /* unit * key: distance in the array between elements that are neighbours in the tile */
    pm_poly stride;
    long long low, unit;
    size_t extent;
    /* For a clamped index: the element's index in the array contains key * clamp(origin +
     * coordinate, least, most). */
    bool clamped;
    pm_poly origin, least, most; /* origin is 0 if the tile's `base` already includes it */
} pm_axis;

/* Limit of a coordinate: coordinate <= limit if `upper`, else coordinate >= limit. The limit is
 * constant + the sum over its parts of min(hull, bounds...); for a lower limit, of max(hull,
 * bounds...). */
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

/* A box of elements to copy. `first` and `extent` are numbers of tile elements along each axis.
 * `first` is relative to the start of the tile. */
typedef struct {
    size_t first[PM_MOST_AXES], extent[PM_MOST_AXES];
    size_t limit_count;
    size_t limit_axis[PM_MOST_LIMITS];
    pm_limit limits[PM_MOST_LIMITS];
} pm_box;

/* A member of a tile: an access that uses the tile. */
typedef struct {
    size_t access; /* index of the access in pm_index.accesses */
    /* coordinates of the access: polynomials of ids and iteration numbers, including constant
     * terms */
    pm_poly forms[PM_MOST_AXES];
    /* bit k is set: the access itself clamps the coordinate of axis k on that side */
    unsigned clamped_low, clamped_high;
    /* true: all elements that the access may access are copied, so all must be inside of the
     * array */
    bool whole;
    /* true: it is possible that the access is not executed, but its elements are copied for further
     * accesses of the tile */
    bool covered;
} pm_tile_member;

typedef struct {
    size_t array;
    pm_staging_region region;
    size_t axis_count;
    pm_axis axes[PM_MOST_AXES];
    /* uniform polynomial; index in the array = base + sum over axes of key * coordinate */
    pm_poly base;
    size_t member_count;
    pm_tile_member *members;
    /* number of boxes that are copied into the tile; number that are copied back */
    size_t box_count, out_count;
    pm_box *boxes, *outs; /* arrays with PM_MOST_BOXES entries */
    bool read, written;
    bool whole; /* true: the tile contains the whole array, because an index depends on data */
    /* Index of the access that writes to the array instead of the tile. Its box contains all
     * elements that are written. PM_NONE: none. */
    size_t straight;
    /* true: pointers are changed to point to the tile, and the accesses are not rewritten */
    bool by_pointer;
    size_t elements; /* number of distinct elements that the accesses of the tile access */
    /* Accesses of a work-group in one execution of the region. 0: unknown, because an iteration
     * count is unknown. */
    double accesses;
    /* Accesses per element. An access is weighted with the number of its memory requests for one
     * request of a coalesced copy. An unknown iteration count counts as 16. */
    double rank;
    size_t bytes;
    const char *name; /* name of the tile's variable; set when the tile is chosen */
} pm_tile;

/* A condition on which staging depends and that the source does not prove. */
typedef struct {
    enum { PM_APART, PM_NOT_NEGATIVE, PM_SOMEWHERE, PM_WITHIN } kind;
    /* APART: arrays a and b do not overlap. WITHIN: array a has an element with the index
     * `value`. */
    size_t a, b;
    /* NOT_NEGATIVE: value >= 0 for every work-item. SOMEWHERE: value >= 0 for at least one
     * work-item. */
    pm_poly value;
    const char *text;
} pm_assumption;

typedef struct {
    const pm_source_unit *unit;
    const pm_stage_request *request;
    pm_memory *memory;
    /* memory for temporary data while the tiles of one set of accesses are made */
    pm_memory scratch;
    pm_index index;
    pm_stage_choice choice;
    size_t launch_count; /* launches of this kernel */
    const pm_stage_launch **launches;
    bool several;       /* true: the launches have different work-group sizes */
    size_t first_id[3]; /* first_id[dimension]: atom for the first global id of the group. */
    size_t candidate_count;
    /* All possible tiles. They are allocated with malloc, because they are large and are freed
     * early. */
    pm_tile *candidates;
    size_t chosen_count;
    size_t *chosen; /* indices of candidates */
    /* reasons[array]: first reason why a tile cannot be made for the array; empty: none. */
    pm_text *reasons;
    size_t assumption_count;
    pm_assumption *assumptions;
} pm_sharing;

/* ---- state.c */

/* Returns `memory`, which malloc returned. Raises an error if it is NULL. */
void *pm_stage_need(const pm_sharing *s, void *memory);
/* Returns the i-th chosen tile. */
pm_tile *pm_stage_chosen(const pm_sharing *s, size_t i);
/* Returns true if a tile of the array is chosen. */
bool pm_stage_has_tile(const pm_sharing *s, size_t array);
/* Adds an atom to the kernel's table and returns its index. */
size_t pm_stage_atom(pm_sharing *s, const pm_atom *atom);
/* Sets *why to "path:line: reason" if it is still empty. Returns false, so that a caller can write
 * `return pm_stage_why(...)`. */
bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns true if the array's contents are needed neither before nor after the launch. */
bool pm_stage_is_scratch(const pm_sharing *s, const pm_index_array *array);
/* Allocates the tile's members and boxes. */
void pm_tile_room(pm_sharing *s, pm_tile *tile, size_t members);
/* Moves the tile to s->candidates, which then owns the tile's allocations. */
void pm_stage_add_candidate(pm_sharing *s, pm_tile *tile);
/* Frees the members and boxes that pm_tile_room() allocated. */
void pm_tile_free(pm_tile *tile);

/* ---- region.c */

/* Finds all regions that could have a tile for accesses[0..count) of an array. First come lists of
 * statements, from the outermost to the innermost, then loops to tile. If there is no region, *why
 * is set to a reason. */
typedef struct {
    size_t count;
    pm_staging_region *items;
} pm_regions;
void pm_regions_find(pm_sharing *s, const size_t *accesses, size_t count, pm_regions *regions,
                     pm_text *why);
pm_staging_region pm_region_copy(pm_sharing *s, const pm_staging_region *region);
bool pm_region_has(const pm_staging_region *region, const pm_node *node);
/* Tiles the loop region->tiled: each tile of the array is used for `iterations` iterations of the
 * loop. Adds the atoms of the new loops to the kernel's table. */
void pm_region_cut(pm_sharing *s, pm_staging_region *region, size_t iterations);
/* Replaces the variables of the region's loops in `form` by start + step * iteration number. The
 * result is unknown if the iteration count of such a loop is unknown. */
pm_poly pm_region_form(const pm_sharing *s, const pm_staging_region *region, pm_poly form);
/* Returns true if all variables of the polynomial are visible before the region and are not changed
 * in it. */
bool pm_region_sees(const pm_sharing *s, const pm_staging_region *region, pm_poly poly);
bool pm_region_sees_axis(const pm_sharing *s, const pm_staging_region *region, const pm_axis *axis);

/* ---- tile.c */

/* Groups the accesses in the region and makes a tile for each group if possible. Adds the tiles to
 * the candidates. why: gets the first reason why a tile cannot be made. */
void pm_tiles_make(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why);

/* ---- box.c */

/* Computes tile->boxes and tile->outs. Returns false and sets why if they cannot be determined. */
bool pm_tile_boxes(pm_sharing *s, pm_tile *tile, pm_text *why);

/* ---- choose.c */

void pm_stage_choose(pm_sharing *s);

/* ---- stage.c */

/* Stages the arrays of a source. *hidden is set to true if code to edit is in a macro or in another
 * file; out->text is then not set. */
pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err);

#endif
