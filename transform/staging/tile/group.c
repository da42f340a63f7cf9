/* Puts accesses to the same elements of an array into one group, which gets a tile (copy in local
 * memory). Splits each index into coordinates: positions along the axes of the tile. See tile.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An index is a sum of terms. A term with an id or an iteration number varies within a work-group.
 * Its other factors are a stride. All terms with the same stride form a coordinate. For example,
 * `(y0 + y) * n + k` has the coordinates y (stride n) and k (stride 1), and the base y0 * n.
 * Accesses share a tile if their coordinates differ by constants only. If a coordinate is clamped,
 * coordinates include their terms that are equal in all work-items of a group, because clamping is
 * not linear.
 */
#include <string.h>

#include "transform/staging/tile/reason.h"
#include "transform/staging/tile/tile.h"

/* ---- strides -------------------------------------------------------------------------------- */

/* Returns the number of factors of a term that differ between work-items. *atom is set to the last
 * of them. */
static size_t count_varying_factors(const pm_index *index, const pm_term *term, size_t *atom)
{
    size_t count = 0;

    for (size_t f = 0; f < term->factor_count; f++)
        if (pm_index_varies(index, term->factors[f])) {
            *atom = term->factors[f];
            count++;
        }
    return count;
}

/* Returns the stride of a term: the product of its factors that are equal in all work-items of a
 * group, without its coefficient. */
static pm_poly compute_stride(const pm_index *index, const pm_term *term)
{
    pm_poly key = pm_poly_constant(1);

    for (size_t f = 0; f < term->factor_count; f++)
        if (!pm_index_varies(index, term->factors[f]))
            key = pm_poly_multiply(key, pm_poly_atom(term->factors[f]));
    return key;
}

/* Adds the stride `key` to the list keys[*count], unless the list has it already. Returns false if
 * the list is full. */
static bool add_key(pm_poly *keys, size_t *count, pm_poly key)
{
    for (size_t k = 0; k < *count; k++)
        if (pm_poly_equal(keys[k], key))
            return true;
    if (*count == PM_MOST_AXES)
        return false;
    keys[(*count)++] = key;
    return true;
}

/* Collects the strides of an access's index. Returns false and sets *why if there are too many
 * strides, or if a term is a product of two values that differ between work-items. */
static bool find_keys(const pm_index *index, pm_placed *place, const pm_index_access *access,
                      pm_text *why)
{
    const pm_node *node = access->node;

    if (access->width >
        1) /* a vector access covers consecutive elements, so its index also has the stride 1 */
        add_key(place->keys, &place->key_count, pm_poly_constant(1));
    for (size_t t = 0; t < place->index.count; t++) {
        const pm_term *term = &place->index.terms[t];
        size_t atom = PM_NO_ATOM, varying = count_varying_factors(index, term, &atom);

        if (varying == 0)
            continue;
        if (varying > 1)
            return pm_stage_why(why, node, "the index has a product of numbers that both vary");
        place->clamps |= index->atoms[atom].kind == PM_ATOM_CLAMP;
        if (!add_key(place->keys, &place->key_count, compute_stride(index, term)))
            return pm_stage_why(why, node, "the index has more than %d dimensions", PM_MOST_AXES);
    }
    return true;
}

/* ---- coordinates ---------------------------------------------------------------------------- */

/* Divides a term of an index by the stride `key`. Returns false if the term is not a multiple of
 * `key`. */
static bool divide_term(const pm_term *term, const pm_poly *key, pm_poly *quotient)
{
    *quotient = (pm_poly){.known = true, .count = 1};
    return pm_term_divide(term, &key->terms[0], &quotient->terms[0]);
}

static size_t count_factors(const pm_poly *key)
{
    return key->count ? key->terms[0].factor_count : 0;
}

/* Finds the axis of the tile to which a term of an array index belongs, by the term's stride.
 * Returns the number of the axis, and sets *part to the term divided by the stride. Returns
 * key_count if the term belongs to no axis. all: true if terms that are equal in all work-items may
 * belong to an axis with another stride, if they are multiples of it. */
