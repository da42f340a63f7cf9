/* Writes the chosen tiles of a kernel into its source. A tile is a copy of a part of an array in
 * local memory. The new code has the copies between array and tile, barriers, and outer loops. See
 * emit.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/emit/emit.h"

/* State while tiles (copies of parts of arrays in local memory) are written into the source of a
 * kernel: what was chosen, the code's parts, and the edits. */
typedef struct {
    const pm_chosen_tiles *chosen;
    pm_moved *moved;
    size_t tile_count;
    pm_named_tile *tiles; /* the chosen tiles in the order of the choice */
    pm_tile_places places;
    pm_wraps wraps;
    pm_operands operands;
    pm_writer writer;
} writing;

/* ---- code before and after a region --------------------------------------------------------- */

/* Appends the copies into the tiles that are filled before a region (statements that use the
 * tiles), and the barrier after the copies. */
static void add_copies(writing *e, const pm_tile_place *place, const char *indent, pm_text *text)
{
    size_t length = text->length;

    for (size_t i = 0; i < place->tile_count; i++)
        pm_copies_write(place->tiles[i], &e->operands, false, indent, text);
    if (text->length > length)
        pm_text_add(text, "%s%s\n", indent, e->operands.words->barrier);
}

/* Inserts the lines `all` before offset `at` of the source. Each of the lines starts with
 * `indent`. */
static void insert_lines(pm_writer *w, size_t at, const char *indent, const char *all)
{
    const char *source = w->ast->text;
    size_t line = at, blanks = strlen(indent);

    while (line > 0 && (source[line - 1] == ' ' || source[line - 1] == '\t'))
        line--;
    if (line == 0 || source[line - 1] == '\n')
        at = line;
    else { /* other code stands before offset `at` on its line */
        all += strncmp(all, indent, blanks) == 0 ? blanks : 0;
        all = pm_format(w->memory, "%s%s", all, indent);
    }
    pm_writer_insert(w, at, all);
}

/* Returns true if the statements before which the tiles are filled are the body of a loop or an if
 * without braces, so that the code inserted before them needs braces. */
static bool needs_braces(const pm_tile_place *place)
{
    return place->region.tiled == PM_NONE &&
           place->region.first->parent->kind != CXCursor_CompoundStmt;
}

/* Inserts the code before a region, the statements that use its tiles: an outer loop if a loop is
 * tiled, and the copies into the tiles. */
