/* Lists the possible tiles of a kernel (copies of parts of its arrays in local memory), from which
 * some are chosen. See choose.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/assume.h"
#include "transform/staging/tile/choose.h"
#include "transform/staging/tile/reason.h"

/* A tiled loop has an outer loop that fills a tile (copy of a part of an array in local memory),
 * and an inner loop that uses it. SHORTEST_PIECE, LONGEST_PIECE: least and largest number of
 * iterations of the inner loop. */
enum { SHORTEST_PIECE = 16, LONGEST_PIECE = 256 };

/* An array of a kernel, and a region (sequence of statements) in which the array may be copied
 * to tiles in local memory. */
typedef struct {
    pm_tile_input input;
    pm_staging_region *region; /* the same region as input.region */
} array_region;

/* All pairs of an array and a region (sequence of statements) of a kernel for which tiles are
 * tried. */
typedef struct {
    size_t count;
    array_region *items;
} array_regions;

/* ---- accesses and regions ------------------------------------------------------------------- */

static pm_array_accesses find_accesses(const pm_choice_input *in, size_t array)
{
    pm_array_accesses found = {.count = 0};

    for (size_t a = 0; a < in->index->access_count; a++)
        if (in->index->accesses[a].array == array)
            *pm_add(in->memory, found.items, found.count) = a;
    return found;
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

/* Returns true if the kernel changes the parameter that points to the array, and sets *why. Such an
 * array cannot have tiles, because the code that copies elements needs the original value of the
 * parameter. */
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

/* Adds to `list` the regions of an array: sequences of statements before which a tile of the array
 * can be filled. If there is none, adds the reason to `why`. */
static void add_regions(const pm_choice_input *in, size_t array, array_regions *list, pm_text *why)
{
    const pm_tile_input input = {.index = in->index,
                                 .launches = in->launches,
                                 .array = array,
                                 .accesses = find_accesses(in, array)};
    pm_regions regions = {.count = 0};

    if (in->index->arrays[array].escape || is_moved(in->index, array, why) ||
        is_volatile(in->index, array, why))
        return;
    pm_regions_find(in->index, &input.accesses, &regions, why);
    for (size_t r = 0; r < regions.count; r++) {
        array_region *added = pm_add(in->memory, list->items, list->count);

        *added = (array_region){.input = input, .region = &regions.items[r]};
        added->input.region = added->region;
    }
}

/* ---- tiled loops ---------------------------------------------------------------------------- */

/* Returns true if tiles that are filled for `piece` iterations of the tiled loop fit into local
 * memory and have enough accesses per element to pay for the copies. *enough is set to true if such
 * a tile also has at least one element for each work-item. */
static bool try_piece(const pm_choice_input *in, const array_region *at, size_t piece,
                      pm_tiles *tiles, bool *enough)
{
    const size_t from = tiles->count;
    pm_text ignored = {.memory = in->memory};
    const pm_tile *best;
    bool small;

    pm_region_cut(in->index, at->region, piece);
    pm_tiles_make(&at->input, tiles, &ignored);
    best = pm_tiles_highest_rank(tiles, from, at->input.array);
    small = best && best->rank >= PM_LEAST_RANK && best->bytes <= in->launches->free_bytes;
    *enough = small && best->elements >= pm_index_group_items(in->index);
    pm_tiles_cut(tiles, from);
    return small;
}

/* Returns the number of iterations of the tiled loop for which the array's tile fits into local
 * memory and has about one element for each work-item. Returns 0 if no number fits. */
static size_t find_piece(const pm_choice_input *in, const array_region *at, pm_tiles *tiles)
{
    size_t piece, fits = 0;
    bool enough = false;

    for (piece = SHORTEST_PIECE; piece <= LONGEST_PIECE && !enough; piece *= 2) {
        if (!try_piece(in, at, piece, tiles, &enough))
            break;
        fits = piece;
    }
    for (piece = SHORTEST_PIECE / 2; fits == 0 && piece > 1; piece /= 2)
        if (try_piece(in, at, piece, tiles, &enough))
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

/* Returns an array with the number of iterations of each loop for which a tile is filled; 0: the
 * loop is not tiled. pieces[loop] is the number from the request. If the request has none, it is
 * the smallest of the numbers that find_piece() returns for the requested arrays. tiles: list for
 * temporary tiles. */
static size_t *find_pieces(const pm_choice_input *in, const array_regions *regions, pm_tiles *tiles)
{
    size_t *pieces = pm_take(in->memory, in->index->loop_count, sizeof *pieces);

    for (size_t r = 0; r < regions->count; r++) {
        const array_region *at = &regions->items[r];
        size_t loop = at->region->tiled, piece;

        if (loop == PM_NONE || !pm_array_is_asked(in, at->input.array))
            continue;
        piece = in->asked->tile ? in->asked->tile : find_piece(in, at, tiles);
        if (piece > 0 && (pieces[loop] == 0 || piece < pieces[loop]))
            pieces[loop] = piece;
    }
    return pieces;
}

/* ---- candidates ----------------------------------------------------------------------------- */

/* Makes the candidate tiles of each array, for each sequence of statements (region) before which a
 * tile can be filled. pieces: iterations per tile of each loop, from find_pieces(). */
static void make_tiles(const pm_choice_input *in, const array_regions *regions,
                       const size_t *pieces, pm_tiles *tiles, pm_text *reasons)
{
    for (size_t r = 0; r < regions->count; r++) {
        const array_region *at = &regions->items[r];
        pm_text *why = &reasons[at->input.array];

        if (at->region->tiled != PM_NONE) {
            size_t chosen = pieces[at->region->tiled], piece = chosen ? chosen : SHORTEST_PIECE;

            if (is_short(in->index, at->region->tiled, piece))
                continue;
            pm_region_cut(in->index, at->region, piece);
        }
        pm_tiles_make(&at->input, tiles, why);
        pm_tile_make_whole(&at->input, tiles, why);
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
    array_regions regions = {.count = 0};
    const size_t *pieces;

    for (size_t a = 0; a < in->index->array_count; a++)
        add_regions(in, a, &regions, &reasons[a]);
    pieces = find_pieces(in, &regions, candidates);
    make_tiles(in, &regions, pieces, candidates, reasons);
    check_tiles(in, candidates, reasons);
}
