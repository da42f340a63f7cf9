/* Puts the chosen tiles of a kernel into its source. See share_emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "share_emit.h"

#include <stdlib.h>
#include <string.h>

#include "share_parts.h"

static pm_tile *tile_of(const pm_emit *e, const pm_place *place, size_t i)
{
    return &e->s->candidates[place->tiles[i]];
}

/* ---- places --------------------------------------------------------------------------------- */

static bool sees_tile(const pm_sharing *s, const pm_region *region, const pm_tile *tile)
{
    bool seen = pm_region_sees(s, region, &tile->base);

    for (size_t k = 0; k < tile->axis_count; k++) {
        const pm_axis *axis = &tile->axes[k];

        seen = seen && pm_region_sees(s, region, &axis->stride) &&
               pm_region_sees(s, region, &axis->origin) &&
               pm_region_sees(s, region, &axis->least) && pm_region_sees(s, region, &axis->most);
    }
    for (size_t b = 0; b < tile->box_count; b++)
        for (size_t l = 0; l < tile->boxes[b].limit_count; l++)
            for (size_t p = 0; p < tile->boxes[b].limits[l].part_count; p++)
                for (size_t i = 0; i < tile->boxes[b].limits[l].parts[p].bound_count; i++)
                    seen = seen &&
                           pm_region_sees(s, region, &tile->boxes[b].limits[l].parts[p].bounds[i]);
    return seen;
}

/* Both regions as one, where they are of the same list of statements. */
static bool merge_regions(const pm_emit *e, const pm_place *place, const pm_tile *tile,
                          pm_region *merged)
{
    const pm_region *a = &place->region, *b = &tile->region;

    if (a->tiled != b->tiled || a->block != b->block)
        return false;
    *merged = *a;
    if (a->tiled != PM_NONE)
        return true;
    merged->first = a->first->begin <= b->first->begin ? a->first : b->first;
    merged->last = a->last->begin >= b->last->begin ? a->last : b->last;
    for (size_t i = 0; i < place->tile_count; i++)
        if (!sees_tile(e->s, merged, tile_of(e, place, i)))
            return false;
    return sees_tile(e->s, merged, tile);
}

static void add_to_place(pm_emit *e, size_t candidate)
{
    pm_place *place = NULL, *grown;
    const pm_tile *tile = &e->s->candidates[candidate];
    size_t *tiles;

    for (size_t p = 0; p < e->place_count && !place; p++) {
        pm_region merged;

        if (merge_regions(e, &e->places[p], tile, &merged)) {
            place = &e->places[p];
            place->region = merged;
        }
    }
    if (!place) {
        grown = realloc(e->places, (e->place_count + 1) * sizeof *grown);
        if (!grown) {
            pm_share_no_memory(e->s);
            return;
        }
        e->places = grown;
        place = &grown[e->place_count++];
        *place = (pm_place){.region = tile->region};
        place->region.counts = NULL;
    }
    tiles = realloc(place->tiles, (place->tile_count + 1) * sizeof *tiles);
    if (!tiles) {
        pm_share_no_memory(e->s);
        return;
    }
    place->tiles = tiles;
    tiles[place->tile_count++] = candidate;
}

/* By their beginnings; of those that begin together the longer first, and a loop that is cut last.
 */
static int compare_places(const void *left, const void *right)
{
    const pm_region *a = &((const pm_place *)left)->region, *b = &((const pm_place *)right)->region;

    if (a->first->begin != b->first->begin)
        return a->first->begin < b->first->begin ? -1 : 1;
    if (a->last->end != b->last->end)
        return a->last->end > b->last->end ? -1 : 1;
    if (a->first->number != b->first->number)
        return a->first->number < b->first->number ? -1 : 1;
    return (a->tiled != PM_NONE) - (b->tiled != PM_NONE);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void name_tiles(pm_emit *e)
{
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        pm_tile *tile = &e->s->candidates[e->s->chosen[i]];
        pm_text wish = {0};

        pm_text_add(&wish, "%s_tile", e->s->index.arrays[tile->array].name);
        tile->name = pm_emit_fresh(e, pm_text_get(&wish));
        pm_text_free(&wish);
    }
}

static void set_text(pm_sharing *s, size_t atom, pm_text *text)
{
    free(s->index.atoms[atom].text);
    s->index.atoms[atom].text = pm_text_take(text);
    if (!s->index.atoms[atom].text)
        pm_share_no_memory(s);
}

static void add_piece(pm_emit *e, const char *name, enum CXTypeKind kind)
{
    pm_piece *grown = realloc(e->pieces, (e->piece_count + 1) * sizeof *grown);

    if (grown)
        e->pieces = grown;
    if (!grown || !name || !(grown[e->piece_count].name = strdup(name))) {
        pm_share_no_memory(e->s);
        return;
    }
    grown[e->piece_count++].kind = kind;
}

