/* Covariance functions of a Gaussian process on features: linear terms, a squared exponential, and
 * terms of the time on the source GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_KERNEL_H
#define PM_MODEL_METHODS_KERNEL_H

#include "model/training.h"

enum { PM_LENGTHS = 3 }; /* lengths 2, 1 and 1/2 */

/* A covariance function k of features f and f', by the formula below.
 *
 *     k = 100 + weighted_linear <f, f'>_w + linear <f, f'> / p
 *         + [local] exp(-|f - f'|_w^2 / (2 l^2))
 *
 * The symbol w means the features' weights, and l is the length. Terms of the time on the source
 * GPU are added (kernel.c). All variances are relative to one scale, which is estimated from the
 * data. */
typedef struct {
    double weighted_linear, linear;
    bool local;
    size_t length; /* index of the length l */
    double noise, program;
} pm_kernel;

/* Terms from which the covariances of n training rows with m other rows are computed. They are the
 * same for all kernels. Each array is an n x m matrix, stored by row. */
typedef struct {
    size_t n, m;
    double *weighted, *equal; /* weighted: <f, f'>_w; equal: <f, f'> / p */
    double *near[PM_LENGTHS]; /* squared exponential of each length */
    /* covariance terms of each pair of rows for the variable "time on the source GPU". source:
     * linear term; together: squared exponential. NULL: no source GPU. */
    double *source, *together;
} pm_pairs;

/* Allocates the arrays of `pairs` for the n training rows and up to m other rows. */
void pm_pairs_create(pm_memory *memory, pm_pairs *pairs, const pm_training *t, size_t m);

/* Fill the arrays of `pairs`. pm_pairs_train: for pairs of two training rows. pm_pairs_test: for
 * pairs of a training row and one of the m test rows from number `first` on. */
void pm_pairs_train(pm_pairs *pairs, const pm_features *f);
void pm_pairs_test(pm_pairs *pairs, const pm_features *f, size_t first, size_t m);

/* Computes the covariance k of each pair of rows by a kernel, without two of the kernel's terms:
 * the noise, and the term that is added if both rows have the same program. out: n x m matrix,
 * stored by row. */
void pm_kernel_of(const pm_kernel *kernel, const pm_pairs *pairs, double *out);

/* Returns the prior variance of a test row: the covariance k of the row with itself, plus the noise
 * and the effect of its program. */
double pm_kernel_prior(const pm_kernel *kernel, const pm_features *f, size_t test);

#endif
