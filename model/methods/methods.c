/* The methods by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/gsl.h"
#include "base/text.h"
#include "model/method.h"

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
    char names[256] = "";

    if (!name)
        return methods[0];
    for (size_t i = 0; i < pm_method_count(); i++) {
        if (strcmp(methods[i]->info.name, name) == 0)
            return methods[i];
        pm_list_add(names, sizeof names, "%s", methods[i]->info.name);
    }
    pm_fail(err, PM_BAD_INPUT, "no method '%s'; there is: %s", name, names);
    return NULL;
}

/* An attempt of a method: to learn, or to leave out. */
typedef struct {
    const pm_method *method;
    pm_learning learning;
    double *predicted; /* NULL: to learn */
} attempt;

static void work(void *user)
{
    attempt *a = user;

    if (a->predicted)
        a->method->leave_out(&a->learning.memory, a->learning.problem, a->predicted);
    else
        a->method->learn(a->method, &a->learning);
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
