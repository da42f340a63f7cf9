/* Types and functions for the files that rewrite kernels so that they copy parts of arrays to local
 * memory and read them there (staging).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inserted text has control characters for deeper and shallower indentation, because the code
 * between two insertions may move to the right as a whole. pm_stage_indent() replaces them by
 * spaces.
 */
#ifndef PM_TRANSFORM_STAGING_EMIT_EMIT_H
#define PM_TRANSFORM_STAGING_EMIT_EMIT_H

#include "transform/source/clang/edits.h"
#include "transform/source/kernel_words.h"
#include "transform/staging/tile/choose.h"

#define PM_DEEPER "\001"
#define PM_HIGHER "\002"

/* ---- edit.c */

/* Edits of the source of one kernel. */
typedef struct {
    const pm_ast *ast; /* syntax tree, and text of the source */
    pm_edits *edits;   /* edits of all kernels of the source */
    pm_memory *memory; /* owns texts of the edits; lives as long as `edits` */
    bool hidden;       /* true: code to change is in a macro or in another file */
    /* number of insertions so far; each inserted string contains it, because pm_edits_add() ignores
     * an edit that equals another one */
    size_t marks;
} pm_writer;

/* Sets w->hidden to true if `own` is false, because the source cannot be edited there. own: true if
 * the code is in the source itself, and not in a macro or another file. */
void pm_writer_need(pm_writer *w, bool own);
/* Returns the source code of an expression. Sets w->hidden to true if the code is in a macro or in
 * another file. */
const char *pm_writer_source(pm_writer *w, const pm_node *node);
void pm_writer_insert(pm_writer *w, size_t at, const char *text);
void pm_writer_replace(pm_writer *w, const pm_node *node, const char *text);
/* Returns the offset in the source of the start of a statement, including its #pragma. */
size_t pm_statement_begin(const pm_ast *ast, const pm_node *statement);
/* Returns the offset in the source after a statement's ';'. */
size_t pm_statement_end(const pm_ast *ast, const pm_node *statement);
/* Returns the indentation of a source line: the blanks at the start of the line that contains
 * offset `at`. */
const char *pm_writer_indent(const pm_writer *w, size_t at);
/* Appends `text` to out. Its indentation characters (PM_DEEPER, PM_HIGHER) are replaced by
 * spaces. */
void pm_stage_indent(const char *text, pm_text *out);

/* ---- places.c */

/* A tile (copy of a part of an array in local memory) that was chosen for a kernel, with the
 * names and sizes that its code needs. */
typedef struct {
    const pm_tile *tile; /* belongs to pm_chosen_tiles.candidates */
    const char *name;    /* name of the tile's variable in local memory */
    bool wide;           /* true: indices of the tile's array may need 64 bits */
} pm_named_tile;

/* A region of the kernel (a sequence of statements), and the tiles (copies of parts of arrays in
 * local memory) that are filled before it. */
typedef struct {
    /* the statements before which all tiles in `tiles` are filled; its member `counts` is NULL */
    pm_staging_region region;
    size_t tile_count;
    const pm_named_tile **tiles;
} pm_tile_place;

/* All regions (sequences of statements) of a kernel before which parts of arrays are copied to
 * local memory, in source order; outer regions come first. */
typedef struct {
    size_t count;
    pm_tile_place *items;
} pm_tile_places;

/* Groups the tiles tiles[0..count) by the statements (region) before which they are filled. The
 * result is allocated from `memory`. */
pm_tile_places pm_places_find(const pm_index *index, const pm_named_tile *tiles, size_t count,
                              pm_memory *memory);
/* Returns true if the kernel writes to one of the tiles that are filled before a region of
 * statements, so that the tile must be copied back. */
bool pm_place_is_written(const pm_tile_place *place);

/* ---- operands.c */

/* Variable of the outer loop that the new source has around a tiled loop. */
typedef struct {
    const char *name;
    enum CXTypeKind kind; /* type of the loop variable */
} pm_cut_variable;

/* Operands of the code that is written into a kernel: names of variables, and code of symbolic
 * values. */
typedef struct {
    /* the kernel's index; atoms (symbolic values) of variables in the new code are appended */
    pm_index *index;
    const pm_kernel_words *words;
    pm_names *names; /* names that the source already has */
    /* regions (statements that use tiles) before which tiles are filled; new variables must be
     * usable before each of these regions */
    const pm_tile_places *places;
    pm_memory *memory; /* owns the code */
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
    /* Code for each symbolic value (atom) of the polynomials: code[0][atom] has the type int,
     * code[1][atom] a 64-bit type. */
    const char **code[2];
    size_t code_count[2];
} pm_operands;

/* Returns the code for each symbolic value (atom) of the polynomials in OpenCL C or CUDA. The code
 * has the type int, or a 64-bit type if `wide` is true. */
const char *const *pm_operands_code(pm_operands *o, bool wide);
/* Returns the name of a variable with the local id in a dimension: a suitable one of the source, or
 * a new one that pm_operands_declare() declares. */
const char *pm_operands_local(pm_operands *o, unsigned dimension);
/* Returns a polynomial equal to `poly`, in which a local id replaces a sum such as (id / 8) * 8 +
 * id % 8 (digits, PM_ATOM_PART), if the polynomial then has fewer terms. */
