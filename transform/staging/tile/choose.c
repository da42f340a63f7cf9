/* Chooses tiles for a kernel: those with the most accesses per element first, while they fit into
 * local memory. Kamiya et al. 2013, section 5.3, choose a tile for one array. See stage.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* LEAST_RANK: fewest accesses per element of a tile; with fewer, the copy costs as much as it
 * saves. SHORTEST_PIECE, LONGEST_PIECE: limits on the iterations of a tiled loop for which one tile
 * is filled. FULL_BYTES: local memory in bytes for each work-item that does not reduce occupancy:
 * 48 KiB / 1536 work-items on Fermi; later GPUs have at least as much. */
enum { LEAST_RANK = 2, SHORTEST_PIECE = 16, LONGEST_PIECE = 256, FULL_BYTES = 32 };

/* ---- candidates ----------------------------------------------------------------------------- */

typedef struct {
    size_t count;
    size_t *items;
} accesses_of_array;

static void find_accesses(pm_sharing *s, size_t array, accesses_of_array *found)
{
    for (size_t a = 0; a < s->index.access_count; a++)
        if (s->index.accesses[a].array == array)
            *pm_add(s->memory, found->items, found->count) = a;
}

static size_t group_size(const pm_sharing *s)
{
    return s->index.work_group[0] * s->index.work_group[1] * s->index.work_group[2];
}

static void drop_candidates(pm_sharing *s, size_t from)
{
    while (s->candidate_count > from)
        pm_tile_free(&s->candidates[--s->candidate_count]);
}

/* Returns the candidate tile with the most accesses per element, among candidates[from] and later
 * ones. Returns candidate_count if there is none. */
static size_t best_of(const pm_sharing *s, size_t from)
{
    size_t best = s->candidate_count;

    for (size_t c = from; c < s->candidate_count; c++)
        if (best == s->candidate_count || s->candidates[c].rank > s->candidates[best].rank)
            best = c;
    return best;
}

static size_t room(const pm_sharing *s)
{
    size_t taken = s->index.local_bytes, most = 0;

    for (size_t l = 0; l < s->launch_count; l++)
        if (s->launches[l]->shared > most)
            most = s->launches[l]->shared;
    taken += most;
    return s->request->local_bytes > taken ? s->request->local_bytes - taken : 0;
}

/* Returns true if tiles with the elements of `piece` iterations of the tiled loop fit into local
 * memory and save more than their copies cost. *enough is set to true if a tile has at least one
 * element for each work-item. */
static bool suits(pm_sharing *s, size_t array, pm_staging_region *region,
                  const accesses_of_array *accesses, size_t piece, bool *enough)
{
    const size_t from = s->candidate_count;
    pm_text ignored = {.memory = s->memory};
    const pm_tile *best;
    bool small;

    pm_region_cut(s, region, piece);
    pm_tiles_make(s, array, region, accesses->items, accesses->count, &ignored);
    best = &s->candidates[best_of(s, from)];
    small = s->candidate_count > from && best->rank >= LEAST_RANK && best->bytes <= room(s);
    *enough = small && best->elements >= group_size(s);
    drop_candidates(s, from);
    return small;
}

/* Returns the number of iterations of the tiled loop for which the array's tile fits into local
 * memory and has about one element for each work-item. Returns 0 if no number fits. */
static size_t suiting_piece(pm_sharing *s, size_t array, pm_staging_region *region,
                            const accesses_of_array *accesses)
{
    size_t piece, fits = 0;
    bool enough = false;

    for (piece = SHORTEST_PIECE; piece <= LONGEST_PIECE && !enough; piece *= 2) {
        if (!suits(s, array, region, accesses, piece, &enough))
            break;
        fits = piece;
    }
    for (piece = SHORTEST_PIECE / 2; fits == 0 && piece > 1; piece /= 2)
        if (suits(s, array, region, accesses, piece, &enough))
            fits = piece;
    return fits;
}

static bool is_asked(const pm_sharing *s, size_t array)
{
    for (size_t i = 0; i < s->choice.array_count; i++)
        if (strcmp(s->choice.arrays[i], s->index.arrays[array].name) == 0)
            return true;
    return s->choice.automatic;
}

/* Returns true if the loop certainly has at most `piece` iterations, so that tiling it would be
 * useless. */
static bool is_short(const pm_sharing *s, size_t loop, size_t piece)
{
    pm_poly length = pm_poly_subtract(s->index.loops[loop].end, s->index.loops[loop].start);
    long long most;

    return pm_index_high(&s->index, length, &most) &&
           most <= (long long)piece * s->index.loops[loop].step;
}

