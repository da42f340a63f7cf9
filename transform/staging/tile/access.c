/* Rewrites accesses to an array so that they access its tile in local memory, and changes the
 * fences of barriers. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/emit.h"
#include "transform/staging/tile/parts.h"

static const char *item_text(pm_emit *e, const pm_tile *tile, const pm_tile_member *member)
{
    pm_text out = {.memory = e->memory};
    bool wide = pm_emit_is_wide(e, tile);

    pm_text_add(&out, "%s", tile->name);
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        pm_poly at = pm_poly_subtract(member->forms[k], pm_poly_constant(axis->low));

        for (size_t t = 0; t < at.count; t++)
            at.terms[t].coefficient /= axis->unit;
        at = pm_emit_whole_ids(e, &at);
        /* The code of the symbolic values is read only now, because pm_emit_whole_ids() may have
         * added a symbolic value. */
        pm_emit_subscript(&at, pm_emit_names(e, wide), &out);
    }
    if (tile->axis_count == 0)
        pm_text_add(&out, "[0]");
    return pm_text_get(&out);
}

/* Rewrites the vector access vloadN(i, p) to vloadN(0, &tile[..]), and vstoreN in the same way.
 * item: code of the tile's element. */
static void rewrite_vector(pm_emit *e, const pm_index_access *access, const char *item)
{
    size_t first = access->written ? 1 : 0;
    size_t children = pm_ast_children(access->node), base = children - (access->written ? 3 : 2);
    const pm_node *offset = pm_ast_child(access->node, base + first),
                  *pointer = pm_ast_child(access->node, base + first + 1);

    pm_emit_need(e, offset && pointer);
    if (!offset || !pointer)
        return;
    pm_emit_replace(e, offset, "0");
    pm_emit_replace(e, pointer, pm_format(e->memory, "&%s", item));
}

/* Rewrites the access p->x to tile[..].x. item: code of the tile's element. */
static void rewrite_arrow(pm_emit *e, const pm_node *node, const char *item)
{
    const char *text = e->s->unit->ast.text;
    const pm_node *pointer = node->first;
    size_t begin, end;

    if (!pointer || !pm_ast_is_own(node) ||
        !pm_token(text, pointer->end, node->end, &begin, &end) || text[begin] != '-' ||
        text[begin + 1] != '>') {
        e->hidden = true;
        return;
    }
    pm_edits_add(e->edits, node->begin, begin + 2, pm_format(e->memory, "%s.", item));
}

void pm_emit_members(pm_emit *e, const pm_tile *tile)
{
    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_index_access *access = &e->s->index.accesses[tile->members[m].access];
        const char *item;

        if (m == tile->straight)
            continue;
        item = item_text(e, tile, &tile->members[m]);
        if (access->node->kind == CXCursor_CallExpr)
            rewrite_vector(e, access, item);
        else if (access->node->kind == CXCursor_MemberRefExpr)
            rewrite_arrow(e, access->node, item);
        else
            pm_emit_replace(e, access->node, item);
    }
}

/* Returns true if, after staging, the work-items of a group do not exchange data through global
 * memory any more. Barriers then need no fence for global memory. */
static bool needs_no_global_fence(const pm_emit *e)
{
    bool reads = false, writes = false;

    for (size_t a = 0; a < e->s->index.array_count; a++) {
        const pm_index_array *array = &e->s->index.arrays[a];

        if (pm_stage_has_tile(e->s, a))
            continue;
        if (array->escape || (array->read && array->written))
            return false;
        reads |= array->read && !array->is_restrict && !array->is_constant;
        writes |= array->written && !array->is_restrict;
    }
    /* the fence stays if one array is read and another is written, because both may overlap */
    return !(reads && writes);
}

/* Adds CLK_LOCAL_MEM_FENCE to the barriers in a region of statements if the kernel writes to a tile
 * there. Removes CLK_GLOBAL_MEM_FENCE if global memory needs no fence any more. */
void pm_emit_barriers(pm_emit *e, const pm_tile_place *place)
{
    if (e->words->is_cuda)
        /* nothing to change, because CUDA's __syncthreads() already orders accesses to all
         * memory */
        return;
    for (size_t b = 0; pm_place_is_written(e, place) && b < e->s->index.barrier_count; b++) {
        const pm_node *barrier = e->s->index.barriers[b];
        const pm_node *flags = pm_ast_child(barrier, pm_ast_children(barrier) - 1);
        const char *old;

        if (!flags || !pm_region_has(&place->region, barrier))
            continue;
        old = pm_emit_source(e, flags);
        if (!strstr(old, "CLK_LOCAL_MEM_FENCE"))
            pm_edits_add(e->edits, flags->begin, flags->end,
                         needs_no_global_fence(e)
                             ? "CLK_LOCAL_MEM_FENCE"
                             : pm_format(e->memory, "CLK_LOCAL_MEM_FENCE | %s", old));
    }
}
