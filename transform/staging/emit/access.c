/* Rewrites a kernel's accesses to an array so that they access the array's tile, its copy in local
 * memory, and changes the fences of barriers. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/emit/emit.h"

/* Returns the code of the tile's element that an access uses. */
static const char *write_element(const pm_named_tile *named, const pm_tile_member *member,
                                 pm_operands *o)
{
    const pm_tile *tile = named->tile;
    pm_text out = {.memory = o->memory};

    pm_text_add(&out, "%s", named->name);
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        pm_poly at = pm_poly_subtract(member->forms[k], pm_poly_constant(axis->low));

        for (size_t t = 0; t < at.count; t++)
            at.terms[t].coefficient /= axis->unit;
        at = pm_operands_whole_ids(o, &at);
        /* The code of the symbolic values is read only now, because pm_operands_whole_ids() may
         * have added a symbolic value. */
        pm_write_subscript(&at, pm_operands_code(o, named->wide), &out);
    }
    if (tile->axis_count == 0)
        pm_text_add(&out, "[0]");
    return pm_text_get(&out);
}

/* Rewrites the vector access vloadN(i, p) to vloadN(0, &tile[..]), and vstoreN in the same way.
 * item: code of the tile's element. */
static void rewrite_vector(pm_writer *w, const pm_index_access *access, const char *item)
{
    size_t first = access->written ? 1 : 0;
    size_t children = pm_ast_children(access->node), base = children - (access->written ? 3 : 2);
    const pm_node *offset = pm_ast_child(access->node, base + first),
                  *pointer = pm_ast_child(access->node, base + first + 1);

    pm_writer_need(w, offset && pointer);
    if (!offset || !pointer)
        return;
    pm_writer_replace(w, offset, "0");
    pm_writer_replace(w, pointer, pm_format(w->memory, "&%s", item));
}

/* Rewrites the access p->x to tile[..].x. item: code of the tile's element. */
static void rewrite_arrow(pm_writer *w, const pm_node *node, const char *item)
{
    const char *text = w->ast->text;
    const pm_node *pointer = node->first;
    size_t begin, end;

    if (!pointer || !pm_ast_is_own(node) ||
        !pm_token(text, pointer->end, node->end, &begin, &end) || text[begin] != '-' ||
        text[begin + 1] != '>') {
        w->hidden = true;
        return;
    }
    pm_edits_add(w->edits, node->begin, begin + 2, pm_format(w->memory, "%s.", item));
}

void pm_accesses_write(const pm_named_tile *named, pm_operands *o, pm_writer *w)
{
    const pm_tile *tile = named->tile;

    for (size_t m = 0; m < tile->member_count; m++) {
        const pm_index_access *access = pm_tile_access(o->index, tile, m);
        const char *item;

        if (m == tile->copies.straight)
            continue;
        item = write_element(named, &tile->members[m], o);
        if (access->node->kind == CXCursor_CallExpr)
            rewrite_vector(w, access, item);
        else if (access->node->kind == CXCursor_MemberRefExpr)
            rewrite_arrow(w, access->node, item);
        else
            pm_writer_replace(w, access->node, item);
    }
}

/* Returns true if, after staging, the work-items of a group do not exchange data through global
 * memory any more. Barriers then need no fence for global memory. */
static bool needs_no_global_fence(const pm_index *index, const pm_chosen_tiles *chosen)
{
    bool reads = false, writes = false;

    for (size_t a = 0; a < index->array_count; a++) {
        const pm_index_array *array = &index->arrays[a];

        if (pm_array_has_tile(chosen, a))
            continue;
        if (array->escape || (array->read && array->written))
            return false;
        reads |= array->read && !array->is_restrict && !array->is_constant;
        writes |= array->written && !array->is_restrict;
    }
    /* the fence stays if one array is read and another is written, because both may overlap */
    return !(reads && writes);
}

void pm_barriers_write(const pm_index *index, const pm_chosen_tiles *chosen,
                       const pm_tile_place *place, pm_writer *w)
{
    if (index->ast->is_cuda || !pm_place_is_written(place))
        /* nothing to change; CUDA's __syncthreads() already orders accesses to all memory */
        return;
    for (size_t b = 0; b < index->barrier_count; b++) {
        const pm_node *barrier = index->barriers[b];
        const pm_node *flags = pm_ast_child(barrier, pm_ast_children(barrier) - 1);
        const char *old;

        if (!flags || !pm_region_has(&place->region, barrier))
            continue;
        old = pm_writer_source(w, flags);
        if (!strstr(old, "CLK_LOCAL_MEM_FENCE"))
            pm_edits_add(w->edits, flags->begin, flags->end,
                         needs_no_global_fence(index, chosen)
                             ? "CLK_LOCAL_MEM_FENCE"
                             : pm_format(w->memory, "CLK_LOCAL_MEM_FENCE | %s", old));
    }
}
