/* What stands in for tracing: a Gaussian process from features of versions to the logarithm of
 * time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TUNE_SURROGATE_H
#define PM_TUNE_SURROGATE_H

#include "base/memory.h"

typedef struct pm_surrogate pm_surrogate;

/* x (n x p by rows): the features of n versions, each from 0 to 1; y: what was found of them. n
 * is at least 2. Everything it has is of memory. NULL: the rows do not determine it. */
pm_surrogate *pm_surrogate_fit(pm_memory *memory, const double *x, const double *y, size_t n,
                               size_t p);
/* What is expected of a version, and the standard deviation around that. One thread at a time. */
void pm_surrogate_tell(const pm_surrogate *surrogate, const double *x, double *mean, double *sd);

/* ---- what versions have to do with each other: of two, what is seen of each is needed ----------
 */

/* n. */
size_t pm_surrogate_rows(const pm_surrogate *surrogate);
/* As pm_surrogate_tell; seen (n) is L^-1 k: k the covariances with the rows that were learned, L
 * the root of theirs. */
void pm_surrogate_see(const pm_surrogate *surrogate, const double *x, double *mean, double *sd,
                      double *seen);
/* Of two versions, given the rows that were learned. */
double pm_surrogate_covariance(const pm_surrogate *surrogate, const double *x, const double *seen_x,
                               const double *y, const double *seen_y);

#endif
