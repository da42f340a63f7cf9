/* Predictions for a GPU from its profile: gathers counters by its rules, learns on the GPUs that
 * were measured, and carries that over. See predict_profile.h and model/transfer/transfer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "predict/predict_profile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "counts/counts.h"
#include "model/transfer/learned.h"
#include "predict/wanted.h"
#include "samples/memory.h"
#include "samples/table.h"
#include "session/session.h"
#include "suite/suite.h"

typedef struct {
    pm_session *session;
    const pm_predict_options *options;
    pm_wanted wanted;
    const pm_dataset *from; /* NULL: all that is traced */
    const pm_dataset *own;  /* the target's dataset; NULL: it has none */
    const pm_known_gpu *target;
    const pm_learned *learned;
    pm_known_gpu source; /* of from; measured is NULL where its times say nothing */
    pm_dataset *rows;    /* counters of what is predicted, by the target's rules */
} predicting;

/* ---- counters ------------------------------------------------------------------------------- */

static pm_status copy_traced(predicting *p, const pm_dataset *list, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(list); i++) {
        const pm_sample *s = pm_dataset_sample(list, i);
        const pm_sample *traced =
            pm_is_wanted(&p->wanted, s) ? pm_known_traced(p->target, s) : NULL;

        if (traced)
            status = pm_dataset_append(p->rows, traced, err);
    }
    return status;
}

static bool is_same_workload(const pm_sample *a, const pm_sample *b)
{
    return strcmp(a->program, b->program) == 0 && strcmp(a->variant, b->variant) == 0 &&
           strcmp(a->size, b->size) == 0;
}

/* The workloads of from that have a kernel without counters; one of several rows stands for all. */
static size_t find_missing(const predicting *p, const pm_sample **missing)
{
    size_t count = 0;

    for (size_t i = 0; i < pm_dataset_rows(p->from); i++) {
        const pm_sample *s = pm_dataset_sample(p->from, i);
        bool new = pm_is_wanted(&p->wanted, s) && !pm_dataset_find(p->rows, s);

        for (size_t k = 0; new &&k < count; k++)
            new = !is_same_workload(missing[k], s);
        if (new)
            missing[count++] = s;
    }
    return count;
}

/* A workload that cannot be built or traced any more is left out with a notice. */
static pm_status trace_workload(predicting *p, const pm_sample *s, pm_error *err)
{
    const pm_counted what = {.program = pm_suite_find(s->program),
                             .variant = s->variant,
                             .size = s->size,
                             .target = p->target->name};
    const pm_counts *counts;
    pm_error why = {0};
    pm_status status;

    if (!what.program || !pm_program_has_variant(&what.program->info, s->variant)) {
        pm_notice(pm_session_log(p->session),
                  "%s %s %s: left out: it is not in the suite, and nothing counted it by the "
                  "rules of %s",
                  s->program, s->variant, s->size, p->target->name);
        return PM_OK;
    }
    status = pm_counts_find(p->session, &what, NULL, &counts, &why);
    if (status == PM_BAD_INPUT) {
        pm_notice(pm_session_log(p->session), "%s %s %s: left out: %s", s->program, s->variant,
                  s->size, why.text);
        return PM_OK;
    }
    return status == PM_OK ? pm_dataset_append_all(p->rows, counts->rows, err)
                           : pm_fail(err, status, "%s", why.text);
}

static pm_status trace_list(predicting *p, const pm_sample *const *missing, size_t count,
                            pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < count; i++) {
        const pm_sample *s = missing[i];
        char name[256];

        snprintf(name, sizeof name, "%s %s %s", s->program, s->variant, s->size);
        pm_session_show(p->session, i, count, name);
        status = trace_workload(p, s, err);
    }
    return status;
}

/* Columns that every traced dataset has: those of the engine. */
static pm_status make_rows(predicting *p, pm_error *err)
{
    if (p->target->traced)
        p->rows = pm_dataset_memory_like(p->target->traced, err);
    else if (p->from)
        p->rows = pm_counts_columns(p->session, err);
    else
        return pm_fail(
            err, PM_BAD_INPUT,
            "there is nothing to predict: collect samples (perfmodel collect), name a "
            "dataset (--from h100), or count for this GPU (perfmodel collect --device none "
            "--target %s)",
            p->target->name);
    return p->rows ? PM_OK : err->status;
}

