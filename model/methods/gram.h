/* A factored kernel (Gram) matrix of training rows. It solves linear systems, gives variances, and
 * leaves out programs in closed form.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_GRAM_H
#define PM_MODEL_METHODS_GRAM_H

#include <gsl/gsl_matrix.h>

#include "base/memory.h"

typedef struct {
    size_t n, groups;
    const size_t *start; /* program g has the rows start[g] ... start[g + 1] - 1 */
    gsl_matrix *root;    /* n x n matrix whose lower triangle is L^-1, where K = L L' */
    /* the square blocks C_B = ((K^-1)_BB)^-1, one for the rows B of each program */
    double *left_out;
    /* variance of each row given the other programs: the diagonals of the blocks C_B */
    double *variance;
} pm_gram;

/* Factors the kernel matrix k, a symmetric n x n matrix, in place. k must be finite. If k or the
 * block of a program is not positive definite, raises PM_FAILED with memory (base/memory.h). The
 * noise on the diagonal prevents that for kernels of a few hundred rows of standardized features:
 * no eigenvalue exceeds about 1e8 times the noise, far below 1 / rounding error (1e16). k and start
 * must outlive the result. */
pm_gram *pm_gram_factor(pm_memory *memory, gsl_matrix *k, const size_t *start, size_t groups);

/* Computes a = K^-1 x. work: scratch space for n numbers. */
void pm_gram_solve(const pm_gram *gram, const double *x, double *a, double *work);

/* Computes the leave-one-program-out residuals residual_B = C_B a_B for all programs B, with a =
 * K^-1 x. A residual is x_B less its prediction from the other programs. Source: Rasmussen and
 * Williams, Gaussian Processes for Machine Learning, 2006, equations 5.10 to 5.12, in block form.
 */
void pm_gram_leave_out(const pm_gram *gram, const double *a, double *residual);

/* Computes explained[j] = k_j' K^-1 k_j, the variance explained by the training rows, for the m
 * columns k_j of cross. cross: the columns k_j as an n x m matrix, stored by row. work: scratch
 * space for m numbers. */
void pm_gram_explained(const pm_gram *gram, const double *cross, size_t m, double *explained,
                       double *work);

#endif
