/* Staging arrays of global memory in local memory: what its parts share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For each array of a kernel the accesses are sorted into groups that differ by constants alone;
 * each group can have a tile in a region of the kernel: statements in front of which the tile is
 * filled. Tiles are chosen, and the source is edited.
 */
#ifndef PM_STAGING_TILE_STAGE_H
#define PM_STAGING_TILE_STAGE_H

#include "source/clang/edits.h"
#include "source/clang/names.h"
#include "source/clang/source_unit.h"
#include "staging/index/index.h"
#include "staging/staging.h"

enum { PM_MOST_AXES = 3, PM_MOST_LIMITS = 8, PM_MOST_BOXES = 12, PM_MOST_BOUNDS = 3 };

/* ---- regions -------------------------------------------------------------------------------- */

/* Statements of a kernel that a tile serves. */
typedef struct {
    pm_node *block;        /* CompoundStmt or the body of a loop or if that is none: the statements'
                            * parent; of a tiled loop the loop's */
    pm_node *first, *last; /* statements; of a tiled loop both are it */
    size_t tiled;          /* loop that is cut into pieces; PM_NONE */
    size_t iterations;     /* of a piece */
    size_t piece;          /* atom: the loop's variable where a piece begins */
    /* By loop of the kernel: atom that counts the iterations of those within the region, from 0;
     * PM_NO_ATOM: the loop is not in it. */
    size_t *counts;
} pm_staging_region;

/* ---- tiles ---------------------------------------------------------------------------------- */

/* A coordinate of an access: an integer that varies in a group of work-items. The tile has
 * low, low + unit, .. */
typedef struct {
    pm_poly key;    /* elements of the array from one integer to the next; uniform */
    pm_poly stride; /* unit * key: from one element of the tile to the next */
    long long low, unit;
    size_t extent;
    /* Where an index is clamped: the array's element is at stride * clamp(origin + coordinate). */
    bool clamped;
    pm_poly origin, least, most; /* origin is 0 where it is part of the tile's base */
} pm_axis;

/* coordinate <= limit (upper) or >= limit, where limit = constant + the sum over parts of the
 * smallest (upper; else largest) of hull and the bounds. */
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

/* Elements that are copied, in units of the axes and from the tile's beginning. */
typedef struct {
    size_t first[PM_MOST_AXES], extent[PM_MOST_AXES];
    size_t limit_count;
    size_t limit_axis[PM_MOST_LIMITS];
    pm_limit limits[PM_MOST_LIMITS];
} pm_box;

/* An access that goes to the tile. */
typedef struct {
    size_t access;                      /* of the index */
    pm_poly forms[PM_MOST_AXES];        /* its coordinates: ids, counts of loops and a constant */
    unsigned clamped_low, clamped_high; /* by axis, a bit each: it is clamped on that side itself */
    bool whole;   /* all that it may access is copied, which has to be in the array */
    bool covered; /* whether it happens or not: other members have all that it may access */
} pm_tile_member;

typedef struct {
    size_t array;
    pm_staging_region region;
    size_t axis_count;
    pm_axis axes[PM_MOST_AXES];
    pm_poly base; /* uniform; element = base + sum of stride * coordinate */
    size_t member_count;
    pm_tile_member *members;
    size_t box_count, out_count; /* copied in, copied out */
    pm_box *boxes, *outs;        /* room for PM_MOST_BOXES of each */
    bool read, written;
    bool whole;      /* all of the array, since an index is data */
    size_t straight; /* member that writes to the array itself, and all that is written; PM_NONE */
    bool by_pointer; /* its pointers point to the tile: accesses stay as they are */
    size_t elements; /* distinct ones that are accessed */
    double accesses; /* 0: not known, since a loop runs an unknown number of times */
    /* Accesses per element, each counted by the memory requests that it needs for one of a copy;
     * loops of unknown length taken as 16 iterations. */
    double rank;
    size_t bytes;
    const char *name; /* of the tile, once it is chosen */
} pm_tile;

