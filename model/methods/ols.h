/* Ordinary least squares with leave-out residuals in closed form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_OLS_H
#define PM_MODEL_METHODS_OLS_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "base/memory.h"

/* T = a0 + sum a_i z_i on z-scores z_i of the columns of x (Shimada et al. 2010, equation 1,
 * section 3.2). Directions in which the rows do not differ (singular values under n eps of the
 * largest) get no coefficient. */
typedef struct {
    size_t n, p, rank;
    gsl_vector *mean, *scale; /* p: of the columns */
    gsl_matrix *u;            /* n x rank: orthonormal basis of the columns and the constant */
    gsl_matrix *v;            /* (p + 1) x rank: coefficients of each direction of u */
    gsl_vector *coefficients; /* p + 1: a0, a1 ... of the z-scores */
    gsl_vector *residual;     /* n: y - fit */
    double sigma;             /* standard deviation of the residuals, n - rank degrees of freedom */
} pm_ols;

/* x is n x p, y has n members. Needs n > 1. */
pm_ols *pm_ols_fit(pm_memory *memory, const gsl_matrix *x, const gsl_vector *y);

/* The fit at a row of p counters; *variance (may be NULL) is that of its mean in units of sigma^2:
 * the leverage of such a row. */
double pm_ols_at(const pm_ols *ols, const double *row, double *variance);

/* The leverage of row i of those that were fitted: the diagonal of H = U U'. */
double pm_ols_leverage(const pm_ols *ols, size_t i);

/* residual[i] = y_i - prediction of row i by the fit that has not seen any row of i's group, for
 * all groups (group[i] in 0 ... groups - 1): (I - H_BB)^-1 e_B with the hat matrix H = U U' and the
 * rows B of the group; for groups of one row e_i / (1 - h_ii) (Cook & Weisberg, Residuals and
 * Influence in Regression, 1982, section 2.2). Where a group holds all that is known of a direction
 * (I - H_BB is singular) the fit without it is made anew. x and y as given to pm_ols_fit. */
void pm_ols_leave_out(pm_memory *memory, const pm_ols *ols, const gsl_matrix *x,
                      const gsl_vector *y, const size_t *group, size_t groups,
                      gsl_vector *residual);

#endif
