/* Decides which current kernels are compared with which kernels of a baseline (a file of earlier
 * event counts), although kernels may have been renamed, split or joined since then. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A launch keeps its name in the workload file if its kernel is renamed or gets other template
 * arguments. Kernels of a workload are therefore matched by the names of their launches. If a
 * kernel was split or joined, all kernels of both sides that have launches in common are compared
 * as one kernel, with summed counts and times. For example, two launches of one kernel may have
 * become a launch each of two kernels. Kernels without a common launch are matched by their name.
 * The remaining kernels are matched in order of launches if both sides have the same number of
 * them. */
#include <string.h>

#include "answer/check/parts.h"
#include "answer/counts/counts.h"
#include "base/error.h"
#include "base/text.h"
#include "model/samples/dataset.h"

/* Kernels of one workload on one GPU: those in the baseline (`before`) and those traced now
 * (`after`). */
typedef struct {
    size_t before_count, after_count;
    const pm_check_side **before, **after;
    /* before_taken[i], after_taken[i]: true if the kernel is already in a pair */
    bool *before_taken, *after_taken;
} workload;

static bool is_of(const pm_check_side *side, const pm_check_side *like)
{
    return strcmp(side->target, like->target) == 0 &&
           strcmp(side->sample->program, like->sample->program) == 0 &&
           strcmp(side->sample->variant, like->sample->variant) == 0 &&
           strcmp(side->sample->size, like->sample->size) == 0;
}

static size_t list_sides(pm_memory *memory, const pm_check_state *state, const pm_check_side *like,
                         const pm_check_side ***list)
{
    size_t count = 0;

    *list = NULL;
    for (size_t i = 0; i < state->side_count; i++)
        if (is_of(&state->sides[i], like))
            *pm_add(memory, *list, count) = &state->sides[i];
    return count;
}

/* ---- summing kernels ------------------------------------------------------------------------- */

/* Returns true if a counter is a property of each launch, such as registers. The values of
 * properties are not summed. */
static bool is_property(const pm_count_columns *columns, size_t counter)
{
    return counter < columns->table_size && pm_counter_launch_property(columns->table, counter);
}

static void add_counters(pm_checking *c, const pm_sample *s, double *sum)
{
    const pm_count_columns *columns = pm_count_columns_find(c->session, true, c->memory.err);

    if (!columns)
        pm_give_up(&c->memory, c->memory.err->status);
    for (size_t i = 0; i < pm_dataset_counters(c->columns); i++)
        if (!is_property(columns, i))
            sum[i] += s->counters[i];
        /* counters that are no sums: take the larger value; NaN stays NaN */
        else if (!(s->counters[i] <= sum[i]))
            sum[i] = s->counters[i];
}

/* Adds the prediction of one kernel to a sum. The times add up. The slope (derivative of log time
 * by each parameter of the model) becomes the mean of both slopes, weighted by the predicted
 * times. */
static void add_prediction(pm_transferred *sum, const pm_transferred *one)
{
    const double both = sum->predicted_s + one->predicted_s;

    sum->known = sum->known && one->known;
    if (!sum->known)
        return;
    for (size_t k = 0; k < sizeof sum->slope / sizeof *sum->slope; k++)
        sum->slope[k] =
            (sum->slope[k] * sum->predicted_s + one->slope[k] * one->predicted_s) / both;
    for (size_t k = 0; k < one->why.n; k++)
        pm_explanation_add(&sum->why, one->why.terms[k].unit, one->why.terms[k].alone_s,
                           one->why.terms[k].added_s);
    sum->predicted_s = both;
}

static void add_accesses(pm_checking *c, pm_check_side *sum, const pm_check_side *one)
{
    const size_t count = sum->access_count + one->access_count;
    pm_access *all = pm_take(&c->memory, count, sizeof *all);

    for (size_t i = 0; i < count; i++)
        all[i] = i < sum->access_count ? sum->accesses[i] : one->accesses[i - sum->access_count];
    sum->accesses = all;
    sum->access_count = count;
}

/* Returns the sum of the counts and times of `count` kernels. Its name joins their names with " +
 * ". */
static const pm_check_side *sum_of(pm_checking *c, const pm_check_side *const *sides, size_t count)
{
    const size_t counters = pm_dataset_counters(c->columns);
    pm_check_side *sum;
    pm_sample *sample;
    double *values;

    if (count == 1)
        return sides[0];
    sum = pm_take(&c->memory, 1, sizeof *sum);
    sample = pm_take(&c->memory, 1, sizeof *sample);
    values = pm_take(&c->memory, counters, sizeof *values);
    *sum = *sides[0];
    *sample = *sides[0]->sample;
    memcpy(values, sample->counters, counters * sizeof *values);
    sample->counters = values;
    sum->sample = sample;
    for (size_t i = 1; i < count; i++) {
        sample->kernel = pm_format(&c->memory, "%s + %s", sample->kernel, sides[i]->sample->kernel);
        sample->work_items += sides[i]->sample->work_items;
        add_counters(c, sides[i]->sample, values);
        add_prediction(&sum->predicted, &sides[i]->predicted);
        add_accesses(c, sum, sides[i]);
    }
    return sum;
}

