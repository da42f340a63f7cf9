/* Interface of a prediction method: a way to fit a model of kernel times to measured kernels (for
 * example a random forest or linear regression). Also declares functions that all methods share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHOD_H
#define PM_MODEL_METHOD_H

#include "base/pool.h"
#include "model/training.h"

typedef struct {
    /* predicted time and its 90 % interval, seconds; none is negative */
    double predicted_s, lo_s, hi_s;
} pm_estimate;

/* A task for a prediction method (a way to fit a model of kernel times): learn from the measured
 * kernels with the row numbers `train`, and predict the times of the rows `test`. The method may
 * read the times of the rows in `train` only. */
typedef struct {
    const pm_problem *problem;
    const size_t *train, *test;
    size_t n_train, n_test;
    /* predictions of the test rows: an array of n_test elements, which the learning method fills */
    pm_estimate *estimates;
    pm_pool *pool; /* worker threads; NULL: work in the caller's thread only */
    pm_memory memory;
} pm_learning;

typedef struct pm_method pm_method;
struct pm_method {
    pm_method_info info;
    /* Returns the counters that were used in the publication of this learning method, for samples
     * of `variant` (NULL: all variants), as a list for pm_model_options. NULL: the method has no
     * counter set of its own. */
    const char *(*counters)(const char *variant, bool from_source);
    void (*learn)(const pm_method *method, pm_learning *l);
    /* families of models (such as random forests) whose predictions are blended; ends with NULL if
     * there are fewer than PM_MOST_FAMILIES */
    const pm_family *families[PM_MOST_FAMILIES];
    /* Predicts each row that has a measured time, by a model fitted without the row's group (such
     * as its program), in closed form. The result equals calling learn once per group. NULL: the
     * method has no closed form. */
    void (*leave_out)(pm_memory *memory, const pm_problem *problem, double *predicted);
};

extern const pm_method pm_method_auto;
extern const pm_method pm_method_gp;
extern const pm_method pm_method_forest;
extern const pm_method pm_method_units;
extern const pm_method pm_method_sum;
extern const pm_method pm_method_ridge;
extern const pm_method pm_method_paper;

/* pm_method_learn and pm_method_leave_out call the functions `learn` and `leave_out` of a learning
 * method. An error in GSL makes the call fail. The caller sets all members of `learning` except
 * `memory`. */
pm_status pm_method_learn(const pm_method *method, const pm_learning *learning, pm_error *err);
pm_status pm_method_leave_out(const pm_method *method, const pm_problem *problem, double *predicted,
                              pm_error *err);

/* Finds a learning method (a type of regression model) by name. name NULL: auto. An unknown name
 * gives an error that lists the valid names. */
const pm_method *pm_method_find(const char *name, pm_error *err);

#endif
