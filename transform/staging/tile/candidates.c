/* Makes the possible tiles of a kernel's arrays. See choose.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/assume.h"
#include "transform/staging/tile/choose.h"
#include "transform/staging/tile/reason.h"

/* SHORTEST_PIECE, LONGEST_PIECE: limits on the iterations of a tiled loop for which one tile is
 * filled. */
enum { SHORTEST_PIECE = 16, LONGEST_PIECE = 256 };

/* An array of the kernel, with what can be staged of it. */
typedef struct {
    pm_array_accesses accesses;
    pm_regions regions;
} array_parts;

/* ---- accesses and regions ------------------------------------------------------------------- */

static void find_accesses(const pm_choice_input *in, size_t array, pm_array_accesses *found)
{
    for (size_t a = 0; a < in->index->access_count; a++)
        if (in->index->accesses[a].array == array)
            *pm_add(in->memory, found->items, found->count) = a;
}

/* Returns true if the array is volatile, and sets *why. */
static bool is_volatile(const pm_index *index, size_t array, pm_text *why)
{
    const pm_node *node = index->arrays[array].node;

    if (!clang_isVolatileQualifiedType(pm_type_pointee(node->type)))
        return false;
    pm_stage_why(why, node, "the array is volatile: each access has to be one of memory");
    return true;
}

/* Returns true if the kernel changes the parameter that points to the array, and sets *why. Copies
 * between array and tile need its original value. */
static bool is_moved(const pm_index *index, size_t array, pm_text *why)
{
    for (size_t c = 0; c < index->change_count; c++)
        if (index->changes[c].variable == index->arrays[array].node) {
            pm_stage_why(why, index->changes[c].node,
                         "the parameter is changed; use a variable of its own for that");
            return true;
        }
    return false;
}

/* Returns the accesses and the regions of each array of the kernel. */
static array_parts *find_parts(const pm_choice_input *in, pm_text *reasons)
{
    pm_index *index = in->index;
    array_parts *parts = pm_take(in->memory, index->array_count, sizeof *parts);

    for (size_t a = 0; a < index->array_count; a++) {
        find_accesses(in, a, &parts[a].accesses);
        if (!index->arrays[a].escape && !is_moved(index, a, &reasons[a]) &&
            !is_volatile(index, a, &reasons[a]))
            pm_regions_find(index, &parts[a].accesses, &parts[a].regions, &reasons[a]);
    }
    return parts;
}

/* ---- tiled loops ---------------------------------------------------------------------------- */

/* Returns true if tiles with the elements of `piece` iterations of the tiled loop fit into local
 * memory and save more than their copies cost. *enough is set to true if a tile has at least one
 * element for each work-item. */
static bool try_piece(const pm_choice_input *in, const pm_tile_input *tile,
                      pm_staging_region *region, size_t piece, pm_tiles *tiles, bool *enough)
{
    const size_t from = tiles->count;
    pm_text ignored = {.memory = in->memory};
    const pm_tile *best;
    bool small;

    pm_region_cut(in->index, region, piece);
    pm_tiles_make(tile, tiles, &ignored);
    best = pm_tiles_highest_rank(tiles, from, tile->array);
    small = best && best->rank >= PM_LEAST_RANK && best->bytes <= in->launches->free_bytes;
    *enough = small && best->elements >= pm_index_group_items(in->index);
    pm_tiles_cut(tiles, from);
    return small;
}

/* Returns the number of iterations of the tiled loop for which the array's tile fits into local
 * memory and has about one element for each work-item. Returns 0 if no number fits. */
static size_t find_piece(const pm_choice_input *in, const pm_tile_input *tile,
                         pm_staging_region *region, pm_tiles *tiles)
{
    size_t piece, fits = 0;
    bool enough = false;

    for (piece = SHORTEST_PIECE; piece <= LONGEST_PIECE && !enough; piece *= 2) {
        if (!try_piece(in, tile, region, piece, tiles, &enough))
            break;
        fits = piece;
    }
    for (piece = SHORTEST_PIECE / 2; fits == 0 && piece > 1; piece /= 2)
        if (try_piece(in, tile, region, piece, tiles, &enough))
            fits = piece;
    return fits;
}

