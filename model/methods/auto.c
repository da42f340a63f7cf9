/* Prediction method `auto`: a blend, which is a weighted mean of the predictions of candidate
 * models. A candidate's weight decreases with its error on programs that it had not seen. The
 * methods `gp`, `forest` and `units` blend only candidates of one kind of models.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The 90 % interval starts from the blended 5 % and 95 % quantiles of the candidates'
 * distributions. Its half widths are multiplied by a factor. With this factor, the intervals of
 * training rows, each predicted without its program, contain 90 % of their times
 * (pm_conformal_factor; locally weighted widths as in section 5.2 of Lei et al.).
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/pool.h"
#include "model/method.h"
#include "model/training.h"

/* Smallest half width of a prediction interval in log time, before it is multiplied by the factor
 * of conformal prediction. 0.05 corresponds to 5 % of the time. */
static const double LEAST_HALF_WIDTH = 0.05;
/* A candidate model's weight is proportional to 1 / loss^POWER, where loss is the model's mean
 * relative error. */
static const double POWER = 4;
/* If there are many rows, candidate models with a smaller weight than this are dropped to save
 * their time. */
static const double LEAST_WEIGHT = 0.01;

/* The task of fitting one family (kind) of models of the kernel time, such as random forests.
 * Tasks of several families run in parallel. Each has its own list of fitted models; shared data
 * is read only. */
typedef struct {
    const pm_family *family;
    const pm_training *t;
    const void *model;
    pm_candidates list;
    pm_memory memory;
} task;

/* All fitted models whose predictions are blended (candidates) in one list, with their weights.
 * They are in the order of their families (kinds of models, such as random forests). */
typedef struct {
    pm_learning *learning;
    const pm_training *t;
    task tasks[PM_MOST_FAMILIES];
    size_t families;
    pm_candidates list;
    double weight[PM_MAX_CANDIDATES], factor;
} blend;

/* Error of one of the models whose predictions are blended: the mean relative error over the
 * training rows, and its standard error. */
typedef struct {
    double mean, error;
} loss;

static loss loss_of(const pm_training *t, const pm_candidate *c)
{
    double sum = 0, squares = 0, mean;

    for (size_t i = 0; i < t->n; i++)
        sum += fabs(expm1(c->inner[i].point - t->z[i]));
    mean = fmin(fmax(sum / (double)t->n, DBL_EPSILON), DBL_MAX);
    for (size_t i = 0; i < t->n; i++) {
        double apart = fabs(expm1(c->inner[i].point - t->z[i])) - mean;

        squares += apart * apart;
    }
    return (loss){mean, sqrt(squares) / (double)t->n};
}

/* Decides whether the prediction uses one candidate model alone instead of a blend. Returns the
 * first candidate that is marked as simple or cheap, and whose loss is at most one standard error
 * above that of the best candidate. Returns the number of candidates if there is none. This is the
 * one-standard-error rule (Breiman et al., Classification and Regression Trees, 1984, section
 * 3.4.3). losses[k]: loss of candidate k; best: index of the candidate with the smallest loss. */
static size_t take_alone(const pm_candidates *list, const loss *losses, size_t best)
{
    size_t k = 0;

    while (k < list->n && !((list->candidate[k].cheap || list->candidate[k].simple) &&
                            losses[k].mean <= losses[best].mean + losses[best].error))
        k++;
    return k;
}

/* Returns true if candidate k takes part in the weighted mean. best: index of the candidate with
 * the smallest error. A candidate that predicts time divided by a linear model's prediction
 * (over_line) depends on that linear model. If the best candidate is not of this kind, the linear
 * model is probably wrong, and the candidate is left out. Simple candidates never take part,
 * because they learn only few parameters. */
static bool joins(const pm_candidates *list, size_t best, size_t k)
{
    return !list->candidate[k].simple &&
           (!list->candidate[k].over_line || list->candidate[best].over_line);
}

/* Makes the weights' sum 1. */
static void scale_weights(blend *b)
{
    double total = 0;

    for (size_t k = 0; k < b->list.n; k++)
        total += b->weight[k];
    for (size_t k = 0; k < b->list.n; k++)
        b->weight[k] /= total;
}

