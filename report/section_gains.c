/* Draws gains as bars: of the best versions on each GPU, as in the figures of Takada et al. and of
 * Nakai and Ohno, and of each version of a program.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures/figures.h"
#include "report/report.h"

enum { MOST_VERSIONS = 32 };

/* ---- bars ----------------------------------------------------------------------------------- */

static double percent(double gain)
{
    return 100 * (gain - 1);
}

typedef struct {
    const pm_report *report;
    size_t group_count;
    const char **groups;
    double *value, *lo, *hi; /* group_count x series values, group by group */
} gain_bars;

static gain_bars open_bars(pm_page *page, const pm_report *report, size_t groups)
{
    size_t count = groups * report->target_count;
    gain_bars b = {.report = report,
                   .group_count = groups,
                   .groups = pm_take(&page->memory, groups, sizeof *b.groups),
                   .value = pm_take(&page->memory, 3 * count, sizeof *b.value)};

    for (size_t i = 0; i < 3 * count; i++)
        b.value[i] = (double)NAN;
    b.lo = b.value + count;
    b.hi = b.lo + count;
    return b;
}

static void set_bar(gain_bars *b, size_t group, size_t series, const pm_choice *v)
{
    size_t at = group * b->report->target_count + series;

    b->value[at] = percent(v->gain);
    b->lo[at] = percent(v->lo);
    b->hi[at] = percent(v->hi);
}

/* Draws the bars. The caller frees the SVG. NULL if it cannot be drawn. */
static char *draw(pm_page *page, const gain_bars *b, const char *axis)
{
    const pm_bars bars = {.group_count = b->group_count,
                          .series_count = b->report->target_count,
                          .groups = b->groups,
                          .value = b->value,
                          .lo = b->lo,
                          .hi = b->hi,
                          .axis = axis};
    char *svg = NULL;

    if (b->group_count)
        pm_figure_bars(&bars, &svg, &page->drawing);
    return svg;
}

/* ---- of programs ---------------------------------------------------------------------------- */

static char *draw_best(pm_page *page, const pm_report *report)
{
    gain_bars b = open_bars(page, report, pm_report_program_count(report));

    for (size_t p = 0; p < b.group_count; p++) {
        b.groups[p] = pm_report_program_at(report, p);
        for (size_t t = 0; t < report->target_count; t++) {
            const pm_report_case *c = pm_report_case_of(&report->targets[t], b.groups[p]);

            if (c && c->candidate != c->base)
                set_bar(&b, p, t, &c->advice->choices[c->candidate]);
        }
    }
    return draw(page, &b, "gain of the fastest other version, %");
}

/* Writes a figure and frees svg. */
static void put_figure(pm_page *page, const pm_report *report, char *svg, const char *text)
{
    const char **names = pm_take(&page->memory, report->target_count, sizeof *names);

    for (size_t t = 0; t < report->target_count; t++)
        names[t] = report->targets[t].id;
    pm_page_figure(
        page, &(pm_page_drawing){.svg = svg, .series = names, .series_count = report->target_count},
        "%s Lines are 90 %% intervals.", text);
    free(svg);
}

void pm_section_gains(pm_page *page, const pm_report *report)
{
    if (!page->html || pm_report_program_count(report) < 2)
        return;
    pm_page_heading(page, 2, "gains", -1, "Gains");
    put_figure(page, report, draw_best(page, report),
               "What the proposed version of each program gains over the source as it is, and "
               "where none is proposed the fastest other one.");
}

/* ---- of versions ---------------------------------------------------------------------------- */

/* Finds the names of a program's versions except the base, without duplicates, in order of first
 * appearance. Returns their number, at most `most`. The names live as long as the report. */
static size_t versions_of(const pm_report *report, const char *program, const char **names,
                          size_t most)
{
    size_t count = 0;

    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_case *c = pm_report_case_of(&report->targets[t], program);

        for (size_t i = 0; c && i < c->advice->n && count < most; i++) {
            const char *name = c->advice->choices[i].variant;
            bool known = strcmp(name, c->advice->base) == 0;

            for (size_t k = 0; k < count; k++)
                known = known || strcmp(names[k], name) == 0;
            if (!known)
                names[count++] = name;
        }
    }
    return count;
}

static const pm_choice *choice_of(const pm_report_case *c, const char *variant)
{
    for (size_t i = 0; c && i < c->advice->n; i++)
        if (strcmp(c->advice->choices[i].variant, variant) == 0)
            return &c->advice->choices[i];
    return NULL;
}

static char *draw_versions(pm_page *page, const pm_report *report, const char *program)
{
    const char *names[MOST_VERSIONS];
    size_t count = versions_of(report, program, names, MOST_VERSIONS);
    gain_bars b = open_bars(page, report, count);

    for (size_t g = 0; g < count; g++) {
        b.groups[g] = names[g];
        for (size_t t = 0; t < report->target_count; t++) {
            const pm_choice *v =
                choice_of(pm_report_case_of(&report->targets[t], program), names[g]);

            if (v)
                set_bar(&b, g, t, v);
        }
    }
    return draw(page, &b, "gain, %");
}

void pm_put_versions(pm_page *page, const pm_report *report, const char *program)
{
    if (page->html)
        put_figure(page, report, draw_versions(page, report, program),
                   "What each version gains over the source as it is, on each GPU.");
}