/* Pieces of one loop are called alike by all its tiles. */
static void name_pieces(pm_emit *e)
{
    for (size_t p = 0; p < e->place_count; p++) {
        const pm_place *place = &e->places[p];
        const pm_loop *loop;
        pm_text wish = {0};
        char *name;

        if (place->region.tiled == PM_NONE)
            continue;
        loop = &e->s->index.loops[place->region.tiled];
        pm_text_add(&wish, "%s_first", e->s->index.atoms[loop->atom].text);
        name = pm_emit_fresh(e, pm_text_get(&wish));
        pm_text_free(&wish);
        add_piece(e, name, pm_ast_type(e->s->index.atoms[loop->atom].variable).kind);
        for (size_t i = 0; name && i < place->tile_count; i++) {
            const pm_region *region = &tile_of(e, place, i)->region;
            pm_text piece = {0}, count = {0};

            pm_text_add(&piece, "%s", name);
            set_text(e->s, region->piece, &piece);
            pm_text_add(&count, loop->step == 1 ? "(%s - %s)" : "((%s - %s) / %lld)",
                        e->s->index.atoms[loop->atom].text, name, loop->step);
            set_text(e->s, region->counts[region->tiled], &count);
        }
        free(name);
    }
}

/* ---- what stands around a place ------------------------------------------------------------- */

void pm_emit_source(pm_emit *e, const pm_node *node, pm_text *out)
{
    pm_range piece;

    if (node && pm_ast_piece(e->s->index.ast, node, &piece))
        pm_text_put(out, e->s->unit->ast.text + piece.begin, piece.end - piece.begin);
    else
        e->hidden = true;
}

bool pm_place_is_written(const pm_emit *e, const pm_place *place)
{
    for (size_t i = 0; i < place->tile_count; i++)
        if (tile_of(e, place, i)->written)
            return true;
    return false;
}

static void add_copies(pm_emit *e, const pm_place *place, const char *indent, pm_text *text)
{
    size_t length = text->length;

    for (size_t i = 0; i < place->tile_count; i++)
        pm_emit_copies(e, tile_of(e, place, i), false, indent, text);
    if (text->length > length)
        pm_text_add(text, "%sbarrier(CLK_LOCAL_MEM_FENCE);\n", indent);
}

/* Lines of `text`, which begin with indent, in front of what stands at a place. */
static void insert_lines(pm_emit *e, size_t at, const char *indent, const pm_text *text)
{
    const char *source = e->s->unit->ast.text, *all = pm_text_get(text);
    size_t line = at, blanks = strlen(indent);
    pm_text lines = {0};

    while (line > 0 && (source[line - 1] == ' ' || source[line - 1] == '\t'))
        line--;
    if (line == 0 || source[line - 1] == '\n')
        at = line;
    else { /* there is something in front of it */
        all += strncmp(all, indent, blanks) == 0 ? blanks : 0;
        pm_text_add(&lines, "%s%s", all, indent);
        all = pm_text_get(&lines);
    }
    pm_emit_insert(e, at, all);
    pm_text_free(&lines);
}

static bool needs_braces(const pm_place *place)
{
    return place->region.tiled == PM_NONE &&
           place->region.first->parent->kind != CXCursor_CompoundStmt;
}

/* for (int k_first = 0; k_first < n; k_first += 16) { */
static void open_cut(pm_emit *e, const pm_place *place, const char *indent, pm_text *text)
{
    const pm_loop *loop = &e->s->index.loops[place->region.tiled];
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    const char *name = e->s->index.atoms[tile_of(e, place, 0)->region.piece].text;
    CXString type =
        clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCursorType(variable->cursor)));
    pm_node *start = pm_unit_initializer(variable);
    pm_text end = {0};

    pm_text_add(text, "%sfor (%s %s = ", indent, clang_getCString(type), name);
    clang_disposeString(type);
    pm_emit_source(e, start, text);
    pm_share_end_text(e, loop, &end);
    pm_text_add(text, "; %s < %s; %s += %lld) {\n" PM_DEEPER, name, pm_text_get(&end), name,
                (long long)place->region.iterations * loop->step);
    pm_text_free(&end);
}

