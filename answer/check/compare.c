/* Compares the kernels of a baseline (a file of earlier event counts) with the current kernels:
 * their predicted times and their counts. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/check/parts.h"
#include "answer/cost/chance.h"

static const double SURE = 0.95;

/* ---- counters ------------------------------------------------------------------------------- */

/* Returns the larger count divided by the smaller one; infinite if one is 0. */
static double factor_of(const pm_check_count *count)
{
    return fmax(count->before, count->after) / fmin(count->before, count->after);
}

static int by_factor(const void *a, const void *b)
{
    const pm_check_count *x = a, *y = b;
    const double p = factor_of(x), q = factor_of(y);

    return p != q ? (p < q) - (p > q) : strcmp(x->name, y->name);
}

/* Returns true if the counts are equal, or if one is NaN because the table of counters has grown
 * since the baseline was written. */
static bool is_same(double a, double b)
{
    return a == b || isnan(a) || isnan(b);
}

static void compare_counts(pm_checking *c, const pm_check_side *before, const pm_check_side *after,
                           pm_check_kernel *kernel)
{
    for (size_t i = 0; i < pm_dataset_counters(c->columns); i++) {
        const pm_check_count count = {pm_dataset_counter_name(c->columns, i),
                                      before->sample->counters[i], after->sample->counters[i]};

        if (!pm_dataset_counter_is_error(c->columns, i) && !is_same(count.before, count.after))
            *pm_add(&c->kept, kernel->counts, kernel->count_count) =
                (pm_check_count){pm_copy(&c->kept, count.name), count.before, count.after};
    }
    if (kernel->count_count > 0)
        qsort(kernel->counts, kernel->count_count, sizeof *kernel->counts, by_factor);
}

/* ---- times ---------------------------------------------------------------------------------- */

/* Returns the half width of the 90 % interval of the logarithm of a ratio of times. own: half width
 * due to the model's errors on measured programs. variance: variance due to uncertain parameters of
 * the model. */
static double half_width_of(double own, double variance)
{
    return sqrt(own * own + PM_NORMAL_95 * PM_NORMAL_95 * fmax(variance, 0));
}

static pm_chance chance_of(double ratio, double end)
{
    return end != 0 ? pm_chance_make(ratio, ratio * exp(-end), ratio * exp(end))
                    : pm_chance_certain(ratio);
}

/* Sets the time ratio (now / before) of a kernel with its interval, the probability that the kernel
 * became slower, and the verdict. spread->least is the error of a predicted ratio of two variants
 * that the model predicts to be almost equally fast. It widens the interval if a counter of the
 * kernel differs from the baseline. The probability is computed with and without spread->least, and
 * the larger result is used. */
static void compare_times(const pm_checking *c, const pm_check_spread *spread,
                          const pm_check_side *before, const pm_check_side *after,
                          pm_check_kernel *kernel)
{
    const double distance = pm_check_distance(&before->predicted.why, &after->predicted.why);
    const double by_distance = spread->off * distance;
    const double moved = by_distance > spread->most ? spread->most : by_distance; /* NaN is kept */
    const double most = 1 + c->options->tolerance;
    const double variance =
        pm_transfer_gain_variance(spread->set, before->predicted.slope, after->predicted.slope);
    const double ratio = kernel->after_s / kernel->before_s;
    const double end =
        half_width_of(hypot(moved, kernel->count_count > 0 ? spread->least : 0), variance);
    const pm_chance wide = chance_of(ratio, end),
                    narrow = chance_of(ratio, half_width_of(moved, variance));

    kernel->ratio = ratio;
    kernel->lo = ratio * exp(-end);
    kernel->hi = ratio * exp(end);
    kernel->chance = fmax(pm_chance_above(&wide, most), pm_chance_above(&narrow, most));
    if (kernel->chance >= SURE)
        kernel->verdict = PM_CHECK_SLOWER;
    else if (1 - pm_chance_above(&narrow, 1 / most) >= SURE)
        kernel->verdict = PM_CHECK_FASTER;
}

/* ---- verdicts ------------------------------------------------------------------------------- */

