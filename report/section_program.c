/* A program: its versions on each target, what each unit of the GPU adds to their time, what they
 * count, and how they access memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "format.h"
#include "report.h"

/* ---- the ranking ---------------------------------------------------------------------------- */

/* Which columns a ranking has: those of which anything is known. */
typedef struct {
    bool interval, bound, measured;
} shown;

static bool has_interval(const pm_choice *v)
{
    return isfinite(v->lo_s) && isfinite(v->hi_s) && v->lo_s > 0;
}

static shown columns_of(const pm_advice *a)
{
    shown s = {false, false, false};

    for (size_t i = 0; i < a->n; i++) {
        s.interval = s.interval || has_interval(&a->choices[i]);
        s.bound = s.bound || (a->choices[i].why.n && a->choices[i].why.bound);
        s.measured = s.measured || !isnan(a->choices[i].measured_s);
    }
    return s;
}

static const char *note_of(const pm_report_case *c, size_t i)
{
    const pm_advice *a = c->advice;
    bool nakai = a->nakai && strcmp(a->nakai, a->choices[i].variant) == 0;

    if (i == c->best && i == c->base)
        return " (as it is; proposed)";
    if (i == c->best)
        return nakai ? " (proposed; by Nakai's method too)" : " (proposed)";
    if (i == c->base)
        return " (as it is)";
    return nakai ? " (by Nakai's method)" : "";
}

static void put_gain(pm_page *page, const pm_report_case *c, size_t i)
{
    const pm_choice *v = &c->advice->choices[i];
    pm_format_text lo, hi, chance;

    pm_page_cell(page, "%s", pm_format_gain(v->gain, lo));
    if (i == c->base)
        pm_page_cell(page, "%s", "");
    else if (isfinite(v->lo) && isfinite(v->hi))
        pm_page_cell(page, "%s to %s", pm_format_gain(v->lo, lo), pm_format_gain(v->hi, hi));
    else
        pm_page_cell(page, "unknown");
    pm_page_cell(page, "%s", i == c->base ? "" : pm_format_chance(v->chance, chance));
}

static void put_choice(pm_page *page, const pm_report_case *c, size_t i, shown s)
{
    const pm_choice *v = &c->advice->choices[i];
    pm_format_text text, more;

    pm_page_cell(page, "%s%s", v->variant, note_of(c, i));
    pm_page_cell(page, "%s", pm_format_time(v->predicted_s, text));
    if (s.interval && has_interval(v))
        pm_page_cell(page, "%s to %s", pm_format_time(v->lo_s, text),
                     pm_format_time(v->hi_s, more));
    else if (s.interval)
        pm_page_cell(page, "unknown");
    put_gain(page, c, i);
    if (s.bound)
        pm_page_cell(page, "%s", v->why.n && v->why.bound ? v->why.bound : "unknown");
    if (s.measured)
        pm_page_cell(page, "%s", isnan(v->measured_s) ? "" : pm_format_time(v->measured_s, text));
    pm_page_cell(page, "%s", i == c->base ? "" : pm_format_hours(c->costs[i].hours.mid, text));
}

static void put_ranking(pm_page *page, const pm_report_target *target, const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    const shown s = columns_of(a);
    pm_page_column columns[9];
    size_t count = 0;

    columns[count++] = (pm_page_column){"Version", false};
    columns[count++] = (pm_page_column){"Predicted", true};
    if (s.interval)
        columns[count++] = (pm_page_column){"90 % interval", true};
    columns[count++] = (pm_page_column){"Gain", true};
    columns[count++] = (pm_page_column){"90 % interval", true};
    columns[count++] = (pm_page_column){"Chance faster", true};
    if (s.bound)
        columns[count++] = (pm_page_column){"Bound by", false};
    if (s.measured)
        columns[count++] = (pm_page_column){"Measured", true};
    columns[count++] = (pm_page_column){"Hours of work", true};
    pm_page_table(page, columns, count, "Versions of %s at size %s on %s, fastest first.",
                  a->program, a->size, target->id);
    for (size_t i = 0; i < a->n; i++)
        put_choice(page, c, i, s);
    pm_page_table_end(page);
}

/* ---- the units ------------------------------------------------------------------------------ */

enum { MOST_BARS = 12 };

/* The units that any of the versions has, each once; how many there are. */
static size_t units_of(const pm_advice *a, const char *units[PM_MAX_TIME_TERMS])
{
    size_t count = 0;

    for (size_t i = 0; i < a->n; i++)
        for (size_t t = 0; t < a->choices[i].why.n; t++) {
            const char *unit = a->choices[i].why.terms[t].unit;
            bool known = false;

            for (size_t k = 0; k < count; k++)
                known = known || strcmp(units[k], unit) == 0;
            if (!known && count < PM_MAX_TIME_TERMS)
                units[count++] = unit;
        }
    return count;
}

