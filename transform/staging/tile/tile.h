/* Tiles: copies of parts of arrays in local memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each array of a kernel, the accesses are grouped so that the indices of a group differ by
 * constants only. Each group can have a tile in a region of the kernel (region.h). A tile has axes,
 * members (the accesses that use it) and boxes (the ranges of elements that are copied, box.h).
 */
#ifndef PM_TRANSFORM_STAGING_TILE_TILE_H
#define PM_TRANSFORM_STAGING_TILE_TILE_H

#include "transform/staging/tile/kernel.h"
#include "transform/staging/tile/region.h"

enum { PM_MOST_AXES = 3, PM_MOST_LIMITS = 8, PM_MOST_BOXES = 12, PM_MOST_BOUNDS = 3 };

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
    /* operands of the clamp; `origin` is 0 if the member `base` of the tile already includes it */
    pm_poly origin, least, most;
} pm_axis;

/* Limit of the elements that are copied along an axis: positions p along the axis have p <= limit
 * if `upper`, otherwise p >= limit. The limit is `constant` plus one summand for each entry of
 * `parts`. An entry belongs to some terms of p. hull: largest value that the sum of these terms can
 * have if `upper`, otherwise the smallest value. bounds: limits of this sum from conditions in the
 * source. The summand is the least of `hull` and `bounds` if `upper`, otherwise the greatest. */
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

/* An access of the kernel to an array that uses the array's tile (its copy in local memory)
 * instead. */
typedef struct {
    size_t access; /* index of the access in pm_index.accesses */
    /* position of the access along each axis (coordinate): a polynomial of ids and iteration
     * numbers, including the constant term */
    pm_poly forms[PM_MOST_AXES];
    /* clamped_low: bit k is set if the access itself clamps its position along axis k at the lower
     * end; clamped_high: the same for the upper end */
    unsigned clamped_low, clamped_high;
} pm_tile_member;

/* Why the elements that an access uses are copied into a tile (copy of a part of the array in
 * local memory). */
typedef enum {
    /* in each work-group, some work-item executes the access; if this is not proved, it is
     * assumed */
    PM_COPY_USED,
    /* The access may not be executed, but other accesses need the same elements, so the elements
     * are copied anyway. */
    PM_COPY_SHARED,
    /* The access may not be executed. All elements that it may possibly use are copied, so all of
     * them must be inside of the array. */
    PM_COPY_POSSIBLE
} pm_copy_reason;

/* A list of boxes: ranges of the elements of a tile (a copy of a part of an array in local
 * memory). */
typedef struct {
    size_t count;
    pm_box *items; /* has space for PM_MOST_BOXES entries */
} pm_boxes;

/* The copies between an array in global memory and its tile in local memory (output of box.h). */
typedef struct {
    pm_boxes in, out; /* elements that are copied into the tile, and back to the array */
    /* reasons[m]: reason for the copies into the tile that member m of the tile needs */
    pm_copy_reason *reasons;
    /* Number of the member that writes directly to the array, after which nothing needs to be
     * copied back. PM_NONE: there is none. */
    size_t straight;
} pm_tile_copies;

/* A tile: a copy in local memory of the elements of an array that a group of accesses uses. */
typedef struct {
    size_t array;             /* index in pm_index.arrays */
    pm_staging_region region; /* statements before which the tile is filled */
    size_t axis_count;
    pm_axis axes[PM_MOST_AXES];
    /* index of an element in the array = base + sum over axes of key * position; base is equal in
     * all work-items of a group */
    pm_poly base;
    size_t member_count;
    pm_tile_member *members; /* the tile owns this array (pm_tile_free) */
    /* true: a member reads from the array, or writes to it */
    bool read, written;
    /* true: the tile contains the whole array, because some index into the array depends on data */
    bool whole;
    /* true: pointers are changed to point to the tile; false: each access is rewritten */
    bool by_pointer;
    size_t elements; /* number of distinct elements that the accesses of the tile use */
    /* Number of accesses of a work-group to the tile in one execution of the statements that use
     * it. 0: unknown, because the iteration count of a loop is unknown. */
    double accesses;
    /* Benefit of the tile: accesses per element. Each access counts with a weight: the number of
     * its memory requests divided by the number of requests of a coalesced copy of the same
     * elements. A loop with an unknown iteration count counts as 16 iterations. */
    double rank;
    size_t bytes;          /* size of the tile in local memory in bytes */
    pm_tile_copies copies; /* the tile owns the arrays of this member */
} pm_tile;

/* All tiles (copies of parts of arrays in local memory) that are possible in a kernel. Some of
 * them are chosen (choose.h). */
typedef struct {
    pm_memory *memory; /* owns the arrays `counts` of the tiles' regions */
    /* owns temporary data while the tiles of one region are made; emptied when the next tiles are
     * made */
    pm_memory scratch;
    size_t count;
    pm_tile *items; /* allocated with malloc, because tiles are large and many are freed early */
} pm_tiles;

/* Input of the functions that make tiles (copies in local memory) for one array in one region
 * (sequence of statements) of a kernel. */
typedef struct {
    const pm_index *index;
    const pm_kernel_launches *launches;
    size_t array;               /* index in index->arrays */
    pm_array_accesses accesses; /* all accesses of the array */
    const pm_staging_region *region;
} pm_tile_input;

/* ---- tiles.c */

/* Allocates the arrays `members` and `copies` of a tile for a number of members. memory: for the
 * error if memory runs out. */
