/* Internal declarations of the files that write the staged source.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inserted text has control characters for deeper and shallower indentation, because the code
 * between two insertions may move to the right as a whole. pm_stage_indent() replaces them by
 * spaces.
 */
#ifndef PM_TRANSFORM_STAGING_TILE_EMIT_H
#define PM_TRANSFORM_STAGING_TILE_EMIT_H

#include "transform/source/kernel_words.h"
#include "transform/staging/tile/stage.h"

#define PM_DEEPER "\001"
#define PM_HIGHER "\002"

/* A place: a region, and the tiles that are filled before it. */
typedef struct {
    pm_staging_region region; /* region of all these tiles; its `counts` is NULL */
    size_t tile_count;
    size_t *tiles; /* indices of candidates */
} pm_tile_place;

/* Variable of the new outer loop around a tiled loop. */
typedef struct {
    const char *name;
    enum CXTypeKind kind; /* type of the variable */
} pm_cut_variable;

/* A statement that the staged source executes under a condition. */
typedef struct {
    pm_node *statement;
    const char *active; /* name of the bool variable with the condition */
} pm_wrap;

/* Pointers of all kernels that now point to tiles. */
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
    /* the first global ids of the groups are of type long, as array indices are */
    bool wide_ids;
    const char *local[3]; /* names of the local ids; NULL until one is needed */
    bool is_own[3];       /* the name is a variable of the original source */
    const char *group[3]; /* names of CUDA's block ids; NULL until one is needed */
    /* Variables of the new loops around tiled loops. */
    size_t piece_count;
    pm_cut_variable *pieces;
    const char *item; /* operand: linear index of the work-item in its work-group */
    /* By atom: its operand, [0] of type int, [1] of a 64-bit type. */
    const char **operands[2];
    size_t operand_count[2];
    size_t marks; /* number of insertions so far; it makes each inserted string unique */
    size_t wrap_count;
    pm_wrap *wraps;
    size_t place_count;
    pm_tile_place *places; /* in source order, outer regions first */
} pm_emit;

/* ---- edit.c */

/* Sets e->hidden if `own` is false. `own` means that the code is not in a macro or another file. */
void pm_emit_need(pm_emit *e, bool own);
/* Returns the source code of an expression. Sets e->hidden if the code is in a macro or in another
 * file. */
const char *pm_emit_source(pm_emit *e, const pm_node *node);
void pm_emit_insert(pm_emit *e, size_t at, const char *text);
void pm_emit_replace(pm_emit *e, const pm_node *node, const char *text);
/* Offsets in the source: start of a statement including its #pragma, and end including its ';'. */
size_t pm_emit_begin(const pm_emit *e, const pm_node *statement);
size_t pm_emit_end(const pm_emit *e, const pm_node *statement);
/* Returns the blanks at the start of the line. */
const char *pm_emit_indent(const pm_emit *e, size_t at);
/* Appends `text` to out and replaces its indentation characters (PM_DEEPER, PM_HIGHER) by spaces.
 */
void pm_stage_indent(const char *text, pm_text *out);

/* ---- places.c */

/* Groups the chosen tiles by the region before which they are filled, and sets e->places. */
void pm_places_find(pm_emit *e);
/* Returns tile i of a place (pm_tile_place). */
pm_tile *pm_place_tile(const pm_emit *e, const pm_tile_place *place, size_t i);
/* Returns true if the kernel writes to one of the place's tiles. */
bool pm_place_is_written(const pm_emit *e, const pm_tile_place *place);

/* ---- text.c */

/* Returns a name that the source does not use yet. */
const char *pm_emit_fresh(pm_emit *e, const char *wish);
/* Returns a name for a variable of a block. Other blocks may use the same name. */
const char *pm_emit_scoped(pm_emit *e, const char *wish);
/* Returns the operands (OpenCL C or CUDA code) of all atoms, by atom. Their type is int, or a
 * 64-bit type if `wide`. */
const char *const *pm_emit_names(pm_emit *e, bool wide);
/* Operand of a local id: a suitable variable of the source, or a variable that pm_emit_ids()
 * declares. */
const char *pm_emit_local(pm_emit *e, unsigned dimension);
/* Returns a polynomial with the same value as `poly`, in which local ids replace their digits
 * (PM_ATOM_PART) if that makes it shorter. */
pm_poly pm_emit_whole_ids(pm_emit *e, const pm_poly *poly);
/* Operand: linear index of the work-item in its work-group. */
const char *pm_emit_item(pm_emit *e);
/* Appends declarations of the ids that the edits use. They go to the start of the kernel body. */
void pm_emit_ids(pm_emit *e, pm_text *out);
/* Appends `at` as a subscript: [k - first]. Unlike an operand, it needs no parentheses. names: as
 * in pm_emit_names(). */
void pm_emit_subscript(const pm_poly *at, const char *const *names, pm_text *out);
/* Returns true if indices of the array need 64 bits. */
bool pm_emit_is_wide(const pm_emit *e, const pm_tile *tile);

/* ---- emit.c */

/* Text of a loop's exclusive upper bound. */
const char *pm_stage_end_text(pm_emit *e, const pm_loop *loop);

/* ---- access.c */

/* Redirects the accesses of the tile's members to the tile. */
void pm_emit_members(pm_emit *e, const pm_tile *tile);
/* Extends barriers within the region to local memory. */
void pm_emit_barriers(pm_emit *e, const pm_tile_place *place);

/* ---- copy.c */

/* Appends lines that fill a tile, or that write it back (out). Each line starts with indent. */
void pm_emit_copies(pm_emit *e, const pm_tile *tile, bool out, const char *indent, pm_text *text);

/* ---- pointer.c */

/* Redirects the array's pointers to the tile. */
void pm_emit_pointers(pm_emit *e, const pm_tile *tile);
/* Raises an error if a function is called both with pointers to tiles and with other pointers. */
void pm_moved_check(const pm_source_unit *unit, const pm_moved *moved, pm_memory *memory);

/* ---- guard.c */

/* Replaces divergent conditions around the regions by bool variables. Notes in `wraps` the
 * statements that must be executed under them. */
void pm_emit_guards(pm_emit *e);
/* Variable with the condition for the statement; NULL: none. */
const char *pm_emit_wrap_of(const pm_emit *e, const pm_node *statement);
/* Puts `if (active)` before the statements in `wraps`, except around regions that are tiled loops.
 */
void pm_emit_wraps(pm_emit *e);

/* Adds the edits for the chosen tiles of a kernel. */
void pm_stage_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden);

#endif