/* Seconds that a unit adds; NaN: it is none of this version's. */
static double added_by(const pm_choice *v, const char *unit)
{
    for (size_t t = 0; t < v->why.n; t++)
        if (strcmp(v->why.terms[t].unit, unit) == 0)
            return v->why.terms[t].added_s;
    return (double)NAN;
}

static char *draw_units(const pm_report_case *c, const char *const *units, size_t count,
                        pm_error *err)
{
    const pm_advice *a = c->advice;
    const char *groups[MOST_BARS];
    double value[MOST_BARS * PM_MAX_TIME_TERMS], most = 0;
    size_t bars = a->n < MOST_BARS ? a->n : MOST_BARS;
    char *svg = NULL;

    for (size_t i = 0; i < bars; i++)
        most = fmax(most, a->choices[i].predicted_s);
    for (size_t i = 0; i < bars; i++) {
        groups[i] = a->choices[i].variant;
        for (size_t u = 0; u < count; u++)
            value[i * count + u] = added_by(&a->choices[i], units[u]) * (most < 1e-3 ? 1e6
                                                                         : most < 1  ? 1e3
                                                                                     : 1);
    }
    pm_figure_stack(&(pm_bars){.group_count = bars,
                               .series_count = count,
                               .groups = groups,
                               .value = value,
                               .axis = most < 1e-3 ? "predicted time, microseconds"
                                       : most < 1  ? "predicted time, milliseconds"
                                                   : "predicted time, seconds"},
                    &svg, err);
    return svg;
}

static void put_units(pm_page *page, const pm_report_target *target, const pm_report_case *c)
{
    const char *units[PM_MAX_TIME_TERMS];
    pm_page_column columns[PM_MAX_TIME_TERMS + 1] = {{"Version", false}};
    size_t count = units_of(c->advice, units);
    pm_format_text text;
    char *svg;

    if (count == 0) {
        pm_page_paragraph(page,
                          "On %s nothing is known of what each unit of the GPU adds: the model "
                          "that predicted does not know the GPU's units.",
                          target->id);
        return;
    }
    svg = pm_page_is_html(page) ? draw_units(c, units, count, pm_page_error(page)) : NULL;
    pm_page_figure(page, &(pm_page_drawing){.svg = svg, .series = units, .series_count = count},
                   "What each unit of %s adds to the predicted time of %s.", target->id,
                   c->advice->program);
    free(svg);
    for (size_t u = 0; u < count; u++)
        columns[u + 1] = (pm_page_column){units[u], true};
    pm_page_fold(page, "The same as a table, on %s", target->id);
    pm_page_table(page, columns, count + 1, "What each unit of %s adds to the predicted time.",
                  target->id);
    for (size_t i = 0; i < c->advice->n; i++) {
        pm_page_cell(page, "%s", c->advice->choices[i].variant);
        for (size_t u = 0; u < count; u++) {
            double added = added_by(&c->advice->choices[i], units[u]);

            pm_page_cell(page, "%s", isnan(added) ? "" : pm_format_time(added, text));
        }
    }
    pm_page_table_end(page);
    pm_page_fold_end(page);
}

/* ---- counters ------------------------------------------------------------------------------- */

static const pm_trace_kernel *kernel_of(const pm_trace *trace, const char *name)
{
    for (size_t k = 0; trace && k < trace->kernel_count; k++)
        if (strcmp(trace->kernels[k].kernel, name) == 0)
            return &trace->kernels[k];
    return NULL;
}

static double counter_of(const pm_trace_kernel *kernel, const char *name)
{
    for (size_t i = 0; kernel && i < kernel->count; i++)
        if (strcmp(kernel->names[i], name) == 0)
            return kernel->values[i];
    return (double)NAN;
}

static bool is_known(double value)
{
    return !isnan(value) && value != 0;
}

