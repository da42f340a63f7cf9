/* Cross-validation: predicts the measured kernels of a GPU by models that were fitted without them.
 * The kernels' counters may come from another GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/predict/parts.h"
#include "base/error.h"
#include "base/pool.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/version.h"
#include "model/method.h"

/* Largest validation in which each group of samples (a program, sample or class) is a fold of its
 * own: MAX_FOLDS groups and MAX_ROWS rows. If there are more, the groups are divided into
 * FEWER_FOLDS folds, and the groups of a fold are left out together. A group is still predicted by
 * a model without its samples, but 10,000 programs do not need 10,000 models. */
enum { MAX_FOLDS = 40, MAX_ROWS = 1000, FEWER_FOLDS = 10 };

/* A regression problem that is divided into folds: each fold is predicted by a model of the other
 * folds. */
typedef struct {
    const pm_session *session;
    const pm_method *method;
    pm_problem *problem;
    /* number of folds (groups that are left out together); group g (a program, sample or class)
     * belongs to fold g % folds */
    size_t folds;
    bool *wanted;     /* wanted[fold]: true if the rows of this fold have to be predicted */
    pm_estimate *all; /* all[row]: prediction of the row */
    pm_pool *pool;
    pm_memory memory;
} splitter;

static size_t count_folds(const pm_problem *problem)
{
    if (problem->groups <= FEWER_FOLDS ||
        (problem->groups <= MAX_FOLDS && problem->n_known <= MAX_ROWS))
        return problem->groups;
    return FEWER_FOLDS;
}

/* Builds the regression problem and divides its groups of rows into folds. If the user chose no
 * counters, the model uses those that the publication of the regression method uses. */
static void split(splitter *s, const pm_dataset *target, const pm_dataset *source, bool extra,
                  const pm_model_options *options)
{
    pm_model_options chosen = *options;
    const char *const *variants = options->variants;
    const char *variant = variants && variants[0] && !variants[1] ? variants[0] : NULL;

    if (!chosen.counters && s->method->counters)
        chosen.counters = s->method->counters(variant, source != NULL);
    s->problem = pm_problem_create(s->session, target, source, extra, &chosen, s->memory.err);
    if (!s->problem)
        pm_give_up(&s->memory, s->memory.err->status);
    s->folds = count_folds(s->problem);
    s->wanted = pm_take(&s->memory, s->folds, sizeof *s->wanted);
    s->all = pm_take(&s->memory, s->problem->n, sizeof *s->all);
    /* threads that learn folds in parallel; NULL (no threads could be started): this thread learns
     * all folds */
    s->pool = pm_pool_create(pm_session_chosen(s->session)->threads, NULL);
}

static void split_free(splitter *s)
{
    pm_pool_free(s->pool);
    pm_problem_free(s->problem);
    pm_memory_free(&s->memory);
}

/* State of a task of the thread pool: a model is fitted without the rows of fold `fold`, and
 * predicts these rows. */
typedef struct {
    splitter *s;
    size_t fold;
    pm_memory memory;
} learner;

/* Predicts all rows of a fold (a part of the data that is left out together), with or without a
 * known time, by a model of the rows of the other folds that have a time. */
static void learn_fold(void *user)
{
    learner *a = user;
    splitter *s = a->s;
    const pm_problem *problem = s->problem;
    size_t *train = pm_take(&a->memory, problem->n, sizeof *train);
    size_t *test = pm_take(&a->memory, problem->n, sizeof *test);
    pm_learning l = {.problem = problem, .train = train, .test = test};

    for (size_t row = 0; row < problem->n; row++) {
        if (problem->group[row] % s->folds == a->fold)
            test[l.n_test++] = row;
        else if (row < problem->n_known)
            train[l.n_train++] = row;
    }
    l.estimates = pm_take(&a->memory, l.n_test, sizeof *l.estimates);
    pm_require(&a->memory, pm_session_go_on(s->session, a->memory.err));
    pm_require(&a->memory, pm_method_learn(s->method, &l, a->memory.err));
    for (size_t i = 0; i < l.n_test; i++)
        s->all[test[i]] = l.estimates[i];
}

static pm_status run_fold(void *user, size_t fold, pm_error *err)
{
    learner a = {.s = user, .fold = fold};
    pm_status status = a.s->wanted[fold] ? pm_attempt(&a.memory, learn_fold, &a, err) : PM_OK;

    pm_memory_free(&a.memory);
    return status;
}

/* Predicts, in parallel, the folds (parts of the data that are left out together) that have rows of
 * the given programs. programs NULL: all folds. */
