/* Computes what a faster version of a program costs (hours of work) and how much money it saves.
 * See perfmodel.h and cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Intervals of a result are its quantiles over equally likely combinations of the base variant's
 * time, the gain and the hours of work (chance.h). The probability that the saving of a year
 * exceeds the cost of the work is integrated over the gain in closed form. With a base time of T
 * seconds per pass and a cost C of the work, it is the probability that the gain is above
 *
 *   1 / (1 - C / (12 k T))
 *
 * where k T is the price of the base variant's runs in a month (k: pm_cost_of_second). */
#include "answer/cost/cost.h"

#include <math.h>
#include <string.h>

#include "answer/cost/effort.h"
#include "base/error.h"
#include "base/version.h"

static const double DAYS_A_MONTH = 365.25 / 12, MONTHS = 12, SECONDS_AN_HOUR = 3600;

pm_cost_options pm_cost_options_default(void)
{
    return (pm_cost_options){.hours = (double)NAN,
                             .hourly_rate = 100,
                             .gpu_hour = 2,
                             .runs_per_month = 1000,
                             .passes = 1,
                             .gpus = 1,
                             .effort = pm_effort_default(),
                             .energy = {(double)NAN, (double)NAN}};
}

/* ---- the options ---------------------------------------------------------------------------- */

/* Valid range of the value of an option: least ... most. above: true if `least` itself is not
 * valid. */
typedef struct {
    const char *name;
    double value, least, most;
    bool above;
} bounds;

static pm_status check_bounds(const bounds *b, pm_error *err)
{
    if (b->value >= b->least && b->value <= b->most && !(b->above && b->value == b->least))
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "%s: %g cannot be; give a number %s %g and up to %g", b->name,
                   b->value, b->above ? "above" : "from", b->least, b->most);
}

static pm_status check_currency(const char *text, pm_error *err)
{
    enum { MOST = 16 };

    if (!text)
        return PM_OK;
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return pm_fail(err, PM_BAD_INPUT,
                           "--currency: a control character cannot be shown; give a word such as "
                           "EUR");
    if (*text && strlen(text) <= MOST)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT, "--currency: give a word of 1 to %d bytes, such as EUR",
                   MOST);
}

pm_status pm_cost_check(const pm_cost_options *o, pm_error *err)
{
    const pm_effort_rates *e = &o->effort;
    const bounds all[] = {
        {"--hours (of work)", isnan(o->hours) ? 0 : o->hours, 0, 1e6, false},
        {"--rate (an hour of work)", o->hourly_rate, 0, 1e9, false},
        {"--gpu-hour (price)", o->gpu_hour, 0, 1e9, false},
        {"--runs (a month)", o->runs_per_month, 0, 1e15, true},
        {"--passes (a run)", o->passes, 1, 1e12, false},
        {"--gpus (of a run)", o->gpus, 1, 1e6, false},
        {"--effort write (lines an hour)", e->write_lines, 0, 1e6, true},
        {"--effort read (lines an hour)", e->read_lines, 0, 1e6, true},
        {"--effort kernel (hours)", e->kernel_hours, 0, 1e4, false},
        {"--effort struct (hours)", e->struct_hours, 0, 1e4, false},
        {"--effort factor", e->factor, 1, 100, false},
        {"--energy-price (a kWh)", isnan(o->energy.price) ? 0 : o->energy.price, 0, 1e6, false},
        {"--co2 (g a kWh)", isnan(o->energy.co2_g) ? 0 : o->energy.co2_g, 0, 1e5, false},
    };

    if (PM_UNUSED(o, err) != PM_OK || PM_UNUSED(e, err) != PM_OK)
        return PM_BAD_INPUT;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (check_bounds(&all[i], err) != PM_OK)
            return PM_BAD_INPUT;
    if (o->gpus != floor(o->gpus))
        return pm_fail(err, PM_BAD_INPUT, "--gpus: %g cannot be; give a whole number", o->gpus);
    return check_currency(o->currency, err);
}

