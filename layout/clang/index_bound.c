/* Bounds of polynomials, and what in them varies. See index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "index_parts.h"

typedef struct {
    bool low_known, high_known;
    long long low, high;
} range;

/* A product of two numbers in the ranges. */
static range multiply(const range *a, const range *b)
{
    const range none = {.low_known = false};
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
        return (range){true, true, low, high};
    }
    /* One has no end above. */
    if (a->low_known && a->low >= 0 && b->low_known && b->low >= 0 &&
        !__builtin_mul_overflow(a->low, b->low, &low))
        return (range){.low_known = true, .low = low};
    return none;
}

static range scale(const range *a, long long factor)
{
    range scaled = {.low_known = factor > 0 ? a->low_known : a->high_known,
                    .high_known = factor > 0 ? a->high_known : a->low_known};

    if (scaled.low_known)
        scaled.low_known =
            !__builtin_mul_overflow(factor > 0 ? a->low : a->high, factor, &scaled.low);
    if (scaled.high_known)
        scaled.high_known =
            !__builtin_mul_overflow(factor > 0 ? a->high : a->low, factor, &scaled.high);
    return scaled;
}

static range range_of(const pm_index *index, const pm_poly *poly)
{
    range sum = {.low_known = poly->known, .high_known = poly->known};

    for (size_t t = 0; t < poly->count; t++) {
        range product = {true, true, 1, 1};

        for (size_t i = 0; i < poly->terms[t].factor_count; i++) {
            const pm_atom *atom = &index->atoms[poly->terms[t].factors[i]];
            const range factor = {atom->low_known, atom->high_known, atom->low, atom->high};

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

bool pm_index_low(const pm_index *index, const pm_poly *poly, long long *low)
{
    range all = range_of(index, poly);

    *low = all.low;
    return all.low_known;
}

bool pm_index_high(const pm_index *index, const pm_poly *poly, long long *high)
{
    range all = range_of(index, poly);

    *high = all.high;
    return all.high_known;
}

bool pm_index_varies(const void *index, size_t atom)
{
    return !((const pm_index *)index)->atoms[atom].uniform;
}

bool pm_index_is_uniform(const pm_index *index, const pm_poly *poly)
{
    for (size_t t = 0; t < poly->count; t++)
        for (size_t i = 0; i < poly->terms[t].factor_count; i++)
            if (pm_index_varies(index, poly->terms[t].factors[i]))
                return false;
    return poly->known;
}