/* A row for each counter of the kernel that is not 0 in both. */
static void put_counters(pm_page *page, const pm_trace_kernel *kernel, const pm_trace_kernel *other,
                         const pm_report_case *c)
{
    const pm_page_column columns[] = {{"Counter", false},
                                      {"Unit", false},
                                      {c->advice->base, true},
                                      {c->advice->choices[c->candidate].variant, true},
                                      {"Ratio", true}};
    pm_format_text text;

    pm_page_table(page, columns, other ? 5 : 3,
                  "Kernel %s: %zu launches, %.3g %% of the "
                  "work-groups traced.",
                  kernel->kernel, kernel->launches, 100 * kernel->sampled);
    for (size_t i = 0; i < kernel->count; i++) {
        double before = kernel->values[i], after = counter_of(other, kernel->names[i]);

        if (!is_known(before) && !is_known(after))
            continue;
        pm_page_cell(page, "%s", kernel->names[i]);
        pm_page_cell(page, "%s", kernel->units[i]);
        pm_page_cell(page, "%s", pm_format_number(before, text));
        if (!other)
            continue;
        pm_page_cell(page, "%s", pm_format_number(after, text));
        pm_page_cell(page, "%s", before > 0 ? pm_format_gain(after / before, text) : "");
    }
    pm_page_table_end(page);
}

static void put_traces(pm_page *page, const pm_report_target *target, const pm_report_case *c)
{
    if (!c->base_trace)
        return;
    pm_page_fold(page, "Counters of %s on %s, for each kernel", c->advice->program, target->id);
    for (size_t k = 0; k < c->base_trace->kernel_count; k++)
        put_counters(page, &c->base_trace->kernels[k],
                     kernel_of(c->trace, c->base_trace->kernels[k].kernel), c);
    for (size_t k = 0; c->trace && k < c->trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &c->trace->kernels[k];

        if (kernel_of(c->base_trace, kernel->kernel))
            continue;
        pm_page_paragraph(page, "Kernel %s is in %s alone.", kernel->kernel, c->trace->variant);
    }
    pm_page_fold_end(page);
}

/* ---- accesses ------------------------------------------------------------------------------- */

static void put_access(pm_page *page, const pm_trace_kernel *kernel, const pm_access *a)
{
    bool field = *a->structure || *a->field;
    pm_format_text text;

    pm_page_cell(page, "%s", kernel->kernel);
    if (a->line)
        pm_page_cell(page, "%u:%u", a->line, a->column);
    else
        pm_page_cell(page, "%s", "");
    pm_page_cell(page, "%s %s", a->space, a->kind);
    pm_page_cell(page, "%s%s%s%s%s", a->buffer, field ? " " : "", a->structure,
                 *a->structure && *a->field ? "." : "", a->field);
    pm_page_cell(page, "%u", a->bytes);
    if (a->loop)
        pm_page_cell(page, "%u", a->loop);
    else
        pm_page_cell(page, "%s", "");
    pm_page_cell(page, "%s", pm_format_number(a->executions, text));
    if (a->executions > 0)
        pm_page_cell(page, "%.3g", a->transactions / a->executions);
    else
        pm_page_cell(page, "%s", "");
    if (isnan(a->coalesced_threads))
        pm_page_cell(page, "%s", "");
    else
        pm_page_cell(page, "%.3g", a->coalesced_threads);
    pm_page_cell(page, "%s", a->access_class);
}

static void put_accesses(pm_page *page, const pm_report_target *target, const pm_trace *trace)
{
    static const pm_page_column columns[] = {
        {"Kernel", false},   {"Line", false}, {"Access", false},    {"Of", false},
        {"Bytes", true},     {"Loop", true},  {"Executions", true}, {"Transactions each", true},
        {"Coalesced", true}, {"Class", false}};

    if (!trace)
        return;
    pm_page_fold(page, "Memory accesses of %s on %s", trace->variant, target->id);
    pm_page_table(page, columns, sizeof columns / sizeof *columns,
                  "Memory instructions of %s, %s: executions by warps; transactions by the rules "
                  "of %s; work-items of a warp that are coalesced; class by Nakai and Ohno (2017).",
                  trace->program, trace->variant, target->id);
    for (size_t k = 0; k < trace->kernel_count; k++)
        for (size_t i = 0; i < trace->kernels[k].access_count; i++)
            put_access(page, &trace->kernels[k], &trace->kernels[k].accesses[i]);
    pm_page_table_end(page);
    pm_page_fold_end(page);
}

/* ---- all of it ------------------------------------------------------------------------------ */

void pm_section_program(pm_page *page, const pm_report *report, size_t number)
{
    const char *program = pm_report_program_at(report, number);

    pm_page_heading(page, 2, "program", (int)number, "%s", program);
    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_target *target = &report->targets[t];
        const pm_report_case *c = pm_report_case_of(target, program);

        if (c)
            put_ranking(page, target, c);
    }
    pm_put_versions(page, report, program);
    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_target *target = &report->targets[t];
        const pm_report_case *c = pm_report_case_of(target, program);

        if (!c)
            continue;
        put_units(page, target, c);
        put_traces(page, target, c);
        put_accesses(page, target, c->base_trace);
        put_accesses(page, target, c->trace);
    }
}
