/* Shows costs and returns of versions: the rates, which a reader of the page can change, a table of
 * break-even times, and net money over a year.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/cost/cost.h"
#include "report/figures/figures.h"
#include "report/json/json.h"
#include "report/report.h"
#include "report/results/choices.h"
#include "report/table/format.h"

enum { NAME = 128 };

/* ---- for the page's script ------------------------------------------------------------------ */

static json_t *chance_json(const pm_chance *chance)
{
    return json_pack("[o,o,o]", pm_json_number(chance->log_center), pm_json_number(chance->below),
                     pm_json_number(chance->above));
}

static json_t *case_json(const pm_report *report, const pm_report_target *target,
                         const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    const pm_choice *base = &a->choices[c->base], *v = &a->choices[c->candidate];
    pm_cost_options options = report->cost;
    pm_interval hours;
    pm_chance work, seconds = pm_cost_seconds(base, base), gain = pm_cost_gain(a, v);
    char name[NAME];

    options.hours = (double)NAN;
    work = pm_cost_hours(v, &options, &hours);
    snprintf(name, sizeof name, "%s, %s: %s", a->program, target->id, v->variant);
    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", pm_json_text(name), "seconds",
                     pm_json_number(base->predicted_s), "gain",
                     pm_json_number(pm_cost_gain_of(v).mid), "hours", pm_json_range(&hours),
                     "seconds_chance", chance_json(&seconds), "gain_chance", chance_json(&gain),
                     "hours_chance", chance_json(&work));
}

json_t *pm_report_live_json(const pm_report *report)
{
    json_t *cases = json_array(), *curves = json_array();
    const pm_report_case *drawn[PM_MOST_CURVES];
    size_t count = pm_report_drawn(report, drawn);

    for (size_t t = 0; t < report->target_count; t++)
        for (size_t c = 0; c < report->targets[t].case_count; c++)
            json_array_append_new(
                cases, case_json(report, &report->targets[t], &report->targets[t].cases[c]));
    for (size_t i = 0; i < count; i++)
        json_array_append_new(curves, json_integer((json_int_t)drawn[i]->live));
    return json_pack("{s:o,s:o,s:o}", "options", pm_json_cost_options(&report->cost), "cases",
                     cases, "curves", curves);
}

/* ---- the rates ------------------------------------------------------------------------------ */

typedef struct {
    const char *key, *label, *unit;
    double value; /* NaN: perfmodel estimates it */
    const char *least;
} rate;

static void put_field(pm_page *page, const rate *r)
{
    FILE *out = page->out;

    fprintf(out, "<label for=\"in-%s\">%s <span class=\"unit\">", r->key, r->label);
    pm_page_text(page, r->unit);
    fprintf(out,
            "</span><input id=\"in-%s\" name=\"%s\" type=\"number\" inputmode=\"decimal\" "
            "min=\"%s\" step=\"any\"",
            r->key, r->key, r->least);
    if (isnan(r->value))
        fputs(" placeholder=\"estimated\"></label>\n", out);
    else
        fprintf(out, " value=\"%.12g\"></label>\n", r->value);
}

static void put_rates(pm_page *page, const pm_report *report)
{
    const pm_cost_options *o = &report->cost;
    const char *currency = o->currency ? o->currency : "money";
    const rate rates[] = {
        {"hourly_rate", "An hour of work", currency, o->hourly_rate, "0"},
        {"hours", "Hours for each version", "hours", o->hours, "0"},
        {"gpu_hour", "An hour of a GPU", currency, o->gpu_hour, "0"},
        {"runs_per_month", "Runs", "a month", o->runs_per_month, "0"},
        {"passes", "Passes", "a run", o->passes, "1"},
        {"gpus", "GPUs", "of a run", o->gpus, "1"},
    };
    static const pm_table_column columns[] = {PM_WORDS("Rate"), PM_WORDS("Unit"),
                                              PM_NUMBERS("Value")};
    pm_table t = pm_table_open(columns, 3, false);

    if (page->html) {
        fputs("<form id=\"rates\" autocomplete=\"off\"><fieldset><legend>Rates and runs</legend>\n",
              page->out);
        for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
            put_field(page, &rates[i]);
        fputs("<button type=\"reset\">Reset</button></fieldset>\n<p id=\"rates-note\" "
              "role=\"status\" aria-live=\"polite\"></p></form>\n",
              page->out);
        return;
    }
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        PM_CELLS(&t, rates[i].label, rates[i].unit,
                 isnan(rates[i].value) ? "estimated" : pm_format_number(rates[i].value).s);
    pm_page_table(page, &t, "Rates and runs");
}

/* ---- break-even ----------------------------------------------------------------------------- */

/* Returns the candidate version of each case as rows of a table. A case whose candidate is the base
 * is left out. */
static pm_shown_choice *candidates(pm_page *page, const pm_report *report, size_t *n)
{
    pm_shown_choice *rows = pm_take(&page->memory, report->live_count, sizeof *rows);
    size_t count = 0;

    for (size_t t = 0; t < report->target_count; t++)
        for (size_t i = 0; i < report->targets[t].case_count; i++) {
            const pm_report_case *c = &report->targets[t].cases[i];

            if (c->candidate != c->base)
                rows[count++] =
                    (pm_shown_choice){c->advice, c->candidate, &c->costs[c->candidate], c->live};
        }
    *n = count;
    return rows;
}