static void find_weights(blend *b)
{
    loss losses[PM_MAX_CANDIDATES];
    size_t best = 0, alone;

    for (size_t k = 0; k < b->list.n; k++) {
        losses[k] = loss_of(b->t, &b->list.candidate[k]);
        best = losses[k].mean < losses[best].mean ? k : best;
    }
    alone = take_alone(&b->list, losses, best);
    for (size_t k = 0; k < b->list.n; k++)
        if (alone < b->list.n ? k == alone : joins(&b->list, best, k))
            b->weight[k] = pow(losses[best].mean / losses[k].mean, POWER);
    scale_weights(b);
    if (b->t->many == 0)
        return;
    for (size_t k = 0; k < b->list.n; k++)
        if (b->weight[k] < LEAST_WEIGHT)
            b->weight[k] = 0;
    scale_weights(b);
}

/* Returns the weighted mean of the distributions that the candidate models predict for a row.
 * inner: true for a training row, which each candidate has predicted without the row's program;
 * false for a test row. */
static pm_spread blended(const blend *b, const pm_candidates *list, bool inner, size_t row)
{
    pm_spread sum = {0};

    for (size_t k = 0; k < list->n; k++) {
        const pm_candidate *c = &list->candidate[k];
        const pm_spread *s = inner ? &c->inner[row] : &c->outer[row];

        if (!(b->weight[k] > 0))
            continue;
        sum.point += b->weight[k] * s->point;
        sum.lo += b->weight[k] * s->lo;
        sum.hi += b->weight[k] * s->hi;
    }
    sum.lo = fmin(sum.lo, sum.point - LEAST_HALF_WIDTH);
    sum.hi = fmax(sum.hi, sum.point + LEAST_HALF_WIDTH);
    return sum;
}

/* Returns the factor by which the half widths of intervals are multiplied. The intervals of the
 * training rows, each predicted without its program, then cover 90 % of their times (conformal
 * prediction). need: scratch space for n numbers. */
static double stretch(const blend *b, double *need)
{
    const pm_training *t = b->t;

    for (size_t i = 0; i < t->n; i++) {
        pm_spread s = blended(b, &b->list, true, i);
        double over = t->z[i] - s.point;

        need[i] = over > 0 ? over / (s.hi - s.point) : -over / (s.point - s.lo);
    }
    return pm_conformal_factor(need, t->n, t->groups);
}

/* ---- families side by side ----------------------------------------------------------------- */

static void add_candidates(void *user)
{
    task *a = user;

    a->model = a->family->fit(&a->memory, a->t, &a->list);
}

static pm_status run_task(void *user, size_t i, pm_error *err)
{
    task *tasks = user;

    return pm_attempt(&tasks[i].memory, add_candidates, &tasks[i], err);
}

static void fit_all(pm_memory *memory, blend *b, pm_pool *pool)
{
    pm_status status = pm_pool_run(pool, b->families, run_task, b->tasks, memory->err);

    for (size_t k = 0; k < b->families; k++)
        pm_memory_join(memory, &b->tasks[k].memory);
    pm_require(memory, status);
    for (size_t k = 0; k < b->families; k++)
        for (size_t c = 0; c < b->tasks[k].list.n && b->list.n < PM_MAX_CANDIDATES; c++)
            b->list.candidate[b->list.n++] = b->tasks[k].list.candidate[c];
}

/* ---- blocks of test rows ----------------------------------------------------------------------
 */

enum { BLOCK = 1024 };

typedef struct {
    const blend *b;
    size_t first, n; /* test rows */
    pm_memory memory;
} block;

/* Returns true if any candidate model of family number k has a positive weight. A family is a kind
 * of models, such as random forests. first: index of the family's first candidate. */
static bool weighs(const blend *b, size_t k, size_t first)
{
    for (size_t c = 0; c < b->tasks[k].list.n; c++)
        if (b->weight[first + c] > 0)
            return true;
    return false;
}

/* Predicts the test rows of t by all candidate models that have a positive weight. The candidates
 * with their predictions are stored in `list`. */
