/* Whether the work pays, as terminal tables of at most 100 columns. See table_cost.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "table_cost.h"

#include <math.h>
#include <string.h>

#include "table.h"

const char *pm_table_assumption_name(unsigned which)
{
    static const char *const names[PM_ASSUMPTIONS] = {"rate", "gpu_hour", "runs_per_month"};

    return which < PM_ASSUMPTIONS ? names[which] : NULL;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* At most six columns with its sign: 0.02, 34, 1250, 12.5k, -3.4M; of money nothing is below 0.01.
 */
static const char *amount_text(double value, char text[32])
{
    static const char units[] = " kMGTPEZY";
    double size = fabs(value);
    size_t unit = 0;

    if (isnan(value) || isinf(value)) {
        snprintf(text, 32, isnan(value) ? "-" : "never");
        return text;
    }
    while (size >= (unit > 0 ? 999.5 : 9999.5) && unit + 2 < sizeof units) {
        size /= 1000;
        unit++;
    }
    if (size >= 999.5 && unit > 0)
        snprintf(text, 32, "%.0e", value);
    else if (unit > 0)
        snprintf(text, 32, "%.3g%c", copysign(size, value), units[unit]);
    else if (size < 0.005)
        snprintf(text, 32, "0");
    else if (size < 0.1)
        snprintf(text, 32, "%.2f", value);
    else
        snprintf(text, 32, size < 999.5 ? "%.3g" : "%.0f", value);
    return text;
}

/* What the user gave. */
static const char *given_text(double value, char text[32])
{
    snprintf(text, 32, "%.6g", value);
    return text;
}

/* 12 (5..28) */
static const char *range_text(const pm_interval *range, char text[80])
{
    char lo[32], mid[32], hi[32];

    if (isnan(range->lo) || isnan(range->hi))
        snprintf(text, 80, "%s", amount_text(range->mid, mid));
    else
        snprintf(text, 80, "%s (%s..%s)", amount_text(range->mid, mid), amount_text(range->lo, lo),
                 amount_text(range->hi, hi));
    return text;
}

static const char *days_text(double days, char text[32])
{
    if (isnan(days))
        snprintf(text, 32, "-");
    else if (isinf(days))
        snprintf(text, 32, "never");
    else if (days < 1.0 / 24)
        snprintf(text, 32, days > 0 ? "<1 hour" : "at once");
    else if (days < 1)
        snprintf(text, 32, "%.0f hours", days * 24);
    else if (days < 90)
        snprintf(text, 32, "%.0f days", days);
    else if (days < 2 * 365.25)
        snprintf(text, 32, "%.0f months", days / (365.25 / 12));
    else if (days < 9999 * 365.25)
        snprintf(text, 32, days < 999 * 365.25 ? "%.3g years" : "%.0f years", days / 365.25);
    else
        snprintf(text, 32, ">9999 years");
    return text;
}

/* A name in at most so many columns, its middle left out. */
static void print_short(FILE *out, const char *name, int columns)
{
    int length = (int)strlen(name), head = (columns - 2) / 2;

    if (length <= columns)
        fputs(name, out);
    else
        fprintf(out, "%.*s..%s", head, name, name + length - (columns - 2 - head));
}

/* ---- the versions --------------------------------------------------------------------------- */

static void print_prices(FILE *out, const pm_cost_options *o, unsigned given)
{
    static const char *const what[PM_ASSUMPTIONS] = {"an hour of work", "an hour of a GPU",
                                                     "runs a month"};
    static const char *const option[PM_ASSUMPTIONS] = {"--rate", "--gpu-hour", "--runs"};
    const double values[PM_ASSUMPTIONS] = {o->hourly_rate, o->gpu_hour, o->runs_per_month};
    char text[32];

    fprintf(out, "\nWhether the work pays%s%s\n", o->currency ? ", in " : "",
            o->currency ? o->currency : "");
    for (unsigned i = 0; i < PM_ASSUMPTIONS; i++) {
        fprintf(out, "  %s: %s", what[i], given_text(values[i], text));
        fprintf(out, given & 1u << i ? "\n" : " (an example; %s says yours)\n", option[i]);
    }
    fprintf(out, "  a run: %s pass%s on ", given_text(o->passes, text), o->passes > 1 ? "es" : "");
    fprintf(out, "%.0f GPU%s\n", o->gpus, o->gpus > 1 ? "s" : "");
    if (isnan(o->hours))
        fputs("  hours: estimated from what each version rewrites (--hours says yours)\n\n", out);
    else
        fprintf(out, "  hours: %s\n\n", given_text(o->hours, text));
}