/* What has to hold and is not seen in the source. */
typedef struct {
    enum { PM_APART, PM_NOT_NEGATIVE, PM_SOMEWHERE, PM_WITHIN } kind;
    size_t a, b;   /* APART: arrays that do not overlap; WITHIN: a has an element `value` */
    pm_poly value; /* >= 0 for every work-item (NOT_NEGATIVE) or for one at least (SOMEWHERE) */
    const char *text;
} pm_assumption;

typedef struct {
    const pm_source_unit *unit;
    const pm_stage_request *request;
    pm_memory *memory;
    pm_memory scratch; /* of what is needed to make tiles of some accesses */
    pm_index index;
    pm_stage_choice choice;
    size_t launch_count; /* of the kernel */
    const pm_stage_launch **launches;
    bool several;       /* launches have groups of other sizes, too */
    size_t first_id[3]; /* atoms: the first global id of the group */
    size_t candidate_count;
    pm_tile *candidates; /* all that could be made; of malloc, as they are large and come and go */
    size_t chosen_count;
    size_t *chosen;   /* of the candidates */
    pm_text *reasons; /* by array: the first one why a tile cannot be made; empty: none */
    size_t assumption_count;
    pm_assumption *assumptions;
} pm_sharing;

/* ---- region.c */

/* Every region that accesses[0..count) of an array could be served in, from the outermost one in.
 * *why is set to a reason if there is none. */
typedef struct {
    size_t count;
    pm_staging_region *items;
} pm_regions;
void pm_regions_find(pm_sharing *s, const size_t *accesses, size_t count, pm_regions *regions,
                     pm_text *why);
pm_staging_region pm_region_copy(pm_sharing *s, const pm_staging_region *region);
bool pm_region_has(const pm_staging_region *region, const pm_node *node);
/* Cuts the loop into pieces of so many iterations. */
void pm_region_cut(pm_sharing *s, pm_staging_region *region, size_t iterations);
/* A polynomial with counts of the region's loops in the place of their variables; unknown where
 * the range of such a loop is. */
pm_poly pm_region_form(const pm_sharing *s, const pm_staging_region *region, pm_poly form);
/* Every variable in it can be read in front of the region, and holds there what it holds within. */
bool pm_region_sees(const pm_sharing *s, const pm_staging_region *region, pm_poly poly);
bool pm_region_sees_axis(const pm_sharing *s, const pm_staging_region *region, const pm_axis *axis);

/* ---- tile.c */

/* Groups accesses and makes a tile of each group that can have one in the region; tiles are added
 * to the candidates. why: the first reason against one. */
void pm_tiles_make(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why);
void pm_tile_free(pm_tile *tile);

/* ---- box.c */

/* Fills boxes and outs. False: which elements are accessed is not known; why says so. */
bool pm_tile_boxes(pm_sharing *s, pm_tile *tile, pm_text *why);
/* Smallest and largest value of a form; false: it has none. */
bool pm_form_range(const pm_sharing *s, pm_poly form, long long *low, long long *high);

/* ---- choose.c */

void pm_stage_choose(pm_sharing *s);

/* ---- stage.c */

/* hidden: something to edit stands in a macro or in another file; out has no text then. */
pm_status pm_unit_share(const pm_source_unit *unit, const pm_stage_request *request, pm_staged *out,
                        bool *hidden, pm_error *err);
/* What is of malloc, which has to be there. */
void *pm_stage_need(const pm_sharing *s, void *memory);
/* The i-th tile that was chosen. */
pm_tile *pm_stage_chosen(const pm_sharing *s, size_t i);
/* A tile of the array was. */
bool pm_stage_has_tile(const pm_sharing *s, size_t array);
/* A further atom of the kernel. */
size_t pm_stage_atom(pm_sharing *s, const pm_atom *atom);
/* path:line: reason, into an empty text; the first reason counts. Returns false. */
bool pm_stage_why(pm_text *why, const pm_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#endif
