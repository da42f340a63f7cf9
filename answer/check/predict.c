/* Predicts the times of each kernel for the baseline (earlier event counts) and for the current
 * source, and the uncertainty of the ratio of both times. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A ratio compares the current time of a kernel with that in the baseline. The model's error on a
 * kernel is in both times, and cancels in their ratio except for the part of the time that changed.
 * The error of a ratio therefore grows with the distance of the two versions: the fraction of the
 * time that moved to other functional units (pm_check_distance). We estimate the error per unit of
 * distance from measured versions of other programs on the training GPUs. Each is predicted by a
 * model that has not been fitted to the program's class. The 90 % quantile of the error per unit of
 * distance is the spread. Errors do not grow without limit, so that the 90 % quantile of the error
 * of distant pairs of versions is their upper limit. Of the pairs on an H200 that this test calls
 * slower, 98 % are slower by more than the tolerance of 5 %.
 *
 * Versions that the model hardly distinguishes may still differ on the GPU. This does not
 * contradict a predicted change, but the interval has to cover it. The 90 % quantile of the error
 * of pairs with a small distance is therefore added. Few programs have many such pairs
 * (docs/check.md). On a GPU without training data, the variance from its uncertain parameters is
 * added to the variances of both errors. */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/check/parts.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

enum { LEAST_PAIRS = 20 };
/* The error of a predicted time ratio, per unit of pm_check_distance, is estimated from pairs of
 * variants of a program. This is the least distance of the pairs that are used. Pairs with a
 * smaller distance are not used: their predicted times differ less than measured times differ by
 * noise and by effects that no counter shows. */
static const double LEAST_DISTANCE = 0.05;
/* Least pm_check_distance at which two variants of a program count as distant. The seconds that
 * differ between the functional units then add up to the whole predicted time. The errors of
 * distant variants give the upper limit of the error of a ratio. */
static const double FAR = 1;

double pm_check_added(const pm_explanation *why, const char *unit)
{
    for (size_t k = 0; k < why->n; k++)
        if (strcmp(why->terms[k].unit, unit) == 0)
            return why->terms[k].added_s;
    return 0;
}

static double sum_of(const pm_explanation *why)
{
    double sum = 0;

    for (size_t k = 0; k < why->n; k++)
        sum += why->terms[k].added_s;
    return sum;
}

double pm_check_distance(const pm_explanation *a, const pm_explanation *b)
{
    double moved = 0;

    for (size_t k = 0; k < a->n; k++)
        moved += fabs(a->terms[k].added_s - pm_check_added(b, a->terms[k].unit));
    for (size_t k = 0; k < b->n; k++)
        if (!(pm_check_added(a, b->terms[k].unit) > 0))
            moved += b->terms[k].added_s;
    return moved / fmax(sum_of(a), sum_of(b));
}

/* ---- errors of ratios of measured versions --------------------------------------------------- */

/* A measured version of a program: all kernels of one variant (version of the source) in one
 * size, with predicted and measured time. */
typedef struct {
    const pm_sample *first;
    double predicted, measured;
    pm_explanation why;
} version;

static bool is_of(const version *v, const pm_sample *s)
{
    return strcmp(v->first->program, s->program) == 0 && strcmp(v->first->size, s->size) == 0 &&
           strcmp(v->first->variant, s->variant) == 0;
}

/* Adds up the times of the kernels of each version (a variant of a program in one size). The rows
 * of a version are adjacent in the validation. If they are not (rare), each group of adjacent rows
 * becomes a version. */
static size_t versions_of(pm_memory *memory, const pm_validation *v, version **versions)
{
    size_t count = 0;

    for (size_t i = 0; i < v->n; i++) {
        const pm_prediction *p = &v->samples[i];

        if (count == 0 || !is_of(&(*versions)[count - 1], p->sample))
            *pm_add(memory, *versions, count) = (version){.first = p->sample};
        (*versions)[count - 1].predicted += p->predicted_s;
        (*versions)[count - 1].measured += p->measured_s;
        for (size_t k = 0; k < p->why.n; k++)
            pm_explanation_add(&(*versions)[count - 1].why, p->why.terms[k].unit,
                               p->why.terms[k].alone_s, p->why.terms[k].added_s);
    }
    return count;
}

/* Two versions (variants of the source) of a program in the same size, with their distance: the
 * fraction of the time that moved to other functional units of the GPU. */
typedef struct {
    const char *program;
    double distance;
    double off; /* error of the ratio of both times: |log(measured ratio) - log(predicted ratio)| */
} pair;

static size_t add_pairs(pm_memory *memory, const pm_validation *v, pair **pairs, size_t count)
{
    version *versions = NULL;
    const size_t n = versions_of(memory, v, &versions);

    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++) {
            const version *a = &versions[i], *b = &versions[k];

            if (strcmp(a->first->program, b->first->program) == 0 &&
                strcmp(a->first->size, b->first->size) == 0)
                *pm_add(memory, *pairs, count) =
                    (pair){pm_copy(memory, a->first->program), pm_check_distance(&a->why, &b->why),
                           fabs(log(a->measured / b->measured) - log(a->predicted / b->predicted))};
        }
    return count;
}

