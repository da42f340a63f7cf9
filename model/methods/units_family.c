/* Models of kernel times whose predictions are blended, made from the units model, which computes
 * the time of a kernel from the times of the GPU's functional units. There are three. `un` computes
 * the work from counters of executed instructions, for a GPU with a profile. `uw` is `un` with
 * latencies from the trace engine's counters of waits (load_wait and others). `uc` computes the
 * work from counters of active cycles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/units/units.h"

/* Fills unseen[i] with the log time of training row i, predicted by a fit without the row's
 * program. Each such fit starts at `all`, the parameters of the fit to all programs. */
static void predict_unseen(pm_memory *memory, const pm_training *t, const pm_units *units,
                           const pm_units_rows *rows, const double *all, double *unseen)
{
    double *sets = pm_take(memory, t->groups * PM_UNITS_PARAMETERS, sizeof *sets);

    pm_require(memory, pm_units_fit_folds(units, rows, all, sets, memory->err));
    for (size_t i = 0; i < t->n; i++)
        unseen[i] =
            pm_units_log_time(units, sets + t->group[i] * PM_UNITS_PARAMETERS, t->row[i], NULL);
}

/* A fitted candidate model: the work of each functional unit, the parameters fitted to all training
 * rows, and the distribution of the residuals of training rows, each predicted without its program.
 * This is the distribution of predictions. */
typedef struct {
    const pm_units *units;
    double all[PM_UNITS_PARAMETERS];
    pm_spread spread;
} fitted;

enum { MOST_FITTED = 2 };

/* Fits the units model to the training rows and adds it to the list of candidate models. letter:
 * last letter of the model's name. units: work of all rows on the functional units; NULL: it could
 * not be computed, and nothing is added. */
static void add(pm_memory *memory, const pm_training *t, const pm_units *units, const char *letter,
                pm_candidates *list, fitted *models)
{
    const pm_units_rows rows = {.n = t->n,
                                .groups = t->groups,
                                .row = t->row,
                                .start = t->start,
                                .group = t->group,
                                .log_time = t->z};
    double *unseen, *residual;
    fitted *f = &models[list->n];
    pm_candidate *c;

    if (!units)
        return;
    unseen = pm_take(memory, t->n, sizeof *unseen);
    residual = pm_take(memory, t->n, sizeof *residual);
    f->units = units;
    memcpy(f->all, units->prior, sizeof f->all);
    pm_require(memory, pm_units_fit(units, &rows, t->groups, f->all, memory->err));
    predict_unseen(memory, t, units, &rows, f->all, unseen);
    for (size_t i = 0; i < t->n; i++)
        residual[i] = t->z[i] - unseen[i];
    f->spread = pm_residual_spread(memory, residual, t->n);
    c = pm_candidates_add(memory, list, t, "u", letter);
    for (size_t i = 0; i < t->n; i++)
        c->inner[i] = pm_spread_moved(f->spread, unseen[i]);
}

static void *fit_units(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    fitted *models = pm_take(memory, MOST_FITTED, sizeof *models);

    /* With a source GPU, do not add the models that follow: the time on the source GPU predicts
     * better. The counters also describe the code on the source GPU, but the profile belongs to the
     * target GPU. */
    if (t->problem->source_t)
        return models;
    /* The last argument of pm_units_of_code is true for a CPU. Latencies then come from counters of
     * waits. A CPU has few waits, and each matters. */
    add(memory, t,
        pm_units_of_code(memory, t->problem, &t->problem->profile, t->problem->profile.loops), "n",
        list, models);
    add(memory, t, pm_units_of_cycles(memory, t->problem, t->row, t->n), "c", list, models);
    return models;
}

static void *fit_waits(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    fitted *models = pm_take(memory, MOST_FITTED, sizeof *models);

    add(memory, t, pm_units_of_code(memory, t->problem, &t->problem->profile, true), "w", list,
        models);
    return models;
}

static void *fit_sum(pm_memory *memory, const pm_training *t, pm_candidates *list)
{
    fitted *models = pm_take(memory, MOST_FITTED, sizeof *models);
    pm_units *units = pm_units_of_code(memory, t->problem, &t->problem->profile, true);

    if (units)
        pm_units_take_turns(units);
    add(memory, t, units, "s", list, models);
    return models;
}

static void predict(pm_memory *memory, const pm_training *t, const void *model, pm_candidates *list)
{
    const fitted *models = model;

    (void)memory;
    for (size_t k = 0; k < list->n; k++)
        for (size_t i = 0; i < t->m && list->candidate[k].outer; i++)
            list->candidate[k].outer[i] =
                pm_spread_moved(models[k].spread, pm_units_log_time(models[k].units, models[k].all,
                                                                    t->test[i], NULL));
}

const pm_family pm_units_family = {.fit = fit_units, .predict = predict};
const pm_family pm_waits_family = {.fit = fit_waits, .predict = predict};
const pm_family pm_sum_family = {.fit = fit_sum, .predict = predict};
