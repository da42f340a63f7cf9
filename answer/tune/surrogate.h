/* The surrogate: a Gaussian process that predicts the logarithm of a version's time from its
 * features, so that the version need not be traced.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_ANSWER_TUNE_SURROGATE_H
#define PM_ANSWER_TUNE_SURROGATE_H

#include "base/memory.h"

typedef struct pm_surrogate pm_surrogate;

/* Fits the surrogate to n >= 2 versions (combinations of tuning parameters). x[i * p + k]: feature
 * k of version i, from 0 to 1; x must outlive the surrogate. y[i]: logarithm of the time of version
 * i. The result belongs to memory. NULL: the covariance matrix is not positive definite under any
 * candidate. */
pm_surrogate *pm_surrogate_fit(pm_memory *memory, const double *x, const double *y, size_t n,
                               size_t p);
/* Predicts the logarithm of the time of a version (combination of tuning parameters): *mean and *sd
 * get its mean and standard deviation. x: the version's p features. Writes to a buffer in the
 * surrogate, so that only one thread at a time may call this function. */
void pm_surrogate_tell(const pm_surrogate *surrogate, const double *x, double *mean, double *sd);

/* ---- covariances of versions ------------------------------------------------------------------
 */

/* Returns the number n of rows that were fitted. */
size_t pm_surrogate_rows(const pm_surrogate *surrogate);
/* Does the same as pm_surrogate_tell(), and also writes the n numbers L^-1 k to `seen`. k:
 * covariances of x with the fitted rows. L: Cholesky factor of the covariance matrix of the fitted
 * rows. */
void pm_surrogate_see(const pm_surrogate *surrogate, const double *x, double *mean, double *sd,
                      double *seen);
/* Returns the posterior covariance of two versions (combinations of tuning parameters) with
 * features x and y, given the fitted rows. seen_x and seen_y come from pm_surrogate_see. */
double pm_surrogate_covariance(const pm_surrogate *surrogate, const double *x, const double *seen_x,
                               const double *y, const double *seen_y);

#endif
