/* Adds to the result of staging the descriptions of a kernel's arrays, their tiles in local memory,
 * and the assumptions. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

static const char *range_of(const pm_sharing *s, const pm_tile *tile)
{
    const char *const *names = pm_index_names(&s->index, s->memory, "first");
    pm_text text = {.memory = s->memory}, base = {.memory = s->memory};

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
static pm_stage_array *add_array(const pm_sharing *s, pm_staged *out, size_t array,
                                 const pm_tile *tile)
{
    const pm_index_array *a = &s->index.arrays[array];
    pm_stage_array *added = pm_add(&out->memory, out->arrays, out->array_count);

    *added = (pm_stage_array){.kernel = pm_copy(&out->memory, s->index.name),
                              .array = pm_copy(&out->memory, a->name),
                              .range = pm_copy(&out->memory, tile ? range_of(s, tile) : ""),
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

/* Returns the candidate tile of an array with the most accesses per element. Returns NULL if there
 * is none. */
static const pm_tile *nearest(const pm_sharing *s, size_t array)
{
    const pm_tile *best = NULL;

    for (size_t c = 0; c < s->candidate_count; c++)
        if (s->candidates[c].array == array && (!best || s->candidates[c].rank > best->rank))
            best = &s->candidates[c];
    return best;
}

void pm_stage_report(pm_sharing *s, pm_staged *out)
{
    for (size_t a = 0; a < s->index.array_count; a++) {
        const pm_tile *other = nearest(s, a);

        for (size_t i = 0; i < s->chosen_count; i++) {
            const pm_tile *tile = pm_stage_chosen(s, i);

            if (tile->array == a)
                report_tile(add_array(s, out, a, tile), tile, true);
        }
        if (!pm_stage_has_tile(s, a)) {
            pm_stage_array *to = add_array(s, out, a, other);

            if (other)
                report_tile(to, other, false);
            if (s->reasons[a].length > 0)
                to->reason = pm_copy(&out->memory, pm_text_get(&s->reasons[a]));
        }
    }
    for (size_t i = 0; i < s->assumption_count; i++)
        *pm_add(&out->memory, out->assumptions, out->assumption_count) =
            pm_copy(&out->memory, s->assumptions[i].text);
}