enum { COLUMNS = 100 };

static void print_version(FILE *out, size_t number, const char *variant, const pm_payback *cost)
{
    char hours[80], saving[80], net[80], days[32], chance[32];
    int used =
        fprintf(out, "%3zu  %-18s %-21s %-11s %-21s %6s  ", number, range_text(&cost->hours, hours),
                range_text(&cost->saving, saving), days_text(cost->break_even_days.mid, days),
                range_text(&cost->net, net), pm_chance_text(cost->chance_a_year, chance));

    print_short(out, variant, used < COLUMNS - 8 ? COLUMNS - used : 8);
    fputc('\n', out);
}

void pm_table_cost(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                   unsigned given, const pm_payback *costs)
{
    print_prices(out, options, given);
    fprintf(out, "%3s  %-18s %-21s %-11s %-21s %6s  %s\n", "#", "hours", "saved a month",
            "paid after", "net after a year", "pays", "version");
    for (size_t i = 0; i < advice->n; i++)
        if (strcmp(advice->choices[i].variant, advice->base) != 0)
            print_version(out, i + 1, advice->choices[i].variant, &costs[i]);
    fputs("pays: the chance that it has within a year. (lo..hi): 90 %.\n", out);
}

/* ---- other GPUs ----------------------------------------------------------------------------- */

static void print_place(FILE *out, const char *target, const char *note, double gpu_hour,
                        const pm_place_cost *cost)
{
    char name[64], price[32], text[80], year[32];

    snprintf(name, sizeof name, "%s%s", target, note);
    fprintf(out, "%-18s %8s", name, given_text(gpu_hour, price));
    fprintf(out, "  %-23s", range_text(&cost->base, text));
    fprintf(out, " %-23s", range_text(&cost->best, text));
    fprintf(out, " %8s", amount_text(cost->base_year, year));
    fprintf(out, " %8s\n", amount_text(cost->best_year, year));
}

/* The least sum after a year. */
static void print_cheapest(FILE *out, const pm_advice *advice, const pm_table_place *places,
                           size_t count)
{
    const pm_place_cost *here = &places[0].elsewhere.here;
    const char *target = advice->target;
    bool work = here->best_year < here->base_year;
    double least = fmin(here->base_year, here->best_year);
    char text[32];

    for (size_t i = 0; i < count; i++) {
        const pm_place_cost *there = &places[i].elsewhere.there;

        if (fmin(there->base_year, there->best_year) < least) {
            least = fmin(there->base_year, there->best_year);
            work = there->best_year < there->base_year;
            target = places[i].advice->target;
        }
    }
    fprintf(out, "Cheapest after a year: %s on %s, %s.\n", work ? "the best version" : "as it is",
            target, amount_text(least, text));
}

static void print_overtaking(FILE *out, const char *here, const pm_table_place *place)
{
    const pm_elsewhere *e = &place->elsewhere;
    char mid[32], lo[32], hi[32], chance[32];

    fprintf(out,
            "The best version on %s has cost less than the program as it is on %s\n  after: %s",
            here, place->advice->target, days_text(e->overtakes.mid, mid));
    if (!isnan(e->overtakes.lo))
        fprintf(out, " (%s..%s); within a year: %s", days_text(e->overtakes.lo, lo),
                days_text(e->overtakes.hi, hi), pm_chance_text(e->chance_a_year, chance));
    fputc('\n', out);
}

void pm_table_elsewhere(FILE *out, const pm_advice *advice, const pm_cost_options *options,
                        const pm_table_place *places, size_t count)
{
    fprintf(out, "\n%-18s %8s  %-23s %-23s %8s %8s\n", "GPU", "an hour", "a month as it is",
            "a month, best version", "a year", "and best");
    print_place(out, advice->target, " (here)", options->gpu_hour, &places[0].elsewhere.here);
    for (size_t i = 0; i < count; i++)
        print_place(out, places[i].advice->target, "", places[i].gpu_hour,
                    &places[i].elsewhere.there);
    fputs("A year of the best version has the work for it.\n", out);
    print_cheapest(out, advice, places, count);
    for (size_t i = 0; i < count; i++)
        print_overtaking(out, advice->target, &places[i]);
}
