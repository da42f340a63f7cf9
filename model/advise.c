/* Advice: which version of a program is fastest on a target, by tracing and prediction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's plain source is traced first: what its fields are used for tells which layouts are
 * worth tracing (layout/search.h). Arrays are staged in local memory, in the plain source and
 * behind the best layouts (advise_shared.c). Each version is rewritten, traced as the target would
 * run it, and predicted by the model that has learned from the target's dataset; nothing of it is
 * run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise_parts.h"
#include "collector/collect_names.h"
#include "collector/dataset_memory.h"
#include "collector/error.h"
#include "layout/nakai.h"
#include "profile.h"

void pm_advice_free(pm_advice *advice)
{
    if (!advice)
        return;
    for (size_t i = 0; i < advice->n; i++)
        free(advice->choices[i].variant);
    free(advice->choices);
    free(advice->target);
    free(advice->program);
    free(advice->size);
    free(advice->base);
    free(advice->best);
    free(advice->nakai);
    pm_nakai_free(advice->steps);
    free(advice);
}

/* ---- the names ------------------------------------------------------------------------------ */

static pm_status check_names(const pm_advise_options *options, pm_error *err)
{
    const char *const programs[] = {options->program, NULL}, *const sizes[] = {options->size, NULL};
    const pm_collect_options names = {.programs = programs,
                                      .sizes = options->size ? sizes : NULL,
                                      .sample = options->sample,
                                      .step_limit = options->step_limit};

    return pm_collect_check(&names, err);
}

static const char *largest(const pm_program_info *info)
{
    const char *const *size = info->sizes;

    while (size[1])
        size++;
    return *size;
}

static pm_status no_base(const char *program, pm_error *err)
{
    char list[512] = "";
    size_t used = 0;

    for (size_t i = 0; i < pm_program_count() && used < sizeof list; i++)
        if (pm_program_at(i)->base)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     pm_program_at(i)->name);
    return pm_fail(err, PM_BAD_INPUT,
                   "%s measures the device, and there is nothing to advise; programs to advise on: "
                   "%s",
                   program, list);
}

static pm_status choose_own(pm_advising *a, pm_error *err)
{
    const pm_advise_options *options = a->options;
    pm_status status = pm_sampling_check(options->sample, options->step_limit, err);

    if (status != PM_OK)
        return status;
    a->program = a->own = pm_program_read(options->workload, err);
    if (!a->own)
        return err->status;
    a->size = options->size ? options->size : largest(&a->own->info);
    return pm_program_check(a->own, NULL, a->size, err);
}

static pm_status choose(pm_advising *a, pm_error *err)
{
    const pm_advise_options *options = a->options;
    pm_status status;

    if (options->workload)
        return choose_own(a, err);
    status = check_names(options, err);
    if (status != PM_OK)
        return status;
    a->program = pm_suite_find(options->program);
    if (!a->program->info.base)
        return no_base(options->program, err);
    a->size = options->size ? options->size : largest(&a->program->info);
    return PM_OK;
}

/* ---- what the model learns from ------------------------------------------------------------- */

/* Appends the dataset TARGET followed by ending to *rows, which is made like it where it is NULL.
 * *found may be NULL: it has to be there. */
static pm_status add_dataset(pm_advising *a, const char *ending, pm_dataset **rows, bool *found,
                             pm_error *err)
{
    const pm_advise_options *options = a->options;
    char name[128], path[4096];
    pm_dataset *dataset;
    pm_status status;

    snprintf(name, sizeof name, "%s%s", options->target, ending);
    status = pm_dataset_locate(name, options->datasets, path, sizeof path, err);
    if (found)
        *found = status == PM_OK;
    if (status != PM_OK && found) {
        *err = (pm_error){0};
        return PM_OK;
    }
    if (status != PM_OK)
        return status;
    dataset = pm_dataset_read(path, &options->log, err);
    if (!dataset)
        return err->status;
    if (!*rows)
        *rows = pm_dataset_memory_like(dataset, err);
    status = *rows ? pm_dataset_append_all(*rows, dataset, err) : err->status;
    pm_dataset_free(dataset);
    return status;
}

/* The target's dataset, and those beside it that hold its versions in local memory and its layouts.
 * The first of several rows counts: versions in local memory come with plain ones that were
 * measured beside them. */
static pm_status add_measured(pm_advising *a, pm_error *err)
{
    pm_dataset *own = NULL;
    bool found;
    pm_status status = add_dataset(a, "", &own, NULL, err);

    if (status == PM_OK) {
        a->measured = pm_dataset_memory_like(own, err);
        status = a->measured ? add_dataset(a, "-shared", &a->measured, &found, err) : err->status;
    }
    if (status == PM_OK)
        status = pm_dataset_append_all(a->measured, own, err);
    if (status == PM_OK)
        status = add_dataset(a, "-layouts", &a->measured, &found, err);
    pm_dataset_free(own);
    return status;
}

