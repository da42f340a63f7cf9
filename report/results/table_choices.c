/* Advice on a terminal: its versions, their points of the roofline, what they cost and return. See
 * choices.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/results/choices.h"
#include "report/table/format.h"

static void print_check(FILE *out, const pm_advice *advice)
{
    if (strcmp(advice->best, advice->base) == 0)
        return;
    if (advice->unchecked)
        fprintf(out, "%s was not checked: %s\n", advice->best, advice->unchecked);
    else
        fprintf(out,
                "%s was checked: size %s, run whole in the trace engine, gives the right results\n",
                advice->best, advice->checked_size);
}

/* What the roofline says of a version, in a line. */
static void print_roofline(FILE *out, const pm_choice *choice)
{
    const pm_roofline *r = &choice->roofline;
    const double intensity = r->intensity[PM_ROOF_DRAM];

    fprintf(out, "  %s: ", choice->variant);
    if (!r->operations)
        fputs("operations unknown", out);
    else if (isnan(intensity))
        fprintf(out, "%s operations, no bytes of DRAM", r->operations);
    else
        fprintf(out, "%.3g %s operations a byte of DRAM", intensity, r->operations);
    if (r->bound && !isnan(r->share))
        fprintf(out, "; lowest roof %s, %.0f %% reached (%s)", r->bound, 100 * r->share,
                r->measured ? "measured" : "predicted");
    fputs("\n", out);
}

static void print_rooflines(FILE *out, const pm_advice *advice)
{
    fputs("roofline:\n", out);
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, advice->base) == 0 ||
            strcmp(advice->choices[i].variant, advice->best) == 0)
            print_roofline(out, &advice->choices[i]);
}

void pm_table_advice(FILE *out, const pm_advice *advice)
{
    fprintf(out, "%s %s on %s: ", advice->program, advice->size, advice->target);
    if (advice->nakai)
        fprintf(out, "%zu layouts ranked, %zu traced\n\n", advice->examined, advice->n);
    else
        fprintf(out, "%zu version%s traced\n\n", advice->n, advice->n == 1 ? "" : "s");
    pm_choices_print(out, PM_SHORT_ADVICE, advice, NULL);
    for (size_t i = 0; i < advice->n; i++)
        if (advice->choices[i].missed) {
            fputs("*: the prediction's interval misses what is measured\n", out);
            break;
        }
    print_check(out, advice);
    print_rooflines(out, advice);
}

/* ---- the prices ----------------------------------------------------------------------------- */

const char *pm_table_assumption_name(unsigned which)
{
    static const char *const names[PM_ASSUMPTIONS] = {"hourly_rate", "gpu_hour", "runs_per_month"};

    return which < PM_ASSUMPTIONS ? names[which] : NULL;
}

static void print_prices(FILE *out, const pm_cost_options *o, unsigned given)
{
    static const char *const what[PM_ASSUMPTIONS] = {"an hour of work", "an hour of a GPU",
                                                     "runs a month"};
    static const char *const option[PM_ASSUMPTIONS] = {"--rate", "--gpu-hour", "--runs"};
    const double values[PM_ASSUMPTIONS] = {o->hourly_rate, o->gpu_hour, o->runs_per_month};

    fprintf(out, "\nWhether the work pays%s%s\n", o->currency ? ", in " : "",
            o->currency ? o->currency : "");
    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++) {
        fprintf(out, "  %s: %.6g", what[i], values[i]);
        fprintf(out, given & 1u << i ? "\n" : " (an example; %s says yours)\n", option[i]);
    }
    fprintf(out, "  a run: %.6g pass%s on %.0f GPU%s\n", o->passes, o->passes > 1 ? "es" : "",
            o->gpus, o->gpus > 1 ? "s" : "");
    if (isnan(o->hours))
        fputs("  hours: estimated from what each version rewrites (--hours says yours)\n\n", out);
    else
        fprintf(out, "  hours: %.6g\n\n", o->hours);
}

void pm_table_cost(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs)
{
    print_prices(out, options, given);
    pm_choices_print(out, PM_SHORT_COST, advice, costs);
    fputs("pays: the chance that it has within a year. (lo..hi): 90 %.\n", out);
}

void pm_table_energy(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                     const pm_payback *costs)
{
    fputs("\nEnergy of the board that a version saves\n", out);
    if (!isnan(options->energy.price))
        fprintf(out, "  a kWh: %.6g\n", options->energy.price);
    if (!isnan(options->energy.co2_g))
        fprintf(out, "  CO2 of a kWh: %.6g g\n", options->energy.co2_g);
    putc('\n', out);
    pm_choices_print(out, PM_SHORT_ENERGY, advice, costs);
    fputs(
        "known: measured, of both versions; by W: the base's mean power as measured, for the time\n"
        "saved; at most: the board's limit for it.\n",
        out);
}