static void open_place(writing *e, const pm_tile_place *place)
{
    size_t at = pm_statement_begin(e->writer.ast, place->region.first);
    pm_text text = {.memory = e->writer.memory};
    const char *blanks = pm_writer_indent(&e->writer, at), *active;

    pm_writer_need(&e->writer, place->region.first->begins_clean && place->region.first->in_main);
    if (needs_braces(place))
        pm_text_add(&text, "%s{\n" PM_DEEPER, blanks);
    if (place->region.tiled != PM_NONE)
        pm_cut_open(place, &e->operands, blanks, &e->writer, &text);
    add_copies(e, place, blanks, &text);
    active = pm_wraps_condition(&e->wraps, place->region.first);
    if (place->region.tiled != PM_NONE && active)
        pm_text_add(&text, "%sif (%s)\n" PM_DEEPER, blanks, active);
    insert_lines(&e->writer, at, blanks, pm_text_get(&text));
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

/* Inserts the code after a region, the statements that use its tiles: barriers, copies back to the
 * arrays, and closing braces. */
static void close_place(writing *e, const pm_tile_place *place)
{
    size_t at = pm_statement_end(e->writer.ast, place->region.last);
    pm_text text = {.memory = e->writer.memory}, copies = {.memory = e->writer.memory};
    const char *blanks = pm_writer_indent(&e->writer, place->region.last->begin);
    bool cut = place->region.tiled != PM_NONE;

    pm_writer_need(&e->writer, place->region.last->ends_clean && place->region.last->in_main);
    if (cut && pm_wraps_condition(&e->wraps, place->region.first))
        pm_text_add(&text, PM_HIGHER);
    for (size_t i = 0; i < place->tile_count; i++)
        pm_copies_write(place->tiles[i], &e->operands, true, blanks, &copies);
    if (is_repeated(place) || copies.length > 0)
        pm_text_add(&text, "\n%s%s", blanks,
                    is_repeated(place) && pm_place_is_written(place)
                        ? e->operands.words->barrier_all
                        : e->operands.words->barrier);
    if (copies.length > 0) {
        pm_text_add(&text, "\n%s", pm_text_get(&copies));
        if (is_repeated(place))
            pm_text_add(&text, "%s%s", blanks, e->operands.words->barrier_all);
        else if (text.length > 0 && !text.failed)
            text.data[--text.length] = '\0'; /* removes the last newline of the text */
    }
    if (needs_braces(place) || cut)
        pm_text_add(&text, PM_HIGHER "\n%s}", blanks);
    if (text.length > 0)
        pm_writer_insert(&e->writer, at, pm_text_get(&text));
}

/* ---- the kernel ----------------------------------------------------------------------------- */

/* Appends the declarations of the tiles in local memory. */
static void declare_tiles(const writing *e, pm_text *out)
{
    for (size_t i = 0; i < e->tile_count; i++) {
        const pm_tile *tile = e->tiles[i].tile;

        pm_text_add(out, "\n    %s%s %s", e->operands.words->local,
                    e->operands.index->arrays[tile->array].element, e->tiles[i].name);
        for (size_t k = 0; k < tile->axis_count; k++)
            pm_text_add(out, "[%zu]", tile->axes[k].extent);
        pm_text_add(out, "%s;", tile->axis_count == 0 ? "[1]" : "");
    }
}

/* Adds the attribute reqd_work_group_size to the kernel if it is missing, because tiles are correct
 * for one work-group size only. CUDA has no such attribute. */
static void require_size(const pm_index *index, pm_writer *w)
{
    const pm_node *kernel = index->kernel;
    const size_t *group = index->work_group;
    const char *text = w->ast->text;
    size_t begin, end = kernel->begin, limit = index->body->begin;

    while (pm_token(text, end, limit, &begin, &end))
        if (pm_token_is(text, begin, end, "reqd_work_group_size"))
            return;
    if (!pm_token(text, kernel->begin, limit, &begin, &end) ||
        !(pm_token_is(text, begin, end, "__kernel") || pm_token_is(text, begin, end, "kernel")))
        return;
    pm_writer_insert(w, end,
                     pm_format(w->memory, " __attribute__((reqd_work_group_size(%zu, %zu, %zu)))",
                               group[0], group[1], group[2]));
}

/* Rewrites the statements of the kernel, and writes the code that fills tiles before the statements
 * that use them and copies tiles back after these statements. */
static void write_places(writing *e)
{
    const pm_index *index = e->operands.index;

    for (size_t p = 0; p < e->places.count; p++)
        open_place(e, &e->places.items[p]);
    for (size_t p = 0; p < e->places.count; p++)
        if (e->places.items[p].region.tiled != PM_NONE)
            pm_cut_rewrite_head(&e->places.items[p], &e->operands, &e->writer);
    for (size_t p = 0; p < e->places.count; p++)
        pm_barriers_write(index, e->chosen, &e->places.items[p], &e->writer);
    for (size_t i = 0; i < e->tile_count; i++)
        if (e->tiles[i].tile->by_pointer)
            pm_pointers_write(index, &e->tiles[i], &e->writer, e->moved);
        else
            pm_accesses_write(&e->tiles[i], &e->operands, &e->writer);
    pm_wraps_write(index, &e->places, &e->wraps, &e->writer);
    for (size_t p = e->places.count; p-- > 0;)
        close_place(e, &e->places.items[p]);
}

/* Names the variables of the tiles in local memory. */
static void name_tiles(writing *e, const pm_index *index, pm_names *names)
{
    e->tiles = pm_take(e->writer.memory, e->tile_count, sizeof *e->tiles);
    for (size_t i = 0; i < e->tile_count; i++) {
        const pm_tile *tile = e->chosen->tiles[i];
        const char *wish = pm_format(e->writer.memory, "%s_tile", index->arrays[tile->array].name);

        e->tiles[i] = (pm_named_tile){.tile = tile,
                                      .name = pm_names_fresh(names, wish),
                                      .wide = pm_tile_is_wide(index, tile)};
        e->operands.wide_ids |= e->tiles[i].wide;
    }
}

bool pm_tiles_write(pm_index *index, const pm_chosen_tiles *chosen, bool several, pm_names *names,
                    pm_memory *memory, pm_edits *edits, pm_moved *moved)
{
    writing e = {.chosen = chosen,
                 .moved = moved,
                 .tile_count = chosen->count,
                 .operands = {.index = index,
                              .words = pm_kernel_words_of(index->ast->is_cuda),
                              .names = names,
                              .places = &e.places,
                              .memory = memory},
                 .writer = {.ast = index->ast, .edits = edits, .memory = memory}};
    pm_text top = {.memory = memory};

    name_tiles(&e, index, names);
    e.places = pm_places_find(index, e.tiles, e.tile_count, memory);
    pm_cuts_name(&e.operands);
    e.wraps = pm_guards_move(index, &e.places, names, &e.writer);
    write_places(&e);
    if (!several && !index->ast->is_cuda)
        require_size(index, &e.writer);
    declare_tiles(&e, &top);
    pm_operands_declare(&e.operands, edits, &top);
    pm_writer_need(&e.writer, index->body->begins_clean && index->body->in_main);
    pm_writer_insert(&e.writer, index->body->begin + 1, pm_text_get(&top));
    return e.writer.hidden;
}