static void open_place(pm_emit *e, const pm_place *place)
{
    size_t at = pm_emit_begin(e, place->region.first);
    pm_text indent = pm_emit_indent(e, at), text = {0};
    const char *blanks = pm_text_get(&indent), *active;

    if (!place->region.first->begins_clean || !place->region.first->in_main)
        e->hidden = true;
    if (needs_braces(place))
        pm_text_add(&text, "%s{\n" PM_DEEPER, blanks);
    if (place->region.tiled != PM_NONE)
        open_cut(e, place, blanks, &text);
    add_copies(e, place, blanks, &text);
    active = pm_emit_wrap_of(e, place->region.first);
    if (place->region.tiled != PM_NONE && active)
        pm_text_add(&text, "%sif (%s)\n" PM_DEEPER, blanks, active);
    insert_lines(e, at, blanks, &text);
    pm_text_free(&text);
    pm_text_free(&indent);
}

/* Whether the place is come to again: what is there then must not be overwritten too early. */
static bool is_repeated(const pm_place *place)
{
    for (const pm_node *at = place->region.first->parent; at; at = at->parent)
        if (at->kind == CXCursor_ForStmt || at->kind == CXCursor_WhileStmt ||
            at->kind == CXCursor_DoStmt)
            return true;
    return place->region.tiled != PM_NONE;
}

static void close_place(pm_emit *e, const pm_place *place)
{
    size_t at = pm_emit_end(e, place->region.last);
    pm_text indent = pm_emit_indent(e, place->region.last->begin), text = {0}, copies = {0};
    const char *blanks = pm_text_get(&indent);
    bool cut = place->region.tiled != PM_NONE;

    if (!place->region.last->ends_clean || !place->region.last->in_main)
        e->hidden = true;
    if (cut && pm_emit_wrap_of(e, place->region.first))
        pm_text_add(&text, PM_HIGHER);
    for (size_t i = 0; i < place->tile_count; i++)
        pm_emit_copies(e, tile_of(e, place, i), true, blanks, &copies);
    if (is_repeated(place) || copies.length > 0)
        pm_text_add(&text, "\n%sbarrier(CLK_LOCAL_MEM_FENCE%s);", blanks,
                    is_repeated(place) && pm_place_is_written(e, place) ? " | CLK_GLOBAL_MEM_FENCE"
                                                                        : "");
    if (copies.length > 0) {
        pm_text_add(&text, "\n%s", pm_text_get(&copies));
        if (is_repeated(place))
            pm_text_add(&text, "%sbarrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);", blanks);
        else if (text.length > 0 && !text.failed)
            text.data[--text.length] = '\0'; /* the last line's end, which is there */
    }
    if (needs_braces(place) || cut)
        pm_text_add(&text, PM_HIGHER "\n%s}", blanks);
    if (text.length > 0)
        pm_emit_insert(e, at, pm_text_get(&text));
    pm_text_free(&text);
    pm_text_free(&copies);
    pm_text_free(&indent);
}

/* ---- the loop that is cut ------------------------------------------------------------------- */

/* One beyond the last value of the loop's variable, of its type. */
void pm_share_end_text(pm_emit *e, const pm_loop *loop, pm_text *out)
{
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    pm_node *condition = pm_ast_child(loop->node, 1), *end = pm_ast_child(condition, 1);
    CXString type =
        clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCursorType(variable->cursor)));
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(condition->cursor);
    bool plain = (kind == CXBinaryOperator_LT || kind == CXBinaryOperator_NE) &&
                 pm_ast_declaration(e->s->index.ast, pm_ast_strip(condition->first)) == variable;
    bool same = plain && end && pm_ast_type(pm_ast_strip(end)).kind == pm_ast_type(variable).kind;
    const char *const *names;

    if (!same)
        pm_text_add(out, "(%s)(", clang_getCString(type));
    if (plain && end)
        pm_emit_source(e, end, out);
    else if ((names = pm_emit_names(e, pm_ast_type(variable).kind != CXType_Int)) != NULL)
        pm_poly_text(&loop->end, names, out);
    if (!same)
        pm_text_add(out, ")");
    clang_disposeString(type);
}

