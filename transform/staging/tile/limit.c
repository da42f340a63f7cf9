/* Computes which elements of an array must not be copied to its tile in local memory, because
 * conditions in the kernel (such as x < n) prevent accesses to them. See box.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A coordinate is the position of an element along an axis of the tile, and is a sum of terms. A
 * bound such as n - 1 - x0 - x >= 0 limits some of these terms. In the coordinate x + k it limits x
 * to n - 1 - x0. The coordinate is then at most min(max(x), n - 1 - x0) + max(k). If several bounds
 * limit different terms of a coordinate, each limits its own part of the sum.
 */
#include "base/numbers.h"
#include "transform/staging/tile/box.h"
#include "transform/staging/tile/reason.h"

enum { MOST_SEEN = 16 };

/* A bound that follows from a condition in the source. It limits the sum of some terms of a
 * coordinate, which is a position along an axis of the tile. */
typedef struct {
    bool upper;
    /* terms of the position along an axis of the tile; `bound` limits their sum */
    pm_poly sum;
    /* value to which `sum` is compared, equal in all work-items of a group: sum <= bound if
     * `upper`, otherwise sum >= bound */
    pm_poly bound;
} axis_bound;

typedef enum { NO_PART, IS_PART, IN_THE_WAY } match_result;

/* Terms of a position are coefficients multiplied by symbolic values (factors), such as ids.
 * Returns the term of `form` that has the same factor as the term `like`, if both have one factor
 * only. Returns NULL if there is none. */
static const pm_term *find_term(const pm_poly *form, const pm_term *like)
{
    for (size_t t = 0; t < form->count; t++)
        if (form->terms[t].factor_count == 1 && like->factor_count == 1 &&
            form->terms[t].factors[0] == like->factors[0])
            return &form->terms[t];
    return NULL;
}

/* A condition in the source has the form varying + fixed >= 0, where only `varying` differs between
 * work-items. Tests whether it limits the coordinate `form` (position along an axis of the tile).
 * Returns NO_PART if `form` has no term of `varying`. Returns IS_PART and sets *part if `form` has
 * all terms of `varying`, multiplied by one common factor. Otherwise returns IN_THE_WAY: the
 * condition cannot be used. */
static match_result match_bound(const pm_poly *varying, const pm_poly *fixed, const pm_poly *form,
                                axis_bound *part)
{
    long long times = 0;
    size_t found = 0;

    *part = (axis_bound){.sum = pm_poly_constant(0)};
    for (size_t t = 0; t < varying->count; t++) {
        const pm_term *own = &varying->terms[t], *in_form = find_term(form, own);

        if (!in_form)
            continue;
        found++;
        if (in_form->coefficient % own->coefficient != 0)
            return IN_THE_WAY;
        if (times != 0 && in_form->coefficient / own->coefficient != times)
            return IN_THE_WAY;
        times = in_form->coefficient / own->coefficient;
        part->sum = pm_poly_add(part->sum, pm_poly_of_term(in_form));
    }
    if (found == 0)
        return NO_PART;
    if (found < varying->count)
        return IN_THE_WAY;
    /* The condition times * (varying + fixed) >= 0 means sum >= -times * fixed if times > 0, and
     * sum <= -times * fixed if times < 0. */
    part->upper = times < 0;
    part->bound = pm_poly_scale(*fixed, -times);
    return part->bound.known ? IS_PART : IN_THE_WAY;
}

/* Returns the greatest common divisor of the coefficients of a polynomial. */
static long long find_common_factor(const pm_poly *poly)
{
    long long common = 0;

    for (size_t t = 0; t < poly->count; t++)
        common = pm_gcd(common, poly->terms[t].coefficient);
    return common;
}

/* part: a bound, such as sum <= bound. `sum` has only multiples of some number, the step, as
 * values. Returns true if no element of the tile lies between the bound and the last multiple of
 * the step before it. Such elements would wrongly count as accessed. This is so if the bound is a
 * multiple of the step, or if all elements of the tile are at multiples of the step. */
