/* Advice: which version of a program is fastest on a target, by tracing and prediction.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program's plain source is traced first: what its fields are used for tells which layouts are
 * worth tracing (layout/search.h). Arrays are staged in local memory, in the plain source and
 * behind the best layouts (advise_shared.c). Each version is rewritten, traced as the target would
 * run it, and predicted by the units model (advise_model.c); nothing of it is run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "advise_parts.h"
#include "collector/collect_names.h"
#include "collector/error.h"
#include "layout/nakai.h"

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
static char *find_mixed(const pm_advising *a)
{
    const pm_advice *advice = a->advice;
    const char *best = advice->choices[0].variant, *other = NULL, *kernel = NULL;
    double most = 0.01 * advice->choices[0].predicted_s;
    char *text;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const pm_sample *s = pm_dataset_sample(a->rows, i);
        double here, there;

        if (strcmp(s->variant, best) != 0 || strcmp(s->size, a->size) != 0)
            continue;
        here = pm_advise_time(a, best, s->kernel);
        for (size_t c = 1; c < advice->n; c++) {
            there = pm_advise_time(a, advice->choices[c].variant, s->kernel);
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

static pm_status try_mixed(pm_advising *a, pm_error *err)
{
    char *text = find_mixed(a);
    bool added = false;
    pm_status status = text ? pm_advise_trace(a, text, &added, err) : PM_OK;

    free(text);
    return status == PM_OK && added ? pm_advise_predict(a, err) : status;
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
    pm_status status = pm_advise_predict(a, err);

    return status == PM_OK ? try_mixed(a, err) : status;
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

static pm_status open_rows(pm_advising *a, pm_error *err)
{
    const pm_advise_options *options = a->options;
    pm_status status =
        pm_rows_open(&a->counting, options->target, options->datasets, options->sample,
                     options->step_limit, options->seed, &options->log, err);

    if (status != PM_OK)
        return status;
    a->rows = pm_rows_dataset(&a->counting, err);
    return a->rows ? PM_OK : err->status;
}

static pm_status advise(pm_advising *a, pm_error *err)
{
    pm_status status = choose(a, err);

    if (status == PM_OK)
        status = name_advice(a, err);
    if (status == PM_OK)
        status = pm_advise_learn(a, err);
    if (status == PM_OK)
        status = open_rows(a, err);
    if (status == PM_OK)
        status = pm_advise_candidates(a, err);
    if (status == PM_OK && a->program->info.layouts)
        status = weigh_layouts(a, err);
    if (status == PM_OK)
        status = pm_advise_staged(a, err);
    if (status == PM_OK)
        status = pm_advise_predict(a, err);
    if (status == PM_OK)
        status = pm_advise_spread(a, err);
    if (status != PM_OK)
        return status;
    a->advice->best = strdup(choose_best(a)->variant);
    return a->advice->best ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for advice");
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
    pm_advise_forget(&a);
    pm_advise_rewrite_free(a.plain);
    pm_program_read_free(a.own);
    if (status == PM_OK)
        return a.advice;
    pm_advice_free(a.advice);
    return NULL;
}
