/* The report in a few sentences and one table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "format.h"
#include "report.h"

enum { MOST_SENTENCES = 3 };

static const pm_choice *candidate_of(const pm_report_case *c)
{
    return &c->advice->choices[c->candidate];
}

static bool gains(const pm_report_case *c)
{
    return c->best != c->base;
}

/* ---- the paragraph -------------------------------------------------------------------------- */

static void put_interval(pm_page *page, const pm_choice *v)
{
    pm_format_text lo, hi, chance;

    if (isfinite(v->lo) && isfinite(v->hi))
        pm_page_add(page, " (90 %% interval %s to %s)", pm_format_gain(v->lo, lo),
                    pm_format_gain(v->hi, hi));
    if (isfinite(v->chance))
        pm_page_add(page, ", and faster at all with a chance of %s",
                    pm_format_chance(v->chance, chance));
}

static void put_money(pm_page *page, const pm_report *report, const pm_report_case *c)
{
    const pm_payback *cost = &c->costs[c->candidate];
    const char *currency = report->cost.currency;
    pm_format_text text;

    pm_page_add(page, " Work for it: ");
    pm_page_live(page, "hours", c->live, "%s", pm_format_hours(cost->hours.mid, text));
    pm_page_add(page, " hours, which cost ");
    pm_page_live(page, "cost", c->live, "%s", pm_format_money(cost->cost.mid, currency, text));
    pm_page_add(page, "; it saves ");
    pm_page_live(page, "saving", c->live, "%s", pm_format_money(cost->saving.mid, currency, text));
    pm_page_add(page, " a month; break-even: ");
    pm_page_live(page, "days", c->live, "%s", pm_format_days(cost->break_even_days.mid, text));
    if (isfinite(cost->chance_a_year)) {
        pm_page_add(page, "; chance of that within a year: ");
        pm_page_live(page, "chance", c->live, "%s", pm_format_chance(cost->chance_a_year, text));
    }
    pm_page_add(page, ".");
}

static void put_case(pm_page *page, const pm_report *report, const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    const pm_choice *v = candidate_of(c);
    pm_format_text gain, chance;

    if (!gains(c)) {
        pm_page_add(page, " For %s at size %s it is the source as it is (%s)", a->program, a->size,
                    a->base);
        if (c->candidate == c->base)
            pm_page_add(page, ": there is no other version.");
        else
            pm_page_add(page,
                        ": the fastest other version, %s, is predicted at %s of its speed%s%s.",
                        v->variant, pm_format_gain(v->gain, gain),
                        isfinite(v->chance) ? "; chance that it is faster: " : "",
                        isfinite(v->chance) ? pm_format_chance(v->chance, chance) : "");
        return;
    }
    pm_page_add(page, " For %s at size %s it is %s: %s the speed of %s", a->program, a->size,
                v->variant, pm_format_gain(v->gain, gain), a->base);
    put_interval(page, v);
    pm_page_add(page, ".");
    put_money(page, report, c);
}

/* The case with the largest gain below that of before (NULL: of all). */
static const pm_report_case *next_gain(const pm_report_target *target, const pm_report_case *before)
{
    const pm_report_case *next = NULL;

    for (size_t i = 0; i < target->case_count; i++) {
        const pm_report_case *c = &target->cases[i];
        double gain = candidate_of(c)->gain;
        bool taken = before && (gain > candidate_of(before)->gain ||
                                (gain == candidate_of(before)->gain && c <= before));

        if (!taken && (!next || gain > candidate_of(next)->gain))
            next = c;
    }
    return next;
}

static void put_target(pm_page *page, const pm_report *report, const pm_report_target *target)
{
    const pm_report_case *c = NULL;
    size_t faster = 0;

    for (size_t i = 0; i < target->case_count; i++)
        faster += gains(&target->cases[i]);
    pm_page_open(page);
    pm_page_add(page, "On %s (%s), %zu of %zu program%s %s a version that is worth proposing.",
                pm_report_gpu(target), target->id, faster, target->case_count,
                target->case_count == 1 ? "" : "s", faster == 1 ? "has" : "have");
    for (size_t i = 0; i < MOST_SENTENCES && (c = next_gain(target, c)); i++)
        put_case(page, report, c);
    pm_page_close(page);
}

/* ---- the table ------------------------------------------------------------------------------ */

static void put_row(pm_page *page, const pm_report_target *target, const pm_report_case *c)
{
    const pm_choice *v = candidate_of(c), *best = &c->advice->choices[c->best];
    const pm_payback *cost = &c->costs[c->candidate];
    pm_format_text text, more;

    pm_page_cell(page, "%s", c->advice->program);
    pm_page_cell(page, "%s", c->advice->size);
    pm_page_cell(page, "%s", target->id);
    pm_page_cell(page, "%s", best->variant);
    pm_page_cell(page, "%s", pm_format_time(best->predicted_s, text));
    pm_page_cell(page, "%s", pm_format_gain(best->gain, text));
    if (gains(c) && isfinite(v->lo))
        pm_page_cell(page, "%s to %s", pm_format_gain(v->lo, text), pm_format_gain(v->hi, more));
    else
        pm_page_cell(page, "%s", gains(c) ? "unknown" : "");
    pm_page_cell(page, "%s", gains(c) ? pm_format_chance(v->chance, text) : "");
    if (gains(c)) {
        pm_page_live(page, "days", c->live, "%s", pm_format_days(cost->break_even_days.mid, text));
        pm_page_live(page, "chance", c->live, "%s", pm_format_chance(cost->chance_a_year, text));
    } else {
        pm_page_cell(page, "nothing to write");
        pm_page_cell(page, "%s", "");
    }
}

void pm_section_summary(pm_page *page, const pm_report *report)
{
    static const pm_page_column columns[] = {{"Program", false},       {"Size", false},
                                             {"GPU", false},           {"Best version", false},
                                             {"Time", true},           {"Gain", true},
                                             {"90 % interval", true},  {"Chance faster", true},
                                             {"Has paid after", true}, {"Chance in a year", true}};

    pm_page_heading(page, 2, "summary", -1, "Summary");
    for (size_t t = 0; t < report->target_count; t++)
        if (report->targets[t].case_count)
            put_target(page, report, &report->targets[t]);
    pm_page_table(page, columns, sizeof columns / sizeof *columns,
                  "The best version of each program. Gain is the time of the source as it is over "
                  "that of the version.");
    for (size_t p = 0; p < pm_report_program_count(report); p++)
        for (size_t t = 0; t < report->target_count; t++) {
            const pm_report_case *c =
                pm_report_case_of(&report->targets[t], pm_report_program_at(report, p));

            if (c)
                put_row(page, &report->targets[t], c);
        }
    pm_page_table_end(page);
    if (report->omission_count)
        pm_page_paragraph(page, "%zu left out; the end of this report says what and why.",
                          report->omission_count);
}
