/* Method `auto`: a blend of candidates, each weighted by how it predicted the programs that it had
 * not seen. Methods `gp`, `forest` and `units`: the same of one family alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interval: the blended 5 % and 95 % quantiles of the candidates' distributions, stretched
 * about the prediction by the factor that covers the training rows, each predicted without its
 * program (pm_conformal_factor; widths that differ by row as in section 5.2 of Lei et al.).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/pool.h"
#include "model/method.h"
#include "model/training.h"

static const double LEAST_HALF_WIDTH = 0.05; /* of the interval before it is stretched: 5 % */
static const double POWER = 4;               /* candidates weigh 1 / loss^4 */

/* Mean relative error over the training rows. */
static double loss_of(const pm_training *t, const pm_candidate *c)
{
    double sum = 0;

    for (size_t i = 0; i < t->n; i++)
        sum += fabs(expm1(c->inner[i].point - t->z[i]));
    return fmin(fmax(sum / (double)t->n, DBL_EPSILON), DBL_MAX);
}

static void find_weights(const pm_training *t, const pm_candidates *list, double *weight)
{
    double total = 0, least = INFINITY;

    for (size_t k = 0; k < list->n; k++) {
        weight[k] = loss_of(t, &list->candidate[k]);
        least = fmin(least, weight[k]);
    }
    for (size_t k = 0; k < list->n; k++) {
        weight[k] = pow(least / weight[k], POWER);
        total += weight[k];
    }
    for (size_t k = 0; k < list->n; k++)
        weight[k] /= total;
}

static pm_spread blend(const pm_candidates *list, const double *weight, bool inner, size_t row)
{
    pm_spread sum = {0};

    for (size_t k = 0; k < list->n; k++) {
        const pm_candidate *c = &list->candidate[k];
        const pm_spread *s = inner ? &c->inner[row] : &c->outer[row];

        sum.point += weight[k] * s->point;
        sum.lo += weight[k] * s->lo;
        sum.hi += weight[k] * s->hi;
    }
    sum.lo = fmin(sum.lo, sum.point - LEAST_HALF_WIDTH);
    sum.hi = fmax(sum.hi, sum.point + LEAST_HALF_WIDTH);
    return sum;
}

/* The factor by which the intervals of the training rows cover 90 % of them. need: n. */
static double stretch(const pm_training *t, const pm_candidates *list, const double *weight,
                      double *need)
{
    for (size_t i = 0; i < t->n; i++) {
        pm_spread s = blend(list, weight, true, i);
        double over = t->z[i] - s.point;

        need[i] = over > 0 ? over / (s.hi - s.point) : -over / (s.point - s.lo);
    }
    return pm_conformal_factor(need, t->n, t->groups);
}

static void estimate(pm_learning *l, const pm_training *t, const pm_candidates *list)
{
    double weight[PM_MAX_CANDIDATES], factor;

    find_weights(t, list, weight);
    factor = stretch(t, list, weight, pm_take(&l->memory, t->n, sizeof(double)));
    for (size_t i = 0; i < t->m; i++) {
        pm_spread s = blend(list, weight, false, i);

        l->estimates[i] = (pm_estimate){.predicted_s = pm_seconds(s.point),
                                        .lo_s = pm_seconds(s.point - factor * (s.point - s.lo)),
                                        .hi_s = pm_seconds(s.point + factor * (s.hi - s.point))};
    }
}

/* ---- families side by side ----------------------------------------------------------------- */

/* A family at work; each has its own candidates, and shares only what none of them writes. */
typedef struct {
    pm_family family;
    const pm_training *t;
    pm_candidates list;
    pm_memory memory;
} task;

static void add_candidates(void *user)
{
    task *a = user;

    a->family(&a->memory, a->t, &a->list);
}

static pm_status run_task(void *user, size_t i, pm_error *err)
{
    task *tasks = user;

    return pm_attempt(&tasks[i].memory, add_candidates, &tasks[i], err);
}

/* All candidates in one list, in the order of the families. */
static pm_candidates run_all(pm_memory *memory, task *tasks, size_t n)
{
    pm_pool *pool = n > 1 ? pm_pool_create((unsigned)n, NULL) : NULL; /* NULL: here and now */
    pm_status status = pm_pool_run(pool, n, run_task, tasks, memory->err);
    pm_candidates list = {0};

    pm_pool_free(pool);
    for (size_t k = 0; k < n; k++)
        pm_memory_join(memory, &tasks[k].memory);
    pm_require(memory, status);
    for (size_t k = 0; k < n; k++)
        for (size_t c = 0; c < tasks[k].list.n && list.n < PM_MAX_CANDIDATES; c++)
            list.candidate[list.n++] = tasks[k].list.candidate[c];
    return list;
}

static void learn(const pm_method *method, pm_learning *l)
{
    task tasks[PM_MOST_FAMILIES] = {0};
    pm_candidates list;
    pm_training t;
    size_t n = 0;

    pm_training_create(&l->memory, &t, l->problem, l->train, l->n_train, l->test, l->n_test);
    for (; n < PM_MOST_FAMILIES && method->families[n]; n++)
        tasks[n] = (task){.family = method->families[n], .t = &t};
    list = run_all(&l->memory, tasks, n);
    if (list.n == 0)
        pm_leave(&l->memory, PM_BAD_INPUT,
                 "%s: method units needs the GPU's row in devices.csv, and counters of its "
                 "units; choose another method",
                 l->problem->sample[0]->device);
    estimate(l, &t, &list);
}

const pm_method pm_method_auto = {
    .info = {"auto", "gp, forest and a model of the GPU's units, blended by how they predicted "
                     "programs that they had not seen"},
    .learn = learn,
    .families = {pm_gp_family, pm_forest_family, pm_units_family},
};

const pm_method pm_method_gp = {
    .info = {"gp", "Gaussian processes of log time on log counters (Rasmussen & Williams 2006)"},
    .learn = learn,
    .families = {pm_gp_family},
};

const pm_method pm_method_forest = {
    .info = {"forest", "random forest of log time that draws whole programs (Breiman 2001)"},
    .learn = learn,
    .families = {pm_forest_family},
};

const pm_method pm_method_units = {
    .info = {"units", "the model of the GPU's units alone, which says best what differs between "
                      "variants of one kernel"},
    .learn = learn,
    .families = {pm_waits_family},
};

const pm_method pm_method_sum = {
    .info = {"sum", "the terms of units added up, as if units took turns: for comparison"},
    .learn = learn,
    .families = {pm_sum_family},
};
