/* Predicts the times of a program's versions (other data layouts, arrays in local memory) by the
 * units model, which computes how long each functional unit of the GPU works. Adds their measured
 * times, if there are any. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/advise/parts.h"
#include "base/numbers.h"

/* ---- predictions ----------------------------------------------------------------------------- */

double pm_advise_time(const pm_advising *a, const char *variant, const char *kernel)
{
    double sum = 0;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++)
        if (pm_advise_is_of(a, i, variant) &&
            (!kernel || strcmp(pm_dataset_sample(a->rows, i)->kernel, kernel) == 0))
            sum += a->carried[i].known ? a->carried[i].predicted_s : (double)NAN;
    return sum;
}

void pm_advise_slope(const pm_advising *a, const char *variant, double slope[PM_UNITS_PARAMETERS])
{
    double sum = 0;

    memset(slope, 0, PM_UNITS_PARAMETERS * sizeof *slope);
    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        if (!pm_advise_is_of(a, i, variant))
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

static pm_choice_kernel kernel_of(pm_memory *kept, const pm_sample *s,
                                  const pm_transferred *carried, const pm_sample *measured)
{
    const double unknown = (double)NAN;

    return (pm_choice_kernel){.kernel = pm_copy(kept, s->kernel),
                              .predicted_s = carried->known ? carried->predicted_s : unknown,
                              .lo_s = carried->known ? carried->lo_s : unknown,
                              .hi_s = carried->known ? carried->hi_s : unknown,
                              .measured_s = measured ? measured->time_s : unknown,
                              .why = carried->why};
}

/* Sums the times of the kernels of a version (variant of the program). Kernels run one after
 * another, so their times add up. The lower and upper ends of the intervals of the kernels' times
 * are summed in the same way, because the model's errors on the kernels of one program tend to have
 * the same sign. */
static void add_kernels(pm_advising *a, pm_choice *choice)
{
    choice->predicted_s = choice->lo_s = choice->hi_s = choice->measured_s = 0;
    choice->energy_j = choice->energy_s = 0;
    choice->why = (pm_explanation){0};
    choice->kernel_count = 0;
    choice->kernels = NULL;
    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const pm_sample *s = pm_dataset_sample(a->rows, i);
        const pm_transferred *kernel = &a->carried[i];
        const pm_sample *measured, *metered;

        if (!pm_advise_is_of(a, i, choice->variant))
            continue;
        metered = pm_known_metered(&a->learned->target, s);
        measured = pm_known_measured(&a->learned->target, s);
        choice->predicted_s += kernel->known ? kernel->predicted_s : (double)NAN;
        choice->lo_s += kernel->lo_s;
        choice->hi_s += kernel->hi_s;
        choice->measured_s += measured ? measured->time_s : (double)NAN;
        choice->energy_j += metered ? metered->counters[0] : (double)NAN;
        choice->energy_s += metered ? metered->time_s : (double)NAN;
        add_terms(&choice->why, &kernel->why);
        *pm_add(&a->kept, choice->kernels, choice->kernel_count) =
            kernel_of(&a->kept, s, kernel, measured);
    }
    choice->missed = choice->measured_s < choice->lo_s || choice->measured_s > choice->hi_s;
    pm_explanation_sort(&choice->why);
}

/* Returns the square of the relative standard error of a choice's measured time. The errors of its
 * kernels are independent, because each kernel is measured on its own, so the squares add up. */
static double measured_variance(const pm_advising *a, const char *variant)
{
    double sum = 0, variance = 0;

    for (size_t i = 0; i < pm_dataset_rows(a->rows); i++) {
        const pm_sample *s =
            pm_advise_is_of(a, i, variant)
                ? pm_known_measured(&a->learned->target, pm_dataset_sample(a->rows, i))
                : NULL;
        double error = s ? pm_median_error(s->time_mad_s, s->runs) : 0;

        sum += s ? s->time_s : 0;
        variance += error * error;
    }
    return variance / (sum * sum);
}

static void compare_measured(const pm_advising *a, const pm_choice *base, pm_choice *choice)
{
    double gain = choice == base ? (double)NAN : base->measured_s / choice->measured_s;
    double end = PM_NORMAL_95 *
                 sqrt(measured_variance(a, base->variant) + measured_variance(a, choice->variant));

    choice->measured = isfinite(gain);
    choice->measured_gain = gain;
    choice->measured_lo = gain * exp(-end);
    choice->measured_hi = gain * exp(end);
}

/* Compares two of the program's variants that are ranked, for sorting by predicted time. Variants
 * without a prediction come last. */
static int by_time(const void *a, const void *b)
{
    const pm_choice *x = a, *y = b;

    if (isnan(x->predicted_s) || isnan(y->predicted_s))
        return isnan(x->predicted_s) - isnan(y->predicted_s);
    return (x->predicted_s > y->predicted_s) - (x->predicted_s < y->predicted_s);
}

void pm_advise_predict(pm_advising *a)
{
    pm_advice *advice = a->advice;
    const pm_choice *base = advice->choices;
    double base_s;

    a->carried = pm_take(&a->memory, pm_dataset_rows(a->rows), sizeof *a->carried);
    pm_require(&a->memory, pm_transfer_predict(a->learned->carry, a->rows, a->without, NULL,
                                               a->carried, a->memory.err));
    base_s = pm_advise_time(a, advice->base, NULL);
    for (size_t c = 0; c < advice->n; c++) {
        add_kernels(a, &advice->choices[c]);
        pm_advise_roofline(a, &advice->choices[c]);
        advice->choices[c].gain = base_s / advice->choices[c].predicted_s;
        if (strcmp(advice->choices[c].variant, advice->base) == 0)
            base = &advice->choices[c];
    }
    for (size_t c = 0; c < advice->n; c++)
        compare_measured(a, base, &advice->choices[c]);
    qsort(advice->choices, advice->n, sizeof *advice->choices, by_time);
}
