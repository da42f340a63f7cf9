/* Finds a prediction method (a way to fit a model of kernel times, such as gp or forest) by its
 * name, and calls it to fit and predict.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "base/nearest.h"
#include "base/text.h"
#include "model/method.h"
#include "model/units/units.h"

static const pm_method *const methods[] = {&pm_method_auto,  &pm_method_gp,  &pm_method_forest,
                                           &pm_method_units, &pm_method_sum, &pm_method_ridge,
                                           &pm_method_paper};

size_t pm_method_count(void)
{
    return sizeof methods / sizeof *methods;
}

const pm_method_info *pm_method_at(size_t i)
{
    return i < pm_method_count() ? &methods[i]->info : NULL;
}

const pm_method *pm_method_find(const char *name, pm_error *err)
{
    pm_nearest nearest;

    if (!name)
        return methods[0];
    pm_nearest_open(&nearest, name);
    for (size_t i = 0; i < pm_method_count(); i++) {
        if (strcmp(methods[i]->info.name, name) == 0)
            return methods[i];
        pm_nearest_add(&nearest, methods[i]->info.name);
    }
    pm_fail(err, PM_BAD_INPUT, "no method '%s'; %s", name,
            pm_nearest_text(&nearest, "perfmodel validate --methods"));
    return NULL;
}

/* Arguments of pm_method_learn (fits a model and predicts rows) and pm_method_leave_out
 * (predicts each row by a model without its group), for a function that pm_attempt calls. */
typedef struct {
    const pm_method *method;
    pm_learning learning;
    double *predicted; /* array that leave_out fills; NULL: learn is called instead */
} attempt;

/* Raises predictions to a lower bound of the time: the time in which the GPU at its peak rates
 * would do the work that the counters show. All predictions of all methods have this bound, also
 * those of left-out programs by which a method is judged. There is no bound if the profile or the
 * counters are missing, or for a CPU, whose rates are means and not peaks. */
static void hold_floor(pm_learning *l)
{
    const pm_problem *problem = l->problem;
    const pm_units *units = problem->profile.present && !problem->profile.loops
                                ? pm_units_of_code(&l->memory, problem, &problem->profile, false)
                                : NULL;

    for (size_t i = 0; units && i < l->n_test; i++) {
        pm_estimate *e = &l->estimates[i];
        const double floor = units->floor[l->test[i]];

        e->predicted_s = fmax(e->predicted_s, floor);
        e->lo_s = fmax(e->lo_s, floor);
        e->hi_s = fmax(e->hi_s, floor);
    }
}

static void work(void *user)
{
    attempt *a = user;

    if (a->predicted)
        a->method->leave_out(&a->learning.memory, a->learning.problem, a->predicted);
    else {
        a->method->learn(a->method, &a->learning);
        hold_floor(&a->learning);
    }
}

static pm_status run(attempt *a, pm_error *err)
{
    pm_status status;

    pm_gsl_begin();
    status = pm_attempt(&a->learning.memory, work, a, err);
    pm_gsl_end();
    pm_memory_free(&a->learning.memory);
    return status;
}

pm_status pm_method_learn(const pm_method *method, const pm_learning *learning, pm_error *err)
{
    attempt a = {.method = method, .learning = *learning};

    a.learning.memory = (pm_memory){.cancel = learning->problem->memory.cancel};
    return run(&a, err);
}

pm_status pm_method_leave_out(const pm_method *method, const pm_problem *problem, double *predicted,
                              pm_error *err)
{
    attempt a = {.method = method, .learning = {.problem = problem}, .predicted = predicted};

    return run(&a, err);
}