static size_t find_axis(const pm_index *index, const pm_placed *place, const pm_term *term,
                        bool all, pm_poly *part)
{
    size_t best = place->key_count, atom;
    bool varies = count_varying_factors(index, term, &atom) > 0;
    pm_poly key = compute_stride(index, term), found;

    for (size_t k = 0; k < place->key_count; k++) {
        bool fits = divide_term(term, &place->keys[k], &found) &&
                    (pm_poly_equal(key, place->keys[k]) || (!varies && all));

        if (fits && (best == place->key_count ||
                     count_factors(&place->keys[k]) > count_factors(&place->keys[best]))) {
            best = k;
            *part = found;
        }
    }
    return best;
}

/* Handles a term of an array index that is a clamp of a value. The clamped value becomes the
 * coordinate (position) along axis k of the tile. Returns false if the coordinate has other terms
 * beside the clamp. */
static bool split_clamp(const pm_index *index, const pm_staging_region *region, pm_placed *place,
                        size_t k, const pm_term *term, size_t atom)
{
    pm_poly inner, varying, fixed;

    if (term->coefficient != 1 || place->clamp[k] != PM_NO_ATOM || place->forms[k].count > 0 ||
        place->origins[k].count > 0)
        return false;
    place->clamp[k] = atom;
    inner = pm_region_form(index, region, index->atoms[atom].inner);
    if (!inner.known)
        return false;
    pm_poly_split(&inner, pm_index_varies, index, &varying, &fixed);
    place->forms[k] = varying;
    place->origins[k] = fixed;
    return true;
}

/* origin + form is a position along an axis of the tile, which is clamped. `origin` has the terms
 * that are equal in all work-items of a group, and `form` the others. Moves the constant term from
 * `origin` to `form`. */
static void move_constant(pm_poly *origin, pm_poly *form)
{
    if (origin->count > 0 && origin->terms[0].factor_count == 0) {
        pm_poly constant = pm_poly_constant(origin->terms[0].coefficient);

        *form = pm_poly_add(*form, constant);
        *origin = pm_poly_subtract(*origin, constant);
    }
}

/* Splits an array index into positions along the tile's axes (coordinates), one for each stride,
 * and the remaining terms. all: true if the positions also get terms that are equal in all
 * work-items. */
static bool split_index(const pm_index *index, const pm_staging_region *region, pm_placed *place,
                        bool all)
{
    place->rest = pm_poly_constant(0);
    for (size_t k = 0; k < PM_MOST_AXES; k++) {
        place->forms[k] = place->origins[k] = pm_poly_constant(0);
        place->clamp[k] = PM_NO_ATOM;
    }
    for (size_t t = 0; t < place->index.count; t++) {
        const pm_term *term = &place->index.terms[t];
        size_t atom = PM_NO_ATOM, varying = count_varying_factors(index, term, &atom);
        pm_poly part = {.known = false}, *to;
        size_t k = find_axis(index, place, term, all, &part);
        long long ignored;

        if (k < place->key_count && varying > 0 && index->atoms[atom].kind == PM_ATOM_CLAMP) {
            if (!split_clamp(index, region, place, k, term, atom))
                return false;
            continue;
        }
        if (k < place->key_count && place->clamp[k] != PM_NO_ATOM)
            return false; /* a position along an axis that is clamped must have no other terms */
        if (k == place->key_count ||
            (varying == 0 && !all && !pm_poly_is_constant(part, &ignored))) {
            part = pm_poly_of_term(term);
            to = &place->rest;
        } else
            to = varying > 0 || pm_poly_is_constant(part, &ignored) ? &place->forms[k]
                                                                    : &place->origins[k];
        *to = pm_poly_add(*to, part);
    }
    for (size_t k = 0; k < place->key_count; k++)
        move_constant(&place->origins[k], &place->forms[k]);
    return true;
}

/* ---- groups of accesses --------------------------------------------------------------------- */

/* Returns true if the tiles of both accesses start at the same element of the array. */
static bool have_same_start(const pm_placed *a, const pm_placed *b)
{
    for (size_t k = 0; k < a->key_count; k++)
        if (!pm_poly_equal(a->origins[k], b->origins[k]))
            return false;
    return pm_poly_equal(a->rest, b->rest);
}