static void learn_folds(splitter *s, const char *const *programs)
{
    const pm_problem *problem = s->problem;

    for (size_t row = 0; row < problem->n; row++)
        if (pm_listed(programs, problem->sample[row]->program))
            s->wanted[problem->group[row] % s->folds] = true;
    pm_require(&s->memory, pm_pool_run(s->pool, s->folds, run_fold, s, s->memory.err));
}

/* Predicts all rows by a single model, which is fitted to all rows with a known time. */
static void learn_once(splitter *s)
{
    const pm_problem *problem = s->problem;
    size_t *rows = pm_take(&s->memory, problem->n, sizeof *rows);

    for (size_t row = 0; row < problem->n; row++)
        rows[row] = row;
    pm_require(&s->memory, pm_method_learn(s->method,
                                           &(const pm_learning){.problem = problem,
                                                                .train = rows,
                                                                .n_train = problem->n_known,
                                                                .test = rows,
                                                                .n_test = problem->n,
                                                                .estimates = s->all,
                                                                .pool = s->pool},
                                           s->memory.err));
}

static pm_prediction to_prediction(const splitter *s, size_t row)
{
    const pm_estimate *e = &s->all[row];

    return (pm_prediction){.sample = s->problem->sample[row],
                           .measured_s = s->problem->t[row],
                           .predicted_s = e->predicted_s,
                           .lo_s = e->lo_s,
                           .hi_s = e->hi_s};
}

/* ---- validate ------------------------------------------------------------------------------ */

void pm_validation_free(pm_validation *validation)
{
    if (!validation)
        return;
    free(validation->counters);
    free(validation->samples);
    free(validation);
}

void pm_validation_summarize(pm_memory *memory, pm_validation *v)
{
    double *errors = pm_take(memory, v->n, sizeof *errors);
    size_t covered = 0;

    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        /* Errors are limited to half of the largest double, because the median may be the mean of
         * two errors. */
        errors[i] = fmin(fabs(p->predicted_s / p->measured_s - 1), DBL_MAX / 2);
        covered += p->measured_s >= p->lo_s && p->measured_s <= p->hi_s;
    }
    gsl_sort(errors, 1, v->n);
    v->mape = gsl_stats_mean(errors, 1, v->n);
    v->median_ape = gsl_stats_median_from_sorted_data(errors, 1, v->n);
    v->coverage90 = (double)covered / (double)v->n;
}

/* Input and result of a cross-validation: the datasets, the model's options, and the predicted
 * times. */
typedef struct {
    splitter s;
    /* datasets of target and source GPU, as the caller gave them */
    const pm_dataset *target, *source;
    /* datasets with the rows of options->with added: `learned` is the target's, whose times are
     * fitted, and `counted` is the source's, whose counters are used */
    const pm_dataset *learned, *counted;
    const pm_model_options *options;
    pm_validation *v;
} validating;

static void describe(validating *a)
{
    const pm_problem *problem = a->s.problem;
    pm_validation *v = a->v;

    /* If the model uses the time on the source GPU as a variable, this variable comes after the
     * problem->p counters. */
    v->counter_count = problem->p + (problem->source_t ? 1 : 0);
    v->counters = calloc(v->counter_count + 1, sizeof *v->counters);
    v->samples = calloc(problem->n_known, sizeof *v->samples);
    if (!v->counters || !v->samples)
        pm_leave(&a->s.memory, PM_FAILED, "out of memory for %zu rows", problem->n);
    for (size_t j = 0; j < problem->p; j++)
        v->counters[j] = problem->names[j];
    if (problem->source_t)
        v->counters[problem->p] = "source_time_s";
    v->dataset = pm_dataset_path(a->target);
    v->from = a->source ? pm_dataset_path(a->source) : NULL;
    v->method = a->s.method->info.name;
    v->leave_out = a->options->leave_out == PM_LEAVE_SAMPLE  ? "sample"
                   : a->options->leave_out == PM_LEAVE_CLASS ? "class"
                                                             : "program";
}

/* Replaces the prediction of a row by `predicted`, the result of the method's formula that leaves
 * out only the group of the row. The interval in *estimate is from a model that leaves out the
 * whole fold, which may have several groups. The interval is extended to include `predicted`. */
static void take_closed_form(pm_estimate *estimate, double predicted)
{
    estimate->predicted_s = predicted;
    estimate->lo_s = fmin(estimate->lo_s, predicted);
    estimate->hi_s = fmax(estimate->hi_s, predicted);
}

