/* Estimates the uncertainty of a version's predicted gain (how many times it is faster than the
 * unmodified program) from the errors of the model on other programs. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gain of a version is the base variant's time divided by the version's time. The model
 * predicts every program that has a base variant and was measured on the training GPUs. For each of
 * these programs, the model is fitted without the programs of its class and without the data that
 * is withheld for the advised program. The errors of the predicted gains are taken as the
 * distribution of the error for the advised program. Layouts and versions in local memory have
 * separate distributions. What the model gets wrong for the whole program is in both times of a
 * gain and cancels. On a GPU without training data, the variance from the uncertain parameters of
 * that GPU is added (model/transfer/transfer.h). */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "answer/advise/parts.h"
#include "answer/cost/chance.h"
#include "base/strings.h"
#include "program/suite/suite.h"
#include "transform/staging/staging.h"

/* Least number of errors of gains for an interval: its ends are the 5 % and 95 % quantiles of the
 * errors. The interval is unknown (NaN) if there are fewer errors. */
enum { LEAST = 20 };

/* Predicted and measured time of one variant and size of a program: the sum over its kernels, in
 * seconds. */
typedef struct {
    double predicted, measured;
} pair;

/* Predictions for all kernels whose times were measured on one GPU, with these times. Each
 * prediction is made by a model that was fitted without the kernel's program. */
typedef struct {
    const pm_validation *v;
    /* hash[i]: hash of the program and size of sample i (a kernel with predicted and measured
     * time); a fast test for unequal ones before strings are compared */
    uint64_t *hash;
} predictions;

static predictions hash_samples(pm_memory *memory, const pm_validation *v)
{
    predictions p = {v, pm_take(memory, v->n + 1, sizeof *p.hash)};

    for (size_t i = 0; i < v->n; i++) {
        const pm_sample *s = v->samples[i].sample;

        p.hash[i] = pm_hash_text(s->program) + 3 * pm_hash_text(s->size);
    }
    return p;
}

/* Returns whether samples i and k (kernels with predicted and measured times) are of the same
 * program and size. */
static bool is_same_work(const predictions *p, size_t i, size_t k)
{
    const pm_sample *s = p->v->samples[i].sample, *t = p->v->samples[k].sample;

    return p->hash[i] == p->hash[k] && strcmp(s->program, t->program) == 0 &&
           strcmp(s->size, t->size) == 0;
}

/* Sums the predicted and measured times of all kernels of a variant. Program and size are those of
 * sample i. */
static pair sum_of(const predictions *p, size_t i, const char *variant)
{
    pair sum = {0, 0};

    for (size_t k = 0; k < p->v->n; k++) {
        const pm_prediction *one = &p->v->samples[k];

        if (!is_same_work(p, i, k) || strcmp(one->sample->variant, variant) != 0)
            continue;
        sum.predicted += one->predicted_s;
        sum.measured += one->measured_s;
    }
    return sum;
}

/* Returns true if sample i is the first kernel in the list with its program, variant and size. The
 * caller uses this to count each version once. */
static bool is_first(const predictions *p, size_t i)
{
    const char *variant = p->v->samples[i].sample->variant;

    for (size_t k = 0; k < i; k++)
        if (is_same_work(p, i, k) && strcmp(p->v->samples[k].sample->variant, variant) == 0)
            return false;
    return true;
}

bool pm_advise_is_staged(const pm_program *program, const char *variant)
{
    return program->info.layouts ? pm_stage_is_text(variant)
                                 : strcmp(variant, program->info.base) != 0;
}

/* Errors of predicted gains for programs other than the advised one, on all GPUs with training
 * data: off[i] = log(measured gain / predicted gain), with one entry for each version and GPU.
 * The gain of a version is the unmodified program's time divided by the version's time. */
typedef struct {
    size_t count;
    double *off;
} gain_errors;

/* Appends the errors of the predicted gains on one GPU. `staged` selects the versions: true: those
 * that stage arrays in local memory; false: those with another layout. */
