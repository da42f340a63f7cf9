/* Compares optimizing a program for a GPU with running it unchanged on another GPU. See
 * perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * On this GPU, each second of a pass costs k per month (pm_cost_of_second). A pass of the optimized
 * program takes T seconds, and the work for optimizing it costs C. So the program costs C + m k T
 * in m months. On the other GPU, each second of a pass costs k' per month, and a pass of the base
 * variant takes T' seconds. So it costs m k' T'. If k T < k' T', the optimized program has cost
 * less after C / (k' T' - k T) months; else never. The probabilities and intervals are integrated
 * over the distributions of T, T' and the hours of work, as in cost.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/cost/cost.h"
#include "base/error.h"
#include "base/version.h"

static const double DAYS_A_MONTH = 365.25 / 12, MONTHS = 12;

/* A GPU on which the program may run, with the times of the unmodified program (base) and of the
 * fastest version (best) there. */
typedef struct {
    const pm_place_to_run *to_run;
    const pm_choice *base, *best;
    /* price per month of each second that one pass (each launch of the program once) takes */
    double second;
    /* hours of programming work for the best variant */
    pm_chance hours;
    /* price of the programming work for the best variant (C in the formulas at the top of this
     * file) */
    double work;
} gpu_place;

static pm_status open_place(const pm_place_to_run *to_run, const pm_cost_options *options,
                            gpu_place *place, pm_error *err)
{
    const pm_advice *advice = to_run->advice;
    pm_cost_options priced = *options;
    pm_interval hours;
    pm_status status;

    priced.gpu_hour = to_run->gpu_hour;
    status = pm_cost_check(&priced, err);
    if (status == PM_OK)
        status = pm_cost_find(advice, advice->base, &place->base, err);
    if (status == PM_OK)
        status = pm_cost_find(advice, advice->best, &place->best, err);
    if (status != PM_OK)
        return status;
    place->to_run = to_run;
    place->second = pm_cost_of_second(options, to_run->gpu_hour);
    place->hours = pm_cost_hours(place->best, options, &hours);
    if (place->best == place->base)
        place->hours = pm_chance_certain(0);
    place->work = options->hourly_rate * (place->best == place->base ? 0 : hours.mid);
    return PM_OK;
}

/* Returns the price of the GPU time that a variant of the program needs in a month, with its 90 %
 * interval. lo and hi are NaN if the interval of the variant's time is unknown. */
static pm_interval month_of(const gpu_place *place, const pm_choice *choice)
{
    const pm_chance seconds = pm_cost_seconds(place->base, choice);

    return (pm_interval){place->second * pm_chance_quantile(&seconds, 0.05),
                         place->second * pm_cost_middle_seconds(place->base, choice),
                         place->second * pm_chance_quantile(&seconds, 0.95)};
}

static pm_place_cost cost_of(const gpu_place *place)
{
    pm_place_cost cost = {.base = month_of(place, place->base),
                          .best = month_of(place, place->best)};

    cost.base_year = MONTHS * cost.base.mid;
    cost.best_year = MONTHS * cost.best.mid + place->work;
    return cost;
}

static pm_cheapest cheapest_of(const pm_elsewhere *e)
{
    const double years[] = {e->here.base_year, e->there.base_year, e->here.best_year,
                            e->there.best_year};
    static const pm_cheapest names[] = {PM_BASE_HERE, PM_BASE_THERE, PM_BEST_HERE, PM_BEST_THERE};
    size_t least = 0;

    for (size_t i = 1; i < sizeof years / sizeof *years; i++)
        if (years[i] < years[least])
            least = i;
    return names[least];
}

/* Returns the number of days after which the work for an optimized version (variant of the program)
 * is paid for by its lower price of GPU time, in comparison with an alternative that needs no work.
 * work: price of the work. here: price per month of the optimized version. there: price per month
 * of the alternative. Infinity: never, because `here` is not lower than `there`. */
static double days_until(double work, double here, double there)
{
    return here < there ? work / (there - here) * DAYS_A_MONTH : (double)INFINITY;
}

static pm_status integrate(const gpu_place *here, const gpu_place *there, double rate,
                           pm_elsewhere *e, pm_error *err)
{
    enum { OPTIMIZED, PLAIN, HOURS, NUMBERS };
    const pm_chance optimized = pm_cost_seconds(here->base, here->best),
                    plain = pm_cost_seconds(there->base, there->base);
    const pm_chance *const numbers[NUMBERS] = {&optimized, &plain, &here->hours};
    pm_combinations all;
    size_t within = 0;
    pm_status status = pm_combinations_make(numbers, NUMBERS, &all, err);

    if (status != PM_OK)
        return status;
    for (size_t i = 0; i < all.n; i++) {
        const double *at = all.values + i * NUMBERS;

        all.outcomes[i] =
            days_until(at[HOURS] * rate, here->second * at[OPTIMIZED], there->second * at[PLAIN]);
        within += all.outcomes[i] <= MONTHS * DAYS_A_MONTH;
    }
    e->chance_a_year = (double)within / (double)all.n;
    pm_combinations_ends(all.outcomes, all.n, &e->overtakes.lo, &e->overtakes.hi);
    pm_combinations_free(&all);
    return PM_OK;
}

static pm_status fill(const gpu_place *here, const gpu_place *there, const pm_cost_options *options,
                      pm_elsewhere *e, pm_error *err)
{
    e->here = cost_of(here);
    e->there = cost_of(there);
    e->cheapest = cheapest_of(e);
    e->overtakes.mid = days_until(here->work, e->here.best.mid, e->there.base.mid);
    e->overtakes.lo = e->overtakes.hi = e->chance_a_year = (double)NAN;
    if (isnan(e->here.best.lo) || isnan(e->there.base.lo))
        return PM_OK;
    return integrate(here, there, options->hourly_rate, e, err);
}

pm_status pm_cost_elsewhere(const pm_place_to_run *here, const pm_place_to_run *there,
                            const pm_cost_options *options, pm_elsewhere *elsewhere, pm_error *err)
{
    pm_error ignored = {0};
    gpu_place at_home, away;
    pm_status status;

    err = err ? err : &ignored;
    *elsewhere = (pm_elsewhere){.cheapest = PM_BASE_HERE};
    if (strcmp(here->advice->program, there->advice->program) != 0 ||
        strcmp(here->advice->size, there->advice->size) != 0)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s %s and %s %s are not the same work; advise on one program and size",
                       here->advice->program, here->advice->size, there->advice->program,
                       there->advice->size);
    status = PM_UNUSED(here, err);
    if (status == PM_OK)
        status = PM_UNUSED(there, err);
    if (status == PM_OK)
        status = open_place(here, options, &at_home, err);
    if (status == PM_OK)
        status = open_place(there, options, &away, err);
    return status == PM_OK ? fill(&at_home, &away, options, elsewhere, err) : status;
}
