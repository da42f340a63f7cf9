/* Predictions for a GPU from its profile: gathers counters by its rules, learns on the GPUs that
 * were measured, and carries that over. See predict_profile.h and carry.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "predict_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carry.h"
#include "collector/collect_names.h"
#include "collector/count_rows.h"
#include "collector/dataset_memory.h"
#include "collector/dataset_parts.h"
#include "collector/error.h"
#include "collector/workload.h"

typedef struct {
    const pm_predict_options *options;
    const pm_dataset *from; /* NULL: all that is traced */
    const pm_dataset *own;  /* the target's dataset; NULL: it has none */
    pm_known_gpu target;
    pm_known_gpu source; /* of from; measured is NULL where its times say nothing */
    pm_known_gpu *gpus;
    size_t gpu_count;
    pm_carry *carry;
    pm_dataset *rows; /* counters of what is predicted, by the target's rules */
} predicting;

static void release(predicting *p)
{
    pm_carry_free(p->carry);
    pm_known_free(p->gpus, p->gpu_count);
    pm_known_close(&p->target);
    pm_known_close(&p->source);
    pm_dataset_free(p->rows);
}

/* ---- counters ------------------------------------------------------------------------------- */

static bool is_wanted(const predicting *p, const pm_sample *s)
{
    return pm_listed(p->options->programs, s->program);
}

static pm_status copy_traced(predicting *p, const pm_dataset *list, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(list); i++) {
        const pm_sample *s = pm_dataset_sample(list, i);
        const pm_sample *traced = is_wanted(p, s) ? pm_known_traced(&p->target, s) : NULL;

        if (traced)
            status = pm_dataset_append(p->rows, traced, err);
    }
    return status;
}

/* A workload of from that has a kernel without counters; one of several rows stands for all. */
typedef struct {
    const pm_sample *sample;
} missing_workload;

static bool is_same_workload(const pm_sample *a, const pm_sample *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->size, b->size) == 0;
}

static size_t find_missing(const predicting *p, missing_workload *missing)
{
    size_t count = 0;

    for (size_t i = 0; i < pm_dataset_rows(p->from); i++) {
        const pm_sample *s = pm_dataset_sample(p->from, i);
        bool new = is_wanted(p, s) && !pm_dataset_find(p->rows, s);

        for (size_t k = 0; new &&k < count; k++)
            new = !is_same_workload(missing[k].sample, s);
        if (new)
            missing[count++].sample = s;
    }
    return count;
}

/* A workload that cannot be built or traced any more is left out with a notice. */
static pm_status trace_workload(predicting *p, pm_counting *counting, const pm_sample *s,
                                pm_dataset *counted, pm_error *err)
{
    const pm_log *log = &p->options->model.log;
    const pm_program *program = pm_suite_find(s->program);
    pm_error why = {0};
    pm_workload *workload;
    pm_status status;

    if (!program || !pm_program_has_variant(&program->info, s->variant)) {
        pm_notice(log,
                  "%s %s %s: left out: it is not in the suite, and nothing counted it by the "
                  "rules of %s",
                  s->program, s->variant, s->size, p->target.name);
        return PM_OK;
    }
    workload = pm_program_build(program, s->variant, s->size, 1, log, &why);
    status = workload ? pm_rows_count(counting, workload, counted, &why) : why.status;
    pm_workload_free(workload);
    if (status == PM_BAD_INPUT) {
        pm_notice(log, "%s %s %s: left out: %s", s->program, s->variant, s->size, why.text);
        return PM_OK;
    }
    return status == PM_OK ? PM_OK : pm_fail(err, status, "%s", why.text);
}

