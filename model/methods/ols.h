/* Ordinary least squares with leave-out residuals in closed form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_OLS_H
#define PM_MODEL_METHODS_OLS_H

#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#include "base/memory.h"

/* A fit of T = a0 + sum a_i z_i, where z_i are z-scores of the columns of x (Shimada et al. 2010,
 * equation 1, section 3.2). rank: number of singular values above rounding errors (n eps times the
 * largest). Combinations of columns that the rows hardly vary in are below, and do not contribute
 * to the fit. */
typedef struct {
    size_t n, p, rank;
    gsl_vector *mean, *scale; /* mean and scale of each of the p columns */
    /* n x rank matrix: orthonormal basis of the columns and the constant */
    gsl_matrix *u;
    gsl_matrix *v;            /* (p + 1) x rank matrix: coefficients of each direction of u */
    gsl_vector *coefficients; /* the coefficients a0, and a1 ... ap of the z-scores */
    gsl_vector *residual;     /* residual[i]: y[i] minus the value that the fit gives for row i */
    /* standard deviation of the residuals, with n - rank degrees of freedom */
    double sigma;
} pm_ols;

/* Fits y (n numbers) to x (n x p matrix) by ordinary least squares. n must be at least 2. */
pm_ols *pm_ols_fit(pm_memory *memory, const gsl_matrix *x, const gsl_vector *y);

/* Predicts a row of p counters. *variance (may be NULL) gets the variance of the prediction's mean
 * in units of sigma^2, which is the row's leverage. */
double pm_ols_at(const pm_ols *ols, const double *row, double *variance);

/* Returns the leverage of fitted row i, the diagonal element h_ii of the hat matrix H = U U'. */
double pm_ols_leverage(const pm_ols *ols, size_t i);

/* Computes residual[i] = y_i - prediction of row i by a fit without the rows of i's group, for all
 * groups. group[i] is in 0 ... groups - 1.
 *
 * The closed form is (I - H_BB)^-1 e_B, with the hat matrix H = U U', the residuals e, and the
 * group's rows B. If the group has one row, it is e_i / (1 - h_ii) (Cook and Weisberg, Residuals
 * and Influence in Regression, 1982, section 2.2). If I - H_BB is singular, the rows of the other
 * groups do not determine all coefficients, and the fit without the group is computed anew. x and y
 * must be those given to pm_ols_fit. */
void pm_ols_leave_out(pm_memory *memory, const pm_ols *ols, const gsl_matrix *x,
                      const gsl_vector *y, const size_t *group, size_t groups,
                      gsl_vector *residual);

#endif
