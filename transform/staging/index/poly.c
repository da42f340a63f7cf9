/* Computes with polynomials over atoms (symbolic values such as ids and loop variables). See
 * poly.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "transform/staging/index/poly.h"

#include <string.h>

static const pm_poly unknown;

/* ---- terms ---------------------------------------------------------------------------------- */

/* Compares two terms for the order in a polynomial: the constant term comes first, then the others
 * by their factors. */
static int compare(const pm_term *a, const pm_term *b)
{
    for (size_t i = 0; i < a->factor_count && i < b->factor_count; i++)
        if (a->factors[i] != b->factors[i])
            return a->factors[i] < b->factors[i] ? -1 : 1;
    return (a->factor_count > b->factor_count) - (a->factor_count < b->factor_count);
}

/* Adds a term (coefficient * product of symbolic values) to a polynomial. Returns false if the
 * polynomial already has PM_POLY_TERMS terms, or if the coefficient overflows. */
static bool add_term(pm_poly *poly, const pm_term *term)
{
    size_t at = 0;

    while (at < poly->count && compare(&poly->terms[at], term) < 0)
        at++;
    if (at < poly->count && compare(&poly->terms[at], term) == 0) {
        if (__builtin_add_overflow(poly->terms[at].coefficient, term->coefficient,
                                   &poly->terms[at].coefficient))
            return false;
        if (poly->terms[at].coefficient != 0)
            return true;
        poly->count--;
        memmove(&poly->terms[at], &poly->terms[at + 1], (poly->count - at) * sizeof *poly->terms);
        return true;
    }
    if (term->coefficient == 0)
        return true;
    if (poly->count == PM_POLY_TERMS)
        return false;
    memmove(&poly->terms[at + 1], &poly->terms[at], (poly->count - at) * sizeof *poly->terms);
    poly->terms[at] = *term;
    poly->count++;
    return true;
}

static bool multiply_terms(const pm_term *a, const pm_term *b, pm_term *product)
{
    size_t i = 0, k = 0;

    *product = (pm_term){.factor_count = (unsigned short)(a->factor_count + b->factor_count)};
    if (product->factor_count > PM_POLY_FACTORS ||
        __builtin_mul_overflow(a->coefficient, b->coefficient, &product->coefficient))
        return false;
    for (size_t f = 0; f < product->factor_count; f++)
        if (k == b->factor_count || (i < a->factor_count && a->factors[i] <= b->factors[k]))
            product->factors[f] = a->factors[i++];
        else
            product->factors[f] = b->factors[k++];
    return true;
}

static bool has_factor(const pm_term *term, size_t atom)
{
    for (size_t i = 0; i < term->factor_count; i++)
        if (term->factors[i] == atom)
            return true;
    return false;
}

/* ---- polynomials ---------------------------------------------------------------------------- */

pm_poly pm_poly_constant(long long value)
{
    return (pm_poly){.known = true, .count = value != 0, .terms = {{.coefficient = value}}};
}

pm_poly pm_poly_atom(size_t atom)
{
    if (atom > (unsigned short)-1)
        return unknown;
    return (pm_poly){
        .known = true,
        .count = 1,
        .terms = {{.coefficient = 1, .factor_count = 1, .factors = {(unsigned short)atom}}}};
}

pm_poly pm_poly_of_term(const pm_term *term)
{
    return (pm_poly){.known = true, .count = 1, .terms = {*term}};
}

pm_poly pm_poly_add(pm_poly a, pm_poly b)
{
    if (!a.known || !b.known)
        return unknown;
    for (size_t t = 0; t < b.count; t++)
        if (!add_term(&a, &b.terms[t]))
            return unknown;
    return a;
}

pm_poly pm_poly_scale(pm_poly a, long long factor)
{
    if (factor == 0)
        return a.known ? pm_poly_constant(0) : unknown;
    for (size_t t = 0; t < a.count; t++)
        if (__builtin_mul_overflow(a.terms[t].coefficient, factor, &a.terms[t].coefficient))
            return unknown;
    return a;
}

pm_poly pm_poly_subtract(pm_poly a, pm_poly b)
{
    return pm_poly_add(a, pm_poly_scale(b, -1));
}

pm_poly pm_poly_multiply(pm_poly a, pm_poly b)
{
    pm_poly product = {.known = true};

    if (!a.known || !b.known)
        return unknown;
    for (size_t i = 0; i < a.count; i++)
        for (size_t k = 0; k < b.count; k++) {
            pm_term term;

            if (!multiply_terms(&a.terms[i], &b.terms[k], &term) || !add_term(&product, &term))
                return unknown;
        }
    return product;
}

