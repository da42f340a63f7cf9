/* What a model gets on what it has not seen, and predictions for another GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <float.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "model/method.h"
#include "predict/predict_profile.h"
#include "predict/wanted.h"
#include "session/session.h"

/* More groups or rows than this are left out several groups at a time, in FEWER_FOLDS folds: every
 * program is still predicted by a model that never saw it, 10,000 programs do not need 10,000
 * models, and an answer should come within two seconds. */
enum { MAX_FOLDS = 40, MAX_ROWS = 1000, FEWER_FOLDS = 10 };

typedef struct {
    const pm_problem *problem;
    const pm_method *method;
    const pm_session *session;
    size_t folds; /* group g belongs to fold g % folds */
    size_t *train, *test;
    pm_estimate *estimates; /* of the rows listed in test */
} splitter;

static size_t count_folds(const pm_problem *problem)
{
    if (problem->groups <= FEWER_FOLDS ||
        (problem->groups <= MAX_FOLDS && problem->n_known <= MAX_ROWS))
        return problem->groups;
    return FEWER_FOLDS;
}

static pm_status split(splitter *s, const pm_session *session, const pm_problem *problem,
                       const pm_method *method, pm_error *err)
{
    *s = (splitter){.session = session,
                    .problem = problem,
                    .method = method,
                    .folds = count_folds(problem),
                    .train = calloc(problem->n, sizeof *s->train),
                    .test = calloc(problem->n, sizeof *s->test),
                    .estimates = calloc(problem->n, sizeof *s->estimates)};
    if (!s->train || !s->test || !s->estimates)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    return PM_OK;
}

static void split_free(splitter *s)
{
    free(s->train);
    free(s->test);
    free(s->estimates);
}

/* Estimates all rows of a fold (known or not) by a model of the known rows of the other folds. out
 * has a member a row of the problem. */
static pm_status learn_fold(splitter *s, size_t fold, pm_estimate *out, pm_error *err)
{
    const pm_problem *problem = s->problem;
    size_t n_train = 0, n_test = 0;
    pm_status status;

    for (size_t row = 0; row < problem->n; row++) {
        if (problem->group[row] % s->folds == fold)
            s->test[n_test++] = row;
        else if (row < problem->n_known)
            s->train[n_train++] = row;
    }
    if (n_test == 0)
        return PM_OK;
    if (pm_session_go_on(s->session, err) != PM_OK)
        return PM_FAILED;
    status =
        pm_method_learn(s->method, problem, s->train, n_train, s->test, n_test, s->estimates, err);
    for (size_t i = 0; status == PM_OK && i < n_test; i++)
        out[s->test[i]] = s->estimates[i];
    return status;
}

/* Whether a fold has rows of one of these programs (NULL: of any). */
static bool is_wanted(const splitter *s, size_t fold, const char *const *programs)
{
    const pm_problem *problem = s->problem;

    for (size_t row = 0; row < problem->n; row++)
        if (problem->group[row] % s->folds == fold &&
            pm_listed(programs, problem->sample[row]->program))
            return true;
    return false;
}

/* The folds that have rows of these programs (NULL: all folds). */
static pm_status learn_folds(splitter *s, const char *const *programs, pm_estimate *out,
                             pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t fold = 0; status == PM_OK && fold < s->folds; fold++)
        if (is_wanted(s, fold, programs))
            status = learn_fold(s, fold, out, err);
    return status;
}

/* Estimates all rows by one model of all known rows. */
static pm_status learn_once(splitter *s, pm_estimate *out, pm_error *err)
{
    const pm_problem *problem = s->problem;

    for (size_t row = 0; row < problem->n; row++) {
        s->test[row] = row;
        if (row < problem->n_known)
            s->train[row] = row;
    }
    return pm_method_learn(s->method, problem, s->train, problem->n_known, s->test, problem->n, out,
                           err);
}

/* The counters that a method's paper used stand in where nobody chose any. */
static pm_problem *make_problem(const pm_session *session, const pm_dataset *target,
                                const pm_dataset *source, bool extra, const pm_method *method,
                                const pm_model_options *options, pm_error *err)
{
    pm_model_options chosen = *options;
    const char *const *variants = options->variants;
    const char *variant = variants && variants[0] && !variants[1] ? variants[0] : NULL;

    if (!chosen.counters && method->counters)
        chosen.counters = method->counters(variant, source != NULL);
    return pm_problem_create(session, target, source, extra, &chosen, err);
}

