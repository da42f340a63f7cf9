/* Makes a tile (a copy of a part of an array in local memory) for each group of accesses that use
 * the same elements of the array. See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/numbers.h"
#include "transform/staging/tile/box.h"
#include "transform/staging/tile/reason.h"

/* ---- axes ----------------------------------------------------------------------------------- */

/* Returns the constant term of a polynomial. */
static long long find_constant(const pm_poly *form)
{
    return form->count > 0 && form->terms[0].factor_count == 0 ? form->terms[0].coefficient : 0;
}

/* Returns the largest number that divides all differences between the positions of accesses along
 * an axis. The tile then contains only the elements at multiples of this number. */
static long long find_unit(const pm_index *index, const pm_access_group *g, size_t k)
{
    long long unit = 0;

    for (size_t m = 0; m < g->member_count; m++) {
        const pm_poly *form = &g->places[m].forms[k];

        if (index->accesses[g->members[m]].width > 1 ||
            pm_array_needs_pointer(index, index->accesses[g->members[m]].array))
            return 1;

        for (size_t t = 0; t < form->count; t++)
            if (form->terms[t].factor_count > 0)
                unit = pm_gcd(unit, form->terms[t].coefficient);
        unit = pm_gcd(unit, find_constant(form) - find_constant(&g->places[0].forms[k]));
    }
    return unit > 0 && !g->clamps ? unit : 1;
}

/* Returns true if a polynomial, the position of an access along an axis, is linear: each term is a
 * constant times at most one id or loop variable. */
static bool is_linear(const pm_index *index, const pm_poly *form)
{
    for (size_t t = 0; t < form->count; t++) {
        const pm_term *term = &form->terms[t];

        if (term->factor_count > 1 ||
            (term->factor_count == 1 && (!pm_index_varies(index, term->factors[0]) ||
                                         index->atoms[term->factors[0]].kind == PM_ATOM_CLAMP)))
            return false;
    }
    return true;
}

/* Makes axis k of a tile from the accesses of a group. Returns false and sets *why if the range of
 * their positions along this axis is unknown. */
static bool make_axis(const pm_index *index, const pm_access_group *g, size_t k, pm_axis *axis,
                      const pm_node *node, pm_text *why)
{
    long long low = 0, high = 0;

    *axis =
        (pm_axis){.key = g->keys[k], .unit = find_unit(index, g, k), .origin = pm_poly_constant(0)};
    for (size_t m = 0; m < g->member_count; m++) {
        const pm_placed *place = &g->places[m];
        long long first, last;

        if (!is_linear(index, &place->forms[k]) ||
            !pm_index_range(index, place->forms[k], &first, &last))
            return pm_stage_why(why, node,
                                "the index is not known to stay within a range that a group "
                                "of work-items has");
        low = m == 0 || first < low ? first : low;
        last += axis->key.count && axis->key.terms[0].factor_count == 0
                    ? index->accesses[g->members[m]].width - 1
                    : 0;
        high = m == 0 || last > high ? last : high;
    }
    axis->low = low;
    axis->extent = (size_t)((high - low) / axis->unit) + 1;
    axis->stride = pm_poly_scale(axis->key, axis->unit);
    if (g->clamps)
        axis->origin = g->places[0].origins[k];
    return high - low < 1 << 24;
}

/* For an axis along which clamp() or min() limits the positions of accesses: sets the lower and the
 * upper limit of the axis from these accesses. Returns false if two accesses have different
 * limits. */
static bool clamp_axis(const pm_index *index, const pm_staging_region *region,
                       const pm_access_group *g, size_t k, pm_axis *axis)
{
    for (size_t m = 0; m < g->member_count; m++) {
        size_t atom = g->places[m].clamp[k];
        pm_poly least, most;

        if (atom == PM_NO_ATOM)
            continue;
        axis->clamped = true;
        least = pm_region_form(index, region, index->atoms[atom].least);
        most = pm_region_form(index, region, index->atoms[atom].most);
        if ((least.known && axis->least.known && !pm_poly_equal(least, axis->least)) ||
            (most.known && axis->most.known && !pm_poly_equal(most, axis->most)))
            return false;
        axis->least = least.known ? least : axis->least;
        axis->most = most.known ? most : axis->most;
    }
    return true;
}

/* ---- the tile ------------------------------------------------------------------------------- */