static bool is_aligned(const axis_bound *part, const pm_axis *axis)
{
    long long step = find_common_factor(&part->sum), bound = find_common_factor(&part->bound);

    return step <= 1 || bound == 0 || bound % step == 0 || axis->unit % step == 0;
}

/* A limit of a coordinate (position along an axis of the tile) while it is built from bounds. The
 * coordinate is a sum of terms. sums[p] is the sum of the terms that entry p of the limit's list
 * `parts` bounds. */
typedef struct {
    pm_limit limit;
    pm_poly sums[PM_MOST_AXES];
} limit_builder;

/* Returns true if there is an id or a loop variable that occurs in both polynomials. */
static bool shares_a_term(const pm_poly *a, const pm_poly *b)
{
    for (size_t t = 0; t < a->count; t++)
        if (a->terms[t].factor_count > 0 && pm_poly_has(b, a->terms[t].factors[0]))
            return true;
    return false;
}

/* Adds a bound on some terms of a coordinate (position along an axis) to the coordinate's lower or
 * upper limit. Returns false if another bound of the limit already bounds some of these terms, or
 * if the limit has too many bounds. */
static bool add_bound(const pm_index *index, limit_builder *b, const axis_bound *part)
{
    size_t p = 0;
    long long low, high;

    while (p < b->limit.part_count && !pm_poly_equal(b->sums[p], part->sum))
        p++;
    if (p == b->limit.part_count) {
        for (size_t i = 0; i < p; i++)
            if (shares_a_term(&b->sums[i], &part->sum))
                return false;
        if (p == PM_MOST_AXES || !pm_index_range(index, part->sum, &low, &high))
            return false;
        b->sums[p] = part->sum;
        b->limit.parts[p].hull = part->upper ? high : low;
        b->limit.part_count++;
    }
    for (size_t i = 0; i < b->limit.parts[p].bound_count; i++)
        if (pm_poly_equal(b->limit.parts[p].bounds[i], part->bound))
            return true;
    if (b->limit.parts[p].bound_count == PM_MOST_BOUNDS)
        return false;
    b->limit.parts[p].bounds[b->limit.parts[p].bound_count++] = part->bound;
    return true;
}

/* Completes the limit of a coordinate (position along an axis). Terms of the coordinate that no
 * bound limits contribute their extreme values. Sets *slack to true if there are such terms or
 * several bounds, because the kernel may then not access every element within the limit. Example:
 * with x <= 2, the coordinate 4 * y + x skips every fourth element. */
static bool complete_limit(const pm_index *index, const pm_poly *form, unsigned width,
                           limit_builder *b, bool *slack)
{
    pm_poly rest = *form;
    long long low, high;

    for (size_t p = 0; p < b->limit.part_count; p++)
        rest = pm_poly_subtract(rest, b->sums[p]);
    if (!pm_index_range(index, rest, &low, &high))
        return false;
    *slack |= low != high || b->limit.part_count > 1;
    b->limit.constant = b->limit.upper ? high + width - 1 : low;
    return true;
}

typedef struct {
    const pm_index *index;
    const pm_tile *tile;
    const pm_tile_member *member;
    limit_builder built[PM_MOST_AXES][2];
    bool sure;
    size_t seen_count;
    struct {
        pm_poly varying;
        bool elsewhere; /* true: the condition limits no position along an axis of the tile */
    } seen[MOST_SEEN];
} limit_search;

/* Returns true if all work-groups that differ only in their group id along `dimension` execute the
 * access equally often. Conditions that differ between work-items of a group are ignored. */
