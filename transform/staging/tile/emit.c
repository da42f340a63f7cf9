/* Writes a kernel's chosen tiles into its source: copies, barriers, and outer loops of tiled loops.
 * See emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/emit.h"

/* ---- names ---------------------------------------------------------------------------------- */

static void name_tiles(pm_emit *e)
{
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        pm_tile *tile = pm_stage_chosen(e->s, i);

        tile->name =
            pm_emit_fresh(e, pm_format(e->memory, "%s_tile", e->s->index.arrays[tile->array].name));
    }
}

/* Gives a name to the variable of the outer loop of each tiled loop. All tiles of the loop use this
 * variable. */
static void name_pieces(pm_emit *e)
{
    pm_atom *atoms = e->s->index.atoms;

    for (size_t p = 0; p < e->place_count; p++) {
        const pm_tile_place *place = &e->places[p];
        const pm_loop *loop;
        const char *variable, *name, *count;

        if (place->region.tiled == PM_NONE)
            continue;
        loop = &e->s->index.loops[place->region.tiled];
        variable = atoms[loop->atom].text;
        name = pm_emit_fresh(e, pm_format(e->memory, "%s_first", variable));
        *pm_add(e->memory, e->pieces, e->piece_count) =
            (pm_cut_variable){name, atoms[loop->atom].variable->type.kind};
        count = loop->step == 1
                    ? pm_format(e->memory, "(%s - %s)", variable, name)
                    : pm_format(e->memory, "((%s - %s) / %lld)", variable, name, loop->step);
        for (size_t i = 0; i < place->tile_count; i++) {
            const pm_staging_region *region = &pm_place_tile(e, place, i)->region;

            atoms[region->piece].text = name;
            atoms[region->counts[region->tiled]].text = count;
        }
    }
}

/* ---- code before and after a region --------------------------------------------------------- */

static void add_copies(pm_emit *e, const pm_tile_place *place, const char *indent, pm_text *text)
{
    size_t length = text->length;

    for (size_t i = 0; i < place->tile_count; i++)
        pm_emit_copies(e, pm_place_tile(e, place, i), false, indent, text);
    if (text->length > length)
        pm_text_add(text, "%s%s\n", indent, e->words->barrier);
}

/* Inserts the lines `all` before offset `at` of the source. Each of the lines starts with
 * `indent`. */
static void insert_lines(pm_emit *e, size_t at, const char *indent, const char *all)
{
    const char *source = e->s->unit->ast.text;
    size_t line = at, blanks = strlen(indent);

    while (line > 0 && (source[line - 1] == ' ' || source[line - 1] == '\t'))
        line--;
    if (line == 0 || source[line - 1] == '\n')
        at = line;
    else { /* other code stands before offset `at` on its line */
        all += strncmp(all, indent, blanks) == 0 ? blanks : 0;
        all = pm_format(e->memory, "%s%s", all, indent);
    }
    pm_emit_insert(e, at, all);
}

static bool needs_braces(const pm_tile_place *place)
{
    return place->region.tiled == PM_NONE &&
           place->region.first->parent->kind != CXCursor_CompoundStmt;
}

/* Appends the head of the outer loop of a tiled loop, such as: for (int k_first = 0; k_first < n;
 * k_first += 16) { */
static void open_cut(pm_emit *e, const pm_tile_place *place, const char *indent, pm_text *text)
{
    const pm_loop *loop = &e->s->index.loops[place->region.tiled];
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    const char *name = e->s->index.atoms[pm_place_tile(e, place, 0)->region.piece].text;

    pm_text_add(text, "%sfor (%s %s = %s; %s < %s; %s += %lld) {\n" PM_DEEPER, indent,
                pm_declared_type_text(variable, e->memory), name,
                pm_emit_source(e, variable->initializer), name, pm_stage_end_text(e, loop), name,
                (long long)place->region.iterations * loop->step);
}

