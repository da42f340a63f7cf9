/* A random forest that draws whole programs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHODS_FOREST_H
#define PM_MODEL_METHODS_FOREST_H

#include "model/training.h"

typedef struct pm_forest pm_forest;

/* Breiman, Random Forests, Machine Learning 45 (2001): trees of which each draws as many programs
 * as there are with replacement (all rows of a program are in or out) and looks at a third of the
 * features for each split. A source's time counts as three features. y has a member a training row.
 * The same input gives the same forest. */
pm_forest *pm_forest_grow(pm_memory *memory, const pm_training *t, const double *y);

/* weight (n, of sum 1): what the training rows count for in the prediction of a row (Meinshausen,
 * J. Mach. Learn. Res. 7, 2006, equation 3), in the ascending order of their y. For training row i
 * only the trees count that did not draw its program; where all did, all rows count the same. tests
 * has the same training rows as the forest, and test row i. */
void pm_forest_weigh_train(const pm_forest *forest, size_t i, double *weight);
void pm_forest_weigh_test(const pm_forest *forest, const pm_training *tests, size_t i,
                          double *weight);

/* Training row at each place of that order, n members. */
const size_t *pm_forest_order(const pm_forest *forest);

#endif