/* Sets the axes and the base of a tile. Both must be known before the first statement of the tile's
 * region (statements before which it is filled). Returns false and sets *why if they are not. */
static bool fill_axes(const pm_index *index, pm_access_group *g, pm_tile *tile, pm_text *why)
{
    const pm_node *node = index->accesses[g->members[0]].node;

    if (!pm_group_sort(index, &tile->region, g))
        return false;
    tile->axis_count = g->key_count;
    tile->base = g->places[0].rest;
    for (size_t k = 0; k < g->key_count; k++) {
        pm_axis *axis = &tile->axes[k];

        if (!make_axis(index, g, k, axis, node, why))
            return false;
        if (!clamp_axis(index, &tile->region, g, k, axis) ||
            !pm_axis_is_seen(index, &tile->region, axis))
            return pm_stage_why(why, node,
                                "the range of the index is not known in front of these "
                                "statements");
    }
    if (!pm_region_sees(index, &tile->region, tile->base))
        return pm_stage_why(why, node,
                            "where the index begins is not known in front of these statements");
    return true;
}

/* Sets the members of a tile: the accesses of the group with their positions. */
static void fill_members(const pm_index *index, const pm_access_group *g, pm_tile *tile,
                         const pm_memory *memory)
{
    pm_tile_allocate(tile, g->member_count, memory);
    for (size_t m = 0; m < g->member_count; m++) {
        const pm_index_access *access = &index->accesses[g->members[m]];

        tile->members[m].access = g->members[m];
        memcpy(tile->members[m].forms, g->places[m].forms, sizeof tile->members[m].forms);
        for (size_t k = 0; k < g->key_count; k++)
            if (g->places[m].clamp[k] != PM_NO_ATOM) {
                const pm_atom *clamp = &index->atoms[g->places[m].clamp[k]];

                tile->members[m].clamped_low |= (unsigned)clamp->least.known << k;
                tile->members[m].clamped_high |= (unsigned)clamp->most.known << k;
            }
        tile->read |= access->read;
        tile->written |= access->written;
    }
}

/* Returns false if the positions of an access along two axes depend on the same id or loop
 * iteration, as in a[i][i]. The accessed elements then form a diagonal, and a box (rectangle)
 * around them would mostly contain elements that are not accessed. */
static bool is_box(const pm_tile *tile, const pm_tile_member *member)
{
    for (size_t k = 0; k < tile->axis_count; k++)
        for (size_t t = 0; t < member->forms[k].count; t++) {
            const pm_term *term = &member->forms[k].terms[t];

            for (size_t other = k + 1; term->factor_count > 0 && other < tile->axis_count; other++)
                if (pm_poly_has(&member->forms[other], term->factors[0]))
                    return false;
        }
    return true;
}

/* Makes a tile for a group of accesses, if possible, and adds it to the list. */
static void make_tile(const pm_tile_input *in, pm_access_group *group, pm_tiles *tiles,
                      pm_text *why)
{
    const pm_index *index = in->index;
    const bool temporary = in->launches->arrays[in->array].temporary;
    pm_tile tile = {.array = in->array, .region = pm_region_copy(index, in->region, tiles->memory)};
    bool ok;

    if (!fill_axes(index, group, &tile, why))
        return;
    fill_members(index, group, &tile, tiles->memory);
    ok = !pm_array_needs_pointer(index, in->array) || pm_tile_may_be_pointed_to(index, &tile, why);
    for (size_t m = 0; ok && m < tile.member_count; m++)
        if (!is_box(&tile, &tile.members[m]))
            ok = pm_stage_why(why, pm_tile_access(index, &tile, m)->node,
                              "an id or loop variable is in two dimensions of the index: what a "
                              "group accesses is no box");
    if (ok) {
        pm_tile_copies copies = tile.copies;

        pm_tile_count(index, &tile, &tiles->scratch);
        ok = pm_tile_boxes(index, &tile, temporary, &tiles->scratch, &copies, why);
        tile.copies = copies;
    }
    if (ok)
        pm_tiles_add(tiles, &tile);
    else
        pm_tile_free(&tile);
}

void pm_tiles_make(const pm_tile_input *in, pm_tiles *tiles, pm_text *why)
{
    pm_access_groups groups;

    pm_memory_free(&tiles->scratch);
    pm_accesses_group(in, &tiles->scratch, &groups, why);
    for (size_t g = 0; g < groups.count; g++)
        make_tile(in, &groups.items[g], tiles, why);
}