static pm_status trace_list(predicting *p, const missing_workload *missing, size_t count,
                            pm_error *err)
{
    const pm_predict_options *o = p->options;
    pm_counting counting = {0};
    pm_dataset *counted = NULL;
    pm_status status =
        pm_rows_open(&counting, p->target.name, o->model.datasets, 0, 0, 1, &o->model.log, err);

    if (status == PM_OK) {
        counted = pm_rows_dataset(&counting, err);
        status = counted ? PM_OK : err->status;
    }
    for (size_t i = 0; status == PM_OK && i < count; i++) {
        const pm_sample *s = missing[i].sample;
        char name[256];

        snprintf(name, sizeof name, "%s %s %s", s->program, s->variant, s->size);
        if (o->progress)
            o->progress(o->progress_user, i, count, name);
        status = trace_workload(p, &counting, s, counted, err);
    }
    if (status == PM_OK && !p->rows)
        p->rows = pm_dataset_memory_like(counted, err);
    if (status == PM_OK)
        status = p->rows ? pm_dataset_append_all(p->rows, counted, err) : err->status;
    pm_dataset_free(counted);
    pm_counting_close(&counting);
    return status;
}

/* Columns that every traced dataset has: those of the engine. */
static pm_status make_rows(predicting *p, pm_error *err)
{
    pm_counting counting = {0};
    pm_status status;

    if (p->target.traced) {
        p->rows = pm_dataset_memory_like(p->target.traced, err);
        return p->rows ? PM_OK : err->status;
    }
    if (!p->from)
        return pm_fail(
            err, PM_BAD_INPUT,
            "there is nothing to predict: collect samples (perfmodel collect), name a "
            "dataset (--from h100), or count for this GPU (perfmodel collect --device none "
            "--target %s)",
            p->target.name);
    status = pm_rows_open(&counting, p->target.name, p->options->model.datasets, 0, 0, 1,
                          &p->options->model.log, err);
    if (status == PM_OK) {
        p->rows = pm_rows_dataset(&counting, err);
        status = p->rows ? PM_OK : err->status;
    }
    pm_counting_close(&counting);
    return status;
}

static pm_status gather(predicting *p, pm_error *err)
{
    const pm_dataset *list = p->from ? p->from : p->target.traced;
    missing_workload *missing = NULL;
    size_t count;
    pm_status status = make_rows(p, err);

    if (status == PM_OK && p->target.traced)
        status = copy_traced(p, list, err);
    if (status != PM_OK || !p->from)
        return status;
    missing = calloc(pm_dataset_rows(p->from) + 1, sizeof *missing);
    if (!missing)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", pm_dataset_rows(p->from));
    count = find_missing(p, missing);
    if (count > 0)
        status = trace_list(p, missing, count, err);
    free(missing);
    return status;
}

/* ---- times of the source -------------------------------------------------------------------- */

/* Of a GPU with a profile and counters by its own rules, the times of from are worth having. */
static pm_status open_source(predicting *p, pm_error *err)
{
    const pm_predict_options *o = p->options;
    const char *device = p->from ? pm_dataset_sample(p->from, 0)->device : NULL;
    pm_status status;

    if (!device || o->model.no_source_time || strcmp(device, p->target.name) == 0)
        return PM_OK;
    status = pm_known_open(device, o->model.datasets, NULL, &p->source, err);
    if (status != PM_OK || !p->source.profile.present || !p->source.traced) {
        pm_known_close(&p->source);
        return status;
    }
    pm_dataset_free(p->source.measured);
    p->source.measured = pm_dataset_memory_like(p->from, err);
    return p->source.measured ? pm_dataset_append_all(p->source.measured, p->from, err)
                              : err->status;
}

/* ---- the model ------------------------------------------------------------------------------ */

static pm_status learn(predicting *p, pm_error *err)
{
    const pm_predict_options *o = p->options;
    size_t used;
    pm_status status =
        pm_known_list(o->model.datasets, p->target.name, NULL, &p->gpus, &p->gpu_count, err);

    if (status == PM_OK)
        status = pm_carry_create(p->gpus, p->gpu_count, &p->target, &p->carry, err);
    if (status == PM_OK && !o->basis)
        status = pm_carry_recalibrate(p->carry, &used, err);
    return status;
}