static bool runs_equally_often(const limit_search *l, unsigned dimension)
{
    const pm_index *index = l->index;
    const pm_index_access *access = &index->accesses[l->member->access];

    if (access->in_helper)
        return false;
    for (size_t k = access->loop; k != PM_NONE; k = index->loops[k].parent) {
        const pm_loop *loop = &index->loops[k];

        if (loop->atom == PM_NO_ATOM || loop->jumps ||
            pm_poly_differs(index, l->tile, &loop->start, dimension) ||
            pm_poly_differs(index, l->tile, &loop->end, dimension))
            return false;
    }
    for (size_t g = 0; g < access->guard_count; g++) {
        const pm_guard *guard = &index->guards[access->guards[g]];

        if (!guard->uniform)
            continue;
        if (!guard->exact)
            return false;
        for (size_t b = 0; b < guard->bound_count; b++)
            if (pm_poly_differs(index, l->tile, &guard->bounds[b], dimension))
                return false;
    }
    return true;
}

/* Handles a condition that limits no position along the tile's axes. Returns true if the tile still
 * has no elements that are never accessed because of this condition. For this, all work-groups in
 * which the condition differs must have the same position of the tile, so that one of them accesses
 * the elements. */
static bool excludes_nothing(const limit_search *l, const pm_poly *fixed)
{
    for (size_t a = 0; a < l->index->atom_count; a++) {
        const pm_atom *atom = &l->index->atoms[a];

        if (!pm_poly_has(fixed, a) || pm_atom_is_argument(l->index, a))
            continue;
        if (!pm_atom_is_of_group(l->index, a) ||
            pm_tile_is_placed_by(l->index, l->tile, atom->dimension) ||
            !runs_equally_often(l, atom->dimension))
            return false;
    }
    return true;
}

/* Applies an inequality, bound >= 0, which follows from a condition in the source, to the positions
 * of an access along the tile's axes. */
static void apply_bound(limit_search *l, pm_poly bound)
{
    pm_poly form = pm_region_form(l->index, &l->tile->region, bound), varying, fixed;

    pm_poly_split(&form, pm_index_varies, l->index, &varying, &fixed);
    /* A condition that depends on data, or that is equal in all work-items of a group, may be false
     * for all work-items. */
    if (!form.known || !pm_region_sees(l->index, &l->tile->region, fixed) || varying.count == 0 ||
        pm_index_has_item(l->index, &form)) {
        l->sure = false;
        return;
    }
    if (l->seen_count == MOST_SEEN)
        l->sure = false;
    else
        l->seen[l->seen_count++].varying = varying;
    for (size_t k = 0; k < l->tile->axis_count; k++) {
        axis_bound part;
        match_result how = match_bound(&varying, &fixed, &l->member->forms[k], &part);

        if (how == NO_PART)
            continue;
        if (how == IN_THE_WAY || !is_aligned(&part, &l->tile->axes[k]) ||
            !add_bound(l->index, &l->built[k][part.upper], &part))
            l->sure = false;
        return;
    }
    if (!excludes_nothing(l, &fixed))
        l->sure = false; /* perhaps the condition is false for all work-items */
    else if (l->seen_count > 0)
        l->seen[l->seen_count - 1].elsewhere = true;
}

/* Considers the conditions that limit no position along the tile's axes. Each of them is true for
 * some work-item. If two conditions depended on the same id or loop variable, it could be that no
 * work-item passes both. Returns true if no condition has an id or a loop variable in common with
 * another one. */
static bool are_independent(const limit_search *l)
{
    for (size_t i = 0; i < l->seen_count; i++)
        for (size_t k = 0; k < l->seen_count; k++)
            if (i != k && l->seen[i].elsewhere &&
                shares_a_term(&l->seen[i].varying, &l->seen[k].varying))
                return false;
    return true;
}

/* Applies the conditions around the access. */
static void apply_guards(limit_search *l)
{
    const pm_index *index = l->index;
    const pm_index_access *access = &index->accesses[l->member->access];

    for (size_t g = 0; g < access->guard_count; g++) {
        const pm_guard *guard = &index->guards[access->guards[g]];

        if (guard->uniform && !pm_region_has(&l->tile->region, guard->node))
            /* The condition is outside of the statements before which the tile is filled. The
             * condition is therefore true where the tile is used. */
            continue;
        l->sure &= guard->exact && !guard->uniform;
        for (size_t b = 0; b < guard->bound_count; b++)
            apply_bound(l, guard->bounds[b]);
    }
}