static size_t pairs_of(pm_checking *c, const pm_learned *learned, const pm_transfer_set *set,
                       pair **pairs)
{
    size_t count = 0;

    for (size_t g = 0; g < learned->gpu_count; g++) {
        pm_validation *v;

        if (!pm_known_is_whole(&learned->gpus[g]))
            continue;
        v = pm_transfer_unseen(learned->carry, set, g, c->memory.err);
        if (!v)
            pm_give_up(&c->memory, c->memory.err->status);
        count = add_pairs(&c->memory, v, pairs, count);
        pm_validation_free(v);
    }
    return count;
}

/* Returns the 90 % quantile of (error / distance) over the pairs with at least LEAST_DISTANCE; NaN:
 * fewer than LEAST_PAIRS such pairs. */
static double off_of(pm_memory *memory, const pair *pairs, size_t n)
{
    double *off = NULL;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        if (pairs[i].distance >= LEAST_DISTANCE)
            *pm_add(memory, off, count) = pairs[i].off / pairs[i].distance;
    if (count < LEAST_PAIRS)
        return (double)NAN;
    gsl_sort(off, 1, count);
    return gsl_stats_quantile_from_sorted_data(off, 1, count, 0.9);
}

static int by_off(const void *a, const void *b)
{
    const pair *x = a, *y = b;

    return (x->off > y->off) - (x->off < y->off);
}

/* Returns the weight of pair i in a quantile: 1 / sqrt(n), where n is the number of pairs of the
 * same program. Without weights, programs with many layouts would dominate. */
static double weight_of(const pair *pairs, size_t count, size_t i)
{
    size_t n = 0;

    for (size_t k = 0; k < count; k++)
        n += strcmp(pairs[k].program, pairs[i].program) == 0;
    return 1 / sqrt((double)n);
}

/* Returns the weighted 90 % quantile of the error (`off`) of the pairs with from < distance < to;
 * NaN: fewer than LEAST_PAIRS such pairs. */
static double off_between(pm_memory *memory, const pair *pairs, size_t n, double from, double to)
{
    pair *some = NULL;
    size_t count = 0;
    double sum = 0, so_far = 0;
    size_t at = 0;

    for (size_t i = 0; i < n; i++)
        if (pairs[i].distance > from && pairs[i].distance < to)
            *pm_add(memory, some, count) = pairs[i];
    if (count < LEAST_PAIRS)
        return (double)NAN;
    qsort(some, count, sizeof *some, by_off);
    for (size_t i = 0; i < count; i++)
        sum += weight_of(some, count, i);
    while (at + 1 < count && (so_far += weight_of(some, count, at)) < 0.9 * sum)
        at++;
    return some[at].off;
}

static void find_spread(pm_checking *c, const pm_learned *learned, pm_check_spread *spread)
{
    pair *pairs = NULL;
    const size_t count = pairs_of(c, learned, spread->set, &pairs);

    const double near = off_between(&c->memory, pairs, count, 0, LEAST_DISTANCE),
                 far = off_between(&c->memory, pairs, count, FAR, INFINITY);

    spread->off = off_of(&c->memory, pairs, count);
    spread->least = isnan(near) ? 0 : near;
    spread->most = isnan(far) ? INFINITY : far;
    if (isnan(spread->off))
        pm_notice(pm_session_log(c->session),
                  "too few versions of other programs were measured to know how sure a ratio of "
                  "predicted times is: no kernel can be told to be slower");
}

/* ---- times ----------------------------------------------------------------------------------- */

static void predict_state(pm_checking *c, const pm_learned *learned, pm_check_state *state,
                          const char *target)
{
    pm_dataset *rows = pm_dataset_memory_like(c->columns, c->memory.err);
    pm_transferred *out = pm_take(&c->memory, state->side_count, sizeof *out);
    pm_status status = rows ? PM_OK : c->memory.err->status;
    size_t row = 0;

    for (size_t i = 0; status == PM_OK && i < state->side_count; i++)
        if (strcmp(state->sides[i].target, target) == 0)
            status = pm_dataset_append(rows, state->sides[i].sample, c->memory.err);
    if (status == PM_OK)
        status =
            pm_transfer_predict(learned->carry, rows, (pm_withheld){0}, NULL, out, c->memory.err);
    pm_dataset_free(rows);
    pm_require(&c->memory, status);
    for (size_t i = 0; i < state->side_count; i++)
        if (strcmp(state->sides[i].target, target) == 0)
            state->sides[i].predicted = out[row++];
}

pm_check_spread pm_check_predict(pm_checking *c, const char *target)
{
    const pm_learned *learned;
    pm_check_spread spread = {.off = (double)NAN};

    pm_require(&c->memory,
               pm_learned_find(c->session, target, PM_LEARN_OWN, &learned, c->memory.err));
    predict_state(c, learned, &c->now, target);
    if (c->before.side_count == 0)
        return spread;
    predict_state(c, learned, &c->before, target);
    pm_require(&c->memory, pm_transfer_find(learned->carry, c->now.sides[0].sample->program,
                                            (pm_withheld){0}, &spread.set, c->memory.err));
    find_spread(c, learned, &spread);
    return spread;
}
