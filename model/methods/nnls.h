/* Least squares without negative coefficients, from normal equations.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_NNLS_H
#define PM_MODEL_METHODS_NNLS_H

#include "base/memory.h"

/* Of rows v that are each to give 1: what minimising sum (a v - 1)^2 needs to know of them. */
typedef struct {
    size_t p;
    double rows;
    double *products; /* p x p: sums of v_j v_k, k <= j */
    double *sums;     /* p: of v_j */
} pm_normal_equations;

/* count of them, all 0. */
pm_normal_equations *pm_normal_create(pm_memory *memory, size_t count, size_t p);
void pm_normal_add(pm_normal_equations *e, const double *v);
/* e becomes all less e. */
void pm_normal_take_away(pm_normal_equations *e, const pm_normal_equations *all);
/* The sum of the squares, which is no number if any member is none. */
double pm_normal_size(const pm_normal_equations *e);

/* a: p, none negative, where to start from and the result. */
void pm_nnls(pm_memory *memory, const pm_normal_equations *e, double *a);

#endif
