/* Converts expressions with a minimum or maximum (min, max, clamp, and conditional expressions that
 * do the same) to symbolic values of array indices. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

static const pm_poly unknown;

/* ---- atoms of clamps ------------------------------------------------------------------------ */

/* atom: a CLAMP (a symbolic value that is limited by a minimum or maximum). At the call, its known
 * bounds are those of the value v before clamping. Changes them to those of max(v, atom->least). */
static void bound_below(const pm_index *index, pm_atom *atom)
{
    long long low, high;

    if (!atom->least.known)
        return;
    if (pm_index_low(index, atom->least, &low) && (!atom->low_known || low > atom->low)) {
        atom->low_known = true;
        atom->low = low;
    }
    atom->high_known &= pm_index_high(index, atom->least, &high);
    if (atom->high_known && high > atom->high)
        atom->high = high;
}

/* atom: a CLAMP (a symbolic value that is limited by a minimum or maximum). At the call, its known
 * bounds are those of the value v before clamping. Changes them to those of min(v, atom->most). */
static void bound_above(const pm_index *index, pm_atom *atom)
{
    long long low, high;

    if (!atom->most.known)
        return;
    if (pm_index_high(index, atom->most, &high) && (!atom->high_known || high < atom->high)) {
        atom->high_known = true;
        atom->high = high;
    }
    atom->low_known &= pm_index_low(index, atom->most, &low);
    if (atom->low_known && low < atom->low)
        atom->low = low;
}

const pm_atom *pm_index_clamp_of(const pm_index *index, const pm_poly *value)
{
    const pm_atom *atom;

    if (value->count != 1 || value->terms[0].factor_count != 1 || value->terms[0].coefficient != 1)
        return NULL;
    atom = &index->atoms[value->terms[0].factors[0]];
    return atom->kind == PM_ATOM_CLAMP ? atom : NULL;
}

/* `atom` is a symbolic value: the minimum or maximum of a value and a bound. If the value itself is
 * a minimum or maximum with the opposite bound, as in max(min(x, most), least), makes `atom` one
 * clamp of x with both bounds. */
static void unite(const pm_index *index, pm_atom *atom)
{
    const pm_atom *other = pm_index_clamp_of(index, &atom->inner);

    if (!other || (atom->least.known && other->least.known) ||
        (atom->most.known && other->most.known))
        return;
    if (other->least.known)
        atom->least = other->least;
    else
        atom->most = other->most;
    atom->inner = other->inner;
}

pm_poly pm_index_clamp(pm_reader *r, const pm_poly *inner, const pm_poly *least,
                       const pm_poly *most, bool ordered)
{
    const pm_index *index = r->index;
    pm_atom atom = {.kind = PM_ATOM_CLAMP, .inner = *inner, .most_last = most != NULL};
    long long bound;

    if (least)
        atom.least = *least;
    if (most)
        atom.most = *most;
    if (!least || !most)
        unite(index, &atom);
    atom.low_known = pm_index_low(index, atom.inner, &atom.low);
    atom.high_known = pm_index_high(index, atom.inner, &atom.high);
    for (int pass = 0; pass < 2; pass++)
        if ((pass == 1) == atom.most_last)
            bound_above(index, &atom);
        else
            bound_below(index, &atom);
    /* OpenCL's clamp() is undefined if least > most, so we may assume that its result is at least
     * `least`. */
    if (ordered && pm_index_low(index, *least, &bound) && (!atom.low_known || atom.low < bound)) {
        atom.low_known = true;
        atom.low = bound;
    }
    return pm_poly_atom(pm_index_atom(r, &atom, NULL, NULL));
}

