/* Makes tiles: groups accesses to the same elements of an array, and splits each index into
 * coordinates, which are the positions along the axes of the tile. See stage.h.
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

#include "base/numbers.h"
#include "transform/staging/tile/parts.h"
#include "transform/staging/tile/stage.h"

/* An access to an array. Its index is split into coordinates, which are its positions along the
 * axes of the tile. */
typedef struct {
    pm_poly index;
    size_t key_count;
    /* keys[k]: stride of axis k of the tile, which is the distance in the array, in elements,
     * between positions p and p + 1. It is a product of values that are equal in all work-items of
     * a group. */
    pm_poly keys[PM_MOST_AXES];
    bool clamps;
    pm_poly forms[PM_MOST_AXES], origins[PM_MOST_AXES];
    /* clamp[k]: symbolic value (atom) of the clamp if the position along axis k is clamped;
     * PM_NO_ATOM: it is not clamped */
    size_t clamp[PM_MOST_AXES];
    pm_poly rest; /* terms of the index whose values are equal in all work-items of a group */
} pm_placed;

/* A group of accesses to an array that can use one tile. */
typedef struct {
    size_t key_count, member_count;
    pm_poly keys[PM_MOST_AXES];
    bool clamps;
    size_t *members; /* indices of the accesses in pm_index.accesses */
    size_t room;
    /* places: the group's accesses, with their positions along the tile's axes; others: temporary
     * copy of `places`, used while another access is tried */
    pm_placed *places, *others;
} pm_bunch;

/* ---- strides -------------------------------------------------------------------------------- */

static size_t varying_factors(const pm_sharing *s, const pm_term *term, size_t *atom)
{
    size_t count = 0;

    for (size_t f = 0; f < term->factor_count; f++)
        if (pm_index_varies(&s->index, term->factors[f])) {
            *atom = term->factors[f];
            count++;
        }
    return count;
}

/* Returns the stride of a term: the product of its factors that are equal in all work-items of a
 * group, without its coefficient. */
static pm_poly stride_of(const pm_sharing *s, const pm_term *term)
{
    pm_poly key = pm_poly_constant(1);

    for (size_t f = 0; f < term->factor_count; f++)
        if (!pm_index_varies(&s->index, term->factors[f]))
            key = pm_poly_multiply(key, pm_poly_atom(term->factors[f]));
    return key;
}

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
static bool find_keys(const pm_sharing *s, pm_placed *place, const pm_index_access *access,
                      pm_text *why)
{
    const pm_node *node = access->node;

    if (access->width >
        1) /* a vector access covers consecutive elements, so its index also has the stride 1 */
        add_key(place->keys, &place->key_count, pm_poly_constant(1));
    for (size_t t = 0; t < place->index.count; t++) {
        const pm_term *term = &place->index.terms[t];
        size_t atom = PM_NO_ATOM, varying = varying_factors(s, term, &atom);

        if (varying == 0)
            continue;
        if (varying > 1)
            return pm_stage_why(why, node, "the index has a product of numbers that both vary");
        place->clamps |= s->index.atoms[atom].kind == PM_ATOM_CLAMP;
        if (!add_key(place->keys, &place->key_count, stride_of(s, term)))
            return pm_stage_why(why, node, "the index has more than %d dimensions", PM_MOST_AXES);
    }
    return true;
}

/* ---- coordinates ---------------------------------------------------------------------------- */

/* Divides a term of an index by the stride `key`. Returns false if the term is not a multiple of
 * `key`. */
static bool divide(const pm_term *term, const pm_poly *key, pm_poly *quotient)
{
    *quotient = (pm_poly){.known = true, .count = 1};
    return pm_term_divide(term, &key->terms[0], &quotient->terms[0]);
}

static size_t degree(const pm_poly *key)
{
    return key->count ? key->terms[0].factor_count : 0;
}

/* Finds the axis of the tile to which a term of an array index belongs, by the term's stride.
 * Returns the number of the axis, and sets *part to the term divided by the stride. Returns
 * key_count if the term belongs to no axis. */
