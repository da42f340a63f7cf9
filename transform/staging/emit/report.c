/* Describes for the user which arrays of a kernel are copied to local memory, and how: adds an
 * entry for each array and tile to the result. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/emit/emit.h"

/* Returns the range of elements of the array that the tile has, as a text for users. */
static const char *write_range(const pm_index *index, const pm_tile *tile, pm_memory *memory)
{
    const char *const *names = pm_index_names(index, memory, "first");
    pm_text text = {.memory = memory}, base = {.memory = memory};

    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];

        pm_text_add(&text, "%s(", k ? " + " : "");
        if (axis->clamped) {
            pm_text_add(&text, "clamped ");
            pm_poly_text(&axis->origin, names, &text);
            pm_text_add(&text, " + ");
        }
        pm_text_add(&text, "%lld..%lld", axis->low,
                    axis->low + axis->unit * (long long)(axis->extent - 1));
        if (axis->unit > 1)
            pm_text_add(&text, " by %lld", axis->unit);
        pm_text_add(&text, ") * ");
        pm_poly_operand(&axis->key, names, &text);
    }
    if (tile->base.count > 0 || tile->axis_count == 0) {
        pm_poly_text(&tile->base, names, &base);
        pm_text_add(&base, "%s", tile->axis_count ? " + " : "");
    }
    pm_text_add(&base, "%s", pm_text_get(&text));
    return pm_text_get(&base);
}

/* Adds the description of an array to the result. tile: a possible tile of the array; NULL: there
 * is none. */
static pm_stage_array *add_array(const pm_index *index, size_t array, const pm_tile *tile,
                                 pm_memory *memory, pm_staged *out)
{
    const pm_index_array *a = &index->arrays[array];
    pm_stage_array *added = pm_add(&out->memory, out->arrays, out->array_count);

    *added = (pm_stage_array){
        .kernel = pm_copy(&out->memory, index->name),
        .array = pm_copy(&out->memory, a->name),
        .range = pm_copy(&out->memory, tile ? write_range(index, tile, memory) : ""),
        .line = pm_ast_line(a->node, NULL),
        .read = a->read,
        .written = a->written,
        .element_bytes = a->element_bytes};
    return added;
}

static void report_tile(pm_stage_array *to, const pm_tile *tile, bool staged)
{
    to->line = pm_ast_line(tile->region.first, NULL);
    to->last_line = pm_ast_last_line(tile->region.last);
    to->read = tile->read;
    to->written = tile->written;
    to->elements = tile->elements;
    to->accesses = tile->accesses;
    to->tile_bytes = tile->bytes;
    to->tile = tile->region.tiled == PM_NONE ? 0 : tile->region.iterations;
    to->staged = staged;
}

void pm_stage_report(const pm_index *index, const pm_chosen_tiles *chosen, pm_memory *memory,
                     pm_staged *out)
{
    for (size_t a = 0; a < index->array_count; a++) {
        const pm_tile *other = pm_tiles_highest_rank(&chosen->candidates, 0, a);
        pm_stage_array *to;

        for (size_t i = 0; i < chosen->count; i++)
            if (chosen->tiles[i]->array == a)
                report_tile(add_array(index, a, chosen->tiles[i], memory, out), chosen->tiles[i],
                            true);
        if (pm_array_has_tile(chosen, a))
            continue;
        to = add_array(index, a, other, memory, out);
        if (other)
            report_tile(to, other, false);
        if (chosen->reasons[a].length > 0)
            to->reason = pm_copy(&out->memory, pm_text_get(&chosen->reasons[a]));
    }
}
