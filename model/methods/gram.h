/* A kernel (Gram) matrix of training rows, factored: solving with it, variances, and leaving out
 * whole programs in closed form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_GRAM_H
#define PM_MODEL_METHODS_GRAM_H

#include <gsl/gsl_matrix.h>

#include "base/memory.h"

typedef struct {
    size_t n, groups;
    const size_t *start; /* groups + 1: program g has the rows start[g] ... start[g + 1] */
    gsl_matrix *root;    /* n x n, lower triangle: L^-1 of K = L L' */
    double *left_out;    /* of one program after the other C_B = ((K^-1)_BB)^-1, square */
    double *variance;    /* n: diagonals of these, the variance of a row given the other programs */
} pm_gram;

/* Factors k in place, a symmetric n x n matrix. It must be finite, and the noise on
 * its diagonal must keep it positive definite: GSL ends the program where it is not. Of kernels of
 * some hundred rows of standardised features no eigenvalue is above some 1e8 times the noise, which
 * rounding (1e-16) does not come near.
 * k and start must outlive the result. */
pm_gram *pm_gram_factor(pm_memory *memory, gsl_matrix *k, const size_t *start, size_t groups);

/* a = K^-1 x. work: n. */
void pm_gram_solve(const pm_gram *gram, const double *x, double *a, double *work);

/* residual_B = C_B a_B for all programs B: x_B less what a model of the other programs expects of
 * it, with a = K^-1 x (block form of Rasmussen & Williams, Gaussian Processes for Machine Learning,
 * 2006, equations 5.10 to 5.12). */
void pm_gram_leave_out(const pm_gram *gram, const double *a, double *residual);

/* explained[j] = k_j' K^-1 k_j for the m columns k_j of cross, n x m by rows. work: m. */
void pm_gram_explained(const pm_gram *gram, const double *cross, size_t m, double *explained,
                       double *work);

#endif
