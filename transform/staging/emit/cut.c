/* A loop is tiled if a tile (a copy of a part of an array in local memory) is too small for all of
 * its iterations. Writes the code: an outer loop that fills a tile in each iteration, and an inner
 * loop with the iterations that use this tile. See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/emit/emit.h"

static const pm_loop *find_loop(const pm_index *index, const pm_tile_place *place)
{
    return &index->loops[place->region.tiled];
}

/* Returns the name of the variable of the outer loop that the new source has around a tiled
 * loop. */
static const char *piece_name(const pm_index *index, const pm_tile_place *place)
{
    return index->atoms[place->tiles[0]->tile->region.piece].text;
}

void pm_cuts_name(pm_operands *o)
{
    pm_atom *atoms = o->index->atoms;

    for (size_t p = 0; p < o->places->count; p++) {
        const pm_tile_place *place = &o->places->items[p];
        const pm_loop *loop;
        const char *variable, *name, *count;

        if (place->region.tiled == PM_NONE)
            continue;
        loop = find_loop(o->index, place);
        variable = atoms[loop->atom].text;
        name = pm_names_fresh(o->names, pm_format(o->memory, "%s_first", variable));
        *pm_add(o->memory, o->pieces, o->piece_count) =
            (pm_cut_variable){name, atoms[loop->atom].variable->type.kind};
        count = loop->step == 1
                    ? pm_format(o->memory, "(%s - %s)", variable, name)
                    : pm_format(o->memory, "((%s - %s) / %lld)", variable, name, loop->step);
        for (size_t i = 0; i < place->tile_count; i++) {
            const pm_staging_region *region = &place->tiles[i]->tile->region;

            atoms[region->piece].text = name;
            atoms[region->counts[region->tiled]].text = count;
        }
    }
}

/* Returns the code of a loop's end, the exclusive upper bound of its variable, in the variable's
 * type. */
static const char *write_end(const pm_loop *loop, pm_operands *o, pm_writer *w)
{
    const pm_node *variable = o->index->atoms[loop->atom].variable;
    const pm_node *condition = pm_ast_child(loop->node, 1), *end = pm_ast_child(condition, 1);
    bool plain =
        end &&
        (condition->binary == CXBinaryOperator_LT || condition->binary == CXBinaryOperator_NE) &&
        pm_ast_strip(condition->first)->declaration == variable;
    bool same = plain && pm_ast_strip(end)->type.kind == variable->type.kind;
    pm_text out = {.memory = w->memory};

    if (plain)
        pm_text_add(&out, "%s", pm_writer_source(w, end));
    else
        pm_poly_text(&loop->end, pm_operands_code(o, variable->type.kind != CXType_Int), &out);
    return same ? pm_text_get(&out)
                : pm_format(w->memory, "(%s)(%s)", pm_declared_type_text(variable, w->memory),
                            pm_text_get(&out));
}

void pm_cut_open(const pm_tile_place *place, pm_operands *o, const char *indent, pm_writer *w,
                 pm_text *text)
{
    const pm_loop *loop = find_loop(o->index, place);
    const pm_node *variable = o->index->atoms[loop->atom].variable;
    const char *name = piece_name(o->index, place);

    pm_text_add(text, "%sfor (%s %s = %s; %s < %s; %s += %lld) {\n" PM_DEEPER, indent,
                pm_declared_type_text(variable, w->memory), name,
                pm_writer_source(w, variable->initializer), name, write_end(loop, o, w), name,
                (long long)place->region.iterations * loop->step);
}

void pm_cut_rewrite_head(const pm_tile_place *place, pm_operands *o, pm_writer *w)
{
    const pm_loop *loop = find_loop(o->index, place);
    const pm_node *variable = o->index->atoms[loop->atom].variable;
    const pm_node *start = variable->initializer, *condition = pm_ast_child(loop->node, 1);
    const char *name = o->index->atoms[loop->atom].text, *piece = piece_name(o->index, place),
               *text;
    long long whole, length = (long long)place->tiles[0]->tile->region.iterations * loop->step;

    if (pm_poly_is_constant(pm_poly_subtract(loop->end, loop->start), &whole) &&
        whole % length == 0)
        text = pm_format(w->memory, "%s < %s + %lld", name, piece, length);
    else if (variable->type.kind == CXType_Int)
        text = pm_format(w->memory, "%s < min(%s + %lld, %s)", name, piece, length,
                         write_end(loop, o, w));
    else
        text = pm_format(w->memory, "%s < min((%s)(%s + %lld), %s)", name,
                         pm_declared_type_text(variable, w->memory), piece, length,
                         write_end(loop, o, w));
    pm_writer_need(w, start && condition);
    if (start && condition) {
        pm_writer_replace(w, start, piece);
        pm_writer_replace(w, condition, text);
    }
}