static void predict_all(pm_memory *memory, const blend *b, const pm_training *t,
                        pm_candidates *list)
{
    *list = b->list;
    for (size_t k = 0, first = 0; k < b->families; first += b->tasks[k++].list.n) {
        pm_candidates own = b->tasks[k].list;

        if (!weighs(b, k, first))
            continue;
        for (size_t c = 0; c < own.n; c++)
            if (b->weight[first + c] > 0)
                own.candidate[c].outer = pm_take(memory, t->m, sizeof(pm_spread));
        b->tasks[k].family->predict(memory, t, b->tasks[k].model, &own);
        memcpy(&list->candidate[first], own.candidate, own.n * sizeof *own.candidate);
    }
}

static bool looks_at_features(const blend *b)
{
    for (size_t k = 0, first = 0; k < b->families; first += b->tasks[k++].list.n)
        if (b->tasks[k].family->features && weighs(b, k, first))
            return true;
    return false;
}

static void predict_block(void *user)
{
    block *a = user;
    const blend *b = a->b;
    pm_training t =
        pm_training_for(&a->memory, b->t, b->learning->test + a->first, a->n, looks_at_features(b));
    pm_candidates list;

    predict_all(&a->memory, b, &t, &list);
    for (size_t i = 0; i < t.m; i++) {
        pm_spread s = blended(b, &list, false, i);

        b->learning->estimates[a->first + i] =
            (pm_estimate){.predicted_s = pm_seconds(s.point),
                          .lo_s = pm_seconds(s.point - b->factor * (s.point - s.lo)),
                          .hi_s = pm_seconds(s.point + b->factor * (s.hi - s.point))};
    }
}

static pm_status run_block(void *user, size_t i, pm_error *err)
{
    const blend *b = user;
    size_t left = b->learning->n_test - i * BLOCK;
    block a = {.b = b,
               .first = i * BLOCK,
               .n = left < BLOCK ? left : BLOCK,
               .memory.cancel = b->learning->problem->memory.cancel};
    pm_status status = pm_attempt(&a.memory, predict_block, &a, err);

    pm_memory_free(&a.memory);
    return status;
}

/* ---- the blended method ---------------------------------------------------------------------- */

static void learn_with(blend *b, pm_pool *pool)
{
    pm_learning *l = b->learning;

    fit_all(&l->memory, b, pool);
    if (b->list.n == 0)
        pm_leave(&l->memory, PM_BAD_INPUT,
                 "%s: method units needs the GPU's row in devices.csv, and counters of its "
                 "units; choose another method",
                 l->problem->sample[0]->device);
    find_weights(b);
    b->factor = stretch(b, pm_take(&l->memory, b->t->n, sizeof(double)));
    pm_require(&l->memory,
               pm_pool_run(pool, (l->n_test + BLOCK - 1) / BLOCK, run_block, b, l->memory.err));
}

static void learn(const pm_method *method, pm_learning *l)
{
    pm_training t;
    blend b = {.learning = l, .t = &t};

    pm_training_create(&l->memory, &t, l->problem, l->train, l->n_train, NULL, 0);
    for (; b.families < PM_MOST_FAMILIES && method->families[b.families]; b.families++)
        b.tasks[b.families] = (task){.family = method->families[b.families],
                                     .t = &t,
                                     .memory.cancel = l->problem->memory.cancel};
    learn_with(&b, l->pool);
}

const pm_method pm_method_auto = {
    .info = {"auto", "gp, forest and a model of the GPU's units, blended by how they predicted "
                     "programs that they had not seen"},
    .learn = learn,
    .families = {&pm_gp_family, &pm_forest_family, &pm_units_family, &pm_line_family,
                 &pm_source_family},
};

const pm_method pm_method_gp = {
    .info = {"gp", "Gaussian processes of log time on log counters (Rasmussen & Williams 2006)"},
    .learn = learn,
    .families = {&pm_gp_family},
};

const pm_method pm_method_forest = {
    .info = {"forest", "random forest of log time that draws whole programs (Breiman 2001)"},
    .learn = learn,
    .families = {&pm_forest_family},
};

const pm_method pm_method_units = {
    .info = {"units", "the model of the GPU's units alone, which says best what differs between "
                      "variants of one kernel"},
    .learn = learn,
    .families = {&pm_waits_family},
};

const pm_method pm_method_sum = {
    .info = {"sum", "the terms of units added up, as if units took turns: for comparison"},
    .learn = learn,
    .families = {&pm_sum_family},
};
