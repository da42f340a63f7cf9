/* What was found of a kernel's arrays, for people. See share.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "share.h"
#include "share_parts.h"

static char *range_of(const pm_sharing *s, const pm_tile *tile)
{
    const char **names = calloc(s->index.atom_count + 1, sizeof *names);
    pm_text text = {0}, base = {0};

    for (size_t a = 0; names && a < s->index.atom_count; a++)
        names[a] =
            s->index.atoms[a].text && *s->index.atoms[a].text ? s->index.atoms[a].text : "first";
    if (!names)
        return NULL;
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
    pm_text_free(&text);
    free(names);
    return pm_text_take(&base);
}

static unsigned last_line(const pm_node *node)
{
    unsigned line = 0;

    clang_getPresumedLocation(clang_getRangeEnd(clang_getCursorExtent(node->cursor)), NULL, &line,
                              NULL);
    return line;
}

static pm_share_array *add_array(pm_sharing *s, pm_shared *out, size_t array)
{
    pm_share_array *grown = realloc(out->arrays, (out->array_count + 1) * sizeof *grown);
    const pm_index_array *a = &s->index.arrays[array];

    if (grown)
        out->arrays = grown;
    if (!grown) {
        pm_share_no_memory(s);
        return NULL;
    }
    grown[out->array_count] = (pm_share_array){.kernel = strdup(s->index.name),
                                               .array = strdup(a->name),
                                               .line = pm_ast_line(a->node, NULL),
                                               .read = a->read,
                                               .written = a->written,
                                               .range = strdup(""),
                                               .element_bytes = a->element_bytes};
    return &grown[out->array_count++];
}

static void report_tile(pm_sharing *s, pm_share_array *to, const pm_tile *tile, bool staged)
{
    free(to->range);
    to->range = range_of(s, tile);
    to->line = pm_ast_line(tile->region.first, NULL);
    to->last_line = last_line(tile->region.last);
    to->read = tile->read;
    to->written = tile->written;
    to->elements = tile->elements;
    to->accesses = tile->accesses;
    to->tile_bytes = tile->bytes;
    to->tile = tile->region.tiled == PM_NONE ? 0 : tile->region.iterations;
    to->staged = staged;
}

/* The tile that comes closest; NULL: none can be made. */
static const pm_tile *nearest(const pm_sharing *s, size_t array)
{
    const pm_tile *best = NULL;

    for (size_t c = 0; c < s->candidate_count; c++)
        if (s->candidates[c].array == array && (!best || s->candidates[c].rank > best->rank))
            best = &s->candidates[c];
    return best;
}

void pm_share_report(pm_sharing *s, pm_shared *out)
{
    for (size_t a = 0; a < s->index.array_count && s->status == PM_OK; a++) {
        bool any = false;
        const pm_tile *other = nearest(s, a);
        pm_share_array *to;

        for (size_t i = 0; i < s->chosen_count; i++) {
            const pm_tile *tile = &s->candidates[s->chosen[i]];

            if (tile->array != a)
                continue;
            any = true;
            to = add_array(s, out, a);
            if (to)
                report_tile(s, to, tile, true);
        }
        to = any ? NULL : add_array(s, out, a);
        if (to && other)
            report_tile(s, to, other, false);
        if (to && s->reasons[a].length > 0)
            to->reason = strdup(pm_text_get(&s->reasons[a]));
    }
    for (size_t i = 0; i < s->assumption_count && s->status == PM_OK; i++) {
        char **grown = realloc(out->assumptions, (out->assumption_count + 1) * sizeof *grown);

        if (grown)
            out->assumptions = grown;
        if (!grown || !(grown[out->assumption_count] = strdup(s->assumptions[i].text))) {
            pm_share_no_memory(s);
            return;
        }
        out->assumption_count++;
    }
}