/* for (int k = k_first; k < min(k_first + 16, n); k++) */
static void rewrite_head(pm_emit *e, const pm_place *place)
{
    const pm_loop *loop = &e->s->index.loops[place->region.tiled];
    const pm_region *region = &tile_of(e, place, 0)->region;
    const pm_node *variable = e->s->index.atoms[loop->atom].variable;
    const char *name = e->s->index.atoms[loop->atom].text,
               *piece = e->s->index.atoms[region->piece].text;
    long long whole, length = (long long)region->iterations * loop->step;
    pm_poly iterations = pm_poly_subtract(&loop->end, &loop->start);
    pm_node *start = pm_unit_initializer(variable), *condition = pm_ast_child(loop->node, 1);
    pm_text text = {0}, end = {0};

    pm_share_end_text(e, loop, &end);
    if (pm_poly_is_constant(&iterations, &whole) && whole % length == 0)
        pm_text_add(&text, "%s < %s + %lld", name, piece, length);
    else {
        CXString type =
            clang_getTypeSpelling(clang_getUnqualifiedType(clang_getCursorType(variable->cursor)));

        if (pm_ast_type(variable).kind == CXType_Int)
            pm_text_add(&text, "%s < min(%s + %lld, %s)", name, piece, length, pm_text_get(&end));
        else
            pm_text_add(&text, "%s < min((%s)(%s + %lld), %s)", name, clang_getCString(type), piece,
                        length, pm_text_get(&end));
        clang_disposeString(type);
    }
    if (start && condition) {
        pm_emit_replace(e, start, piece);
        pm_emit_replace(e, condition, pm_text_get(&text));
    } else
        e->hidden = true;
    pm_text_free(&text);
    pm_text_free(&end);
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static void declare_tiles(const pm_emit *e, pm_text *out)
{
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        const pm_tile *tile = &e->s->candidates[e->s->chosen[i]];

        pm_text_add(out, "\n    __local %s %s", e->s->index.arrays[tile->array].element,
                    tile->name);
        for (size_t k = 0; k < tile->axis_count; k++)
            pm_text_add(out, "[%zu]", tile->axes[k].extent);
        pm_text_add(out, "%s;", tile->axis_count == 0 ? "[1]" : "");
    }
}

/* Tiles are made for groups of one size: the kernel says so, where it did not. */
static void require_size(pm_emit *e)
{
    const pm_node *kernel = e->s->index.kernel;
    const size_t *group = e->s->index.work_group;
    const char *text = e->s->unit->ast.text;
    size_t begin, end = kernel->begin, limit = e->s->index.body->begin;
    pm_text attribute = {0};

    while (pm_token(text, end, limit, &begin, &end))
        if (pm_token_is(text, begin, end, "reqd_work_group_size"))
            return;
    if (e->s->several || !pm_token(text, kernel->begin, limit, &begin, &end) ||
        !(pm_token_is(text, begin, end, "__kernel") || pm_token_is(text, begin, end, "kernel")))
        return;
    pm_text_add(&attribute, " __attribute__((reqd_work_group_size(%zu, %zu, %zu)))", group[0],
                group[1], group[2]);
    pm_emit_insert(e, end, pm_text_get(&attribute));
    pm_text_free(&attribute);
}

static void edit_kernel(pm_emit *e)
{
    pm_text top = {0};

    name_pieces(e);
    if (e->s->status != PM_OK)
        return;
    pm_emit_guards(e);
    for (size_t p = 0; p < e->place_count; p++)
        open_place(e, &e->places[p]);
    for (size_t p = 0; p < e->place_count; p++)
        if (e->places[p].region.tiled != PM_NONE)
            rewrite_head(e, &e->places[p]);
    for (size_t p = 0; p < e->place_count; p++)
        pm_emit_barriers(e, &e->places[p]);
    for (size_t i = 0; i < e->s->chosen_count; i++) {
        const pm_tile *tile = &e->s->candidates[e->s->chosen[i]];

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
    if (!e->s->index.body->begins_clean || !e->s->index.body->in_main)
        e->hidden = true;
    pm_emit_insert(e, e->s->index.body->begin + 1, pm_text_get(&top));
    pm_text_free(&top);
}

static void free_emit(pm_emit *e)
{
    for (size_t a = 0; a < e->typed_count; a++)
        free(e->typed[a]);
    for (size_t a = 0; a < e->wide_count; a++)
        free(e->wide[a]);
    for (size_t w = 0; w < e->wrap_count; w++)
        free(e->wraps[w].active);
    for (size_t p = 0; p < e->place_count; p++)
        free(e->places[p].tiles);
    for (int d = 0; d < 3; d++)
        free(e->local[d]);
    for (size_t p = 0; p < e->piece_count; p++)
        free(e->pieces[p].name);
    free(e->pieces);
    free(e->item);
    free(e->typed);
    free(e->wide);
    free(e->wraps);
    free(e->places);
}

void pm_share_edit(pm_sharing *s, pm_edits *edits, pm_names *names, pm_moved *moved, bool *hidden)
{
    pm_emit e = {.s = s, .edits = edits, .names = names, .moved = moved};

    for (size_t i = 0; i < s->chosen_count; i++)
        add_to_place(&e, s->chosen[i]);
    if (s->status == PM_OK && e.place_count > 0)
        qsort(e.places, e.place_count, sizeof *e.places, compare_places);
    for (size_t i = 0; i < s->chosen_count; i++)
        e.wide_ids |= pm_emit_is_wide(&e, &s->candidates[s->chosen[i]]);
    if (s->status == PM_OK)
        name_tiles(&e);
    if (s->status == PM_OK)
        edit_kernel(&e);
    *hidden |= e.hidden;
    free_emit(&e);
}
