/* What a regression method offers, and what all of them share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHOD_H
#define PM_MODEL_METHOD_H

#include "base/pool.h"
#include "model/training.h"

typedef struct {
    double predicted_s, lo_s, hi_s; /* 90 % interval; none is negative */
} pm_estimate;

/* A problem to learn: from the rows listed in train and from nothing else of its times. */
typedef struct {
    const pm_problem *problem;
    const size_t *train, *test;
    size_t n_train, n_test;
    pm_estimate *estimates; /* n_test, to be filled */
    pm_pool *pool;          /* to work in; NULL: in the caller's thread alone */
    pm_memory memory;
} pm_learning;

typedef struct pm_method pm_method;
struct pm_method {
    pm_method_info info;
    /* The counters that the method's paper used for samples of `variant` (NULL: all variants), as a
     * list for pm_model_options. NULL: the method has no set of its own. */
    const char *(*counters)(const char *variant, bool from_source);
    void (*learn)(const pm_method *method, pm_learning *l);
    const pm_family *families[PM_MOST_FAMILIES]; /* that a blend is of; NULL: no more */
    /* Predictions for the known rows, each by a model that has not seen its group, in closed form:
     * the same that learn gives, group by group. NULL: there is none. */
    void (*leave_out)(pm_memory *memory, const pm_problem *problem, double *predicted);
};

extern const pm_method pm_method_auto;
extern const pm_method pm_method_gp;
extern const pm_method pm_method_forest;
extern const pm_method pm_method_units;
extern const pm_method pm_method_sum;
extern const pm_method pm_method_ridge;
extern const pm_method pm_method_paper;

/* Calls them; what fails in GSL is a failure of the call. Of a learning all but the memory is set.
 */
pm_status pm_method_learn(const pm_method *method, const pm_learning *learning, pm_error *err);
pm_status pm_method_leave_out(const pm_method *method, const pm_problem *problem, double *predicted,
                              pm_error *err);

/* NULL: auto. A wrong name lists the right ones. */
const pm_method *pm_method_find(const char *name, pm_error *err);

#endif