static void validate(void *user)
{
    validating *a = user;
    splitter *s = &a->s;
    double *closed = NULL;

    split(s, a->learned, a->counted, false, a->options);
    describe(a);
    learn_folds(s, NULL);
    if (s->method->leave_out) {
        closed = pm_take(&s->memory, s->problem->n, sizeof *closed);
        pm_require(&s->memory, pm_method_leave_out(s->method, s->problem, closed, s->memory.err));
    }
    for (size_t row = 0; row < s->problem->n_known; row++) {
        if (closed)
            take_closed_form(&s->all[row], closed[row]);
        if (a->learned == a->target || pm_dataset_find(a->target, s->problem->sample[row]))
            a->v->samples[a->v->n++] = to_prediction(s, row);
    }
    if (a->v->n == 0)
        pm_leave(&s->memory, PM_BAD_INPUT, "%s: none of its samples can be predicted, only others'",
                 pm_dataset_path(a->target));
    pm_validation_summarize(&s->memory, a->v);
}

pm_validation *pm_validate(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const pm_model_options *options, pm_error *err)
{
    pm_error ignored = {0};
    validating a = {.s = {.session = session, .memory.cancel = pm_session_cancel(session)},
                    .target = target,
                    .source = source,
                    .learned = target,
                    .counted = source,
                    .options = options};
    pm_status status;

    err = err ? err : &ignored;
    if (PM_UNUSED(options, err) != PM_OK)
        return NULL;
    a.s.method = pm_method_find(options->method, err);
    if (!a.s.method || pm_with_rows(session, options, &a.learned, &a.counted, err) != PM_OK)
        return NULL;
    a.v = calloc(1, sizeof *a.v);
    status = a.v ? pm_attempt(&a.s.memory, validate, &a, err)
                 : pm_fail(err, PM_FAILED, "out of memory for a validation");
    split_free(&a.s);
    if (status == PM_OK)
        return a.v;
    pm_validation_free(a.v);
    return NULL;
}

/* ---- predict ------------------------------------------------------------------------------- */

void pm_predictions_free(pm_predictions *predictions)
{
    if (!predictions)
        return;
    pm_dataset_free(predictions->rows);
    free(predictions->predictions);
    free(predictions->totals);
    free(predictions);
}

typedef struct {
    splitter s;
    const pm_dataset *target, *source;
    const pm_wanted *wanted;
    pm_leave_out leave_out;
    const pm_model_options *options;
    pm_predictions *result;
} predicting;

static void predict(void *user)
{
    predicting *a = user;
    splitter *s = &a->s;
    pm_predictions *result = a->result;

    split(s, a->target, a->source, true, a->options);
    result->method = s->method->info.name;
    result->basis = "dataset";
    result->predictions = calloc(s->problem->n, sizeof *result->predictions);
    if (!result->predictions)
        pm_leave(&s->memory, PM_FAILED, "out of memory for %zu rows", s->problem->n);
    if (a->leave_out != PM_LEAVE_NOTHING)
        learn_folds(s, a->wanted->programs);
    else
        learn_once(s);
    for (size_t row = 0; row < s->problem->n; row++)
        if (pm_is_wanted(a->wanted, s->problem->sample[row]))
            result->predictions[result->n++] = to_prediction(s, row);
    pm_require(&s->memory, pm_predictions_sum(result, NULL, 0, s->memory.err));
}

pm_predictions *pm_predict(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const char *const *programs, pm_leave_out leave_out,
                           const pm_model_options *options, pm_error *err)
{
    if (PM_UNUSED(options, err) != PM_OK)
        return NULL;
    return pm_predict_wanted(session, target, source, &(const pm_wanted){.programs = programs},
                             leave_out, options, err);
}

pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted,
                                  pm_leave_out leave_out, const pm_model_options *options,
                                  pm_error *err)
{
    pm_error ignored = {0};
    pm_model_options chosen = *options;
    predicting a = {.s = {.session = session, .memory.cancel = pm_session_cancel(session)},
                    .target = target,
                    .source = source,
                    .wanted = wanted,
                    .leave_out = leave_out,
                    .options = &chosen};
    pm_status status;

    if (leave_out != PM_LEAVE_NOTHING)
        chosen.leave_out = leave_out;
    err = err ? err : &ignored;
    a.s.method = pm_method_find(options->method, err);
    if (!a.s.method || pm_wanted_check(wanted, source, err) != PM_OK)
        return NULL;
    a.result = calloc(1, sizeof *a.result);
    status = a.result ? pm_attempt(&a.s.memory, predict, &a, err)
                      : pm_fail(err, PM_FAILED, "out of memory for predictions");
    split_free(&a.s);
    if (status == PM_OK)
        return a.result;
    pm_predictions_free(a.result);
    return NULL;
}
