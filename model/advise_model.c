/* What advice predicts with: the units model, learned from the target's own times or carried over
 * from other GPUs, and what it says of the candidates. See advise_parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advise_parts.h"
#include "collector/dataset_memory.h"
#include "collector/error.h"

/* Programs that the target must have been measured with for a model of its own. */
enum { ENOUGH_PROGRAMS = 5 };

/* ---- learning ------------------------------------------------------------------------------- */

static bool is_first_of_program(const pm_known_gpu *gpu, size_t i)
{
    const pm_sample *s = pm_dataset_sample(gpu->traced, i);

    if (!pm_known_measured(gpu, s))
        return false;
    for (size_t k = 0; k < i; k++) {
        const pm_sample *t = pm_dataset_sample(gpu->traced, k);

        if (strcmp(s->program, t->program) == 0 && pm_known_measured(gpu, t))
            return false;
    }
    return true;
}

static bool has_enough(const pm_known_gpu *gpu)
{
    size_t count = 0;

    if (!pm_known_is_whole(gpu))
        return false;
    for (size_t i = 0; count < ENOUGH_PROGRAMS && i < pm_dataset_rows(gpu->traced); i++)
        count += is_first_of_program(gpu, i);
    return count == ENOUGH_PROGRAMS;
}

/* Measured counters are better than none by the engine: candidates are traced, and what it gets
 * wrong is then not learned with the rest. */
static pm_status take_measured(pm_advising *a, pm_error *err)
{
    if (a->target.traced || !a->target.measured)
        return PM_OK;
    pm_notice(&a->options->log,
              "%s-trace: no dataset of traced counters; learning from measured ones (perfmodel "
              "collect --device none --target %s makes one)",
              a->target.name, a->target.name);
    a->target.traced = pm_dataset_memory_like(a->target.measured, err);
    return a->target.traced ? pm_dataset_append_all(a->target.traced, a->target.measured, err)
                            : err->status;
}

static pm_status learn_own(pm_advising *a, pm_error *err)
{
    a->advice->basis = "dataset";
    a->gpu_count = 1;
    return pm_carry_create(&a->target, 1, &a->target, &a->carry, err);
}

static pm_status learn_others(pm_advising *a, pm_error *err)
{
    size_t used;
    pm_status status =
        pm_known_list(a->options->datasets, a->target.name, NULL, &a->gpus, &a->gpu_count, err);

    a->advice->basis = "profile";
    if (status == PM_OK)
        status = pm_carry_create(a->gpus, a->gpu_count, &a->target, &a->carry, err);
    if (status == PM_OK)
        status = pm_carry_recalibrate(a->carry, &used, err);
    return status;
}

pm_status pm_advise_learn(pm_advising *a, pm_error *err)
{
    const pm_advise_options *options = a->options;
    pm_status status =
        pm_known_open(options->target, options->datasets, &options->log, &a->target, err);

    if (status == PM_OK && !a->target.profile.present)
        status = pm_profile_need(options->target, options->datasets, &a->target.profile, err);
    if (status == PM_OK)
        status = take_measured(a, err);
    if (status != PM_OK)
        return status;
    return has_enough(&a->target) ? learn_own(a, err) : learn_others(a, err);
}

void pm_advise_forget(pm_advising *a)
{
    pm_carry_free(a->carry);
    if (a->gpus)
        pm_known_free(a->gpus, a->gpu_count);
    pm_known_close(&a->target);
    free(a->carried);
}

/* ---- what it says --------------------------------------------------------------------------- */

/* Whether a row is of the choice, at the size that is advised on. */
static bool is_of(const pm_advising *a, size_t row, const char *variant)
{
    const pm_sample *s = pm_dataset_sample(a->rows, row);

    return strcmp(s->variant, variant) == 0 && strcmp(s->size, a->size) == 0 &&
           strcmp(s->program, a->program->info.name) == 0;
}

double pm_advise_time(const pm_advising *a, const char *variant, const char *kernel)
{
    double sum = 0;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++)
        if (is_of(a, i, variant) &&
            (!kernel || strcmp(pm_dataset_sample(a->rows, i)->kernel, kernel) == 0))
            sum += a->carried[i].known ? a->carried[i].predicted_s : (double)NAN;
    return sum;
}

void pm_advise_slope(const pm_advising *a, const char *variant, double slope[PM_UNITS_PARAMETERS])
{
    double sum = 0;

    memset(slope, 0, PM_UNITS_PARAMETERS * sizeof *slope);
    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        if (!is_of(a, i, variant))
            continue;
        sum += a->carried[i].predicted_s;
        for (size_t k = 0; k < PM_UNITS_PARAMETERS; k++)
            slope[k] += a->carried[i].predicted_s * a->carried[i].slope[k];
    }
    for (size_t k = 0; k < PM_UNITS_PARAMETERS && sum > 0; k++)
        slope[k] /= sum;
}

static void add_terms(pm_explanation *sum, const pm_explanation *of)
{
    for (size_t k = 0; k < of->n; k++)
        pm_explanation_add(sum, of->terms[k].unit, of->terms[k].alone_s, of->terms[k].added_s);
}

/* Kernels run one after another: times add up, and so do the ends of their intervals, as what the
 * model gets wrong of one kernel of a program it tends to get wrong of the others. */
static void add_kernels(const pm_advising *a, pm_choice *choice)
{
    choice->predicted_s = choice->lo_s = choice->hi_s = choice->measured_s = 0;
    choice->why = (pm_explanation){0};
    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const pm_carried *kernel = &a->carried[i];
        const pm_sample *measured;

        if (!is_of(a, i, choice->variant))
            continue;
        measured = pm_known_measured(&a->target, pm_dataset_sample(a->rows, i));
        choice->predicted_s += kernel->known ? kernel->predicted_s : (double)NAN;
        choice->lo_s += kernel->lo_s;
        choice->hi_s += kernel->hi_s;
        choice->measured_s += measured ? measured->time_s : (double)NAN;
        add_terms(&choice->why, &kernel->why);
    }
    pm_explanation_sort(&choice->why);
}

/* What could not be predicted comes last. */
static int by_time(const void *a, const void *b)
{
    const pm_choice *x = a, *y = b;

    if (isnan(x->predicted_s) || isnan(y->predicted_s))
        return isnan(x->predicted_s) - isnan(y->predicted_s);
    return (x->predicted_s > y->predicted_s) - (x->predicted_s < y->predicted_s);
}

pm_status pm_advise_predict(pm_advising *a, pm_error *err)
{
    const size_t rows = pm_dataset_rows(a->rows);
    pm_advice *advice = a->advice;
    double base_s;
    pm_status status;

    free(a->carried);
    a->carried = calloc(rows + 1, sizeof *a->carried);
    if (!a->carried)
        return pm_fail(err, PM_FAILED, "out of memory for %zu rows", rows);
    status = pm_carry_predict(a->carry, a->rows, a->options->leave_out, NULL, a->carried, err);
    if (status != PM_OK)
        return status;
    base_s = pm_advise_time(a, advice->base, NULL);
    for (size_t c = 0; c < advice->n; c++) {
        add_kernels(a, &advice->choices[c]);
        advice->choices[c].gain = base_s / advice->choices[c].predicted_s;
    }
    qsort(advice->choices, advice->n, sizeof *advice->choices, by_time);
    return PM_OK;
}