/* Enlarges the group's arrays for one more access if they are full. */
static void reserve_places(pm_access_group *g, pm_memory *scratch)
{
    pm_placed *old = g->places;

    if (g->member_count < g->room)
        return;
    g->room = 2 * g->room + 2;
    g->places = pm_take(scratch, g->room, sizeof *g->places);
    g->others = pm_take(scratch, g->room, sizeof *g->others);
    for (size_t m = 0; m < g->member_count; m++)
        g->places[m] = old[m];
}

/* Adds an access to a group of accesses that use one tile. This is possible if the start of the
 * tile is then equal for all accesses of the group. Otherwise returns false. */
static bool join_group(const pm_index *index, const pm_staging_region *region, pm_access_group *g,
                       const pm_placed *place, size_t access, pm_memory *scratch)
{
    pm_access_group joined;

    reserve_places(g, scratch);
    joined = *g;
    joined.clamps |= place->clamps;
    for (size_t k = 0; k < place->key_count; k++)
        if (!add_key(joined.keys, &joined.key_count, place->keys[k]))
            return false;
    for (size_t m = 0; m <= g->member_count; m++) {
        joined.others[m] = m < g->member_count ? g->places[m] : *place;
        joined.others[m].key_count = joined.key_count;
        memcpy(joined.others[m].keys, joined.keys, sizeof joined.keys);
        if (!split_index(index, region, &joined.others[m], joined.clamps) ||
            !have_same_start(&joined.others[0], &joined.others[m]))
            return false;
    }
    joined.places = g->others;
    joined.others = g->places;
    *pm_add(scratch, joined.members, joined.member_count) = access;
    *g = joined;
    return true;
}

/* Adds an access to the first group of accesses that can use one tile with it, or else to a new
 * group. */
static void add_access(const pm_index *index, const pm_staging_region *region, size_t access,
                       pm_access_groups *groups, pm_memory *scratch, pm_text *why)
{
    const pm_index_access *a = &index->accesses[access];
    pm_placed place = {.index = pm_region_form(index, region, a->index)};
    pm_access_group alone = {.key_count = 0};

    if (!a->index.known || !place.index.known)
        pm_stage_why(why, a->node,
                     a->index.known ? "a loop around this access runs an unknown number of times"
                                    : "the index is no sum of ids, loop variables and arguments "
                                      "times constants or arguments");
    if (!place.index.known || !find_keys(index, &place, a, why))
        return;
    for (size_t g = 0; g < groups->count; g++)
        if (join_group(index, region, &groups->items[g], &place, access, scratch))
            return;
    if (join_group(index, region, &alone, &place, access, scratch))
        *pm_add(scratch, groups->items, groups->count) = alone;
    else
        pm_stage_why(why, a->node, "the index is clamped in a way that cannot be staged");
}

void pm_accesses_group(const pm_tile_input *in, pm_memory *scratch, pm_access_groups *groups,
                       pm_text *why)
{
    *groups = (pm_access_groups){.count = 0};
    for (size_t a = 0; a < in->accesses.count; a++)
        if (pm_region_has(in->region, in->index->accesses[in->accesses.items[a]].statement))
            add_access(in->index, in->region, in->accesses.items[a], groups, scratch, why);
}

/* ---- order of the axes ---------------------------------------------------------------------- */

bool pm_group_sort(const pm_index *index, const pm_staging_region *region, pm_access_group *g)
{
    for (size_t i = 0; i + 1 < g->key_count; i++)
        for (size_t k = 0; k + 1 < g->key_count - i; k++)
            if (count_factors(&g->keys[k]) < count_factors(&g->keys[k + 1])) {
                pm_poly key = g->keys[k];

                g->keys[k] = g->keys[k + 1];
                g->keys[k + 1] = key;
            }
    for (size_t m = 0; m < g->member_count; m++) {
        memcpy(g->places[m].keys, g->keys, sizeof g->keys);
        if (!split_index(index, region, &g->places[m], g->clamps))
            return false;
    }
    return true;
}