static size_t axis_of(const pm_sharing *s, const pm_placed *place, const pm_term *term, bool all,
                      pm_poly *part)
{
    size_t best = place->key_count, atom;
    bool varies = varying_factors(s, term, &atom) > 0;
    pm_poly key = stride_of(s, term), found;

    for (size_t k = 0; k < place->key_count; k++) {
        bool fits = divide(term, &place->keys[k], &found) &&
                    (pm_poly_equal(key, place->keys[k]) || (!varies && all));

        if (fits &&
            (best == place->key_count || degree(&place->keys[k]) > degree(&place->keys[best]))) {
            best = k;
            *part = found;
        }
    }
    return best;
}

/* Handles a term of an array index that is a clamp of a value. The clamped value becomes the
 * coordinate (position) along axis k of the tile. Returns false if the coordinate has other terms
 * beside the clamp. */
static bool take_clamp(pm_sharing *s, const pm_staging_region *region, pm_placed *place, size_t k,
                       const pm_term *term, size_t atom)
{
    pm_poly inner, varying, fixed;

    if (term->coefficient != 1 || place->clamp[k] != PM_NO_ATOM || place->forms[k].count > 0 ||
        place->origins[k].count > 0)
        return false;
    place->clamp[k] = atom;
    inner = pm_region_form(s, region, s->index.atoms[atom].inner);
    if (!inner.known)
        return false;
    pm_poly_split(&inner, pm_index_varies, &s->index, &varying, &fixed);
    place->forms[k] = varying;
    place->origins[k] = fixed;
    return true;
}

