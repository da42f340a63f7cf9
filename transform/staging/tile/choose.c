/* Chooses the tiles of a kernel (copies of parts of its arrays in local memory): those with the
 * most accesses per element first, while they fit into local memory. Kamiya et al. 2013, section
 * 5.3, choose a tile for one array. See choose.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/tile/choose.h"

#include "transform/staging/tile/assume.h"
#include "transform/staging/tile/reason.h"

/* Local memory in bytes for each work-item that does not reduce occupancy: 48 KiB / 1536 work-items
 * on Fermi; later GPUs have at least as much. */
enum { FULL_BYTES = 32 };

bool pm_array_has_tile(const pm_chosen_tiles *chosen, size_t array)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->tiles[i]->array == array)
            return true;
    return false;
}

/* ---- comparing tiles ------------------------------------------------------------------------ */

/* Returns true if there is an access of the kernel that could use either of the two tiles. */
static bool serves_the_same(const pm_tile *a, const pm_tile *b)
{
    for (size_t i = 0; i < a->member_count; i++)
        for (size_t k = 0; k < b->member_count; k++)
            if (a->members[i].access == b->members[k].access)
                return true;
    return false;
}

/* Returns which fraction of the cost of a tile's accesses the tile saves. Filling it costs one read
 * and one write for each element, and two barriers, each of which costs one access for each
 * work-item. If the tile needs more local memory per work-item than FULL_BYTES, occupancy drops,
 * and the saving is reduced in proportion. */
static double estimate_saving(const pm_index *index, const pm_tile *tile)
{
    double accesses = tile->rank * (double)tile->elements;
    double filling = 2.0 * (double)tile->elements + 2.0 * (double)pm_index_group_items(index);
    double share = (double)(FULL_BYTES * pm_index_group_items(index)) / (double)tile->bytes;

    return (1 - filling / accesses) * (share < 1 ? share : 1);
}

/* Returns the number of the tile's accesses that need an assumption: that all elements that they
 * may access are inside of the array, or that a loop of unknown length runs at least once. */
static size_t count_assumed(const pm_index *index, const pm_tile *tile)
{
    size_t count = 0;

    for (size_t m = 0; m < tile->member_count; m++)
        count += tile->copies.reasons[m] == PM_COPY_POSSIBLE ||
                 pm_member_in_unknown_loop(index, tile, &tile->members[m]);
    return count;
}

/* Returns true if tile a of an array is better than tile b. A tile without assumptions is better
 * than one with assumptions; then the larger saving decides, then the smaller size. */
static bool is_better(const pm_index *index, const pm_tile *a, const pm_tile *b)
{
    double of_a = estimate_saving(index, a), of_b = estimate_saving(index, b);

    if ((count_assumed(index, a) > 0) != (count_assumed(index, b) > 0))
        return count_assumed(index, a) == 0;
    return of_a > of_b || (of_a == of_b && a->bytes < b->bytes);
}

/* Returns true if the tile may be chosen: it saves time, or it is the first tile of an array that
 * the request names. */
static bool is_worth(const pm_choice_input *in, const pm_chosen_tiles *chosen, const pm_tile *tile)
{
    const bool pays = tile->rank >= PM_LEAST_RANK && estimate_saving(in->index, tile) > 0;

    if (in->asked->automatic)
        return pays;
    return pm_array_is_asked(in, tile->array) && (pays || !pm_array_has_tile(chosen, tile->array));
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Returns true if the tile fits into the remaining local memory and has no access in common with a
 * chosen tile. taken: bytes of local memory in use. */
static bool is_free(const pm_choice_input *in, const pm_chosen_tiles *chosen, const pm_tile *tile,
                    size_t taken)
{
    if (taken + tile->bytes > in->launches->free_bytes)
        return false;
    for (size_t i = 0; i < chosen->count; i++)
        if (serves_the_same(tile, chosen->tiles[i]))
            return false;
    return true;
}

/* Returns the array's best candidate tile. Returns NULL if there is none. taken: bytes of local
 * memory in use; then only tiles are considered that still fit, save time, and share no access with
 * a chosen tile. taken NULL: all candidates are considered. */
static const pm_tile *find_best(const pm_choice_input *in, const pm_chosen_tiles *chosen,
                                size_t array, const size_t *taken)
{
    const pm_tile *best = NULL;

    for (size_t c = 0; c < chosen->candidates.count; c++) {
        const pm_tile *tile = &chosen->candidates.items[c];

        if (tile->array == array &&
            (!taken || (is_worth(in, chosen, tile) && is_free(in, chosen, tile, *taken))) &&
            (!best || is_better(in->index, tile, best)))
            best = tile;
    }
    return best;
}

/* Chooses tiles: in each step, the best tile of each array is compared, and the one with the most
 * accesses per element is taken. */
static void take_tiles(const pm_choice_input *in, pm_chosen_tiles *chosen)
{
    size_t taken = 0;

    for (;;) {
        const pm_tile *best = NULL;

        for (size_t a = 0; a < in->index->array_count; a++) {
            const pm_tile *tile = find_best(in, chosen, a, &taken);

            if (tile && (!best || tile->rank > best->rank))
                best = tile;
        }
        if (!best)
            return;
        chosen->tiles[chosen->count++] = best;
        taken += best->bytes;
    }
}

/* Stores the reason why an array gets no tile in chosen->reasons. */
static void explain(const pm_choice_input *in, pm_chosen_tiles *chosen, size_t array)
{
    const pm_index_array *a = &in->index->arrays[array];
    pm_text *reason = &chosen->reasons[array];
    const pm_tile *best = find_best(in, chosen, array, NULL);

    if (a->escape || best)
        reason->length = 0;
    if (a->escape)
        pm_text_add(reason, "%s", a->escape);
    else if (!best)
        pm_stage_why(reason, a->node, "no access that could be staged");
    else if (is_worth(in, chosen, best))
        pm_stage_why(reason, best->region.first,
                     "its %zu bytes do not fit into %zu bytes of local memory", best->bytes,
                     in->launches->free_bytes);
    else
        pm_stage_why(
            reason, best->region.first,
            "a group accesses each element %.3g times on average, which does not pay for a "
            "copy and its barriers",
            best->accesses > 0 ? best->accesses / (double)best->elements : best->rank);
}

void pm_tiles_choose(const pm_choice_input *in, pm_chosen_tiles *chosen)
{
    chosen->candidates = (pm_tiles){.memory = in->memory, .scratch = pm_memory_beside(in->memory)};
    pm_candidates_make(in, &chosen->candidates, chosen->reasons);
    chosen->tiles = pm_take(in->memory, chosen->candidates.count, sizeof *chosen->tiles);
    take_tiles(in, chosen);
    for (size_t a = 0; a < in->index->array_count; a++)
        if (!pm_array_has_tile(chosen, a))
            explain(in, chosen, a);
}