bool pm_array_is_asked(const pm_choice_input *in, size_t array)
{
    for (size_t i = 0; i < in->asked->array_count; i++)
        if (strcmp(in->asked->arrays[i], in->index->arrays[array].name) == 0)
            return true;
    return in->asked->automatic;
}

/* Returns true if the loop certainly has at most `piece` iterations, so that tiling it would be
 * useless. */
static bool is_short(const pm_index *index, size_t loop, size_t piece)
{
    pm_poly length = pm_poly_subtract(index->loops[loop].end, index->loops[loop].start);
    long long most;

    return pm_index_high(index, length, &most) &&
           most <= (long long)piece * index->loops[loop].step;
}

static pm_tile_input make_input(const pm_choice_input *in, size_t array, const array_parts *parts,
                                size_t region)
{
    return (pm_tile_input){.index = in->index,
                           .launches = in->launches,
                           .array = array,
                           .accesses = &parts->accesses,
                           .region = &parts->regions.items[region]};
}

/* Returns an array of iterations per tile, pieces[loop]: the smallest of the numbers for which the
 * requested arrays' tiles fit into local memory and have about one element for each work-item. 0:
 * the loop is not tiled. tiles: used for tiles on trial. */
static size_t *find_pieces(const pm_choice_input *in, array_parts *parts, pm_tiles *tiles)
{
    size_t *pieces = pm_take(in->memory, in->index->loop_count, sizeof *pieces);

    for (size_t a = 0; a < in->index->array_count; a++)
        for (size_t r = 0; r < parts[a].regions.count; r++) {
            const pm_tile_input tile = make_input(in, a, &parts[a], r);
            pm_staging_region *region = &parts[a].regions.items[r];
            size_t piece;

            if (region->tiled == PM_NONE || !pm_array_is_asked(in, a))
                continue;
            piece = in->asked->tile ? in->asked->tile : find_piece(in, &tile, region, tiles);
            if (piece > 0 && (pieces[region->tiled] == 0 || piece < pieces[region->tiled]))
                pieces[region->tiled] = piece;
        }
    return pieces;
}

/* ---- candidates ----------------------------------------------------------------------------- */

/* Makes the tiles of all arrays and regions. pieces: iterations per tile of each loop, from
 * find_pieces(). */
static void make_tiles(const pm_choice_input *in, array_parts *parts, const size_t *pieces,
                       pm_tiles *tiles, pm_text *reasons)
{
    for (size_t a = 0; a < in->index->array_count; a++)
        for (size_t r = 0; r < parts[a].regions.count; r++) {
            const pm_tile_input tile = make_input(in, a, &parts[a], r);
            pm_staging_region *region = &parts[a].regions.items[r];

            if (region->tiled != PM_NONE) {
                size_t piece = pieces[region->tiled] ? pieces[region->tiled] : SHORTEST_PIECE;

                if (is_short(in->index, region->tiled, piece))
                    continue;
                pm_region_cut(in->index, region, piece);
            }
            pm_tiles_make(&tile, tiles, &reasons[a]);
            pm_tile_make_whole(&tile, tiles, &reasons[a]);
        }
}

/* Removes tiles whose assumptions fail in a known launch. */
static void check_tiles(const pm_choice_input *in, pm_tiles *tiles, pm_text *reasons)
{
    size_t kept = 0;

    for (size_t c = 0; c < tiles->count; c++) {
        pm_tile *tile = &tiles->items[c];
        pm_assumptions assumptions = {.memory = in->memory};

        pm_tile_assume(in->index, tile, &assumptions);
        if (pm_assumptions_hold(in->index, in->launches, &assumptions, tile->region.first,
                                &reasons[tile->array]))
            tiles->items[kept++] = *tile;
        else
            pm_tile_free(tile);
    }
    tiles->count = kept;
}

void pm_candidates_make(const pm_choice_input *in, pm_tiles *candidates, pm_text *reasons)
{
    array_parts *parts = find_parts(in, reasons);
    const size_t *pieces = find_pieces(in, parts, candidates);

    make_tiles(in, parts, pieces, candidates, reasons);
    check_tiles(in, candidates, reasons);
}