/* Adds the limit for the last tile of a tiled loop, because this tile may have fewer iterations
 * than the others. */
static void apply_loop_end(limit_search *l)
{
    const pm_staging_region *region = &l->tile->region;
    const pm_loop *loop;
    pm_poly last;
    long long whole;

    if (region->tiled == PM_NONE)
        return;
    loop = &l->index->loops[region->tiled];
    if (pm_poly_is_constant(pm_poly_subtract(loop->end, loop->start), &whole) &&
        whole % ((long long)region->iterations * loop->step) == 0)
        return;
    last = pm_poly_subtract(loop->end, pm_poly_constant(1));
    apply_bound(l, pm_poly_subtract(last, pm_poly_atom(loop->atom)));
}

static bool add_limit(pm_box *box, size_t axis, const pm_limit *limit)
{
    if (box->limit_count == PM_MOST_LIMITS)
        return false;
    box->limit_axis[box->limit_count] = axis;
    box->limits[box->limit_count++] = *limit;
    return true;
}

/* Returns true if a limit along an axis ends at different elements in different work-groups. This
 * matters for a limit that does not bound all terms of the position along the axis. It then has
 * some elements within it even if no work-item of the group passes the condition, and these
 * elements may be outside of the array. */
static bool end_differs(const pm_index *index, const pm_tile *tile, size_t axis,
                        const pm_limit *limit)
{
    for (size_t p = 0; p < limit->part_count; p++)
        for (size_t b = 0; b < limit->parts[p].bound_count; b++) {
            const pm_poly *bound = &limit->parts[p].bounds[b];
            pm_poly end = pm_poly_add(tile->base, pm_poly_multiply(tile->axes[axis].key, *bound));

            for (size_t a = 0; a < index->atom_count; a++)
                if (pm_atom_is_of_group(index, a) && pm_poly_has(bound, a) &&
                    (!end.known || pm_poly_has(&end, a)))
                    return true;
        }
    return false;
}

bool pm_member_limits(const pm_index *index, const pm_tile *tile, const pm_tile_member *member,
                      pm_box *box, bool *sure, bool *slack, pm_text *why)
{
    const pm_index_access *access = &index->accesses[member->access];
    limit_search l = {.index = index,
                      .tile = tile,
                      .member = member,
                      .sure = !access->may && !pm_index_has_item(index, &access->index)};
    bool ok = true;

    for (size_t k = 0; k < tile->axis_count; k++)
        l.built[k][1].limit.upper = true;
    apply_guards(&l);
    apply_loop_end(&l);
    for (size_t k = 0; ok && k < tile->axis_count; k++) {
        bool loose = false;

        for (size_t upper = 0; ok && upper < 2; upper++) {
            limit_builder *b = &l.built[k][upper];

            if (b->limit.part_count > 0)
                ok = complete_limit(index, &member->forms[k],
                                    pm_member_width(index, tile, member, k), b, &loose) &&
                     add_limit(box, k, &b->limit);
        }
        *slack |= loose;
        /* It may be that no work-item satisfies both the lower and the upper limit. The box (range
         * of elements) that is copied then still contains elements near the limits. */
        if (loose && l.built[k][0].limit.part_count > 0 && l.built[k][1].limit.part_count > 0)
            l.sure = false;
        for (size_t upper = 0; ok && loose && upper < 2; upper++)
            l.sure &= !end_differs(index, tile, k, &l.built[k][upper].limit);
    }
    if (!ok)
        pm_stage_why(why, access->node, "the conditions around it are too many");
    *sure = l.sure && are_independent(&l);
    return ok;
}