/* Sets pieces[loop] to the number of iterations per tile: the smallest of the numbers for which the
 * requested arrays' tiles fit into local memory and have about one element for each work-item. 0:
 * the loop is not tiled. */
static void find_pieces(pm_sharing *s, const pm_regions *regions, const accesses_of_array *accesses,
                        size_t *pieces)
{
    for (size_t a = 0; a < s->index.array_count; a++)
        for (size_t r = 0; r < regions[a].count; r++) {
            pm_staging_region *region = &regions[a].items[r];
            size_t piece;

            if (region->tiled == PM_NONE || !is_asked(s, a))
                continue;
            piece = s->choice.tile ? s->choice.tile : suiting_piece(s, a, region, &accesses[a]);
            if (piece > 0 && (pieces[region->tiled] == 0 || piece < pieces[region->tiled]))
                pieces[region->tiled] = piece;
        }
}

static void make_candidates(pm_sharing *s, pm_regions *regions, const accesses_of_array *accesses,
                            const size_t *pieces)
{
    for (size_t a = 0; a < s->index.array_count; a++)
        for (size_t r = 0; r < regions[a].count; r++) {
            pm_staging_region *region = &regions[a].items[r];

            if (region->tiled != PM_NONE) {
                size_t piece = pieces[region->tiled] ? pieces[region->tiled] : SHORTEST_PIECE;

                if (is_short(s, region->tiled, piece))
                    continue;
                pm_region_cut(s, region, piece);
            }
            pm_tiles_make(s, a, region, accesses[a].items, accesses[a].count, &s->reasons[a]);
            pm_tile_whole(s, a, region, accesses[a].items, accesses[a].count, &s->reasons[a]);
        }
}

/* Removes candidate tiles if their assumptions fail in a known launch. */
static void check_candidates(pm_sharing *s)
{
    size_t kept = 0;

    for (size_t c = 0; c < s->candidate_count; c++) {
        pm_tile *tile = &s->candidates[c];

        if (pm_tile_holds(s, tile, &s->reasons[tile->array]))
            s->candidates[kept++] = *tile;
        else
            pm_tile_free(tile);
    }
    s->candidate_count = kept;
}

/* ---- choosing ------------------------------------------------------------------------------- */

static bool serves_the_same(const pm_tile *a, const pm_tile *b)
{
    for (size_t i = 0; i < a->member_count; i++)
        for (size_t k = 0; k < b->member_count; k++)
            if (a->members[i].access == b->members[k].access)
                return true;
    return false;
}

static bool is_free(const pm_sharing *s, const pm_tile *tile, size_t taken)
{
    if (taken + tile->bytes > room(s))
        return false;
    for (size_t i = 0; i < s->chosen_count; i++)
        if (serves_the_same(tile, pm_stage_chosen(s, i)))
            return false;
    return true;
}

/* Returns which fraction of the cost of a tile's accesses the tile saves. Filling it costs one read
 * and one write for each element, and two barriers, each of which costs one access for each
 * work-item. If the tile needs more local memory per work-item than FULL_BYTES, occupancy drops,
 * and the saving is reduced in proportion. */
static double saved(const pm_sharing *s, const pm_tile *tile)
{
    double accesses = tile->rank * (double)tile->elements;
    double filling = 2.0 * (double)tile->elements + 2.0 * (double)group_size(s);
    double share = (double)(FULL_BYTES * group_size(s)) / (double)tile->bytes;

    return (1 - filling / accesses) * (share < 1 ? share : 1);
}

/* Returns the number of the tile's accesses that need an assumption: that all elements that they
 * may access are inside of the array, or that a loop of unknown length runs at least once. */
static size_t assumed(const pm_sharing *s, const pm_tile *tile)
{
    size_t count = 0;

    for (size_t m = 0; m < tile->member_count; m++)
        count += tile->members[m].whole || pm_member_in_unknown_loop(s, tile, &tile->members[m]);
    return count;
}

/* Returns true if tile a of an array is better than tile b. A tile without assumptions is better
 * than one with assumptions; then the larger saving decides, then the smaller size. */
static bool is_better(const pm_sharing *s, const pm_tile *a, const pm_tile *b)
{
    double of_a = saved(s, a), of_b = saved(s, b);

    if ((assumed(s, a) > 0) != (assumed(s, b) > 0))
        return assumed(s, a) == 0;
    return of_a > of_b || (of_a == of_b && a->bytes < b->bytes);
}

