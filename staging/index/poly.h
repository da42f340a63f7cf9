/* Polynomials with integer coefficients over atoms: what an index expression is, as far as its
 * value is known before the kernel runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An atom is a number that the source does not take further apart: a work-item's local id, the
 * variable of a loop, an argument. Each belongs to one kernel's table and is named by its index
 * there. Atoms are integers of the mathematical kind: where the kernel's own arithmetic would
 * overflow, it has no result that could be kept.
 */
#ifndef PM_STAGING_INDEX_POLY_H
#define PM_STAGING_INDEX_POLY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { PM_POLY_FACTORS = 5, PM_POLY_TERMS = 16 };

#define PM_NO_ATOM ((size_t)-1)

/* coefficient * product of atoms, which ascend; an atom may stand there more than once. */
typedef struct {
    long long coefficient; /* not 0 */
    unsigned short factor_count;
    unsigned short factors[PM_POLY_FACTORS];
} pm_term;

/* Terms ascend by factors, the constant first. All zero is an unknown value. */
typedef struct {
    bool known;
    size_t count;
    pm_term terms[PM_POLY_TERMS];
} pm_poly;

pm_poly pm_poly_constant(long long value);
pm_poly pm_poly_atom(size_t atom); /* unknown: PM_NO_ATOM */
pm_poly pm_poly_of_term(const pm_term *term);
/* Unknown where an operand is, or where the result is too long or its coefficients overflow. */
pm_poly pm_poly_add(pm_poly a, pm_poly b);
pm_poly pm_poly_subtract(pm_poly a, pm_poly b);
pm_poly pm_poly_multiply(pm_poly a, pm_poly b);
pm_poly pm_poly_scale(pm_poly a, long long factor);
/* a with `value` in the place of an atom. */
pm_poly pm_poly_replace(pm_poly a, size_t atom, pm_poly value);

/* Both known and equal. */
bool pm_poly_equal(pm_poly a, pm_poly b);
/* Equal, or both unknown. */
bool pm_poly_is_same(pm_poly a, pm_poly b);
bool pm_poly_is_constant(pm_poly a, long long *value);
bool pm_poly_has(const pm_poly *a, size_t atom);
/* The terms for which `wanted` is true of one of their factors (varying), and the others (fixed).
 */
typedef bool (*pm_atom_test)(const void *user, size_t atom);
void pm_poly_split(const pm_poly *a, pm_atom_test wanted, const void *user, pm_poly *varying,
                   pm_poly *fixed);

/* Smallest and largest value, as far as the factors' are known. */
typedef struct {
    bool low_known, high_known;
    long long low, high;
} pm_range_of_values;
typedef pm_range_of_values (*pm_atom_range)(const void *user, size_t atom);
pm_range_of_values pm_poly_range(const pm_poly *poly, pm_atom_range range_of, const void *user);

/* term / by, both with their coefficients; false: it is no multiple. */
bool pm_term_divide(const pm_term *term, const pm_term *by, pm_term *quotient);

/* As OpenCL C; names[atom] is the atom as an operand. An unknown one is not to be written. */
void pm_poly_text(const pm_poly *a, const char *const *names, pm_text *out);
/* The same as an operand of * and of [] (parentheses where there are several terms). */
void pm_poly_operand(const pm_poly *a, const char *const *names, pm_text *out);

#endif
