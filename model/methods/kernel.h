/* Covariances of a Gaussian process on features: linear terms, a squared exponential, and terms of
 * the source's time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_KERNEL_H
#define PM_MODEL_METHODS_KERNEL_H

#include "model/training.h"

enum { PM_LENGTHS = 3 }; /* 2, 1 and 1/2 */

/* k = 100 + weighted_linear <f, f'>_w + linear <f, f'> / p + [local] exp(-|f - f'|_w^2 / (2 l^2)),
 * with the features' weights w, and the terms of the source's time beside them (kernel.c);
 * variances relative to one scale that the data set. */
typedef struct {
    double weighted_linear, linear;
    bool local;
    size_t length; /* index of l */
    double noise, program;
} pm_kernel;

/* What the kernels of some rows with m others are made of, shared by all of them; each array is
 * n x m by rows. */
typedef struct {
    size_t n, m;
    double *weighted, *equal;  /* <f, f'>_w, <f, f'> / p */
    double *near[PM_LENGTHS];  /* the local terms of a length */
    double *source, *together; /* source's product and squared exponential; NULL: no source */
} pm_pairs;

/* Room for the n training rows with up to m others. */
void pm_pairs_create(pm_memory *memory, pm_pairs *pairs, const pm_training *t, size_t m);

/* All training rows with themselves, or with the m test rows from first on. */
void pm_pairs_train(pm_pairs *pairs, const pm_features *f);
void pm_pairs_test(pm_pairs *pairs, const pm_features *f, size_t first, size_t m);

/* out (n x m by rows) = k of all pairs, without noise and program. */
void pm_kernel_of(const pm_kernel *kernel, const pm_pairs *pairs, double *out);

/* k of a test row with itself, with the noise and its program's own effect. */
double pm_kernel_prior(const pm_kernel *kernel, const pm_features *f, size_t test);

#endif
