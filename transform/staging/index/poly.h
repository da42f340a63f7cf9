/* Polynomials with integer coefficients, which represent the array indices of a kernel. Their
 * variables are called atoms.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An atom is an integer that we do not analyse further: a local id, a loop variable, an argument.
 * It is named by its index in the kernel's table of atoms. Atoms are mathematical integers.
 * Overflow in the kernel's own arithmetic is not modelled.
 */
#ifndef PM_TRANSFORM_STAGING_INDEX_POLY_H
#define PM_TRANSFORM_STAGING_INDEX_POLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { PM_POLY_FACTORS = 5, PM_POLY_TERMS = 16 };

#define PM_NO_ATOM ((size_t)-1)

/* A term of a polynomial: coefficient * product of factors. A factor is the index of an atom
 * (pm_atom, a symbolic value). Factors are in ascending order; a repeated factor is a power. */
typedef struct {
    long long coefficient; /* not 0 */
    unsigned short factor_count;
    unsigned short factors[PM_POLY_FACTORS];
} pm_term;

/* A polynomial: a sum of terms, ordered by their factors, so that the constant term is first. A
 * pm_poly in which all bytes are 0 means that the value is unknown. */
typedef struct {
    bool known;
    size_t count;
    pm_term terms[PM_POLY_TERMS];
} pm_poly;

pm_poly pm_poly_constant(long long value);
/* Returns the polynomial that consists of one atom (symbolic value) only. Returns an unknown
 * polynomial if `atom` is PM_NO_ATOM. */
pm_poly pm_poly_atom(size_t atom);
pm_poly pm_poly_of_term(const pm_term *term);
/* The functions below do arithmetic. The result is unknown if an operand is unknown, if the result
 * has more than PM_POLY_TERMS terms or PM_POLY_FACTORS factors, or if a coefficient overflows. */
pm_poly pm_poly_add(pm_poly a, pm_poly b);
pm_poly pm_poly_subtract(pm_poly a, pm_poly b);
pm_poly pm_poly_multiply(pm_poly a, pm_poly b);
pm_poly pm_poly_scale(pm_poly a, long long factor);
/* Returns the polynomial `a` with the polynomial `value` in place of an atom (symbolic value). */
pm_poly pm_poly_replace(pm_poly a, size_t atom, pm_poly value);

/* Returns true if both polynomials are known and equal. */
bool pm_poly_equal(pm_poly a, pm_poly b);
/* Returns true if both polynomials are known and equal, or both are unknown. */
bool pm_poly_is_same(pm_poly a, pm_poly b);
bool pm_poly_is_constant(pm_poly a, long long *value);
bool pm_poly_has(const pm_poly *a, size_t atom);
/* Splits the polynomial `a` into two sums of terms. A term is added to *varying if `wanted` returns
 * true for one of its factors, otherwise to *fixed. */
typedef bool (*pm_atom_test)(const void *user, size_t atom);
void pm_poly_split(const pm_poly *a, pm_atom_test wanted, const void *user, pm_poly *varying,
                   pm_poly *fixed);

/* Smallest and largest value of a polynomial. To compute a bound, the bounds of the polynomial's
 * atoms (symbolic values) are needed. If one of them is unknown, the bound is unknown. */
typedef struct {
    bool low_known, high_known;
    long long low, high;
} pm_range_of_values;
typedef pm_range_of_values (*pm_atom_range)(const void *user, size_t atom);
pm_range_of_values pm_poly_range(const pm_poly *poly, pm_atom_range range_of, const void *user);

/* Computes *quotient = term / by, including the coefficients. Returns false if `term` is not a
 * multiple of `by`. */
bool pm_term_divide(const pm_term *term, const pm_term *by, pm_term *quotient);

/* Appends the polynomial to `out` as OpenCL C code. names[atom] is the code for an atom. The
 * polynomial must not be unknown. */
void pm_poly_text(const pm_poly *a, const char *const *names, pm_text *out);
/* Appends the code of the polynomial as an operand of * or []: in parentheses if it has several
 * terms. */
void pm_poly_operand(const pm_poly *a, const char *const *names, pm_text *out);

#endif
