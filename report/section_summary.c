/* Writes the summary at the start of a report, in a few sentences and one table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answer/cost/cost.h"
#include "report/report.h"
#include "report/results/choices.h"
#include "report/table/format.h"

enum { MOST_SENTENCES = 3, LONGEST_NAME = 32 };

static const pm_choice *candidate_of(const pm_report_case *c)
{
    return &c->advice->choices[c->candidate];
}

static bool gains(const pm_report_case *c)
{
    return c->best != c->base;
}

/* ---- the paragraph -------------------------------------------------------------------------- */

/* Shortens a name that is too long for a sentence; the cut is between two characters. The tables
 * show the whole name. */
static const char *short_name(const char *name, char text[LONGEST_NAME + 4])
{
    size_t end = LONGEST_NAME;

    if (strlen(name) <= LONGEST_NAME)
        return name;
    while (end > 0 && ((unsigned char)name[end] & 0xC0) == 0x80)
        end--;
    snprintf(text, LONGEST_NAME + 4, "%.*s\xE2\x80\xA6", (int)end, name); /* an ellipsis */
    return text;
}

static void put_sureness(pm_markdown *md, const pm_choice *v)
{
    const pm_interval gain = pm_cost_gain_of(v);

    if (isfinite(gain.lo) && isfinite(gain.hi))
        pm_markdown_add(md, " (%s90 %% interval %s to %s)", v->measured ? "measured; " : "",
                        pm_format_gain(gain.lo).s, pm_format_gain(gain.hi).s);
    if (isfinite(v->chance) && !v->measured)
        pm_markdown_add(md, ", chance to be faster %s", pm_format_chance(v->chance).s);
    if (v->missed)
        pm_markdown_add(md, ", which the prediction misses");
}

static void put_money(pm_markdown *md, const pm_report *report, const pm_report_case *c)
{
    const pm_payback *cost = &c->costs[c->candidate];
    const char *currency = report->cost.currency;

    pm_markdown_add(md, "; work of %s%s%s, paid back %s", pm_format_money(cost->cost.mid).s,
                    currency ? " " : "", currency ? currency : "",
                    pm_format_payback(cost->break_even_days.mid).s);
}

static void put_case(pm_markdown *md, const pm_report *report, const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    const pm_choice *v = candidate_of(c);
    const pm_words gain = pm_format_gain(pm_cost_gain_of(v).mid);
    char name[LONGEST_NAME + 4];

    pm_markdown_add(md, " For %s at size %s", a->program, a->size);
    if (c->candidate == c->base) {
        pm_markdown_add(md, " there is no other version than %s.", a->base);
        return;
    }
    if (gains(c))
        pm_markdown_add(md, ", %s: %s the speed of %s", short_name(v->variant, name), gain.s,
                        a->base);
    else
        pm_markdown_add(md, ", %s as it is; the fastest other version, %s, has %s its speed",
                        a->base, short_name(v->variant, name), gain.s);
    put_sureness(md, v);
    if (gains(c) && report->money)
        put_money(md, report, c);
    pm_markdown_add(md, ".");
}

/* Returns the case (a program on this target) with the largest gain that is smaller than that of
 * `before`, so that repeated calls visit the cases by decreasing gain. before NULL: the case with
 * the largest gain. NULL: there is no further case. */
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

static void put_target(pm_markdown *md, const pm_report *report, const pm_report_target *target)
{
    const pm_report_case *c = NULL;
    size_t faster = 0;

    for (size_t i = 0; i < target->case_count; i++)
        faster += gains(&target->cases[i]);
    if (target->case_count > 1)
        pm_markdown_add(md, "On %s (%s), %zu of %zu programs %s a version that is worth proposing.",
                        pm_report_gpu(target), target->id, faster, target->case_count,
                        faster == 1 ? "has" : "have");
    else
        pm_markdown_add(md, "On %s (%s), %s version is worth proposing.", pm_report_gpu(target),
                        target->id, faster ? "a" : "no other");
    for (size_t i = 0; i < MOST_SENTENCES && (c = next_gain(target, c)); i++)
        put_case(md, report, c);
    pm_markdown_close(md);
}

/* ---- the whole section ---------------------------------------------------------------------- */

void pm_section_summary(pm_markdown *md, const pm_report *report)
{
    pm_shown_choice *rows = pm_take(&md->memory, report->case_count, sizeof *rows);
    size_t count = 0;

    pm_markdown_heading(md, 2, "Summary");
    for (size_t t = 0; t < report->target_count; t++)
        if (report->targets[t].case_count)
            put_target(md, report, &report->targets[t]);
    for (size_t p = 0; p < pm_report_program_count(report); p++)
        for (size_t t = 0; t < report->target_count; t++) {
            const pm_report_case *c =
                pm_report_case_of(&report->targets[t], pm_report_program_at(report, p));

            if (c)
                rows[count++] = pm_report_shown(c, c->best);
        }
    pm_markdown_choices(md, PM_BEST_VERSIONS, rows, count,
                        "The best version of each program. Gain is the time of the source as it is "
                        "over that of the version, with its 90 %% interval.");
    if (report->omission_count)
        pm_markdown_paragraph(md, "%zu left out; the end of this report says what and why.",
                              report->omission_count);
}
