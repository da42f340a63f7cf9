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

/* A region of the kernel, and the tiles that are filled before it. */
typedef struct {
    pm_staging_region region; /* region of all tiles of this place; its member `counts` is NULL */
    size_t tile_count;
    size_t *tiles; /* indices of candidates */
} pm_tile_place;

/* Variable of the new outer loop that is written around a tiled loop. */
typedef struct {
    const char *name;
    enum CXTypeKind kind; /* type of the variable */
} pm_cut_variable;

/* A statement that the new source executes only under a condition. */
typedef struct {
    pm_node *statement;
    const char *active; /* name of the bool variable whose value is the condition */
} pm_wrap;

/* Pointers, in all kernels, that point to tiles in the new source. */
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
    /* true: the first global ids of groups are declared as long, which is the type of array
     * indices */
    bool wide_ids;
    const char *local[3]; /* names of variables with the local ids; NULL until one is needed */
    bool is_own[3];       /* true: the variable for the local id is one of the original source */
    const char *group[3]; /* names of variables with CUDA's block ids; NULL until one is needed */
    /* Variables of the new outer loops around tiled loops. */
    size_t piece_count;
    pm_cut_variable *pieces;
    const char *item; /* code for the linear index of the work-item in its work-group */
    /* operands[0][atom]: code of the atom, of type int; operands[1][atom]: code of a 64-bit
     * type. */
    const char **operands[2];
    size_t operand_count[2];
    /* number of insertions so far; it is part of each inserted string, so that no two are equal */
    size_t marks;
    size_t wrap_count;
    pm_wrap *wraps;
    size_t place_count;
    pm_tile_place *places; /* regions with tiles, in source order; outer regions come first */
} pm_emit;

/* ---- edit.c */

/* Sets e->hidden to true if `own` is false. own: the code is in the source itself, and not in a
 * macro or another file. */
void pm_emit_need(pm_emit *e, bool own);
/* Returns the source code of an expression. Sets e->hidden to true if the code is in a macro or in
 * another file. */
const char *pm_emit_source(pm_emit *e, const pm_node *node);
void pm_emit_insert(pm_emit *e, size_t at, const char *text);
void pm_emit_replace(pm_emit *e, const pm_node *node, const char *text);
/* Return offsets in the source: the start of a statement with its #pragma, and its end with its
 * ';'. */
size_t pm_emit_begin(const pm_emit *e, const pm_node *statement);
size_t pm_emit_end(const pm_emit *e, const pm_node *statement);
/* Returns the blanks at the start of the line that contains offset `at`. */
const char *pm_emit_indent(const pm_emit *e, size_t at);
/* Appends `text` to out. Its indentation characters (PM_DEEPER, PM_HIGHER) are replaced by
 * spaces. */
void pm_stage_indent(const char *text, pm_text *out);

/* ---- places.c */

/* Groups the chosen tiles by the region before which they are filled. Sets e->places. */
void pm_places_find(pm_emit *e);
/* Returns tile i of a region (pm_tile_place). */
pm_tile *pm_place_tile(const pm_emit *e, const pm_tile_place *place, size_t i);
/* Returns true if the kernel writes to one of the tiles of a region. */
bool pm_place_is_written(const pm_emit *e, const pm_tile_place *place);

/* ---- text.c */

/* Returns a name that the source does not use yet. */
const char *pm_emit_fresh(pm_emit *e, const char *wish);
/* Returns a name for a variable of a block that the source does not use. Other blocks may use it
 * again. */
const char *pm_emit_scoped(pm_emit *e, const char *wish);
/* Returns the code of all atoms in OpenCL C or CUDA, indexed by atom. Its type is int, or a 64-bit
 * type if `wide`. */
const char *const *pm_emit_names(pm_emit *e, bool wide);
/* Returns the code of a local id: a suitable variable of the source, or a variable that
 * pm_emit_ids() declares. */
const char *pm_emit_local(pm_emit *e, unsigned dimension);
/* Returns a polynomial equal to `poly` in which whole local ids replace their digits
 * (PM_ATOM_PART), if this makes it shorter. */
pm_poly pm_emit_whole_ids(pm_emit *e, const pm_poly *poly);
/* Returns the code of the linear index of the work-item in its work-group. */
const char *pm_emit_item(pm_emit *e);
/* Appends declarations of the id variables that the edits use, for the start of the kernel's
 * body. */
void pm_emit_ids(pm_emit *e, pm_text *out);
/* Appends `at` as a subscript, such as [k - first], without the parentheses of an operand. names:
 * result of pm_emit_names(). */
void pm_emit_subscript(const pm_poly *at, const char *const *names, pm_text *out);
/* Returns true if indices of the array need 64 bits. */
bool pm_emit_is_wide(const pm_emit *e, const pm_tile *tile);

/* ---- emit.c */

/* Returns the code of a loop's exclusive upper bound. */
const char *pm_stage_end_text(pm_emit *e, const pm_loop *loop);

/* ---- access.c */

/* Rewrites the accesses of a tile, so that they access the tile instead of the array. */
void pm_emit_members(pm_emit *e, const pm_tile *tile);
/* Adds local memory to the barriers in a region. */
void pm_emit_barriers(pm_emit *e, const pm_tile_place *place);

/* ---- copy.c */

/* Appends code that fills a tile or, if `out`, writes it back to the array. Each line starts with
 * indent. */
void pm_emit_copies(pm_emit *e, const pm_tile *tile, bool out, const char *indent, pm_text *text);

/* ---- pointer.c */

/* Rewrites the pointers into an array, so that they point to the tile. */
void pm_emit_pointers(pm_emit *e, const pm_tile *tile);
/* Raises an error if a function is called both with pointers to tiles and with pointers to global
 * memory. */
void pm_moved_check(const pm_source_unit *unit, const pm_moved *moved, pm_memory *memory);

/* ---- guard.c */

/* Replaces conditions that differ between work-items, around the regions, by bool variables. Every
 * work-item then reaches the barriers. Adds the statements that depend on such a condition to
 * `wraps`. */
void pm_emit_guards(pm_emit *e);
/* Returns the bool variable with the condition of a statement. NULL: none. */
const char *pm_emit_wrap_of(const pm_emit *e, const pm_node *statement);
/* Inserts `if (active)` before the statements in `wraps`, except around tiled loops. */
void pm_emit_wraps(pm_emit *e);

/* Adds the edits for the chosen tiles of a kernel to `edits`. */
void pm_stage_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden);

#endif
