/* Makes pointers into an array point to the array's tile, its copy in local memory. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The accesses through these pointers then use the tile without a change of their code. pointed.c
 * tests which arrays need this.
 */
#include <string.h>

#include "transform/source/clang/builtins.h"
#include "transform/staging/emit/emit.h"

/* ---- edits of the source -------------------------------------------------------------------- */

/* Replaces __global by __local in a declaration. Returns false if the declaration has no __global.
 * In CUDA, nothing changes, because pointers have no address space. */
static bool change_space(pm_writer *w, const pm_node *declaration)
{
    const char *text = w->ast->text;
    const pm_node *whole =
        declaration->parent->kind == CXCursor_DeclStmt ? declaration->parent : declaration;
    size_t begin, end = whole->begin;

    if (w->ast->is_cuda)
        return true;
    pm_writer_need(w, pm_ast_is_own(whole));
    if (!pm_ast_is_own(whole))
        return true;
    while (pm_token(text, end, whole->end, &begin, &end))
        if (pm_token_is(text, begin, end, "__global") || pm_token_is(text, begin, end, "global")) {
            pm_edits_add(w->edits, begin, end, "__local");
            return true;
        }
    return false;
}

void pm_pointers_write(const pm_index *index, const pm_named_tile *named, pm_writer *w,
                       pm_moved *moved)
{
    const pm_tile *tile = named->tile;
    const pm_index_array *array = &index->arrays[tile->array];

    for (size_t r = 0; r < index->root_count; r++) {
        const pm_index_pointer *root = &index->roots[r];
        long long offset = 0;

        if (root->array != tile->array)
            continue;
        pm_tile_offset(tile, root, &offset);
        pm_writer_replace(w, root->node,
                          offset == 0
                              ? named->name
                              : pm_format(w->memory, "(%s %c %lld)", named->name,
                                          offset < 0 ? '-' : '+', offset < 0 ? -offset : offset));
        *pm_add(w->memory, moved->roots, moved->root_count) = root->node;
    }
    for (size_t p = 0; p < array->pointer_count; p++) {
        if (!change_space(w, array->pointers[p]))
            pm_ast_refuse(w->memory, array->pointers[p],
                          "the pointer's type does not say __global, so that it cannot be made one "
                          "to local memory (to stage %s)",
                          array->name);
        *pm_add(w->memory, moved->pointers, moved->pointer_count) = array->pointers[p];
    }
}

/* ---- calls in all kernels ------------------------------------------------------------------- */

/* Returns true if the argument of a call contains a pointer that points to a tile in the new
 * source. */
static bool is_moved(const pm_moved *moved, const pm_node *argument)
{
    if (pm_is_one_of(moved->roots, moved->root_count, argument) ||
        (argument->kind == CXCursor_DeclRefExpr &&
         pm_is_one_of(moved->pointers, moved->pointer_count, argument->declaration)))
        return true;
    for (const pm_node *child = argument->first; child; child = child->next)
        if (is_moved(moved, child))
            return true;
    return false;
}

/* Raises an error unless exactly those parameters of a called function that became __local get
 * pointers to tiles. */
static void check_call(const pm_moved *moved, const pm_node *call, pm_memory *memory)
{
    pm_node *function = pm_ast_called(call);
    size_t first = call->first && !clang_isExpression(call->first->kind) ? 0 : 1;

    for (size_t i = 0; function; i++) {
        pm_node *parameter = pm_ast_parameter(function, i);
        const pm_node *argument = pm_ast_child(call, first + i);

        if (!parameter || !argument)
            break;
        if (pm_is_one_of(moved->pointers, moved->pointer_count, parameter) !=
            is_moved(moved, argument))
            pm_ast_refuse(memory, call,
                          "this function is called with pointers that are staged and with pointers "
                          "that are not; make two of it, or stage all");
    }
}

void pm_moved_check(const pm_ast *ast, const pm_moved *moved, pm_memory *memory)
{
    if (ast->is_cuda)
        return; /* nothing to check, because CUDA's pointers have no address space */
    for (size_t n = 0; moved->root_count > 0 && n < ast->count; n++)
        if (ast->nodes[n]->kind == CXCursor_CallExpr)
            check_call(moved, ast->nodes[n], memory);
}
