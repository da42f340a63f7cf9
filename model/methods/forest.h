/* A random forest whose trees draw whole programs: all rows of a program or none.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_FOREST_H
#define PM_MODEL_METHODS_FOREST_H

#include "model/training.h"

typedef struct pm_forest pm_forest;

/* Grows a random forest (Breiman, Random Forests, Machine Learning 45, 2001). Each tree draws as
 * many programs as there are, with replacement. All rows of a program are drawn or not drawn
 * together. Each split tries a third of the features, and the time on the source GPU counts as
 * three features. y: the response of each of the n training rows. The result is deterministic. */
pm_forest *pm_forest_grow(pm_memory *memory, const pm_training *t, const double *y);

/* Compute weight[k], the weight of the k-th training row (in ascending order of y) in a prediction
 * (Meinshausen, J. Mach. Learn. Res. 7, 2006, equation 3). The weights sum to 1.
 *
 * - pm_forest_weigh_train: for training row i. Only trees that did not draw its program count; if
 *   there are none, all weights are equal.
 * - pm_forest_weigh_test: for test row i of `tests`, which must have the same training rows as the
 *   forest. */
void pm_forest_weigh_train(const pm_forest *forest, size_t i, double *weight);
void pm_forest_weigh_test(const pm_forest *forest, const pm_training *tests, size_t i,
                          double *weight);

/* Returns the n training rows in ascending order of their response y. */
const size_t *pm_forest_order(const pm_forest *forest);

#endif