/* ---- the distributions ---------------------------------------------------------------------- */

double pm_cost_of_second(const pm_cost_options *options, double gpu_hour)
{
    return options->runs_per_month * options->passes * options->gpus * gpu_hour / SECONDS_AN_HOUR;
}

pm_chance pm_cost_seconds(const pm_choice *base, const pm_choice *choice)
{
    const double gain = choice->measured_gain;

    return choice->measured
               ? pm_chance_make(base->predicted_s / gain, base->lo_s / gain, base->hi_s / gain)
               : pm_chance_make(choice->predicted_s, choice->lo_s, choice->hi_s);
}

double pm_cost_middle_seconds(const pm_choice *base, const pm_choice *choice)
{
    return choice->measured ? base->predicted_s / choice->measured_gain : choice->predicted_s;
}

static bool is_base(const pm_advice *advice, const pm_choice *choice)
{
    return strcmp(choice->variant, advice->base) == 0;
}

pm_chance pm_cost_gain(const pm_advice *advice, const pm_choice *choice)
{
    const pm_interval gain = pm_cost_gain_of(choice);

    return is_base(advice, choice) ? pm_chance_certain(1)
                                   : pm_chance_make(gain.mid, gain.lo, gain.hi);
}

pm_chance pm_cost_hours(const pm_choice *choice, const pm_cost_options *options, pm_interval *hours)
{
    if (isnan(options->hours))
        *hours = pm_effort_hours(&choice->rewrite, &options->effort);
    else
        *hours = (pm_interval){options->hours, options->hours, options->hours};
    return hours->mid > 0 ? pm_chance_make(hours->mid, hours->lo, hours->hi) : pm_chance_certain(0);
}

pm_status pm_cost_find(const pm_advice *advice, const char *variant, const pm_choice **choice,
                       pm_error *err)
{
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, variant) == 0) {
            *choice = &advice->choices[i];
            return PM_OK;
        }
    return pm_fail(err, PM_BAD_INPUT, "%s: the advice has no version %s of it", advice->program,
                   variant);
}

/* ---- integration ---------------------------------------------------------------------------- */

/* Results for one combination of time, gain and hours. saving: money that the version saves in a
 * month; cost: price of the hours of work; runs: number of runs after which the saving equals the
 * cost (infinity: never); net: saving of a year minus the cost. */
typedef struct {
    double saving, cost, runs, net;
} outcome;

typedef struct {
    /* price per month of each second that one pass (each launch of the program once) takes */
    double second;
    const pm_cost_options *options;
} prices;

static outcome outcome_of(const prices *p, double seconds, double gain, double hours)
{
    outcome o = {.saving = p->second * seconds * (1 - 1 / gain),
                 .cost = hours * p->options->hourly_rate};

    o.net = MONTHS * o.saving - o.cost;
    o.runs = o.saving > 0 ? o.cost / o.saving * p->options->runs_per_month : (double)INFINITY;
    if (isnan(o.saving))
        o.runs = (double)NAN;
    return o;
}

/* Indices of the random numbers in a combination: SECONDS: seconds of a pass (each launch once) of
 * the base variant; GAIN: gain of the version; HOURS: hours of work for the version. NUMBERS: how
 * many random numbers there are. */
enum { SECONDS, GAIN, HOURS, NUMBERS };

/* Computes the 90 % interval of one result over all combinations. member: offset of the result in
 * the struct `outcome`, in bytes. */
static void integrate(const prices *p, const pm_combinations *all, size_t member,
                      pm_interval *range)
{
    for (size_t i = 0; i < all->n; i++) {
        const double *at = all->values + i * NUMBERS;
        outcome o = outcome_of(p, at[SECONDS], at[GAIN], at[HOURS]);

        all->outcomes[i] = *(const double *)((const char *)&o + member);
    }
    pm_combinations_ends(all->outcomes, all->n, &range->lo, &range->hi);
}