static void add_errors(pm_advising *a, const predictions *p, bool staged, gain_errors *errors)
{
    for (size_t i = 0; i < p->v->n; i++) {
        const pm_sample *s = p->v->samples[i].sample;
        const pm_program *program = pm_suite_find(s->program);
        pair own, plain;

        if (!program || !program->info.base || program == a->program ||
            strcmp(s->variant, program->info.base) == 0 ||
            pm_advise_is_staged(program, s->variant) != staged || !is_first(p, i))
            continue;
        own = sum_of(p, i, s->variant);
        plain = sum_of(p, i, program->info.base);
        if (plain.measured > 0)
            *pm_add(&a->memory, errors->off, errors->count) =
                log(plain.measured / own.measured) - log(plain.predicted / own.predicted);
    }
}

/* Returns the probability that a choice is faster than the base variant. */
static double chance_of(const pm_choice *choice)
{
    const pm_chance gain = pm_chance_make(choice->gain, choice->lo, choice->hi);

    return pm_chance_above(&gain, 1);
}

/* Returns the part of the variance of a variant's log gain that comes from uncertain parameters of
 * the model for the target GPU. */
static double variance_of(const pm_advising *a, const pm_transfer_set *set, const char *variant)
{
    double base[PM_UNITS_PARAMETERS], version[PM_UNITS_PARAMETERS];

    pm_advise_slope(a, a->advice->base, base);
    pm_advise_slope(a, variant, version);
    return pm_transfer_gain_variance(set, base, version);
}

/* Fills lo, hi and chance (interval and probability of a gain) of some of the ranked variants.
 * staged true: the variants that stage arrays in local memory; false: all other variants. errors:
 * errors of the predicted gains of measured variants of the same kind in other programs. */
static void spread(pm_advising *a, const pm_transfer_set *set, gain_errors *errors, bool staged)
{
    pm_advice *advice = a->advice;
    double low = (double)NAN, high = (double)NAN;

    if (errors->count >= LEAST) {
        gsl_sort(errors->off, 1, errors->count);
        low = gsl_stats_quantile_from_sorted_data(errors->off, 1, errors->count, 0.05);
        high = gsl_stats_quantile_from_sorted_data(errors->off, 1, errors->count, 0.95);
        low = fmin(low, 0);
        high = fmax(high, 0);
    }
    for (size_t c = 0; c < advice->n; c++) {
        pm_choice *choice = &advice->choices[c];
        bool base = strcmp(choice->variant, advice->base) == 0;
        double other;

        if (pm_advise_is_staged(a->program, choice->variant) != staged)
            continue;
        other = PM_NORMAL_95 * PM_NORMAL_95 * variance_of(a, set, choice->variant);
        choice->lo = base ? 1 : choice->gain * exp(-sqrt(low * low + other));
        choice->hi = base ? 1 : choice->gain * exp(sqrt(high * high + other));
        choice->chance = base ? (double)NAN : chance_of(choice);
    }
}

/* Computes the errors of the predicted gains on all training GPUs. errors[0] gets the errors of
 * layouts, and errors[1] the errors of versions that stage arrays in local memory. */
static void find_errors(pm_advising *a, const pm_transfer_set *set, gain_errors errors[2])
{
    for (size_t g = 0; g < a->learned->gpu_count; g++) {
        pm_validation *v = pm_transfer_unseen(a->learned->carry, set, g, a->memory.err);
        predictions p;

        if (!v)
            pm_give_up(&a->memory, a->memory.err->status);
        p = hash_samples(&a->memory, v);
        for (int staged = 0; staged <= 1; staged++)
            add_errors(a, &p, staged, &errors[staged]);
        pm_validation_free(v);
    }
}

void pm_advise_spread(pm_advising *a)
{
    const pm_transfer_set *set;
    gain_errors errors[2] = {{0}, {0}};

    pm_require(&a->memory, pm_transfer_find(a->learned->carry, a->program->info.name, a->without,
                                            &set, a->memory.err));
    find_errors(a, set, errors);
    for (int staged = 0; staged <= 1; staged++)
        spread(a, set, &errors[staged], staged);
}