static void judge(const pm_checking *c, const pm_check_side *before, const pm_check_side *after,
                  pm_check_kernel *kernel)
{
    const unsigned asked = c->options->fail_on ? c->options->fail_on : PM_CHECK_EVERYTHING;

    kernel->findings = pm_check_findings(c, before, after, kernel);
    if (kernel->verdict == PM_CHECK_SLOWER)
        kernel->findings |= PM_CHECK_TIME;
    else if (kernel->findings & asked)
        kernel->verdict = PM_CHECK_WORSE;
    kernel->failed = (kernel->findings & asked) != 0;
    c->result->slower += kernel->verdict == PM_CHECK_SLOWER;
    c->result->failed += kernel->failed;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static double time_of(const pm_check_side *side)
{
    return side && side->predicted.known ? side->predicted.predicted_s : (double)NAN;
}

/* Returns the kernel's name in the baseline. NULL: the name is unchanged, or the baseline lacks the
 * kernel. */
static const char *name_before(pm_checking *c, const pm_check_side *before,
                               const pm_check_side *after)
{
    if (!before || !after || strcmp(before->sample->kernel, after->sample->kernel) == 0)
        return NULL;
    return pm_copy(&c->kept, before->sample->kernel);
}

static void add_kernel(pm_checking *c, const pm_check_spread *spread, const pm_check_side *before,
                       const pm_check_side *after)
{
    const pm_check_side *any = after ? after : before;
    pm_check_kernel *kernel = pm_add(&c->kept, c->result->kernels, c->result->n);

    *kernel = (pm_check_kernel){.target = pm_copy(&c->kept, any->target),
                                .program = pm_copy(&c->kept, any->sample->program),
                                .variant = pm_copy(&c->kept, any->sample->variant),
                                .size = pm_copy(&c->kept, any->sample->size),
                                .kernel = pm_copy(&c->kept, any->sample->kernel),
                                .kernel_before = name_before(c, before, after),
                                .verdict = before ? PM_CHECK_GONE : PM_CHECK_NEW,
                                .before_s = time_of(before),
                                .after_s = time_of(after),
                                .ratio = (double)NAN,
                                .lo = (double)NAN,
                                .hi = (double)NAN,
                                .chance = (double)NAN,
                                .unit_before_s = (double)NAN,
                                .unit_after_s = (double)NAN};
    if (!before || !after)
        return;
    compare_counts(c, before, after, kernel);
    kernel->verdict = kernel->count_count > 0 ? PM_CHECK_CHANGED : PM_CHECK_SAME;
    if (before->predicted.known && after->predicted.known)
        compare_times(c, spread, before, after, kernel);
    judge(c, before, after, kernel);
    if (kernel->count_count > 0)
        pm_check_blame(c, before, after, kernel);
}

static bool is_left_out(const pm_checking *c, const pm_sample *s)
{
    for (size_t i = 0; i < c->left_out_count; i++)
        if (strcmp(c->left_out[i].program->info.name, s->program) == 0 &&
            strcmp(c->left_out[i].variant, s->variant) == 0 &&
            strcmp(c->left_out[i].size, s->size) == 0)
            return true;
    return false;
}

/* Returns true if the kernel's program, variant and size are among those to check, and its workload
 * could be traced. */
static bool is_asked(const pm_checking *c, const pm_check_side *side)
{
    if (is_left_out(c, side->sample))
        return false;
    for (size_t i = 0; i < c->name_count; i++)
        if (strcmp(c->names[i], side->sample->program) == 0)
            return pm_listed(c->options->variants, side->sample->variant) &&
                   pm_listed(c->options->sizes, side->sample->size);
    return false;
}

static bool is_same_workload(const pm_check_side *a, const pm_check_side *b)
{
    return strcmp(a->target, b->target) == 0 &&
           strcmp(a->sample->program, b->sample->program) == 0 &&
           strcmp(a->sample->variant, b->sample->variant) == 0 &&
           strcmp(a->sample->size, b->sample->size) == 0;
}

/* Returns true if `side` (a traced kernel) is the first kernel in `state` of its workload and GPU,
 * or if `state` has no kernel of this workload and GPU. The caller calls it for each kernel, and so
 * compares each workload once. */
static bool is_first(const pm_check_state *state, const pm_check_side *side)
{
    for (size_t i = 0; i < state->side_count; i++)
        if (is_same_workload(&state->sides[i], side))
            return &state->sides[i] == side;
    return true;
}

static void compare_workload(pm_checking *c, const pm_check_spread *spread,
                             const pm_check_side *like)
{
    pm_check_pair *pairs = NULL;
    const size_t count = pm_check_match(c, like, &pairs);

    for (size_t i = 0; i < count; i++)
        add_kernel(c, spread, pairs[i].before, pairs[i].after);
}

void pm_check_compare(pm_checking *c, const char *target, const pm_check_spread *spread)
{
    for (size_t i = 0; i < c->now.side_count; i++) {
        const pm_check_side *side = &c->now.sides[i];

        if (strcmp(side->target, target) == 0 && is_first(&c->now, side))
            compare_workload(c, spread, side);
    }
    for (size_t i = 0; i < c->before.side_count; i++) {
        const pm_check_side *side = &c->before.sides[i];

        if (strcmp(side->target, target) == 0 && is_asked(c, side) && is_first(&c->before, side) &&
            is_first(&c->now, side))
            compare_workload(c, spread, side);
    }
}
