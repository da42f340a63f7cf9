/* Internal declarations of the files that write the source with staged arrays.
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

/* A region of the kernel (a sequence of statements), and the tiles that are filled before it. */
typedef struct {
    /* statements for which all these tiles are filled; the member `counts` is NULL */
    pm_staging_region region;
    size_t tile_count;
    size_t *tiles; /* indices of the tiles in pm_sharing.candidates */
} pm_tile_place;

/* Variable of the outer loop that the new source has around a tiled loop. */
typedef struct {
    const char *name;
    enum CXTypeKind kind; /* type of the loop variable */
} pm_cut_variable;

/* A statement that only some work-items execute. The new source puts it into `if (active)`. */
typedef struct {
    pm_node *statement;
    /* name of the bool variable that is true in the work-items that execute the statement */
    const char *active;
} pm_wrap;

/* Pointers in all kernels that point to an array in global memory in the original source, and to a
 * tile in the new source. */
typedef struct {
    size_t root_count, pointer_count;
    const pm_node **roots;    /* expressions that use the parameter of a staged array directly */
    const pm_node **pointers; /* pointer variables and parameters that point into a staged array */
} pm_moved;

typedef struct {
    pm_sharing *s;
    pm_memory *memory;
    const pm_kernel_words *words;
    pm_moved *moved;
    pm_edits *edits;
    pm_names *names;
    bool hidden;
    /* true: the first global id of a group is declared as long, because array indices need 64
     * bits */
    bool wide_ids;
    /* local[dimension]: name of a variable with the local id; NULL: none is needed yet */
    const char *local[3];
    /* is_own[dimension]: true if local[dimension] is a variable of the original source */
    bool is_own[3];
    /* group[dimension]: name of a variable with CUDA's blockIdx in this dimension; NULL: none is
     * needed yet */
    const char *group[3];
    /* Variables of the new outer loops, one for each tiled loop. */
    size_t piece_count;
    pm_cut_variable *pieces;
    const char *item; /* code for the linear index of the work-item in its work-group */
    /* Code for each symbolic value (atom) of the polynomials: operands[0][atom] has the type int,
     * operands[1][atom] a 64-bit type. */
    const char **operands[2];
    size_t operand_count[2];
    /* number of insertions so far; each inserted string contains it, because pm_edits_add() ignores
     * an edit that equals another one */
    size_t marks;
    size_t wrap_count;
    pm_wrap *wraps;
    size_t place_count;
    /* regions (statements before which tiles are filled), in source order; outer regions come
     * first */
    pm_tile_place *places;
} pm_emit;

/* ---- edit.c */

/* Sets e->hidden to true if `own` is false, because the source cannot be edited there. own: true if
 * the code is in the source itself, and not in a macro or another file. */
void pm_emit_need(pm_emit *e, bool own);
/* Returns the source code of an expression. Sets e->hidden to true if the code is in a macro or in
 * another file. */
const char *pm_emit_source(pm_emit *e, const pm_node *node);
void pm_emit_insert(pm_emit *e, size_t at, const char *text);
void pm_emit_replace(pm_emit *e, const pm_node *node, const char *text);
/* Returns the offset in the source of the start of a statement, including its #pragma. pm_emit_end
 * returns the offset after the statement's ';'. */
size_t pm_emit_begin(const pm_emit *e, const pm_node *statement);
size_t pm_emit_end(const pm_emit *e, const pm_node *statement);
/* Returns the indentation of a source line: the blanks at the start of the line that contains
 * offset `at`. */
const char *pm_emit_indent(const pm_emit *e, size_t at);
/* Appends `text` to out. Its indentation characters (PM_DEEPER, PM_HIGHER) are replaced by
 * spaces. */
void pm_stage_indent(const char *text, pm_text *out);

/* ---- places.c */

/* Groups the chosen tiles by the statements (region) before which they are filled. Sets e->places
 * and e->place_count. */
void pm_places_find(pm_emit *e);
/* Returns the i-th tile of the tiles that are filled before a region of statements. */
pm_tile *pm_place_tile(const pm_emit *e, const pm_tile_place *place, size_t i);
/* Returns true if the kernel writes to one of the tiles that are filled before a region of
 * statements, so that the tile must be copied back. */