/* The target's counters by the trace engine, where there are any: candidates are traced too, and
 * what the engine gets wrong is then learned with the rest. */
static pm_status add_traced(pm_advising *a, pm_error *err)
{
    const char *target = a->options->target;
    bool found;
    pm_status status = add_dataset(a, "-shared-trace", &a->rows, &found, err);

    if (status == PM_OK)
        status = add_dataset(a, "-trace", &a->rows, &found, err);
    if (status != PM_OK || found)
        return status;
    pm_notice(&a->options->log,
              "%s-trace: no dataset of traced counters; learning from measured ones (perfmodel "
              "collect --device none --target %s makes one)",
              target, target);
    return pm_dataset_append_all(a->rows, a->measured, err);
}

static pm_status open_target(pm_advising *a, pm_error *err)
{
    const pm_advise_options *options = a->options;
    pm_status status = add_measured(a, err);

    if (status == PM_OK)
        status = pm_rows_open(&a->counting, options->target, options->datasets, options->sample,
                              options->step_limit, options->seed, &options->log, err);
    if (status == PM_OK) {
        a->rows = pm_rows_dataset(&a->counting, err);
        status = a->rows ? add_traced(a, err) : err->status;
    }
    return status;
}

/* ---- prediction ----------------------------------------------------------------------------- */

/* The rows of one layout: predicted and measured seconds of all kernels, or of one (not NULL). */
static void sum_times(const pm_advising *a, const pm_predictions *predictions, const char *variant,
                      const char *kernel, double *predicted_s, double *measured_s)
{
    *predicted_s = *measured_s = 0;
    for (size_t i = 0; i < predictions->n; i++) {
        const pm_sample *s = predictions->predictions[i].sample;
        const pm_sample *measured = pm_dataset_find(a->measured, s);

        if (strcmp(s->variant, variant) != 0 || strcmp(s->size, a->size) != 0 ||
            (kernel && strcmp(s->kernel, kernel) != 0))
            continue;
        *predicted_s += predictions->predictions[i].predicted_s;
        *measured_s += measured ? measured->time_s : (double)NAN;
    }
}

static int by_time(const void *a, const void *b)
{
    const pm_choice *x = a, *y = b;

    return (x->predicted_s > y->predicted_s) - (x->predicted_s < y->predicted_s);
}

static void rank(pm_advising *a, const pm_predictions *predictions)
{
    pm_advice *advice = a->advice;
    double base_s, ignored;

    sum_times(a, predictions, advice->base, NULL, &base_s, &ignored);
    for (size_t c = 0; c < advice->n; c++) {
        pm_choice *choice = &advice->choices[c];

        sum_times(a, predictions, choice->variant, NULL, &choice->predicted_s, &choice->measured_s);
        choice->gain = base_s / choice->predicted_s;
    }
    qsort(advice->choices, advice->n, sizeof *advice->choices, by_time);
}

/* Without a row in devices.csv there is no model of the GPU's units, and the blend has to do. */
static pm_model_options model_of(const pm_advising *a)
{
    pm_profile profile = {0};

    pm_profile_find(a->options->target, a->options->datasets, &profile, NULL);
    return (pm_model_options){.method = profile.present ? "units" : "auto",
                              .counters = "code",
                              .datasets = a->options->datasets,
                              .no_source_time = true};
}

static pm_predictions *predict(pm_advising *a, pm_error *err)
{
    const char *const programs[] = {a->program->info.name, NULL};
    const pm_model_options model = model_of(a);
    pm_predictions *predictions =
        pm_predict(a->measured, a->rows, programs, a->options->leave_out, &model, err);

    if (predictions)
        rank(a, predictions);
    return predictions;
}

/* ---- layouts that differ between kernels ---------------------------------------------------- */

/* The text of the layouts that a variant stands for. */
static const char *layouts_of(const pm_program *program, const char *variant)
{
    for (const pm_named_layout *named = program->layouts; named && named->variant; named++)
        if (strcmp(named->variant, variant) == 0)
            return named->layouts;
    return variant;
}

/* A kernel that another layout suits better than the best one does, by the most: the text of both
 * together, to free. NULL: none would save a hundredth. The conversions that it needs are not in
 * this; they are traced and predicted with it. */
