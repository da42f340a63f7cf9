/* Writes the section of a report about money: the prices, after how long the work for each version
 * of a program pays off, and the net saving in a year.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "report/report.h"
#include "report/results/choices.h"
#include "report/table/format.h"

/* ---- the rates ------------------------------------------------------------------------------ */

static void put_rates(pm_markdown *md, const pm_report *report)
{
    const pm_cost_options *o = &report->cost;
    const char *currency = o->currency ? o->currency : "money";
    const struct {
        const char *label, *unit;
        double value; /* NaN: left to be estimated */
    } rates[] = {{"An hour of work", currency, o->hourly_rate},
                 {"Hours for each version", "hours", o->hours},
                 {"An hour of a GPU", currency, o->gpu_hour},
                 {"Runs", "a month", o->runs_per_month},
                 {"Passes", "a run", o->passes},
                 {"GPUs", "of a run", o->gpus}};
    static const pm_table_column columns[] = {PM_WORDS("Rate"), PM_WORDS("Unit"),
                                              PM_NUMBERS("Value")};
    pm_table t = pm_table_open(columns, 3, false);

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        PM_CELLS(&t, rates[i].label, rates[i].unit,
                 isnan(rates[i].value) ? "estimated" : pm_format_number(rates[i].value).s);
    pm_markdown_table(md, &t, "Rates and runs");
}

/* ---- break-even ----------------------------------------------------------------------------- */

/* Returns rows of a table, one for each program on each target: the variant that the report
 * compares with the base variant. A program whose only variant is the base is left out. */
static pm_shown_choice *candidates(pm_markdown *md, const pm_report *report, size_t *n)
{
    pm_shown_choice *rows = pm_take(&md->memory, report->case_count, sizeof *rows);
    size_t count = 0;

    for (size_t t = 0; t < report->target_count; t++)
        for (size_t i = 0; i < report->targets[t].case_count; i++) {
            const pm_report_case *c = &report->targets[t].cases[i];

            if (c->candidate != c->base)
                rows[count++] = (pm_shown_choice){c->advice, c->candidate, &c->costs[c->candidate]};
        }
    *n = count;
    return rows;
}

static void put_table(pm_markdown *md, const pm_report *report)
{
    const char *currency = report->cost.currency;
    size_t count;
    const pm_shown_choice *rows = candidates(md, report, &count);

    pm_markdown_choices(md, PM_BREAK_EVEN, rows, count,
                        "Break-even of the best version%s%s, with 90 %% intervals.",
                        currency ? ", in " : "", currency ? currency : "");
}

/* ---- energy --------------------------------------------------------------------------------- */

void pm_section_energy(pm_markdown *md, const pm_report *report)
{
    const pm_energy_price *price = &report->cost.energy;
    size_t count;
    const pm_shown_choice *rows;

    if (isnan(price->price) && isnan(price->co2_g))
        return;
    rows = candidates(md, report, &count);
    pm_markdown_choices(
        md, PM_ENERGY, rows, count,
        "Energy of the board that the best version saves, for %s runs a month%s%s%s%s. "
        "Measured of both versions; or the time saved by the base's mean power as "
        "measured; or at most by the board's limit.%s",
        pm_format_number(report->cost.runs_per_month).s,
        isnan(price->price) ? "" : pm_words_of(", at %.6g a kWh", price->price).s,
        isnan(price->price) || !report->cost.currency ? "" : " in ",
        isnan(price->price) || !report->cost.currency ? "" : report->cost.currency,
        isnan(price->co2_g) ? "" : pm_words_of(", %.6g g of CO2 a kWh", price->co2_g).s,
        report->money ? " It is no part of the money above." : "");
}

void pm_section_money(pm_markdown *md, const pm_report *report)
{
    pm_markdown_heading(md, 2, "Does it pay?");
    pm_markdown_paragraph(
        md, "Cost is hours of work times their rate. A month saves runs \xC3\x97 passes "
            "\xC3\x97 GPUs \xC3\x97 (time of the source as it is \xE2\x88\x92 time of the "
            "version) \xC3\x97 the price of a GPU's hour. Hours are estimated from what "
            "a version rewrites, unless they are given; rates and runs that were not "
            "given are examples. Intervals and chances are over the uncertainty of the "
            "time, the gain and the hours.");
    put_rates(md, report);
    put_table(md, report);
    pm_section_energy(md, report);
}