void pm_tile_allocate(pm_tile *tile, size_t members, const pm_memory *memory);
/* Frees the arrays of a tile that pm_tile_allocate() allocated. */
void pm_tile_free(pm_tile *tile);
/* Appends the tile to the list, which then owns the tile's arrays. */
void pm_tiles_add(pm_tiles *tiles, const pm_tile *tile);
/* Frees the tiles from number `count` on and removes them from the list. */
void pm_tiles_cut(pm_tiles *tiles, size_t count);
/* Frees all tiles and the scratch memory. */
void pm_tiles_free(pm_tiles *tiles);
/* Returns the tile of an array with the most accesses per element, among the tiles from number
 * `first` on. Returns NULL if the array has none. */
const pm_tile *pm_tiles_highest_rank(const pm_tiles *tiles, size_t first, size_t array);
/* Returns true if the axis's stride and the operands of its clamp have the same values inside of
 * the region (the statements before which the tile is filled) as before its first statement. */
bool pm_axis_is_seen(const pm_index *index, const pm_staging_region *region, const pm_axis *axis);
/* Returns the access of the tile's member number m. */
const pm_index_access *pm_tile_access(const pm_index *index, const pm_tile *tile, size_t m);
/* Returns true if all accesses of the tile's array are members of the tile. */
bool pm_tile_has_all_accesses(const pm_index *index, const pm_tile *tile);
/* Returns the number of consecutive elements that an access covers along an axis of the tile. It
 * exceeds one only for vector accesses, and only along the last axis. */
unsigned pm_member_width(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                         size_t axis);

/* ---- group.c */

/* An access to an array that may get a tile (copy in local memory). Its index is split into
 * coordinates, which are its positions along the axes of the tile. */
typedef struct {
    pm_poly index;
    size_t key_count;
    /* keys[k]: stride of axis k of the tile, which is the distance in the array, in elements,
     * between positions p and p + 1. It is a product of values that are equal in all work-items of
     * a group. */
    pm_poly keys[PM_MOST_AXES];
    bool clamps; /* true: a term of the index is a clamped value */
    /* The position along axis k is forms[k] + origins[k]. The terms of origins[k] are equal in all
     * work-items of a group. */
    pm_poly forms[PM_MOST_AXES], origins[PM_MOST_AXES];
    /* clamp[k]: symbolic value (atom) of the clamp if the position along axis k is clamped;
     * PM_NO_ATOM: it is not clamped */
    size_t clamp[PM_MOST_AXES];
    pm_poly rest; /* terms of the index whose values are equal in all work-items of a group */
} pm_placed;

/* Accesses of a kernel to an array whose indices differ by constants only, so that one tile
 * (copy in local memory) can serve all of them. */
typedef struct {
    size_t key_count, member_count;
    pm_poly keys[PM_MOST_AXES]; /* strides of the tile's axes */
    bool clamps;                /* true: the index of an access is clamped */
    size_t *members;            /* indices of the accesses in pm_index.accesses */
    size_t room;                /* number of accesses for which `places` and `others` have space */
    /* places: the group's accesses, with their positions along the tile's axes; others: temporary
     * copy of `places`, used while another access is tried */
    pm_placed *places, *others;
} pm_access_group;

/* All groups of accesses to an array in a region (sequence of statements) of a kernel. Each
 * group may get a tile, a copy in local memory. */
typedef struct {
    size_t count;
    pm_access_group *items;
} pm_access_groups;

/* Groups the accesses of an array in a region (the statements before which tiles are filled): the
 * accesses of a group can use one tile. The groups are allocated from `scratch`. why: gets the
 * first reason why an access is in no group. */
void pm_accesses_group(const pm_tile_input *in, pm_memory *scratch, pm_access_groups *groups,
                       pm_text *why);
/* Sorts the strides of a group in descending order, so that the stride of neighbouring elements is
 * last, and splits the indices again. Returns false if they cannot be split. */
bool pm_group_sort(const pm_index *index, const pm_staging_region *region, pm_access_group *group);

/* ---- count.c */

/* Sets the tile's members `elements` and `accesses` (numbers), `rank` (accesses per element) and
 * `bytes` (size). Uses `scratch` for temporary data. */
void pm_tile_count(const pm_index *index, pm_tile *tile, pm_memory *scratch);
/* Sets the same members for a tile of the whole array. All elements of the array count as
 * accessed. */
void pm_tile_count_whole(const pm_index *index, pm_tile *tile);
/* Returns true if the work-items together access every element between the first and the last
 * element of an access. */
bool pm_member_is_dense(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                        pm_memory *scratch);

/* ---- pointed.c */

/* Returns true if the array's accesses cannot be rewritten one by one, so that pointers into the
 * array must be changed to point to the tile. */
bool pm_array_needs_pointer(const pm_index *index, size_t array);
/* Computes where a pointer points in the tile, as an offset in elements from the tile's start.
 * Returns false if the offset is not constant. */
bool pm_tile_offset(const pm_tile *tile, const pm_index_pointer *root, long long *offset);
/* Sets tile->by_pointer to true if the pointers into the array can be changed to point to the tile,
 * which may become larger for it. Otherwise sets `why` and returns false. */
bool pm_tile_may_be_pointed_to(const pm_index *index, pm_tile *tile, pm_text *why);

/* ---- tile.c */

/* Makes a tile for each group of accesses in a region (the statements before which the tiles are
 * filled), if possible, and adds the tiles to the list. why: gets the first reason why a tile
 * cannot be made. */
void pm_tiles_make(const pm_tile_input *in, pm_tiles *tiles, pm_text *why);

/* ---- whole.c */

/* Makes a tile of a whole array, and adds it to the list. This is possible if an index depends on
 * data and the array is small in all launches. Otherwise adds nothing. */
void pm_tile_make_whole(const pm_tile_input *in, pm_tiles *tiles, pm_text *why);

#endif