/* ---- by launches ----------------------------------------------------------------------------- */

static bool share_launch(const pm_check_side *a, const pm_check_side *b)
{
    for (size_t i = 0; i < a->launch_count; i++)
        for (size_t k = 0; k < b->launch_count; k++)
            if (strcmp(a->launches[i], b->launches[k]) == 0)
                return true;
    return false;
}

/* Moves kernels from `list` to `group`: each kernel that was not yet matched with a kernel of the
 * other state (baseline or current) and has the name of a launch in common with a kernel of `with`.
 * taken[i]: true if list[i] is already matched or in a group. Returns true if a kernel was moved.
 */
static bool take_sharing(pm_checking *c, const pm_check_side *const *list, size_t count,
                         bool *taken, const pm_check_side *const *with, size_t with_count,
                         const pm_check_side ***group, size_t *group_count)
{
    bool any = false;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; !taken[i] && k < with_count; k++)
            if (share_launch(list[i], with[k])) {
                *pm_add(&c->memory, *group, *group_count) = list[i];
                taken[i] = any = true;
            }
    return any;
}

/* Makes the pair of the current kernel number `after`. Its partners are the kernels of the baseline
 * that have the name of a launch in common with it. If a partner shares launch names with further
 * current kernels, these join the pair, and so do their partners. The kernels of the baseline and
 * the current kernels of the pair are then summed to one kernel each. */
static pm_check_pair pair_by_launch(pm_checking *c, workload *w, size_t after)
{
    const pm_check_side **before = NULL, **now = NULL;
    size_t before_count = 0, now_count = 0;
    bool more = true;

    *pm_add(&c->memory, now, now_count) = w->after[after];
    w->after_taken[after] = true;
    while (more) {
        more = take_sharing(c, w->before, w->before_count, w->before_taken, now, now_count, &before,
                            &before_count);
        more = more && take_sharing(c, w->after, w->after_count, w->after_taken, before,
                                    before_count, &now, &now_count);
    }
    if (before_count == 0) {
        w->after_taken[after] = false;
        return (pm_check_pair){.after = w->after[after]};
    }
    return (pm_check_pair){sum_of(c, before, before_count), sum_of(c, now, now_count)};
}

/* ---- by name and place ----------------------------------------------------------------------- */

/* Returns the next kernel without a pair, starting at *at; NULL: none is left. */
static const pm_check_side *next_free(const pm_check_side *const *list, size_t count,
                                      const bool *taken, size_t *at)
{
    while (*at < count && taken[*at])
        ++*at;
    return *at < count ? list[(*at)++] : NULL;
}

static size_t count_free(const bool *taken, size_t count)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++)
        n += !taken[i];
    return n;
}

/* Pairs the remaining kernels that have the same name. */
static void pair_by_name(workload *w, pm_check_pair *pairs)
{
    for (size_t a = 0; a < w->after_count; a++)
        for (size_t b = 0; !w->after_taken[a] && b < w->before_count; b++)
            if (!w->before_taken[b] &&
                strcmp(w->after[a]->sample->kernel, w->before[b]->sample->kernel) == 0) {
                w->after_taken[a] = w->before_taken[b] = true;
                pairs[a] = (pm_check_pair){w->before[b], w->after[a]};
            }
}

static void pair_by_place(workload *w, pm_check_pair *pairs)
{
    size_t b = 0;

    if (count_free(w->before_taken, w->before_count) != count_free(w->after_taken, w->after_count))
        return;
    for (size_t a = 0; a < w->after_count; a++)
        if (!w->after_taken[a]) {
            pairs[a].before = next_free(w->before, w->before_count, w->before_taken, &b);
            w->before_taken[b - 1] = w->after_taken[a] = true;
        }
}

/* ---- a workload ------------------------------------------------------------------------------ */

size_t pm_check_match(pm_checking *c, const pm_check_side *like, pm_check_pair **pairs)
{
    workload w = {0};
    size_t count = 0, b = 0;
    const pm_check_side *gone;
    /* of[a]: pair of the current kernel a. If of[a].after is NULL, kernel a was already added to
     * the pair of another kernel. */
    pm_check_pair *of;

    w.before_count = list_sides(&c->memory, &c->before, like, &w.before);
    w.after_count = list_sides(&c->memory, &c->now, like, &w.after);
    w.before_taken = pm_take(&c->memory, w.before_count, sizeof *w.before_taken);
    w.after_taken = pm_take(&c->memory, w.after_count, sizeof *w.after_taken);
    of = pm_take(&c->memory, w.after_count, sizeof *of);
    for (size_t a = 0; a < w.after_count; a++)
        if (!w.after_taken[a])
            of[a] = pair_by_launch(c, &w, a);
    pair_by_name(&w, of);
    pair_by_place(&w, of);
    for (size_t a = 0; a < w.after_count; a++)
        if (of[a].after)
            *pm_add(&c->memory, *pairs, count) = of[a];
    while ((gone = next_free(w.before, w.before_count, w.before_taken, &b)))
        *pm_add(&c->memory, *pairs, count) = (pm_check_pair){.before = gone};
    return count;
}
