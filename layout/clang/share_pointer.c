/* Tiles that pointers point to: where accesses are in helper functions, go through pointers that
 * change, or have an index by data, they stay as they are and the pointers get the tile in the
 * place of the array. See share_emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "collector/error.h"
#include "share_emit.h"
#include "share_parts.h"

/* ---- which tiles ---------------------------------------------------------------------------- */

bool pm_share_has_item(const pm_sharing *s, const pm_poly *poly)
{
    for (size_t a = 0; a < s->index.atom_count; a++)
        if (s->index.atoms[a].kind == PM_ATOM_ITEM && pm_poly_has(poly, a))
            return true;
    return false;
}

bool pm_share_needs_pointer(const pm_sharing *s, size_t array)
{
    for (size_t a = 0; a < s->index.access_count; a++) {
        const pm_index_access *access = &s->index.accesses[a];

        if (access->array == array &&
            (access->in_helper || access->may || pm_share_has_item(s, &access->index)))
            return true;
    }
    return false;
}

/* How far from the tile's beginning a pointer points. */
static bool offset_in_tile(const pm_tile *tile, const pm_index_root *root, long long *offset)
{
    pm_poly at = pm_poly_subtract(&root->offset, &tile->base);

    if (!pm_poly_is_constant(&at, offset))
        return false;
    *offset -= tile->axis_count ? tile->axes[0].low : 0;
    return true;
}

/* A pointer in front of the tile's beginning points nowhere: the tile begins there instead. */
static bool reach_pointers(const pm_sharing *s, pm_tile *tile)
{
    long long least = 0, offset;

    for (size_t r = 0; r < s->index.root_count; r++)
        if (s->index.roots[r].array == tile->array &&
            offset_in_tile(tile, &s->index.roots[r], &offset) && offset < least)
            least = offset;
    if (least == 0)
        return true;
    if (tile->axis_count == 0 || least < -(long long)tile->axes[0].extent)
        return false;
    tile->axes[0].low += least;
    tile->axes[0].extent += (size_t)-least;
    return true;
}

bool pm_tile_may_be_pointed_to(pm_sharing *s, pm_tile *tile, pm_text *why)
{
    const pm_node *node = s->index.accesses[tile->members[0].access].node;
    long long one = 1, offset;
    size_t all = 0;

    for (size_t a = 0; a < s->index.access_count; a++)
        all += s->index.accesses[a].array == tile->array;
    if (all != tile->member_count) {
        pm_share_why(why, node,
                     "pointers into the array are used in places that one tile does not "
                     "serve");
        return false;
    }
    if (tile->axis_count > 1 ||
        (tile->axis_count == 1 &&
         (tile->axes[0].clamped || !pm_poly_is_constant(&tile->axes[0].key, &one) || one != 1))) {
        pm_share_why(why, node,
                     "pointers into the array are used, and what is accessed is not "
                     "one piece of it");
        return false;
    }
    for (size_t r = 0; r < s->index.root_count; r++)
        if (s->index.roots[r].array == tile->array &&
            (s->index.roots[r].node->parent->kind == CXCursor_ConditionalOperator ||
             !offset_in_tile(tile, &s->index.roots[r], &offset))) {
            pm_share_why(why, s->index.roots[r].node,
                         "how far this points into what would be staged is not known");
            return false;
        }
    if (!reach_pointers(s, tile)) {
        pm_share_why(why, node, "pointers point far in front of what is accessed");
        return false;
    }
    tile->by_pointer = true;
    return true;
}

/* ---- the source ----------------------------------------------------------------------------- */

static void keep(pm_emit *e, const pm_node ***list, size_t *count, const pm_node *node)
{
    const pm_node **grown = realloc(*list, (*count + 1) * sizeof *grown);

    if (!grown) {
        pm_share_no_memory(e->s);
        return;
    }
    *list = grown;
    grown[(*count)++] = node;
}

/* __global in a declaration becomes __local. False: it is not there. */
static bool change_space(pm_emit *e, const pm_node *declaration)
{
    const char *text = e->s->unit->ast.text;
    const pm_node *whole =
        declaration->parent->kind == CXCursor_DeclStmt ? declaration->parent : declaration;
    size_t begin, end = whole->begin;

    if (!whole->in_main || !whole->begins_clean || !whole->ends_clean) {
        e->hidden = true;
        return true;
    }
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

    for (size_t r = 0; r < e->s->index.root_count; r++) {
        const pm_index_root *root = &e->s->index.roots[r];
        long long offset = 0;
        pm_text text = {0};

        if (root->array != tile->array)
            continue;
        offset_in_tile(tile, root, &offset);
        if (offset == 0)
            pm_text_add(&text, "%s", tile->name);
        else
            pm_text_add(&text, "(%s %c %lld)", tile->name, offset < 0 ? '-' : '+',
                        offset < 0 ? -offset : offset);
        pm_emit_replace(e, root->node, pm_text_get(&text));
        keep(e, &e->moved->roots, &e->moved->root_count, root->node);
        pm_text_free(&text);
    }
    for (size_t p = 0; p < array->pointer_count; p++) {
        if (!change_space(e, array->pointers[p]) && e->s->status == PM_OK)
            e->s->status = pm_ast_refuse(array->pointers[p], e->s->err,
                                         "the pointer's type does not say __global, so that it "
                                         "cannot be made one to local memory (to stage %s)",
                                         array->name);
        keep(e, &e->moved->pointers, &e->moved->pointer_count, array->pointers[p]);
    }
}

/* ---- all kernels ---------------------------------------------------------------------------- */

static bool is_in(const pm_node *const *list, size_t count, const pm_node *node)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == node)
            return true;
    return false;
}

/* Whether an argument is a pointer that was moved. */
static bool is_moved(const pm_ast *ast, const pm_moved *moved, const pm_node *argument)
{
    if (is_in(moved->roots, moved->root_count, argument) ||
        (argument->kind == CXCursor_DeclRefExpr &&
         is_in(moved->pointers, moved->pointer_count, pm_ast_declaration(ast, argument))))
        return true;
    for (const pm_node *child = argument->first; child; child = child->next)
        if (is_moved(ast, moved, child))
            return true;
    return false;
}

/* Every call of a function whose parameter was moved passes a pointer that was; and a parameter
 * that was not gets none. */
static pm_status check_call(const pm_unit *unit, const pm_moved *moved, const pm_node *call,
                            pm_error *err)
{
    pm_node *function = pm_unit_callee(unit, call);
    size_t first = call->first && !clang_isExpression(call->first->kind) ? 0 : 1;

    for (size_t i = 0; function; i++) {
        pm_node *parameter = pm_unit_parameter(function, i);
        const pm_node *argument = pm_ast_child(call, first + i);

        if (!parameter || !argument)
            break;
        if (is_in(moved->pointers, moved->pointer_count, parameter) !=
            is_moved(&unit->ast, moved, argument))
            return pm_ast_refuse(call, err,
                                 "this function is called with pointers that are staged and with "
                                 "pointers that are not; make two of it, or stage all");
    }
    return PM_OK;
}

pm_status pm_moved_check(const pm_unit *unit, const pm_moved *moved, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t n = 0; moved->root_count > 0 && status == PM_OK && n < unit->ast.count; n++)
        if (unit->ast.nodes[n]->kind == CXCursor_CallExpr)
            status = check_call(unit, moved, unit->ast.nodes[n], err);
    return status;
}