static char *find_mixed(const pm_advising *a, const pm_predictions *predictions)
{
    const pm_advice *advice = a->advice;
    const char *best = advice->choices[0].variant, *other = NULL, *kernel = NULL;
    double most = 0.01 * advice->choices[0].predicted_s, ignored;
    char *text;

    for (size_t i = 0; i < predictions->n; i++) {
        const pm_sample *s = predictions->predictions[i].sample;
        double here, there;

        if (strcmp(s->variant, best) != 0 || strcmp(s->size, a->size) != 0)
            continue;
        sum_times(a, predictions, best, s->kernel, &here, &ignored);
        for (size_t c = 1; c < advice->n; c++) {
            sum_times(a, predictions, advice->choices[c].variant, s->kernel, &there, &ignored);
            if (here - there > most) {
                most = here - there;
                other = advice->choices[c].variant;
                kernel = s->kernel;
            }
        }
    }
    if (!other || asprintf(&text, "%s;%s@%s", layouts_of(a->program, best),
                           layouts_of(a->program, other), kernel) < 0)
        return NULL;
    return text;
}

static pm_status try_mixed(pm_advising *a, pm_predictions **predictions, pm_error *err)
{
    char *text = find_mixed(a, *predictions);
    bool added = false;
    pm_status status = text ? pm_advise_trace(a, text, &added, err) : PM_OK;

    free(text);
    if (status != PM_OK || !added)
        return status;
    pm_predictions_free(*predictions);
    *predictions = predict(a, err);
    return *predictions ? PM_OK : err->status;
}

/* ---- all of it ------------------------------------------------------------------------------ */

static pm_status name_advice(pm_advising *a, pm_error *err)
{
    pm_advice *advice = a->advice;

    advice->target = strdup(a->options->target);
    advice->program = strdup(a->program->info.name);
    advice->size = strdup(a->size);
    advice->base = strdup(a->program->info.base);
    advice->nakai = a->program->info.layouts ? strdup("") : NULL;
    if (!advice->target || !advice->program || !advice->size || !advice->base ||
        (a->program->info.layouts && !advice->nakai))
        return pm_fail(err, PM_FAILED, "out of memory for advice");
    return PM_OK;
}

/* Layouts that differ between kernels, and which layouts arrays are staged behind, come of what is
 * predicted for the others. */
static pm_status weigh_layouts(pm_advising *a, pm_error *err)
{
    pm_predictions *predictions = predict(a, err);
    pm_status status = predictions ? try_mixed(a, &predictions, err) : err->status;

    pm_predictions_free(predictions);
    return status;
}

/* Local memory that is not worth it costs work and residency: a version in it is only proposed
 * where it gains over the fastest without it more than LEAST_GAIN, and more than errors of gains
 * are. */
static const double LEAST_GAIN = 1.02;

static const pm_choice *choose_best(const pm_advising *a)
{
    const pm_advice *advice = a->advice;
    double plain = 1;

    for (size_t c = 0; c < advice->n; c++)
        if (!pm_advise_is_staged(a->program, advice->choices[c].variant))
            plain = fmax(plain, advice->choices[c].gain);
    for (size_t c = 0; c < advice->n; c++) {
        const pm_choice *choice = &advice->choices[c];

        if (!pm_advise_is_staged(a->program, choice->variant) ||
            (choice->gain >= LEAST_GAIN * plain && !(choice->lo < plain)))
            return choice;
    }
    return &advice->choices[0];
}

static pm_status advise(pm_advising *a, pm_error *err)
{
    pm_predictions *predictions = NULL;
    pm_status status = choose(a, err);

    if (status == PM_OK)
        status = name_advice(a, err);
    if (status == PM_OK)
        status = open_target(a, err);
    if (status == PM_OK)
        status = pm_advise_candidates(a, err);
    if (status == PM_OK && a->program->info.layouts)
        status = weigh_layouts(a, err);
    if (status == PM_OK)
        status = pm_advise_staged(a, err);
    if (status == PM_OK) {
        predictions = predict(a, err);
        status = predictions ? PM_OK : err->status;
    }
    if (status == PM_OK) {
        const pm_model_options model = model_of(a);

        status = pm_advise_spread(a, &model, err);
    }
    if (status == PM_OK) {
        a->advice->best = strdup(choose_best(a)->variant);
        if (!a->advice->best)
            status = pm_fail(err, PM_FAILED, "out of memory for advice");
    }
    pm_predictions_free(predictions);
    return status;
}

pm_advice *pm_advise(const pm_advise_options *options, pm_error *err)
{
    pm_error ignored = {0};
    pm_advising a = {.options = options, .advice = calloc(1, sizeof *a.advice)};
    pm_status status;

    err = err ? err : &ignored;
    status = a.advice ? advise(&a, err) : pm_fail(err, PM_FAILED, "out of memory for advice");
    pm_counting_close(&a.counting);
    pm_dataset_free(a.rows);
    pm_dataset_free(a.measured);
    pm_advise_rewrite_free(a.plain);
    pm_program_read_free(a.own);
    if (status == PM_OK)
        return a.advice;
    pm_advice_free(a.advice);
    return NULL;
}