pm_poly pm_operands_whole_ids(pm_operands *o, const pm_poly *poly);
/* Returns code for the linear index of the work-item in its work-group. */
const char *pm_operands_item(pm_operands *o);
/* Appends the declarations of the new variables for ids that the edits use. They are inserted at
 * the start of the kernel's body. */
void pm_operands_declare(const pm_operands *o, const pm_edits *edits, pm_text *out);
/* Appends the polynomial `at` as a subscript, such as [k - first]. code: code of each symbolic
 * value, from pm_operands_code(). */
void pm_write_subscript(const pm_poly *at, const char *const *code, pm_text *out);
/* Returns true if indices of the tile's array may need 64 bits. */
bool pm_tile_is_wide(const pm_index *index, const pm_tile *tile);

/* ---- guard.c */

/* A statement that only some work-items execute. The new source puts it into `if (active)`. */
typedef struct {
    pm_node *statement;
    /* name of the bool variable that is true in the work-items that execute the statement */
    const char *active;
} pm_wrap;

/* All statements of a kernel that the new source puts into `if (active)`. */
typedef struct {
    size_t count;
    pm_wrap *items;
} pm_wraps;

/* Returns true if the type of an expression or variable is bool or an integer type. */
bool pm_has_integer_type(const pm_node *node);
/* Replaces the conditions around regions (statements before which tiles are filled) by bool
 * variables, if the conditions differ between work-items, so that all work-items reach the
 * barriers. Returns the statements that depend on such a condition. */
pm_wraps pm_guards_move(const pm_index *index, const pm_tile_places *places, pm_names *names,
                        pm_writer *w);

/* ---- wrap.c */

/* Returns the name of the bool variable with the condition of a statement. Returns NULL if the
 * statement has no such condition. */
const char *pm_wraps_condition(const pm_wraps *wraps, const pm_node *statement);
/* Inserts `if (active)` before the statements in `wraps`. Tiled loops are left out, because their
 * code is written elsewhere. */
void pm_wraps_write(const pm_index *index, const pm_tile_places *places, const pm_wraps *wraps,
                    pm_writer *w);

/* ---- access.c */

/* Rewrites all accesses that use the tile, so that they access the tile instead of the array. */
void pm_accesses_write(const pm_named_tile *named, pm_operands *o, pm_writer *w);
/* Changes the fences of the barriers in a region of statements. Adds the fence for local memory if
 * the kernel writes to a tile. Removes the fence for global memory if work-items do not exchange
 * data through global memory any more. */
void pm_barriers_write(const pm_index *index, const pm_chosen_tiles *chosen,
                       const pm_tile_place *place, pm_writer *w);

/* ---- copy.c */

/* Appends code to `text` in which the work-group copies elements of the array to the tile or, if
 * `out` is true, from the tile back to the array. Each line starts with `indent`. */
void pm_copies_write(const pm_named_tile *named, pm_operands *o, bool out, const char *indent,
                     pm_text *text);

/* ---- pointer.c */

/* Pointers in all kernels that point to an array in global memory in the original source, and to
 * the array's copy in local memory (tile) in the new source. */
typedef struct {
    size_t root_count, pointer_count;
    const pm_node **roots;    /* expressions that use the parameter of a staged array directly */
    const pm_node **pointers; /* pointer variables and parameters that point into a staged array */
} pm_moved;

/* Rewrites the pointers into the tile's array, so that they point to the tile. Adds these pointers
 * to `moved`. */
void pm_pointers_write(const pm_index *index, const pm_named_tile *named, pm_writer *w,
                       pm_moved *moved);
/* Raises an error if a function is called with a pointer to a tile in one place, and with a pointer
 * to global memory in another. The parameter of the function can have only one of these two
 * types. */
void pm_moved_check(const pm_ast *ast, const pm_moved *moved, pm_memory *memory);

/* ---- cut.c */

/* Gives a name to the variable of the outer loop of each tiled loop. All tiles of the loop use this
 * variable. */
void pm_cuts_name(pm_operands *o);
/* Appends the head of the outer loop of a tiled loop, such as: for (int k_first = 0; k_first < n;
 * k_first += 16) { */
void pm_cut_open(const pm_tile_place *place, pm_operands *o, const char *indent, pm_writer *w,
                 pm_text *text);
/* Rewrites the head of a tiled loop, which becomes the inner loop, such as: for (int k = k_first; k
 * < min(k_first + 16, n); k++) */
void pm_cut_rewrite_head(const pm_tile_place *place, pm_operands *o, pm_writer *w);

/* ---- emit.c */

/* Adds to `edits` the edits of the source for all chosen tiles of a kernel. Adds to `moved` those
 * pointer variables of the kernel that then point to a tile. several: true if the kernel is
 * launched with work-groups of several sizes. names: all names of the
 * source; new names are added. Returns true if the source cannot be edited, because code to change
 * is in a macro or in another file. */
bool pm_tiles_write(pm_index *index, const pm_chosen_tiles *chosen, bool several, pm_names *names,
                    pm_memory *memory, pm_edits *edits, pm_moved *moved);

/* ---- report.c */

/* Appends a description of the kernel's arrays to out->arrays. memory: for temporary texts. */
void pm_stage_report(const pm_index *index, const pm_chosen_tiles *chosen, pm_memory *memory,
                     pm_staged *out);

#endif