static pm_prediction to_prediction(const pm_problem *problem, size_t row, const pm_estimate *e)
{
    return (pm_prediction){.sample = problem->sample[row],
                           .measured_s = problem->t[row],
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

static pm_status summarize(pm_validation *v, pm_error *err)
{
    double *errors = calloc(v->n, sizeof *errors);
    size_t covered = 0;

    if (!errors)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", v->n);
    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        /* half of the largest number: the median adds two */
        errors[i] = fmin(fabs(p->predicted_s / p->measured_s - 1), DBL_MAX / 2);
        covered += p->measured_s >= p->lo_s && p->measured_s <= p->hi_s;
    }
    gsl_sort(errors, 1, v->n);
    v->mape = gsl_stats_mean(errors, 1, v->n);
    v->median_ape = gsl_stats_median_from_sorted_data(errors, 1, v->n);
    v->coverage90 = (double)covered / (double)v->n;
    free(errors);
    return PM_OK;
}

static pm_validation *start_validation(const pm_problem *problem, const pm_dataset *target,
                                       const pm_dataset *source, const pm_method *method,
                                       const pm_model_options *options)
{
    pm_validation *v = calloc(1, sizeof *v);
    /* counters[] ends with the source's time where that is a variable */
    size_t count = problem->p + (problem->source_t ? 1 : 0);

    if (!v)
        return NULL;
    v->counters = calloc(count, sizeof *v->counters);
    v->samples = calloc(problem->n_known, sizeof *v->samples);
    if (!v->counters || !v->samples) {
        pm_validation_free(v);
        return NULL;
    }
    for (size_t j = 0; j < problem->p; j++)
        v->counters[j] = problem->names[j];
    if (problem->source_t)
        v->counters[problem->p] = "source_time_s";
    v->counter_count = count;
    v->n = problem->n_known;
    v->dataset = pm_dataset_path(target);
    v->from = source ? pm_dataset_path(source) : NULL;
    v->method = method->info.name;
    v->leave_out = options->leave_out_sample ? "sample" : "program";
    return v;
}

/* The closed form leaves one group out. Where a fold holds several, it has seen more than the model
 * that the interval comes from, so the interval is widened to reach the prediction. */
static void take_closed_form(pm_estimate *estimate, double predicted)
{
    estimate->predicted_s = predicted;
    estimate->lo_s = fmin(estimate->lo_s, predicted);
    estimate->hi_s = fmax(estimate->hi_s, predicted);
}

/* Fills v->samples. */
static pm_status estimate_left_out(pm_validation *v, const pm_session *session,
                                   const pm_problem *problem, const pm_method *method,
                                   pm_error *err)
{
    splitter s;
    pm_estimate *estimates = calloc(problem->n, sizeof *estimates);
    double *closed = calloc(problem->n, sizeof *closed);
    pm_status status = split(&s, session, problem, method, err);

    if (status == PM_OK && (!estimates || !closed))
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    if (status == PM_OK)
        status = learn_folds(&s, NULL, estimates, err);
    if (status == PM_OK && method->leave_out)
        status = pm_method_leave_out(method, problem, closed, err);
    for (size_t row = 0; status == PM_OK && row < problem->n_known; row++) {
        if (method->leave_out)
            take_closed_form(&estimates[row], closed[row]);
        v->samples[row] = to_prediction(problem, row, &estimates[row]);
    }
    free(closed);
    free(estimates);
    split_free(&s);
    return status;
}

pm_validation *pm_validate(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const pm_model_options *options, pm_error *err)
{
    const pm_method *method = pm_method_find(options->method, err);
    pm_problem *problem;
    pm_validation *v;
    pm_status status;

    if (!method)
        return NULL;
    problem = make_problem(session, target, source, false, method, options, err);
    if (!problem)
        return NULL;
    v = start_validation(problem, target, source, method, options);
    status = v ? estimate_left_out(v, session, problem, method, err)
               : pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    if (status == PM_OK)
        status = summarize(v, err);
    pm_problem_free(problem);
    if (status != PM_OK) {
        pm_validation_free(v);
        return NULL;
    }
    return v;
}

/* ---- predict ------------------------------------------------------------------------------- */

void pm_predictions_free(pm_predictions *predictions)
{
    if (!predictions)
        return;
    pm_dataset_free(predictions->rows);
    free(predictions->predictions);
    free(predictions);
}

static pm_status estimate(const pm_session *session, const pm_problem *problem,
                          const pm_method *method, bool leave_out, const pm_wanted *wanted,
                          pm_predictions *result, pm_error *err)
{
    splitter s;
    pm_estimate *estimates = calloc(problem->n, sizeof *estimates);
    pm_status status = split(&s, session, problem, method, err);

    if (status == PM_OK && !estimates)
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    if (status == PM_OK)
        status = leave_out ? learn_folds(&s, wanted->programs, estimates, err)
                           : learn_once(&s, estimates, err);
    for (size_t row = 0; status == PM_OK && row < problem->n; row++)
        if (pm_is_wanted(wanted, problem->sample[row]))
            result->predictions[result->n++] = to_prediction(problem, row, &estimates[row]);
    free(estimates);
    split_free(&s);
    return status;
}

pm_predictions *pm_predict(pm_session *session, const pm_dataset *target, const pm_dataset *source,
                           const char *const *programs, bool leave_out,
                           const pm_model_options *options, pm_error *err)
{
    return pm_predict_wanted(session, target, source, &(const pm_wanted){.programs = programs},
                             leave_out, options, err);
}

pm_predictions *pm_predict_wanted(pm_session *session, const pm_dataset *target,
                                  const pm_dataset *source, const pm_wanted *wanted, bool leave_out,
                                  const pm_model_options *options, pm_error *err)
{
    const pm_method *method = pm_method_find(options->method, err);
    pm_predictions *result;
    pm_problem *problem;
    pm_status status;

    if (!method || pm_wanted_check(wanted, source, err) != PM_OK)
        return NULL;
    problem = make_problem(session, target, source, true, method, options, err);
    if (!problem)
        return NULL;
    result = calloc(1, sizeof *result);
    if (result)
        result->predictions = calloc(problem->n, sizeof *result->predictions);
    if (!result || !result->predictions)
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", problem->n);
    else
        status = PM_OK;
    if (status == PM_OK) {
        result->method = method->info.name;
        result->basis = "dataset";
        status = estimate(session, problem, method, leave_out, wanted, result, err);
    }
    pm_problem_free(problem);
    if (status != PM_OK) {
        pm_predictions_free(result);
        return NULL;
    }
    return result;
}
