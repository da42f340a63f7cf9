/* Makes pointers into an array point to its tile. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This is needed if accesses are in helper functions, use pointers that change, or have an index
 * that depends on data. The code of the accesses then does not change.
 */
#include <string.h>

#include "transform/staging/tile/emit.h"
#include "transform/staging/tile/parts.h"

/* ---- tiles that are accessed through pointers ----------------------------------------------- */

bool pm_stage_needs_pointer(const pm_sharing *s, size_t array)
{
    for (size_t a = 0; a < s->index.access_count; a++) {
        const pm_index_access *access = &s->index.accesses[a];

        if (access->array == array &&
            (access->in_helper || access->may || pm_stage_has_item(s, &access->index)))
            return true;
    }
    return false;
}

/* Computes where a pointer points in the tile, as an offset in elements from the tile's start.
 * Returns false if the offset is not constant. */
static bool offset_in_tile(const pm_tile *tile, const pm_index_pointer *root, long long *offset)
{
    if (!pm_poly_is_constant(pm_poly_subtract(root->offset, tile->base), offset))
        return false;
    *offset -= tile->axis_count ? tile->axes[0].low : 0;
    return true;
}

/* Extends the tile so that all pointers into the array point into the tile or to its end, even
 * those that are not dereferenced. Fails if a pointer is too far away or its offset is unknown. */
static bool reach_pointers(const pm_sharing *s, pm_tile *tile, pm_text *why)
{
    const long long extent = tile->axis_count ? (long long)tile->axes[0].extent : 1;
    const long long first = tile->axis_count ? tile->axes[0].low : 0;
    long long least = 0, most = extent;

    for (size_t p = 0; p < s->index.pointer_count; p++) {
        const pm_index_pointer *pointer = &s->index.pointers[p];
        pm_poly at = pm_region_form(s, &tile->region, pointer->offset);
        long long low, high;

        if (pointer->array != tile->array)
            continue;
        /* If the iteration count of a loop is unknown, bounds of the loop's variable may still be
         * known, so use the offset with this variable. */
        at = pm_poly_subtract(at.known ? at : pointer->offset, tile->base);
        if (!at.known || !pm_form_range(s, at, &low, &high))
            return pm_stage_why(why, pointer->node,
                                "how far this points into what would be staged is not known");
        least = low - first < least ? low - first : least;
        most = high - first > most ? high - first : most;
        if (least < -extent || most > 2 * extent ||
            (tile->axis_count == 0 && (least < 0 || most > extent)))
            return pm_stage_why(why, pointer->node, "this points far beside what is accessed");
    }
    if (tile->axis_count > 0) {
        tile->axes[0].low += least;
        tile->axes[0].extent = (size_t)(most - least);
    }
    return true;
}

bool pm_tile_may_be_pointed_to(pm_sharing *s, pm_tile *tile, pm_text *why)
{
    const pm_node *node = s->index.accesses[tile->members[0].access].node;
    long long one = 1, offset;
    size_t all = 0;

    for (size_t a = 0; a < s->index.access_count; a++)
        all += s->index.accesses[a].array == tile->array;
    if (all != tile->member_count)
        return pm_stage_why(why, node,
                            "pointers into the array are used in places that one tile does not "
                            "serve");
    if (tile->axis_count > 1 ||
        (tile->axis_count == 1 &&
         (tile->axes[0].clamped || !pm_poly_is_constant(tile->axes[0].key, &one) || one != 1)))
        return pm_stage_why(why, node,
                            "pointers into the array are used, and what is accessed is not "
                            "one piece of it");
    for (size_t r = 0; r < s->index.root_count; r++)
        if (s->index.roots[r].array == tile->array &&
            (s->index.roots[r].node->parent->kind == CXCursor_ConditionalOperator ||
             !offset_in_tile(tile, &s->index.roots[r], &offset)))
            return pm_stage_why(why, s->index.roots[r].node,
                                "how far this points into what would be staged is not known");
    if (!tile->whole && !reach_pointers(s, tile, why))
        return false;
    tile->by_pointer = true;
    return true;
}

/* ---- edits of the source -------------------------------------------------------------------- */

/* Replaces __global by __local in a declaration. Returns false if the declaration has no __global.
 * In CUDA, nothing changes, because pointers have no address space. */
static bool change_space(pm_emit *e, const pm_node *declaration)
{
    const char *text = e->s->unit->ast.text;
    const pm_node *whole =
        declaration->parent->kind == CXCursor_DeclStmt ? declaration->parent : declaration;
    size_t begin, end = whole->begin;

    if (e->words->is_cuda)
        return true;
    pm_emit_need(e, pm_ast_is_own(whole));
    if (!pm_ast_is_own(whole))
        return true;
    while (pm_token(text, end, whole->end, &begin, &end))
        if (pm_token_is(text, begin, end, "__global") || pm_token_is(text, begin, end, "global")) {
            pm_edits_add(e->edits, begin, end, "__local");
            return true;
        }
    return false;
}

void pm_emit_pointers(pm_emit *e, const pm_tile *tile)
{
    const pm_index_array *array = &e->s->index.arrays[tile->array];
    pm_moved *moved = e->moved;

    for (size_t r = 0; r < e->s->index.root_count; r++) {
        const pm_index_pointer *root = &e->s->index.roots[r];
        long long offset = 0;

        if (root->array != tile->array)
            continue;
        offset_in_tile(tile, root, &offset);
        pm_emit_replace(e, root->node,
                        offset == 0
                            ? tile->name
                            : pm_format(e->memory, "(%s %c %lld)", tile->name,
                                        offset < 0 ? '-' : '+', offset < 0 ? -offset : offset));
        *pm_add(e->memory, moved->roots, moved->root_count) = root->node;
    }
    for (size_t p = 0; p < array->pointer_count; p++) {
        if (!change_space(e, array->pointers[p]))
            pm_ast_refuse(e->memory, array->pointers[p],
                          "the pointer's type does not say __global, so that it cannot be made one "
                          "to local memory (to stage %s)",
                          array->name);
        *pm_add(e->memory, moved->pointers, moved->pointer_count) = array->pointers[p];
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

void pm_moved_check(const pm_source_unit *unit, const pm_moved *moved, pm_memory *memory)
{
    if (unit->ast.is_cuda)
        return; /* nothing to check, because CUDA's pointers have no address space */
    for (size_t n = 0; moved->root_count > 0 && n < unit->ast.count; n++)
        if (unit->ast.nodes[n]->kind == CXCursor_CallExpr)
            check_call(moved, unit->ast.nodes[n], memory);
}