/* Rows that could not be predicted are told of, and an empty result is none. */
static pm_status check_result(const predicting *p, const pm_predictions *result, pm_error *err)
{
    const size_t left_out = pm_dataset_rows(p->rows) - result->n;

    if (result->n == 0)
        return pm_fail(
            err, PM_BAD_INPUT,
            "%s: none of the samples can be predicted: %s; collect programs of the suite "
            "(perfmodel collect)",
            p->target.name,
            left_out > 0 ? "counters that the model needs are unknown in all"
                         : "there are no counters of them");
    if (left_out > 0)
        pm_notice(&p->options->model.log,
                  "%zu samples left out: counters that the model needs are unknown in them",
                  left_out);
    return PM_OK;
}

static double measured_on(const predicting *p, const pm_sample *like)
{
    const pm_sample *own = p->own ? pm_dataset_find(p->own, like) : NULL;
    const pm_sample *other = pm_known_measured(&p->target, like);

    if (own && own->time_s > 0)
        return own->time_s;
    return other ? other->time_s : (double)NAN;
}

static pm_status fill(predicting *p, pm_predictions *result, pm_error *err)
{
    const size_t n = pm_dataset_rows(p->rows);
    pm_carried *carried = calloc(n + 1, sizeof *carried);
    pm_status status = PM_OK;

    result->predictions = calloc(n + 1, sizeof *result->predictions);
    if (!carried || !result->predictions)
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    if (status == PM_OK)
        status = pm_carry_predict(p->carry, p->rows, p->options->leave_out,
                                  p->source.measured ? &p->source : NULL, carried, err);
    for (size_t i = 0; status == PM_OK && i < n; i++) {
        const pm_sample *s = pm_dataset_sample(p->rows, i);
        double measured_s = measured_on(p, s);

        if (carried[i].known)
            result->predictions[result->n++] =
                (pm_prediction){.sample = s,
                                .measured_s = measured_s,
                                .predicted_s = carried[i].predicted_s,
                                .lo_s = carried[i].lo_s,
                                .hi_s = carried[i].hi_s,
                                .why = carried[i].why};
    }
    free(carried);
    return status == PM_OK ? check_result(p, result, err) : status;
}

/* Its samples are the predictions' own from here on. */
static pm_status hand_over(predicting *p, pm_predictions *result, pm_error *err)
{
    result->data = calloc(1, sizeof *result->data);
    if (!result->data)
        return pm_fail(err, PM_FAILED, "out of memory for predictions");
    result->data->rows = p->rows;
    p->rows = NULL;
    return PM_OK;
}

static pm_status check_programs(const predicting *p, pm_error *err)
{
    const pm_dataset *list = p->from ? p->from : p->target.traced;

    for (const char *const *program = p->options->programs; program && *program; program++) {
        size_t i = 0;

        while (list && i < pm_dataset_rows(list) &&
               strcmp(pm_dataset_sample(list, i)->program, *program) != 0)
            i++;
        if (list && i == pm_dataset_rows(list))
            return pm_fail(err, PM_BAD_INPUT, "%s: no program '%s' in it; collect it first",
                           pm_dataset_path(list), *program);
    }
    return PM_OK;
}

pm_predictions *pm_predict_profile(const pm_predict_options *options, const pm_dataset *from,
                                   const pm_dataset *own, pm_error *err)
{
    predicting p = {.options = options, .from = from, .own = own};
    pm_predictions *result = calloc(1, sizeof *result);
    const char *folder = options->model.datasets;
    pm_status status = result ? pm_known_open(options->target, folder, NULL, &p.target, err)
                              : pm_fail(err, PM_FAILED, "out of memory for predictions");

    if (status == PM_OK && !p.target.profile.present)
        status = pm_profile_need(options->target, folder, &p.target.profile, err);
    if (status == PM_OK)
        status = check_programs(&p, err);
    if (status == PM_OK)
        status = learn(&p, err);
    if (status == PM_OK)
        status = gather(&p, err);
    if (status == PM_OK)
        status = open_source(&p, err);
    if (status == PM_OK) {
        result->method = "units";
        result->basis = "profile";
        status = fill(&p, result, err);
    }
    if (status == PM_OK)
        status = hand_over(&p, result, err);
    release(&p);
    if (status == PM_OK)
        return result;
    pm_predictions_free(result);
    return NULL;
}
