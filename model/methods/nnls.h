/* Non-negative least squares from normal equations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_NNLS_H
#define PM_MODEL_METHODS_NNLS_H

#include "base/memory.h"

/* Normal equations of rows v whose target is 1: all that is needed to minimize sum (a' v - 1)^2. */
typedef struct {
    size_t p;
    double rows;
    /* p x p matrix: products[j * p + k] for k <= j is the sum of v_j v_k over the rows */
    double *products;
    double *sums; /* sums[j]: sum of v_j over the rows */
} pm_normal_equations;

/* Returns an array of `count` normal equations for p columns, in which all sums are 0. `memory`
 * owns the array. */
pm_normal_equations *pm_normal_create(pm_memory *memory, size_t count, size_t p);
void pm_normal_add(pm_normal_equations *e, const double *v);
/* Replaces the sums in e by those in `all` minus those in e: the sums over all rows except the rows
 * of e. */
void pm_normal_take_away(pm_normal_equations *e, const pm_normal_equations *all);
/* Returns the sum of squares of all elements of the rows. The result is not finite if an element is
 * not. */
double pm_normal_size(const pm_normal_equations *e);

/* Minimizes the sum of squares, sum (a' v - 1)^2 over the rows v, over a >= 0. a: p start values,
 * not negative; replaced by the result. */
void pm_nnls(pm_memory *memory, const pm_normal_equations *e, double *a);

#endif
