/* What a regression method offers, and what all of them share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_METHOD_H
#define PM_MODEL_METHOD_H

#include "problem.h"

typedef struct {
    double predicted_s, lo_s, hi_s; /* 90 % interval; none is negative */
} pm_estimate;

typedef struct {
    pm_method_info info;
    /* The counters that the method's paper used for samples of `variant` (NULL: all variants), as a
     * list for pm_model_options. NULL: the method has no set of its own. */
    const char *(*counters)(const char *variant, bool from_source);
    /* Learns from the n_train rows listed in train and from nothing else of the problem's times,
     * and estimates the n_test rows listed in test. */
    pm_status (*learn)(const pm_problem *problem, const size_t *train, size_t n_train,
                       const size_t *test, size_t n_test, pm_estimate *estimates, pm_error *err);
    /* Predictions for the known rows, each by a model that has not seen its group, in closed form:
     * the same that learn gives, group by group. NULL: there is none. */
    pm_status (*leave_out)(const pm_problem *problem, double *predicted, pm_error *err);
} pm_method;

extern const pm_method pm_method_auto;
extern const pm_method pm_method_gp;
extern const pm_method pm_method_forest;
extern const pm_method pm_method_units;
extern const pm_method pm_method_sum;
extern const pm_method pm_method_ridge;
extern const pm_method pm_method_paper;

/* NULL: auto. A wrong name lists the right ones. */
const pm_method *pm_method_find(const char *name, pm_error *err);

#endif