bool pm_place_is_written(const pm_emit *e, const pm_tile_place *place);

/* ---- text.c */

/* Returns a name that the source does not contain yet: `wish`, or `wish` with a number appended. */
const char *pm_emit_fresh(pm_emit *e, const char *wish);
/* Returns a name for a variable of one block ({ }) that the source does not contain: `wish`, or
 * `wish` with a number appended. Other blocks may get the same name. */
const char *pm_emit_scoped(pm_emit *e, const char *wish);
/* Returns the code for each symbolic value (atom) of the polynomials in OpenCL C or CUDA. The code
 * has the type int, or a 64-bit type if `wide` is true. */
const char *const *pm_emit_names(pm_emit *e, bool wide);
/* Returns the name of a variable with the local id in a dimension: a suitable one of the source, or
 * a new one that pm_emit_ids() declares. */
const char *pm_emit_local(pm_emit *e, unsigned dimension);
/* Returns a polynomial equal to `poly`, in which a local id replaces a sum such as (id / 8) * 8 +
 * id % 8 (digits, PM_ATOM_PART), if the polynomial then has fewer terms. */
pm_poly pm_emit_whole_ids(pm_emit *e, const pm_poly *poly);
/* Returns code for the linear index of the work-item in its work-group. */
const char *pm_emit_item(pm_emit *e);
/* Appends the declarations of the new variables for ids that the edits use. They are inserted at
 * the start of the kernel's body. */
void pm_emit_ids(pm_emit *e, pm_text *out);
/* Appends the polynomial `at` as a subscript, such as [k - first]. names: code of each symbolic
 * value, from pm_emit_names(). */
void pm_emit_subscript(const pm_poly *at, const char *const *names, pm_text *out);
/* Returns true if indices of the tile's array may need 64 bits. */
bool pm_emit_is_wide(const pm_emit *e, const pm_tile *tile);

/* ---- emit.c */

/* Returns the code of a loop's end, the exclusive upper bound of its variable. */
const char *pm_stage_end_text(pm_emit *e, const pm_loop *loop);

/* ---- access.c */

/* Rewrites all accesses that use the tile, so that they access it instead of the array. */
void pm_emit_members(pm_emit *e, const pm_tile *tile);
/* Changes the fences of the barriers in a region of statements: adds the one for local memory if
 * the kernel writes to a tile, and removes the one for global memory if it is not needed any
 * more. */
void pm_emit_barriers(pm_emit *e, const pm_tile_place *place);

/* ---- copy.c */

/* Appends code to `text` in which the work-group copies elements of the array to the tile or, if
 * `out` is true, from the tile back to the array. Each line starts with `indent`. */
void pm_emit_copies(pm_emit *e, const pm_tile *tile, bool out, const char *indent, pm_text *text);

/* ---- pointer.c */

/* Rewrites the pointers into the tile's array, so that they point to the tile. */
void pm_emit_pointers(pm_emit *e, const pm_tile *tile);
/* Raises an error if a function is called both with pointers to tiles and with pointers to global
 * memory, because its parameter can have only one of both types. */
void pm_moved_check(const pm_source_unit *unit, const pm_moved *moved, pm_memory *memory);

/* ---- guard.c */

/* Replaces the conditions around regions (statements before which tiles are filled) by bool
 * variables, if the conditions differ between work-items, so that all work-items reach the
 * barriers. Adds the statements that depend on such a condition to `wraps`. */
void pm_emit_guards(pm_emit *e);
/* Returns the name of the bool variable with the condition of a statement. Returns NULL if the
 * statement has no such condition. */
const char *pm_emit_wrap_of(const pm_emit *e, const pm_node *statement);
/* Inserts `if (active)` before the statements in `wraps`. Tiled loops are left out, because their
 * code is written elsewhere. */
void pm_emit_wraps(pm_emit *e);

/* Adds the edits for all chosen tiles of a kernel to `edits`. *hidden is set to true if code to
 * change is in a macro or in another file. */
void pm_stage_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden);

#endif