static void open_place(pm_emit *e, const pm_tile_place *place)
{
    size_t at = pm_emit_begin(e, place->region.first);
    pm_text text = {.memory = e->memory};
    const char *blanks = pm_emit_indent(e, at), *active;

    pm_emit_need(e, place->region.first->begins_clean && place->region.first->in_main);
    if (needs_braces(place))
        pm_text_add(&text, "%s{\n" PM_DEEPER, blanks);
    if (place->region.tiled != PM_NONE)
        open_cut(e, place, blanks, &text);
    add_copies(e, place, blanks, &text);
    active = pm_emit_wrap_of(e, place->region.first);
    if (place->region.tiled != PM_NONE && active)
        pm_text_add(&text, "%sif (%s)\n" PM_DEEPER, blanks, active);
    insert_lines(e, at, blanks, pm_text_get(&text));
}

/* Returns true if the region (statements before which tiles are filled) is inside of a loop. Then
 * the tile must not be filled again before all work-items have used its contents, which needs a
 * further barrier. */
static bool is_repeated(const pm_tile_place *place)
{
    for (const pm_node *at = place->region.first->parent; at; at = at->parent)
        if (pm_is_loop(at))
            return true;
    return place->region.tiled != PM_NONE;
}

static void close_place(pm_emit *e, const pm_tile_place *place)
{
    size_t at = pm_emit_end(e, place->region.last);
    pm_text text = {.memory = e->memory}, copies = {.memory = e->memory};
    const char *blanks = pm_emit_indent(e, place->region.last->begin);
    bool cut = place->region.tiled != PM_NONE;

    pm_emit_need(e, place->region.last->ends_clean && place->region.last->in_main);
    if (cut && pm_emit_wrap_of(e, place->region.first))
        pm_text_add(&text, PM_HIGHER);
    for (size_t i = 0; i < place->tile_count; i++)
        pm_emit_copies(e, pm_place_tile(e, place, i), true, blanks, &copies);
    if (is_repeated(place) || copies.length > 0)
        pm_text_add(&text, "\n%s%s", blanks,
                    is_repeated(place) && pm_place_is_written(e, place) ? e->words->barrier_all
                                                                        : e->words->barrier);
    if (copies.length > 0) {
        pm_text_add(&text, "\n%s", pm_text_get(&copies));
        if (is_repeated(place))
            pm_text_add(&text, "%s%s", blanks, e->words->barrier_all);
        else if (text.length > 0 && !text.failed)
            text.data[--text.length] = '\0'; /* removes the last newline of the text */
    }
    if (needs_braces(place) || cut)
        pm_text_add(&text, PM_HIGHER "\n%s}", blanks);
    if (text.length > 0)
        pm_emit_insert(e, at, pm_text_get(&text));
}

/* ---- the tiled loop ------------------------------------------------------------------------- */

/* Returns the code of a loop's end, the exclusive upper bound of its variable, in the variable's
 * type. */
const char *pm_stage_end_text(pm_emit *e, const pm_loop *loop)
{
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    const pm_node *condition = pm_ast_child(loop->node, 1), *end = pm_ast_child(condition, 1);
    bool plain =
        end &&
        (condition->binary == CXBinaryOperator_LT || condition->binary == CXBinaryOperator_NE) &&
        pm_ast_strip(condition->first)->declaration == variable;
    bool same = plain && pm_ast_strip(end)->type.kind == variable->type.kind;
    pm_text out = {.memory = e->memory};

    if (plain)
        pm_text_add(&out, "%s", pm_emit_source(e, end));
    else
        pm_poly_text(&loop->end, pm_emit_names(e, variable->type.kind != CXType_Int), &out);
    return same ? pm_text_get(&out)
                : pm_format(e->memory, "(%s)(%s)", pm_declared_type_text(variable, e->memory),
                            pm_text_get(&out));
}

/* Rewrites the head of a tiled loop, which becomes the inner loop, such as: for (int k = k_first; k
 * < min(k_first + 16, n); k++) */
