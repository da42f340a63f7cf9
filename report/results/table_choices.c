/* Prints the result of `perfmodel advise` on a terminal: versions of a program, their points in the
 * roofline model, their costs and savings. See choices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/results/choices.h"
#include "report/results/tables.h"
#include "report/table/format.h"

static void print_check(const pm_screen *screen, const pm_advice *advice)
{
    if (strcmp(advice->best, advice->base) == 0)
        return;
    if (advice->unchecked)
        pm_screen_note(screen, "%s was not checked: %s", advice->best, advice->unchecked);
    else
        pm_screen_note(screen,
                       "%s was checked: size %s, run whole in the trace engine, gives the right "
                       "results",
                       advice->best, advice->checked_size);
}

/* Prints a line with the roofline point of a version (variant of the program): its intensity and
 * the rate that it reaches. */
static void print_roofline(const pm_screen *screen, const pm_choice *choice)
{
    const pm_roofline *r = &choice->roofline;
    const double intensity = r->intensity[PM_ROOF_DRAM];
    pm_words words = pm_words_of("operations unknown"), reached = pm_words_of("%s", "");

    if (r->operations && isnan(intensity))
        words = pm_words_of("%s operations, no bytes of DRAM", r->operations);
    else if (r->operations)
        words = pm_words_of("%.3g %s operations a byte of DRAM", intensity, r->operations);
    if (r->bound && !isnan(r->share))
        reached = pm_words_of("; lowest roof %s, %.0f %% reached (%s)", r->bound, 100 * r->share,
                              r->measured ? "measured" : "predicted");
    pm_screen_note(screen, "  %s: %s%s", choice->variant, words.s, reached.s);
}

static void print_rooflines(const pm_screen *screen, const pm_advice *advice)
{
    pm_screen_note(screen, "roofline:");
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, advice->base) == 0 ||
            strcmp(advice->choices[i].variant, advice->best) == 0)
            print_roofline(screen, &advice->choices[i]);
}

/* Prints a line with the predicted time of the base version, which is the unchanged program. */
static void print_base(const pm_screen *screen, const pm_advice *advice)
{
    const pm_choice *base = NULL;
    pm_words time = pm_words_of("unknown"), interval = pm_words_of("%s", "");

    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, advice->base) == 0)
            base = &advice->choices[i];
    if (base && isfinite(base->predicted_s)) {
        time = pm_time_words(base->predicted_s, base->lo_s, base->hi_s);
        interval = pm_time_interval_words(base->predicted_s, base->lo_s, base->hi_s);
        if (*interval.s)
            interval = pm_words_of(" (90 %%: %.80s)", interval.s);
    }
    pm_screen_say(screen, "%s %s on %s: %s as it is%s", advice->program, advice->size,
                  advice->target, time.s, interval.s);
    if (advice->nakai)
        pm_screen_note(screen, "%zu layouts ranked, %zu traced", advice->examined, advice->n);
    else
        pm_screen_note(screen, "%zu version%s traced", advice->n, advice->n == 1 ? "" : "s");
}

static void print_missed(const pm_screen *screen, const pm_advice *advice)
{
    for (size_t i = 0; i < advice->n; i++)
        if (advice->choices[i].missed) {
            pm_screen_note(screen, "*: the prediction's interval misses what is measured");
            return;
        }
}

void pm_table_advice(const pm_screen *screen, const pm_advice *advice)
{
    const char *target = advice->target;
    pm_widths widths = {.count = 0};

    print_base(screen, advice);
    pm_screen_gap(screen);
    pm_choices_print(screen, PM_SHORT_ADVICE, advice, NULL);
    print_missed(screen, advice);
    for (size_t i = 0; i < advice->n; i++)
        pm_widths_add(&widths, advice->choices[i].lo_s, advice->choices[i].hi_s);
    pm_table_basis(screen, &widths, &target, &advice->basis, 1);
    print_check(screen, advice);
    print_rooflines(screen, advice);
}

/* ---- the prices ----------------------------------------------------------------------------- */

const char *pm_table_assumption_name(unsigned which)
{
    static const char *const names[PM_ASSUMPTIONS] = {"hourly_rate", "gpu_hour", "runs_per_month"};

    return which < PM_ASSUMPTIONS ? names[which] : NULL;
}

static void print_prices(const pm_screen *screen, const pm_cost_options *o, unsigned given)
{
    static const char *const what[PM_ASSUMPTIONS] = {"an hour of work", "an hour of a GPU",
                                                     "runs a month"};
    static const char *const option[PM_ASSUMPTIONS] = {"--rate", "--gpu-hour", "--runs"};
    const double values[PM_ASSUMPTIONS] = {o->hourly_rate, o->gpu_hour, o->runs_per_month};

    pm_screen_note(screen, "\nWhether the work pays%s%s", o->currency ? ", in " : "",
                   o->currency ? o->currency : "");
    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++) {
        pm_words example = pm_words_of(" (an example; %s says yours)", option[i]);

        pm_screen_note(screen, "  %s: %.6g%s", what[i], values[i],
                       given & 1u << i ? "" : example.s);
    }
    pm_screen_note(screen, "  a run: %.6g pass%s on %.0f GPU%s", o->passes,
                   o->passes > 1 ? "es" : "", o->gpus, o->gpus > 1 ? "s" : "");
    if (isnan(o->hours))
        pm_screen_note(screen, "  hours: estimated from what each version rewrites (--hours says "
                               "yours)\n");
    else
        pm_screen_note(screen, "  hours: %.6g\n", o->hours);
}

void pm_table_cost(const pm_screen *screen, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs)
{
    print_prices(screen, options, given);
    pm_choices_print(screen, PM_SHORT_COST, advice, costs);
    pm_screen_note(screen, "pays: the chance that it has within a year. (lo..hi): 90 %%.");
}

void pm_table_energy(const pm_screen *screen, const pm_advice *advice,
                     const pm_cost_options *options, const pm_payback *costs)
{
    pm_screen_note(screen, "\nEnergy of the board that a version saves");
    if (!isnan(options->energy.price))
        pm_screen_note(screen, "  a kWh: %.6g", options->energy.price);
    if (!isnan(options->energy.co2_g))
        pm_screen_note(screen, "  CO2 of a kWh: %.6g g", options->energy.co2_g);
    pm_screen_gap(screen);
    pm_choices_print(screen, PM_SHORT_ENERGY, advice, costs);
    pm_screen_note(screen, "known: measured, of both versions; by W: the base's mean power as "
                           "measured, for the time saved; at most: the board's limit for it.");
}