pm_poly pm_index_choose(pm_reader *r, const pm_poly *inner, const pm_poly *bound, bool is_most)
{
    const pm_atom *other = pm_index_clamp_of(r->index, inner);
    pm_poly value;
    pm_atom *made;

    if (!other || other->assumed.known || (is_most ? other->most.known : other->least.known))
        return (pm_poly){.known = false};
    value = pm_index_clamp(r, inner, is_most ? NULL : bound, is_most ? bound : NULL, false);
    if (!value.known)
        return value;
    made = &r->index->atoms[value.terms[0].factors[0]];
    made->assumed = pm_poly_subtract(made->most, made->least);
    if (pm_index_is_not_negative(r->index, made->assumed))
        made->assumed = (pm_poly){.known = false};
    return value;
}

/* ---- min, max and conditional expressions --------------------------------------------------- */

/* Returns true if comparing a and b in the source gives the same result as comparing the
 * mathematical integers. If the comparison is unsigned, a and b must not be negative. */
bool pm_index_compares(const pm_reader *r, bool is_unsigned, pm_poly a, pm_poly b)
{
    return a.known && b.known &&
           (!is_unsigned ||
            (pm_index_is_not_negative(r->index, a) && pm_index_is_not_negative(r->index, b)));
}

/* Returns true if a < b is known to be false. */
static bool is_never(const pm_reader *r, pm_poly a, pm_poly b)
{
    return pm_index_is_not_negative(r->index, pm_poly_subtract(a, b));
}

/* Returns the value of min(a, b) or max(a, b) as a polynomial. The result is an unknown polynomial
 * if neither operand is equal in all work-items of a group. */
pm_poly pm_index_extreme(pm_reader *r, pm_poly a, pm_poly b, bool is_min)
{
    bool a_uniform = pm_index_is_uniform(r->index, a);
    const pm_poly *bound = a_uniform ? &a : &b, *inner = a_uniform ? &b : &a;
    long long high;

    if (pm_index_high(r->index, pm_poly_subtract(a, b), &high) && high <= 0)
        return is_min ? a : b;
    if (is_never(r, a, b))
        return is_min ? b : a;
    if (a_uniform == pm_index_is_uniform(r->index, b))
        return unknown;
    return pm_index_clamp(r, inner, is_min ? NULL : bound, is_min ? bound : NULL, false);
}

pm_poly pm_index_limited(pm_reader *r, pm_poly value, pm_poly least, pm_poly most)
{
    if (pm_index_is_uniform(r->index, least) && pm_index_is_uniform(r->index, most) &&
        !pm_index_is_uniform(r->index, value) && !is_never(r, value, least) &&
        !is_never(r, most, value))
        return pm_index_clamp(r, &value, &least, &most, true);
    value = pm_index_extreme(r, value, least, false);
    return value.known ? pm_index_extreme(r, value, most, true) : unknown;
}

static bool clamps(const pm_index *index, const pm_poly *value, const pm_poly *inner)
{
    const pm_atom *clamp = pm_index_clamp_of(index, value);

    return clamp && pm_poly_equal(clamp->inner, *inner);
}

/* Returns the value of the conditional expression `condition ? yes : no` if it is the minimum or
 * maximum of two values, such as `a < b ? b : a`. Otherwise returns an unknown polynomial. less:
 * true if the condition is a < b; false if it is a > b. */
pm_poly pm_index_clamp_of_choice(pm_reader *r, const pm_poly *a, const pm_poly *b,
                                 const pm_poly *yes, const pm_poly *no, bool less)
{
    /* If only one operand of the comparison is uniform (equal in all work-items of a group), this
     * operand is the bound, and the other is the clamped value. */
    bool a_inside = pm_index_is_uniform(r->index, *b) && !pm_index_is_uniform(r->index, *a);
    const pm_poly *inner = a_inside ? a : b, *bound = a_inside ? b : a;
    bool below = a_inside == less; /* true: a true condition means inner < bound */

    if (!a->known || !b->known || !pm_index_is_uniform(r->index, *bound))
        return unknown;
    if (pm_poly_equal(*yes, *bound) && clamps(r->index, no, inner))
        return pm_index_choose(r, no, bound, !below);
    if (pm_poly_equal(*no, *bound) && clamps(r->index, yes, inner))
        return pm_index_choose(r, yes, bound, below);
    return unknown;
}