static void rewrite_head(pm_emit *e, const pm_tile_place *place)
{
    const pm_loop *loop = &e->s->index.loops[place->region.tiled];
    const pm_staging_region *region = &pm_place_tile(e, place, 0)->region;
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    const pm_node *start = variable->initializer, *condition = pm_ast_child(loop->node, 1);
    const char *name = e->s->index.atoms[loop->atom].text,
               *piece = e->s->index.atoms[region->piece].text, *text;
    long long whole, length = (long long)region->iterations * loop->step;

    if (pm_poly_is_constant(pm_poly_subtract(loop->end, loop->start), &whole) &&
        whole % length == 0)
        text = pm_format(e->memory, "%s < %s + %lld", name, piece, length);
    else if (variable->type.kind == CXType_Int)
        text = pm_format(e->memory, "%s < min(%s + %lld, %s)", name, piece, length,
                         pm_stage_end_text(e, loop));
    else
        text = pm_format(e->memory, "%s < min((%s)(%s + %lld), %s)", name,
                         pm_declared_type_text(variable, e->memory), piece, length,
                         pm_stage_end_text(e, loop));
    pm_emit_need(e, start && condition);
    if (start && condition) {
        pm_emit_replace(e, start, piece);
        pm_emit_replace(e, condition, text);
    }
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static void declare_tiles(const pm_emit *e, pm_text *out)
{
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        const pm_tile *tile = pm_stage_chosen(e->s, i);

        pm_text_add(out, "\n    %s%s %s", e->words->local, e->s->index.arrays[tile->array].element,
                    tile->name);
        for (size_t k = 0; k < tile->axis_count; k++)
            pm_text_add(out, "[%zu]", tile->axes[k].extent);
        pm_text_add(out, "%s;", tile->axis_count == 0 ? "[1]" : "");
    }
}

/* Adds the attribute reqd_work_group_size to the kernel if it is missing, because tiles are correct
 * for one work-group size only. CUDA has no such attribute. */
static void require_size(pm_emit *e)
{
    const pm_node *kernel = e->s->index.kernel;
    const size_t *group = e->s->index.work_group;
    const char *text = e->s->unit->ast.text;
    size_t begin, end = kernel->begin, limit = e->s->index.body->begin;

    if (e->words->is_cuda)
        return;
    while (pm_token(text, end, limit, &begin, &end))
        if (pm_token_is(text, begin, end, "reqd_work_group_size"))
            return;
    if (e->s->several || !pm_token(text, kernel->begin, limit, &begin, &end) ||
        !(pm_token_is(text, begin, end, "__kernel") || pm_token_is(text, begin, end, "kernel")))
        return;
    pm_emit_insert(e, end,
                   pm_format(e->memory, " __attribute__((reqd_work_group_size(%zu, %zu, %zu)))",
                             group[0], group[1], group[2]));
}

static void edit_kernel(pm_emit *e)
{
    pm_text top = {.memory = e->memory};

    name_pieces(e);
    pm_emit_guards(e);
    for (size_t p = 0; p < e->place_count; p++)
        open_place(e, &e->places[p]);
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.tiled != PM_NONE)
            rewrite_head(e, &e->places[p]);
    for (size_t p = 0; p < e->place_count; p++)
        pm_emit_barriers(e, &e->places[p]);
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        const pm_tile *tile = pm_stage_chosen(e->s, i);

        if (tile->by_pointer)
            pm_emit_pointers(e, tile);
        else
            pm_emit_members(e, tile);
    }
    pm_emit_wraps(e);
    for (size_t p = e->place_count; p-- > 0;)
        close_place(e, &e->places[p]);
    require_size(e);
    declare_tiles(e, &top);
    pm_emit_ids(e, &top);
    pm_emit_need(e, e->s->index.body->begins_clean && e->s->index.body->in_main);
    pm_emit_insert(e, e->s->index.body->begin + 1, pm_text_get(&top));
}

void pm_stage_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden)
{
    pm_emit e = {.s = s,
                 .memory = s->memory,
                 .words = pm_kernel_words_of(s->unit->ast.is_cuda),
                 .edits = edits,
                 .names = names,
                 .moved = moved};

    pm_places_find(&e);
    for (size_t i = 0; i < s->chosen_count; i++)
        e.wide_ids |= pm_emit_is_wide(&e, pm_stage_chosen(s, i));
    name_tiles(&e);
    edit_kernel(&e);
    *hidden |= e.hidden;
}