/* Moves the constant term of `origin` to `form`. Their sum is clamped, and is a position along an
 * axis of the tile. `origin` has its terms that are equal in all work-items of a group, and `form`
 * the others. */
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
static bool take_apart(pm_sharing *s, const pm_staging_region *region, pm_placed *place, bool all)
{
    place->rest = pm_poly_constant(0);
    for (size_t k = 0; k < PM_MOST_AXES; k++) {
        place->forms[k] = place->origins[k] = pm_poly_constant(0);
        place->clamp[k] = PM_NO_ATOM;
    }
    for (size_t t = 0; t < place->index.count; t++) {
        const pm_term *term = &place->index.terms[t];
        size_t atom = PM_NO_ATOM, varying = varying_factors(s, term, &atom);
        pm_poly part = {.known = false}, *to;
        size_t k = axis_of(s, place, term, all, &part);
        long long ignored;

        if (k < place->key_count && varying > 0 && s->index.atoms[atom].kind == PM_ATOM_CLAMP) {
            if (!take_clamp(s, region, place, k, term, atom))
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

static bool same_place(const pm_placed *a, const pm_placed *b)
{
    for (size_t k = 0; k < a->key_count; k++)
        if (!pm_poly_equal(a->origins[k], b->origins[k]))
            return false;
    return pm_poly_equal(a->rest, b->rest);
}

/* Enlarges the group's arrays for one more access if they are full. */
static void make_room(pm_sharing *s, pm_bunch *g)
{
    pm_placed *old = g->places;

    if (g->member_count < g->room)
        return;
    g->room = 2 * g->room + 2;
    g->places = pm_take(&s->scratch, g->room, sizeof *g->places);
    g->others = pm_take(&s->scratch, g->room, sizeof *g->others);
    for (size_t m = 0; m < g->member_count; m++)
        g->places[m] = old[m];
}

/* Adds an access to a group of accesses that use one tile. This is possible if the start of the
 * tile is then equal for all accesses of the group. Otherwise returns false. */
static bool join(pm_sharing *s, const pm_staging_region *region, pm_bunch *g,
                 const pm_placed *place, size_t access)
{
    pm_bunch joined;

    make_room(s, g);
    joined = *g;
    joined.clamps |= place->clamps;
    for (size_t k = 0; k < place->key_count; k++)
        if (!add_key(joined.keys, &joined.key_count, place->keys[k]))
            return false;
    for (size_t m = 0; m <= g->member_count; m++) {
        joined.others[m] = m < g->member_count ? g->places[m] : *place;
        joined.others[m].key_count = joined.key_count;
        memcpy(joined.others[m].keys, joined.keys, sizeof joined.keys);
        if (!take_apart(s, region, &joined.others[m], joined.clamps) ||
            !same_place(&joined.others[0], &joined.others[m]))
            return false;
    }
    joined.places = g->others;
    joined.others = g->places;
    *pm_add(&s->scratch, joined.members, joined.member_count) = access;
    *g = joined;
    return true;
}

/* ---- axes --------------------------------------------------------------------------------------
 */

static long long constant_of(const pm_poly *form)
{
    return form->count > 0 && form->terms[0].factor_count == 0 ? form->terms[0].coefficient : 0;
}

/* Returns the largest number that divides all differences between the positions of accesses along
 * an axis. The tile then contains only the elements at multiples of this number. */
static long long unit_of(const pm_sharing *s, const pm_bunch *g, size_t k)
{
    long long unit = 0;

    for (size_t m = 0; m < g->member_count; m++) {
        const pm_poly *form = &g->places[m].forms[k];

        if (s->index.accesses[g->members[m]].width > 1 ||
            pm_stage_needs_pointer(s, s->index.accesses[g->members[m]].array))
            return 1;

        for (size_t t = 0; t < form->count; t++)
            if (form->terms[t].factor_count > 0)
                unit = pm_gcd(unit, form->terms[t].coefficient);
        unit = pm_gcd(unit, constant_of(form) - constant_of(&g->places[0].forms[k]));
    }
    return unit > 0 && !g->clamps ? unit : 1;
}

/* Returns true if a polynomial, the position of an access along an axis, is linear: each term is a
 * constant times at most one id or loop variable. */
static bool is_linear(const pm_sharing *s, const pm_poly *form)
{
    for (size_t t = 0; t < form->count; t++) {
        const pm_term *term = &form->terms[t];

        if (term->factor_count > 1 ||
            (term->factor_count == 1 && (!pm_index_varies(&s->index, term->factors[0]) ||
                                         s->index.atoms[term->factors[0]].kind == PM_ATOM_CLAMP)))
            return false;
    }
    return true;
}

/* Makes axis k of a tile from the accesses of a group. Returns false and sets *why if the range of
 * their positions along this axis is unknown. */
static bool make_axis(pm_sharing *s, const pm_bunch *g, size_t k, pm_axis *axis,
                      const pm_node *node, pm_text *why)
{
    long long low = 0, high = 0;

    *axis = (pm_axis){.key = g->keys[k], .unit = unit_of(s, g, k), .origin = pm_poly_constant(0)};
    for (size_t m = 0; m < g->member_count; m++) {
        const pm_placed *place = &g->places[m];
        long long first, last;

        if (!is_linear(s, &place->forms[k]) || !pm_form_range(s, place->forms[k], &first, &last))
            return pm_stage_why(why, node,
                                "the index is not known to stay within a range that a group "
                                "of work-items has");
        low = m == 0 || first < low ? first : low;
        last += axis->key.count && axis->key.terms[0].factor_count == 0
                    ? s->index.accesses[g->members[m]].width - 1
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

/* Sets the bounds of an axis along which clamp() or min() limits the positions of accesses. Returns
 * false if two accesses have different bounds. */
static bool clamp_axis(pm_sharing *s, const pm_staging_region *region, const pm_bunch *g, size_t k,
                       pm_axis *axis)
{
    for (size_t m = 0; m < g->member_count; m++) {
        size_t atom = g->places[m].clamp[k];
        pm_poly least, most;

        if (atom == PM_NO_ATOM)
            continue;
        axis->clamped = true;
        least = pm_region_form(s, region, s->index.atoms[atom].least);
        most = pm_region_form(s, region, s->index.atoms[atom].most);
        if ((least.known && axis->least.known && !pm_poly_equal(least, axis->least)) ||
            (most.known && axis->most.known && !pm_poly_equal(most, axis->most)))
            return false;
        axis->least = least.known ? least : axis->least;
        axis->most = most.known ? most : axis->most;
    }
    return true;
}

/* ---- the tile ------------------------------------------------------------------------------- */

/* Sorts the strides of a group in descending order, so that the stride of neighbouring elements is
 * last. */
static void sort_keys(pm_bunch *g)
{
    for (size_t i = 0; i + 1 < g->key_count; i++)
        for (size_t k = 0; k + 1 < g->key_count - i; k++)
            if (degree(&g->keys[k]) < degree(&g->keys[k + 1])) {
                pm_poly key = g->keys[k];

                g->keys[k] = g->keys[k + 1];
                g->keys[k + 1] = key;
            }
    for (size_t m = 0; m < g->member_count; m++)
        memcpy(g->places[m].keys, g->keys, sizeof g->keys);
}

static bool fill_axes(pm_sharing *s, pm_bunch *g, pm_tile *tile, pm_text *why)
{
    const pm_node *node = s->index.accesses[g->members[0]].node;

    sort_keys(g);
    for (size_t m = 0; m < g->member_count; m++)
        if (!take_apart(s, &tile->region, &g->places[m], g->clamps))
            return false;
    tile->axis_count = g->key_count;
    tile->base = g->places[0].rest;
    for (size_t k = 0; k < g->key_count; k++) {
        pm_axis *axis = &tile->axes[k];

        if (!make_axis(s, g, k, axis, node, why))
            return false;
        if (!clamp_axis(s, &tile->region, g, k, axis) ||
            !pm_region_sees_axis(s, &tile->region, axis))
            return pm_stage_why(why, node,
                                "the range of the index is not known in front of these "
                                "statements");
    }
    if (!pm_region_sees(s, &tile->region, tile->base))
        return pm_stage_why(why, node,
                            "where the index begins is not known in front of these statements");
    return true;
}

static void fill_members(pm_sharing *s, const pm_bunch *g, pm_tile *tile)
{
    pm_tile_room(s, tile, g->member_count);
    for (size_t m = 0; m < g->member_count; m++) {
        const pm_index_access *access = &s->index.accesses[g->members[m]];

        tile->members[m].access = g->members[m];
        memcpy(tile->members[m].forms, g->places[m].forms, sizeof tile->members[m].forms);
        for (size_t k = 0; k < g->key_count; k++)
            if (g->places[m].clamp[k] != PM_NO_ATOM) {
                const pm_atom *clamp = &s->index.atoms[g->places[m].clamp[k]];

                tile->members[m].clamped_low |= (unsigned)clamp->least.known << k;
                tile->members[m].clamped_high |= (unsigned)clamp->most.known << k;
            }
        tile->read |= access->read;
        tile->written |= access->written;
    }
}

static void make_tile(pm_sharing *s, size_t array, const pm_staging_region *region, pm_bunch *g,
                      pm_text *why)
{
    pm_tile tile = {.array = array, .straight = PM_NONE, .region = pm_region_copy(s, region)};

    if (!fill_axes(s, g, &tile, why))
        return;
    fill_members(s, g, &tile);
    if ((pm_stage_needs_pointer(s, array) && !pm_tile_may_be_pointed_to(s, &tile, why)) ||
        !pm_tile_boxes(s, &tile, why)) {
        pm_tile_free(&tile);
        return;
    }
    pm_stage_add_candidate(s, &tile);
}

/* Adds an access to the first group of accesses that can use one tile with it, or else to a new
 * group. */
static void add_access(pm_sharing *s, const pm_staging_region *region, size_t access,
                       pm_bunch **groups, size_t *count, pm_text *why)
{
    const pm_index_access *a = &s->index.accesses[access];
    pm_placed place = {.index = pm_region_form(s, region, a->index)};
    pm_bunch alone = {.key_count = 0};

    if (!a->index.known || !place.index.known)
        pm_stage_why(why, a->node,
                     a->index.known ? "a loop around this access runs an unknown number of times"
                                    : "the index is no sum of ids, loop variables and arguments "
                                      "times constants or arguments");
    if (!place.index.known || !find_keys(s, &place, a, why))
        return;
    for (size_t g = 0; g < *count; g++)
        if (join(s, region, &(*groups)[g], &place, access))
            return;
    if (join(s, region, &alone, &place, access))
        *pm_add(&s->scratch, *groups, *count) = alone;
    else
        pm_stage_why(why, a->node, "the index is clamped in a way that cannot be staged");
}

void pm_tiles_make(pm_sharing *s, size_t array, const pm_staging_region *region,
                   const size_t *accesses, size_t count, pm_text *why)
{
    pm_bunch *groups = NULL;
    size_t group_count = 0;

    pm_memory_free(&s->scratch);
    for (size_t a = 0; a < count; a++)
        if (pm_region_has(region, s->index.accesses[accesses[a]].statement))
            add_access(s, region, accesses[a], &groups, &group_count, why);
    for (size_t g = 0; g < group_count; g++)
        make_tile(s, array, region, &groups[g], why);
}
