/* Computes the smallest and largest value of an array index, which is a polynomial of ids, loop
 * variables and arguments. Tests whether it differs between work-items. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/parts.h"

/* Returns the range of the product of two values that lie in the given ranges. */
static pm_range_of_values multiply(const pm_range_of_values *a, const pm_range_of_values *b)
{
    const pm_range_of_values none = {.low_known = false};
    long long low = 0, high = 0;

    if (a->low_known && a->high_known && b->low_known && b->high_known) {
        const long long x[2] = {a->low, a->high}, y[2] = {b->low, b->high};

        for (int i = 0; i < 4; i++) {
            long long product;

            if (__builtin_mul_overflow(x[i / 2], y[i % 2], &product))
                return none;
            if (i == 0 || product < low)
                low = product;
            if (i == 0 || product > high)
                high = product;
        }
        return (pm_range_of_values){true, true, low, high};
    }
    /* A factor has no upper bound, so only a lower bound of the product may be known. */
    if (a->low_known && a->low >= 0 && b->low_known && b->low >= 0 &&
        !__builtin_mul_overflow(a->low, b->low, &low))
        return (pm_range_of_values){.low_known = true, .low = low};
    return none;
}

static pm_range_of_values scale(const pm_range_of_values *a, long long factor)
{
    pm_range_of_values scaled = {.low_known = factor > 0 ? a->low_known : a->high_known,
                                 .high_known = factor > 0 ? a->high_known : a->low_known};

    if (scaled.low_known)
        scaled.low_known =
            !__builtin_mul_overflow(factor > 0 ? a->low : a->high, factor, &scaled.low);
    if (scaled.high_known)
        scaled.high_known =
            !__builtin_mul_overflow(factor > 0 ? a->high : a->low, factor, &scaled.high);
    return scaled;
}

static pm_range_of_values range_of_atom(const void *index, size_t atom)
{
    const pm_atom *a = &((const pm_index *)index)->atoms[atom];

    return (pm_range_of_values){a->low_known, a->high_known, a->low, a->high};
}

pm_range_of_values pm_poly_range(const pm_poly *poly, pm_atom_range range_of, const void *user)
{
    pm_range_of_values sum = {.low_known = poly->known, .high_known = poly->known};

    for (size_t t = 0; t < poly->count; t++) {
        pm_range_of_values product = {true, true, 1, 1};

        for (size_t i = 0; i < poly->terms[t].factor_count; i++) {
            const pm_range_of_values factor = range_of(user, poly->terms[t].factors[i]);

            product = multiply(&product, &factor);
        }
        product = scale(&product, poly->terms[t].coefficient);
        sum.low_known = sum.low_known && product.low_known &&
                        !__builtin_add_overflow(sum.low, product.low, &sum.low);
        sum.high_known = sum.high_known && product.high_known &&
                         !__builtin_add_overflow(sum.high, product.high, &sum.high);
    }
    return sum;
}

bool pm_index_low(const pm_index *index, pm_poly poly, long long *low)
{
    pm_range_of_values all = pm_poly_range(&poly, range_of_atom, index);

    *low = all.low;
    return all.low_known;
}

bool pm_index_high(const pm_index *index, pm_poly poly, long long *high)
{
    pm_range_of_values all = pm_poly_range(&poly, range_of_atom, index);

    *high = all.high;
    return all.high_known;
}

bool pm_index_range(const pm_index *index, pm_poly poly, long long *low, long long *high)
{
    pm_range_of_values all = pm_poly_range(&poly, range_of_atom, index);

    *low = all.low;
    *high = all.high;
    return all.low_known && all.high_known;
}

bool pm_index_is_not_negative(const pm_index *index, pm_poly poly)
{
    pm_range_of_values all = pm_poly_range(&poly, range_of_atom, index);

    return all.low_known && all.low >= 0;
}

bool pm_index_varies(const void *index, size_t atom)
{
    return !((const pm_index *)index)->atoms[atom].uniform;
}

bool pm_index_is_uniform(const pm_index *index, pm_poly poly)
{
    for (size_t t = 0; t < poly.count; t++)
        for (size_t i = 0; i < poly.terms[t].factor_count; i++)
            if (pm_index_varies(index, poly.terms[t].factors[i]))
                return false;
    return poly.known;
}

bool pm_index_has_item(const pm_index *index, const pm_poly *poly)
{
    for (size_t a = 0; a < index->atom_count; a++)
        if (index->atoms[a].kind == PM_ATOM_ITEM && pm_poly_has(poly, a))
            return true;
    return false;
}