/* Returns the probability that the saving of a year exceeds the cost of the work. This is so if the
 * gain is above 1 / (1 - c / y), where c is the cost of the work, and y the price of a year of runs
 * of the base variant. The probability is averaged over all combinations of time and hours. */
static double chance_a_year(const prices *p, const pm_combinations *all, const pm_chance *gain)
{
    double sum = 0;

    for (size_t i = 0; i < all->n; i++) {
        const double *at = all->values + i * NUMBERS;
        double year = MONTHS * p->second * at[SECONDS];
        double share = year > 0 ? at[HOURS] * p->options->hourly_rate / year : 1;

        if (share < 1)
            sum += pm_chance_above(gain, 1 / (1 - share));
    }
    return sum / (double)all->n;
}

static void fill_unknown(pm_payback *cost)
{
    pm_interval *const all[] = {&cost->saving, &cost->break_even_runs, &cost->break_even_days,
                                &cost->net};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->lo = all[i]->hi = (double)NAN;
    cost->chance_a_year = (double)NAN;
}

static pm_status fill_ranges(const prices *p, const pm_chance *seconds, const pm_chance *gain,
                             const pm_chance *hours, pm_payback *cost, pm_error *err)
{
    const pm_chance *const numbers[NUMBERS] = {seconds, gain, hours};
    pm_combinations all;
    pm_status status;

    if (isnan(seconds->log_center) || isnan(gain->log_center)) {
        fill_unknown(cost);
        return PM_OK;
    }
    status = pm_combinations_make(numbers, NUMBERS, &all, err);
    if (status == PM_OK) {
        integrate(p, &all, offsetof(outcome, saving), &cost->saving);
        integrate(p, &all, offsetof(outcome, runs), &cost->break_even_runs);
        integrate(p, &all, offsetof(outcome, net), &cost->net);
        cost->chance_a_year = chance_a_year(p, &all, gain);
    }
    pm_combinations_free(&all);
    return status;
}

/* ---- a choice ------------------------------------------------------------------------------- */

static pm_interval times(pm_interval range, double factor)
{
    return (pm_interval){range.lo * factor, range.mid * factor, range.hi * factor};
}

static pm_status fill_cost(const pm_advice *advice, const pm_choice *choice, const pm_choice *base,
                           const pm_cost_options *options, pm_payback *cost, pm_error *err)
{
    const prices p = {pm_cost_of_second(options, options->gpu_hour), options};
    pm_chance seconds = pm_cost_seconds(base, base), gain = pm_cost_gain(advice, choice);
    pm_chance hours = pm_cost_hours(choice, options, &cost->hours);
    outcome middle;
    pm_status status;

    if (choice == base) {
        cost->hours = (pm_interval){0, 0, 0};
        hours = pm_chance_certain(0);
    }
    middle = outcome_of(&p, base->predicted_s, pm_cost_gain_of(choice).mid, cost->hours.mid);
    status = fill_ranges(&p, &seconds, &gain, &hours, cost, err);
    cost->cost = times(cost->hours, options->hourly_rate);
    cost->saving.mid = middle.saving;
    cost->net.mid = middle.net;
    cost->break_even_runs.mid = middle.runs;
    cost->break_even_days = times(cost->break_even_runs, DAYS_A_MONTH / options->runs_per_month);
    if (choice == base)
        cost->chance_a_year = (double)NAN;
    cost->energy = pm_cost_energy(advice, base, choice, options);
    return status;
}

pm_status pm_cost_of(const pm_advice *advice, const pm_choice *choice,
                     const pm_cost_options *options, pm_payback *cost, pm_error *err)
{
    pm_error ignored = {0};
    const pm_choice *base;
    pm_status status;

    err = err ? err : &ignored;
    *cost = (pm_payback){.chance_a_year = (double)NAN};
    status = pm_cost_check(options, err);
    if (status == PM_OK)
        status = pm_cost_find(advice, advice->base, &base, err);
    return status == PM_OK ? fill_cost(advice, choice, base, options, cost, err) : status;
}