pm_poly pm_poly_replace(pm_poly a, size_t atom, pm_poly value)
{
    pm_poly result = {.known = a.known};

    for (size_t t = 0; t < a.count; t++) {
        const pm_term *term = &a.terms[t];
        pm_poly product = pm_poly_constant(term->coefficient);

        for (size_t i = 0; i < term->factor_count; i++)
            product = pm_poly_multiply(
                product, term->factors[i] == atom ? value : pm_poly_atom(term->factors[i]));
        result = pm_poly_add(result, product);
    }
    return result;
}

bool pm_poly_equal(pm_poly a, pm_poly b)
{
    if (!a.known || !b.known || a.count != b.count)
        return false;
    for (size_t t = 0; t < a.count; t++)
        if (compare(&a.terms[t], &b.terms[t]) != 0 ||
            a.terms[t].coefficient != b.terms[t].coefficient)
            return false;
    return true;
}

bool pm_poly_is_same(pm_poly a, pm_poly b)
{
    return a.known == b.known && (!a.known || pm_poly_equal(a, b));
}

bool pm_poly_is_constant(pm_poly a, long long *value)
{
    if (!a.known || a.count > 1 || (a.count == 1 && a.terms[0].factor_count > 0))
        return false;
    *value = a.count ? a.terms[0].coefficient : 0;
    return true;
}

bool pm_poly_has(const pm_poly *a, size_t atom)
{
    for (size_t t = 0; t < a->count; t++)
        if (has_factor(&a->terms[t], atom))
            return true;
    return false;
}

void pm_poly_split(const pm_poly *a, pm_atom_test wanted, const void *user, pm_poly *varying,
                   pm_poly *fixed)
{
    *varying = *fixed = (pm_poly){.known = a->known};
    for (size_t t = 0; t < a->count; t++) {
        bool varies = false;

        for (size_t i = 0; i < a->terms[t].factor_count; i++)
            varies |= wanted(user, a->terms[t].factors[i]);
        /* Adding the term cannot fail, because neither result has more terms than a. */
        add_term(varies ? varying : fixed, &a->terms[t]);
    }
}

bool pm_term_divide(const pm_term *term, const pm_term *by, pm_term *quotient)
{
    size_t k = 0;

    *quotient = (pm_term){.coefficient = term->coefficient / by->coefficient};
    for (size_t f = 0; f < term->factor_count; f++)
        if (k < by->factor_count && by->factors[k] == term->factors[f])
            k++;
        else
            quotient->factors[quotient->factor_count++] = term->factors[f];
    return k == by->factor_count && term->coefficient % by->coefficient == 0;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void term_text(const pm_term *term, bool first, const char *const *names, pm_text *out)
{
    long long size = term->coefficient;
    bool minus = size < 0;

    if (!first)
        pm_text_add(out, minus ? " - " : " + ");
    else if (minus)
        pm_text_add(out, "-");
    if (term->factor_count == 0 || (size != 1 && size != -1))
        pm_text_add(out, "%llu%s", minus ? 0 - (unsigned long long)size : (unsigned long long)size,
                    term->factor_count ? " * " : "");
    for (size_t i = 0; i < term->factor_count; i++)
        pm_text_add(out, "%s%s", i ? " * " : "", names[term->factors[i]]);
}

void pm_poly_text(const pm_poly *a, const char *const *names, pm_text *out)
{
    bool first = true;

    /* Write positive terms first and the constant last, for example `x - 1` and not `-1 + x`. */
    for (int pass = 0; pass < 3; pass++)
        for (size_t t = 0; t < a->count; t++) {
            const pm_term *term = &a->terms[t];
            int of = term->factor_count == 0 ? 2 : term->coefficient < 0 ? 1 : 0;

            if (of != pass)
                continue;
            term_text(term, first, names, out);
            first = false;
        }
    if (first)
        pm_text_add(out, "0");
}

void pm_poly_operand(const pm_poly *a, const char *const *names, pm_text *out)
{
    bool bare = a->count == 0 || (a->count == 1 && a->terms[0].factor_count <= 1 &&
                                  (a->terms[0].factor_count == 0 ? a->terms[0].coefficient >= 0
                                                                 : a->terms[0].coefficient == 1));

    pm_text_add(out, bare ? "" : "(");
    pm_poly_text(a, names, out);
    pm_text_add(out, bare ? "" : ")");
}
