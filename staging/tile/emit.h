/* Writing staged source: what its parts share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * New lines are put in with marks for more and less indentation, since what stands between may move
 * to the right as a whole; pm_stage_indent makes spaces of them.
 */
#ifndef PM_STAGING_TILE_EMIT_H
#define PM_STAGING_TILE_EMIT_H

#include "source/kernel_words.h"
#include "staging/tile/stage.h"

#define PM_DEEPER "\001"
#define PM_HIGHER "\002"

/* Tiles that are filled at one place. */
typedef struct {
    pm_staging_region region; /* of all of them; counts is NULL */
    size_t tile_count;
    size_t *tiles; /* of the candidates */
} pm_tile_place;

/* The variable of a new loop around one that is cut. */
typedef struct {
    const char *name;
    enum CXTypeKind kind; /* of its type */
} pm_cut_variable;

/* A statement that runs under a condition now. */
typedef struct {
    pm_node *statement;
    const char *active; /* a variable */
} pm_wrap;

/* Pointers of all kernels that point to tiles now. */
typedef struct {
    size_t root_count, pointer_count;
    const pm_node **roots;    /* expressions */
    const pm_node **pointers; /* variables and parameters */
} pm_moved;

typedef struct {
    pm_sharing *s;
    pm_memory *memory;
    const pm_kernel_words *words;
    pm_moved *moved;
    pm_edits *edits;
    pm_names *names;
    bool hidden;
    bool wide_ids;        /* the groups' first ids are long: an array's index is */
    const char *local[3]; /* names of the local ids, once they are needed; NULL */
    bool is_own[3];       /* they are variables of the source */
    const char *group[3]; /* names of the group's ids in CUDA, once they are needed; NULL */
    /* Variables of the new loops around loops that are cut, with their types. */
    size_t piece_count;
    pm_cut_variable *pieces;
    const char *item; /* the number of the work-item in its group, as an operand */
    /* [1]: wide. By atom: operands of type int, and of 64 bits. */
    const char **operands[2];
    size_t operand_count[2];
    size_t marks; /* insertions, each of which is one of its own */
    size_t wrap_count;
    pm_wrap *wraps;
    size_t place_count;
    pm_tile_place *places; /* in the order of the text, outer ones first */
} pm_emit;

/* ---- text.c */

/* A name that the source does not have. */
const char *pm_emit_fresh(pm_emit *e, const char *wish);
/* The same for a variable of a block, whose name other blocks may have too. */
const char *pm_emit_scoped(pm_emit *e, const char *wish);
/* Names of atoms as operands of type int, or of 64 bits (wide). */
const char *const *pm_emit_names(pm_emit *e, bool wide);
/* Of the local id: a variable of the source that will do, or one that pm_emit_ids declares. */
const char *pm_emit_local(pm_emit *e, unsigned dimension);
/* The same value with local ids in the place of their parts, where that is shorter. */
pm_poly pm_emit_whole_ids(pm_emit *e, const pm_poly *poly);
/* The number of the work-item in its group. */
const char *pm_emit_item(pm_emit *e);
/* Declares those ids that the edits use, for the beginning of the kernel. */
void pm_emit_ids(pm_emit *e, pm_text *out);
/* [k - first], where the operand would be (k - first). */
void pm_emit_subscript(const pm_poly *at, const char *const *names, pm_text *out);
void pm_emit_insert(pm_emit *e, size_t at, const char *text);
void pm_emit_replace(pm_emit *e, const pm_node *node, const char *text);
/* Where a statement begins, with the #pragma in front of it, and where it ends, with its ';'. */
size_t pm_emit_begin(const pm_emit *e, const pm_node *statement);
size_t pm_emit_end(const pm_emit *e, const pm_node *statement);
/* The blanks that the line begins with. */
const char *pm_emit_indent(const pm_emit *e, size_t at);
/* Indices of the array are of 64 bits. */
bool pm_emit_is_wide(const pm_emit *e, const pm_tile *tile);
/* text with marks as spaces. */
void pm_stage_indent(const char *text, pm_text *out);

/* ---- emit.c */

/* One beyond the last value of a loop's variable. */
const char *pm_stage_end_text(pm_emit *e, const pm_loop *loop);

/* Whether a tile of the place is written. */
bool pm_place_is_written(const pm_emit *e, const pm_tile_place *place);
/* The text of an expression as the source has it. */
const char *pm_emit_source(pm_emit *e, const pm_node *node);
/* hidden, unless that is so. */
void pm_emit_need(pm_emit *e, bool own);

/* ---- access.c */

/* Makes accesses those of the tile. */
void pm_emit_members(pm_emit *e, const pm_tile *tile);
/* Makes barriers within a place hold for local memory. */
void pm_emit_barriers(pm_emit *e, const pm_tile_place *place);

/* ---- copy.c */

/* Lines that fill a tile, or write back what was written; each begins with indent. */
void pm_emit_copies(pm_emit *e, const pm_tile *tile, bool out, const char *indent, pm_text *text);

/* ---- pointer.c */

/* Makes the array's pointers those to the tile. */
void pm_emit_pointers(pm_emit *e, const pm_tile *tile);
/* Functions must not be called with pointers that were moved and with others. */
void pm_moved_check(const pm_source_unit *unit, const pm_moved *moved, pm_memory *memory);

/* ---- guard.c */

/* Takes conditions that only some work-items pass away from around places, and notes which
 * statements they move to (wraps). */
void pm_emit_guards(pm_emit *e);
/* The condition that a loop which is cut stands under now; NULL: none. */
const char *pm_emit_wrap_of(const pm_emit *e, const pm_node *statement);
/* Puts `if (active)` in front of all other statements that were noted. */
void pm_emit_wraps(pm_emit *e);

/* The source with the chosen tiles of a kernel. */
void pm_stage_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden);

#endif