static bool is_worth(const pm_sharing *s, const pm_tile *tile)
{
    if (s->choice.automatic)
        return tile->rank >= LEAST_RANK && saved(s, tile) > 0;
    return is_asked(s, tile->array) &&
           (!pm_stage_has_tile(s, tile->array) || (tile->rank >= LEAST_RANK && saved(s, tile) > 0));
}

/* Returns the array's best candidate tile that fits into the remaining local memory and has no
 * access in common with a chosen tile. Returns PM_NONE if there is none. taken: bytes of local
 * memory in use. */
static size_t best_for(const pm_sharing *s, size_t array, size_t taken)
{
    size_t best = PM_NONE;

    for (size_t c = 0; c < s->candidate_count; c++) {
        const pm_tile *tile = &s->candidates[c];

        if (tile->array == array && is_worth(s, tile) && is_free(s, tile, taken) &&
            (best == PM_NONE || is_better(s, tile, &s->candidates[best])))
            best = c;
    }
    return best;
}

static void choose_tiles(pm_sharing *s)
{
    size_t taken = 0;

    for (;;) {
        size_t best = PM_NONE;

        for (size_t a = 0; a < s->index.array_count; a++) {
            size_t tile = best_for(s, a, taken);

            if (tile != PM_NONE &&
                (best == PM_NONE || s->candidates[tile].rank > s->candidates[best].rank))
                best = tile;
        }
        if (best == PM_NONE)
            return;
        s->chosen[s->chosen_count++] = best;
        taken += s->candidates[best].bytes;
    }
}

/* Stores the reason why an array gets no tile in s->reasons. */
static void explain(pm_sharing *s, size_t array)
{
    const pm_index_array *a = &s->index.arrays[array];
    size_t best = s->candidate_count;

    for (size_t c = 0; c < s->candidate_count; c++)
        if (s->candidates[c].array == array &&
            (best == s->candidate_count || is_better(s, &s->candidates[c], &s->candidates[best])))
            best = c;
    if (a->escape) {
        s->reasons[array].length = 0;
        pm_text_add(&s->reasons[array], "%s", a->escape);
    } else if (best < s->candidate_count) {
        const pm_tile *tile = &s->candidates[best];

        s->reasons[array].length = 0;
        if (is_worth(s, tile))
            pm_stage_why(&s->reasons[array], tile->region.first,
                         "its %zu bytes do not fit into %zu bytes of local memory", tile->bytes,
                         room(s));
        else
            pm_stage_why(&s->reasons[array], tile->region.first,
                         "a group accesses each element %.3g times on average, which does not pay "
                         "for a copy and its barriers",
                         tile->accesses > 0 ? tile->accesses / (double)tile->elements : tile->rank);
    } else
        pm_stage_why(&s->reasons[array], a->node, "no access that could be staged");
}

static bool is_volatile(pm_sharing *s, size_t array)
{
    const pm_node *node = s->index.arrays[array].node;

    if (!clang_isVolatileQualifiedType(pm_type_pointee(node->type)))
        return false;
    pm_stage_why(&s->reasons[array], node,
                 "the array is volatile: each access has to be one of memory");
    return true;
}

/* Returns true if the kernel changes the parameter that points to the array. Copies between array
 * and tile need its original value. */
static bool is_moved(pm_sharing *s, size_t array)
{
    for (size_t c = 0; c < s->index.change_count; c++)
        if (s->index.changes[c].variable == s->index.arrays[array].node) {
            pm_stage_why(&s->reasons[array], s->index.changes[c].node,
                         "the parameter is changed; use a variable of its own for that");
            return true;
        }
    return false;
}

void pm_stage_choose(pm_sharing *s)
{
    size_t count = s->index.array_count;
    pm_regions *regions = pm_take(s->memory, count, sizeof *regions);
    accesses_of_array *accesses = pm_take(s->memory, count, sizeof *accesses);
    size_t *pieces = pm_take(s->memory, s->index.loop_count, sizeof *pieces);

    for (size_t a = 0; a < count; a++) {
        find_accesses(s, a, &accesses[a]);
        if (!s->index.arrays[a].escape && !is_moved(s, a) && !is_volatile(s, a))
            pm_regions_find(s, accesses[a].items, accesses[a].count, &regions[a], &s->reasons[a]);
    }
    find_pieces(s, regions, accesses, pieces);
    make_candidates(s, regions, accesses, pieces);
    check_candidates(s);
    s->chosen = pm_take(s->memory, s->candidate_count, sizeof *s->chosen);
    choose_tiles(s);
    for (size_t a = 0; a < count; a++)
        if (!pm_stage_has_tile(s, a))
            explain(s, a);
}