static void put_table(pm_page *page, const pm_report *report)
{
    const char *currency = report->cost.currency;
    size_t count;
    const pm_shown_choice *rows = candidates(page, report, &count);

    pm_page_choices(page, PM_BREAK_EVEN, rows, count,
                    "Break-even of the best version%s%s, with 90 %% intervals.",
                    currency ? ", in " : "", currency ? currency : "");
}

/* ---- energy --------------------------------------------------------------------------------- */

void pm_section_energy(pm_page *page, const pm_report *report)
{
    const pm_energy_price *price = &report->cost.energy;
    size_t count;
    const pm_shown_choice *rows;

    if (isnan(price->price) && isnan(price->co2_g))
        return;
    rows = candidates(page, report, &count);
    pm_page_choices(page, PM_ENERGY, rows, count,
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

/* ---- the curve ------------------------------------------------------------------------------ */

/* True if the curve of x comes before the curve of y. Proposed versions come first, then versions
 * with more net money. */
static bool is_before(const pm_report_case *x, const pm_report_case *y)
{
    bool proposed_x = x->candidate == x->best, proposed_y = y->candidate == y->best;
    double net_x = x->costs[x->candidate].net.mid, net_y = y->costs[y->candidate].net.mid;

    if (proposed_x != proposed_y)
        return proposed_x;
    return net_x > net_y || (!(net_x < net_y) && x->live < y->live);
}

size_t pm_report_drawn(const pm_report *report, const pm_report_case *drawn[PM_MOST_CURVES])
{
    size_t count = 0;

    for (size_t t = 0; t < report->target_count; t++)
        for (size_t i = 0; i < report->targets[t].case_count; i++) {
            const pm_report_case *c = &report->targets[t].cases[i];
            size_t at = count;

            if (c->candidate == c->base)
                continue;
            while (at > 0 && is_before(c, drawn[at - 1])) {
                if (at < PM_MOST_CURVES)
                    drawn[at] = drawn[at - 1];
                at--;
            }
            if (at < PM_MOST_CURVES)
                drawn[at] = c;
            count += count < PM_MOST_CURVES;
        }
    return count;
}

static void draw_curves(const pm_report *report, const pm_report_case *const *drawn, size_t count,
                        char **svg, pm_error *err)
{
    double value[PM_MOST_CURVES * PM_CURVE_POINTS];
    char axis[64];

    snprintf(axis, sizeof axis, "net money%s%s", report->cost.currency ? ", " : "",
             report->cost.currency ? report->cost.currency : "");
    for (size_t l = 0; l < count; l++) {
        const pm_payback *cost = &drawn[l]->costs[drawn[l]->candidate];

        for (size_t p = 0; p < PM_CURVE_POINTS; p++)
            value[l * PM_CURVE_POINTS + p] = cost->saving.mid * (double)p - cost->cost.mid;
    }
    pm_figure_curves(&(pm_curves){.line_count = count, .value = value, .axis = axis}, svg, err);
}

static void put_curves(pm_page *page, const pm_report *report)
{
    const pm_report_case *drawn[PM_MOST_CURVES];
    char names[PM_MOST_CURVES][NAME], *svg = NULL;
    const char *lines[PM_MOST_CURVES];
    size_t count = pm_report_drawn(report, drawn);

    if (count == 0 || !page->html)
        return;
    for (size_t l = 0; l < count; l++) {
        const pm_advice *a = drawn[l]->advice;

        snprintf(names[l], NAME, "%s, %s: %s", a->program, a->target,
                 a->choices[drawn[l]->candidate].variant);
        lines[l] = names[l];
    }
    draw_curves(report, drawn, count, &svg, &page->drawing);
    pm_page_figure(
        page, &(pm_page_drawing){.svg = svg, .id = "curve", .series = lines, .series_count = count},
        "Net money over twelve months: what a version has saved less what it cost, by "
        "the middle estimates%s.",
        report->live_count > count ? ", of those that save most" : "");
    free(svg);
}

void pm_section_money(pm_page *page, const pm_report *report)
{
    pm_page_heading(page, 2, "money", -1, "Does it pay?");
    pm_page_paragraph(
        page,
        "Cost is hours of work times their rate. A month saves runs \xC3\x97 passes "
        "\xC3\x97 GPUs \xC3\x97 (time of the source as it is \xE2\x88\x92 time of the "
        "version) \xC3\x97 the price of a GPU's hour. Hours are estimated from what "
        "a version rewrites, unless they are given; rates and runs that were not "
        "given are examples. Intervals and chances are over the uncertainty of the "
        "time, the gain and the hours.%s",
        page->html ? " Change a rate, and everything about money on this page follows." : "");
    put_rates(page, report);
    put_table(page, report);
    pm_section_energy(page, report);
    put_curves(page, report);
}