static pm_status gather(predicting *p, pm_error *err)
{
    const pm_dataset *list = p->from ? p->from : p->target->traced;
    const pm_sample **missing = NULL;
    size_t count;
    pm_status status = make_rows(p, err);

    if (status == PM_OK && p->target->traced)
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

/* The times of from help only if its GPU has a profile and counters by its own rules. */
static pm_status open_source(predicting *p, pm_error *err)
{
    const char *device = p->from ? pm_dataset_sample(p->from, 0)->device : NULL;
    const pm_known_gpu *known;
    pm_status status;

    if (!device || p->options->model.no_source_time || strcmp(device, p->target->name) == 0)
        return PM_OK;
    status = pm_known_find(p->session, device, &known, err);
    if (status != PM_OK || !known->profile.present || !known->traced)
        return status;
    p->source = *known;
    p->source.measured = (pm_dataset *)p->from; /* it is only read */
    return PM_OK;
}

/* ---- the model ------------------------------------------------------------------------------ */

/* Rows that could not be predicted are told of, and an empty result is none. */
static pm_status check_result(const predicting *p, const pm_predictions *result, pm_error *err)
{
    const size_t left_out = pm_dataset_rows(p->rows) - result->n;

    if (result->n == 0)
        return pm_fail(
            err, PM_BAD_INPUT,
            "%s: none of the samples can be predicted: %s; collect programs of the suite "
            "(perfmodel collect)",
            p->target->name,
            left_out > 0 ? "counters that the model needs are unknown in all"
                         : "there are no counters of them");
    if (left_out > 0)
        pm_notice(pm_session_log(p->session),
                  "%zu samples left out: counters that the model needs are unknown in them",
                  left_out);
    return PM_OK;
}

static double measured_on(const predicting *p, const pm_sample *like)
{
    const pm_sample *own = p->own ? pm_dataset_find(p->own, like) : NULL;
    const pm_sample *other = pm_known_measured(p->target, like);

    if (own && own->time_s > 0)
        return own->time_s;
    return other ? other->time_s : (double)NAN;
}

static pm_status fill(predicting *p, pm_predictions *result, pm_error *err)
{
    const size_t n = pm_dataset_rows(p->rows);
    pm_transferred *carried = calloc(n + 1, sizeof *carried);
    pm_status status = PM_OK;

    result->predictions = calloc(n + 1, sizeof *result->predictions);
    if (!carried || !result->predictions)
        status = pm_fail(err, PM_FAILED, "out of memory for %zu rows", n);
    if (status == PM_OK)
        status = pm_transfer_predict(p->learned->carry, p->rows, p->options->leave_out,
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

static pm_status check_wanted(const predicting *p, pm_error *err)
{
    const pm_dataset *list = p->from ? p->from : p->target->traced;

    return list ? pm_wanted_check(&p->wanted, list, err) : PM_OK;
}

static pm_status predict(predicting *p, pm_predictions *result, pm_error *err)
{
    const pm_predict_options *o = p->options;
    const char *folder = pm_session_chosen(p->session)->datasets;
    pm_profile profile;
    pm_status status = pm_known_find(p->session, o->target, &p->target, err);

    if (status == PM_OK && !p->target->profile.present)
        status = pm_profile_need(o->target, folder, &profile, err);
    if (status == PM_OK)
        status = check_wanted(p, err);
    if (status == PM_OK)
        status = pm_learned_find(p->session, o->target,
                                 o->basis ? PM_LEARN_OTHERS : PM_LEARN_CARRIED, &p->learned, err);
    if (status == PM_OK)
        status = gather(p, err);
    if (status == PM_OK)
        status = open_source(p, err);
    return status == PM_OK ? fill(p, result, err) : status;
}

pm_predictions *pm_predict_profile(pm_session *session, const pm_predict_options *options,
                                   const pm_dataset *from, const pm_dataset *own, pm_error *err)
{
    predicting p = {.session = session,
                    .options = options,
                    .wanted = pm_wanted_of(options),
                    .from = from,
                    .own = own};
    pm_predictions *result = calloc(1, sizeof *result);
    pm_status status = result ? predict(&p, result, err)
                              : pm_fail(err, PM_FAILED, "out of memory for predictions");

    if (status != PM_OK) {
        pm_dataset_free(p.rows);
        pm_predictions_free(result);
        return NULL;
    }
    result->method = "units";
    result->basis = "profile";
    result->rows = p.rows; /* its own from here on */
    return result;
}
