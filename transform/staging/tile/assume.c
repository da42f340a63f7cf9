/* Collects the conditions under which a kernel may copy an array to local memory (staging), if the
 * source does not prove them, such as that two arguments are different buffers. See assume.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "transform/staging/tile/assume.h"

/* ---- collecting assumptions ----------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void
add_assumption(pm_assumptions *list, const pm_assumption *assumption, const char *format, ...)
{
    pm_assumption added = *assumption;
    char text[512];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].text, text) == 0)
            return;
    added.text = pm_copy(list->memory, text);
    *pm_add(list->memory, list->items, list->count) = added;
}

/* Returns the code of a polynomial for messages, with the names of ids, variables and arguments. */
static const char *write_poly(const pm_index *index, const pm_poly *poly, pm_memory *memory)
{
    pm_text text = {.memory = memory};

    pm_poly_text(poly, pm_index_names(index, memory, ""), &text);
    return pm_text_get(&text);
}

/* Adds the assumption value >= 0, unless the bounds of its symbolic values prove it. somewhere:
 * true if one work-item suffices. node: syntax node whose line the text of the assumption gives. */
static void assume_not_negative(const pm_index *index, pm_poly value, bool somewhere,
                                const pm_node *node, pm_assumptions *list)
{
    pm_assumption assumption = {.kind = somewhere ? PM_SOMEWHERE : PM_NOT_NEGATIVE, .value = value};

    if (pm_index_is_not_negative(index, value))
        return;
    add_assumption(list, &assumption, "kernel %s, line %u: %s >= 0 %s", index->name,
                   pm_ast_line(node, NULL), write_poly(index, &value, list->memory),
                   somewhere ? "for some work-item" : "for all work-items");
}

/* Adds the assumptions for an access whose index is limited, as by clamp() or min(). First come the
 * conditions under which an expression of the source equals such a limited value. If the positions
 * of the tile along an axis are limited, the position of the access must be within the limits. This
 * is assumed for each side on which the access does not limit its index itself. */
static void assume_clamps(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                          pm_assumptions *list)
{
    const pm_node *node = index->accesses[member->access].node;

    for (size_t a = 0; a < index->atom_count; a++)
        if (index->atoms[a].kind == PM_ATOM_CLAMP && index->atoms[a].assumed.known &&
            pm_poly_has(&index->accesses[member->access].index, a))
            assume_not_negative(index, index->atoms[a].assumed, false, node, list);
    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];
        pm_poly value = pm_poly_add(axis->origin, member->forms[k]);

        if (axis->least.known && !(member->clamped_low & 1u << k))
            assume_not_negative(index, pm_poly_subtract(value, axis->least), false, node, list);
        if (axis->most.known && !(member->clamped_high & 1u << k))
            assume_not_negative(index, pm_poly_subtract(axis->most, value), false, node, list);
    }
}

/* Adds the assumption that all elements that an access may access are inside of the array. */
static void assume_within(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                          pm_assumptions *list)
{
    const pm_index_access *access = &index->accesses[member->access];
    pm_poly first = tile->base;
    pm_poly last = pm_poly_add(tile->base, pm_poly_constant(access->width - 1));
    pm_assumption within = {.kind = PM_WITHIN, .a = tile->array};

    for (size_t k = 0; k < tile->axis_count; k++) {
        long long low = 0, high = 0;

        /* pm_index_range() cannot fail here, because the tile was made with the range of this
         * position. */
        pm_index_range(index, member->forms[k], &low, &high);
        first = pm_poly_add(first, pm_poly_scale(tile->axes[k].key, low));
        last = pm_poly_add(last, pm_poly_scale(tile->axes[k].key, high));
    }
    assume_not_negative(index, first, false, access->node, list);
    within.value = last;
    add_assumption(list, &within, "kernel %s, line %u: %s has an element %s", index->name,
                   pm_ast_line(access->node, NULL), index->arrays[tile->array].name,
                   write_poly(index, &last, list->memory));
}

bool pm_member_in_unknown_loop(const pm_index *index, const pm_tile *tile,
                               const pm_tile_member *member)
{
    size_t l = index->accesses[member->access].loop;

    for (; l != PM_NONE; l = index->loops[l].parent) {
        const pm_loop *loop = &index->loops[l];

        if (l != tile->region.tiled && pm_region_has(&tile->region, loop->node) &&
            tile->region.counts[l] == PM_NO_ATOM && (!loop->start.known || !loop->end.known))
            return true;
    }
    return false;
}

/* Adds the assumptions that an access to a tile is executed: in every work-group, each loop around
 * the access runs at least once, and each condition on ids that does not limit the accessed
 * elements is true for some work-item. */
static void assume_executed(const pm_index *index, const pm_tile *tile,
                            const pm_tile_member *member, pm_assumptions *list)
{
    const pm_index_access *access = &index->accesses[member->access];

    for (size_t l = access->loop; l != PM_NONE; l = index->loops[l].parent) {
        const pm_loop *loop = &index->loops[l];
        pm_poly runs = pm_poly_subtract(loop->end, loop->start);

        if (l == tile->region.tiled || !pm_region_has(&tile->region, loop->node) ||
            tile->region.counts[l] != PM_NO_ATOM)
            continue;
        if (runs.known)
            assume_not_negative(index, pm_poly_subtract(runs, pm_poly_constant(1)), false,
                                loop->node, list);
        else
            add_assumption(list, &(pm_assumption){.kind = PM_SOMEWHERE},
                           "kernel %s: the loop in line %u runs at least once", index->name,
                           pm_ast_line(loop->node, NULL));
    }
    for (size_t g = 0; g < access->guard_count; g++) {
        const pm_guard *guard = &index->guards[access->guards[g]];

        if (guard->assumed.known)
            assume_not_negative(index, guard->assumed, false, guard->node, list);
        for (size_t b = 0; b < guard->bound_count && !guard->uniform; b++)
            assume_not_negative(index, guard->bounds[b], true, guard->node, list);
    }
}

/* Adds the assumptions that the tile's array does not overlap arrays that the kernel writes or, if
 * the tile is written, any other array. */
static void assume_apart(const pm_index *index, const pm_tile *tile, pm_assumptions *list)
{
    const pm_index_array *own = &index->arrays[tile->array];

    if (own->is_constant || own->is_restrict)
        return;
    for (size_t a = 0; a < index->array_count; a++) {
        const pm_index_array *other = &index->arrays[a];
        bool may_write = other->written || (other->escape && !other->is_const);

        if (a == tile->array || other->is_restrict || !(may_write || tile->written))
            continue;
        add_assumption(list, &(pm_assumption){.kind = PM_APART, .a = tile->array, .b = a},
                       "kernel %s: %s and %s do not overlap (neither is restrict)", index->name,
                       own->name, other->name);
    }
}

/* Adds the assumption that no element of the array is twice in the tile: different positions in the
 * tile must belong to different elements. Only a tile that is written needs this assumption. */
static void assume_distinct(const pm_index *index, const pm_tile *tile, pm_assumptions *list)
{
    for (size_t k = 0; tile->written && k + 1 < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k], *next = &tile->axes[k + 1];
        pm_poly need = pm_poly_scale(next->stride, (long long)next->extent);

        assume_not_negative(index, pm_poly_subtract(axis->stride, need), false,
                            pm_tile_access(index, tile, 0)->node, list);
    }
}

void pm_tile_assume(const pm_index *index, const pm_tile *tile, pm_assumptions *list)
{
    bool copies = tile->copies.in.count + tile->copies.out.count > 0;

    assume_apart(index, tile, list);
    if (tile->whole)
        return;
    if (copies)
        assume_distinct(index, tile, list);
    for (size_t m = 0; m < tile->member_count; m++) {
        assume_clamps(index, tile, &tile->members[m], list);
        if (tile->copies.reasons[m] == PM_COPY_POSSIBLE)
            assume_within(index, tile, &tile->members[m], list);
        else if (copies && tile->copies.reasons[m] == PM_COPY_USED)
            assume_executed(index, tile, &tile->members[m], list);
    }
}
