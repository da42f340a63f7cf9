/* A program: its versions on each target, what each unit of the GPU adds to their time, what they
 * count, and how they access memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"
#include "format.h"
#include "report.h"

/* ---- the ranking ---------------------------------------------------------------------------- */

/* Which columns a ranking has: those of which anything is known. */
typedef struct {
    bool bound, measured;
} shown;

static bool has_interval(const pm_choice *v)
{
    return isfinite(v->lo_s) && isfinite(v->hi_s) && v->lo_s > 0;
}

static shown columns_of(const pm_advice *a)
{
    shown s = {false, false};

    for (size_t i = 0; i < a->n; i++) {
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

/* lo and hi as the interval of middle, where it is known. */
static void put_range(pm_page *page, const char *middle, bool known, double lo, double hi,
                      const char *(*format)(double value, pm_format_text text))
{
    char interval[2 * PM_FORMAT_SIZE + 4] = "";
    pm_format_text low, high;

    if (known)
        snprintf(interval, sizeof interval, "%s to %s", format(lo, low), format(hi, high));
    pm_page_range(page, middle, interval);
}

static void put_choice(pm_page *page, const pm_report_case *c, size_t i, shown s)
{
    const pm_choice *v = &c->advice->choices[i];
    pm_format_text text;

    pm_page_cell(page, "%s%s", v->variant, note_of(c, i));
    put_range(page, pm_format_time(v->predicted_s, text), has_interval(v), v->lo_s, v->hi_s,
              pm_format_time);
    put_range(page, pm_format_gain(v->gain, text),
              i != c->base && isfinite(v->lo) && isfinite(v->hi), v->lo, v->hi, pm_format_gain);
    pm_page_cell(page, "%s", i == c->base ? "" : pm_format_chance(v->chance, text));
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
    pm_page_column columns[7];
    size_t count = 0;

    columns[count++] = (pm_page_column){"Version", false};
    columns[count++] = (pm_page_column){"Predicted", true};
    columns[count++] = (pm_page_column){"Gain", true};
    columns[count++] = (pm_page_column){"Chance faster", true};
    if (s.bound)
        columns[count++] = (pm_page_column){"Bound by", false};
    if (s.measured)
        columns[count++] = (pm_page_column){"Measured", true};
    columns[count++] = (pm_page_column){"Hours of work", true};
    pm_page_table(page, columns, count,
                  "Versions of %s at size %s on %s, fastest first, with 90 %% intervals.",
                  a->program, a->size, target->id);
    for (size_t i = 0; i < a->n; i++)
        put_choice(page, c, i, s);
    pm_page_table_end(page);
}

/* ---- the units ------------------------------------------------------------------------------ */

enum { MOST_BARS = 12 };

/* Less of a time than this is not shown. */
static const double LEAST_SHARE = 1e-3;

/* The units in the order of their bars, each with its colour, which is the same in all figures. */
static const struct {
    const char *name;
    size_t colour;
} known_units[] = {{"dram", 5}, {"l2", 4},       {"l1", 3},      {"shared", 0},
                   {"lsu", 6},  {"issue", 1},    {"fp32", 8},    {"fp64", 11},
                   {"int", 9},  {"special", 10}, {"latency", 2}, {"launch", 7}};
enum { KNOWN_UNITS = sizeof known_units / sizeof *known_units };

typedef struct {
    size_t count;
    const char *names[PM_MAX_TIME_TERMS];
    size_t colours[PM_MAX_TIME_TERMS];
} shown_units;

static bool matters(const pm_advice *a, const char *unit)
{
    for (size_t i = 0; i < a->n; i++)
        for (size_t t = 0; t < a->choices[i].why.n; t++) {
            const pm_time_term *term = &a->choices[i].why.terms[t];

            if (strcmp(term->unit, unit) == 0 &&
                term->added_s >= LEAST_SHARE * a->choices[i].predicted_s)
                return true;
        }
    return false;
}

/* The units that matter to any of the versions. */
static shown_units units_of(const pm_advice *a)
{
    shown_units units = {.count = 0};

    for (size_t u = 0; u < KNOWN_UNITS; u++)
        if (matters(a, known_units[u].name)) {
            units.names[units.count] = known_units[u].name;
            units.colours[units.count++] = known_units[u].colour;
        }
    return units;
}

/* Seconds that a unit adds; NaN: it is none of this version's. */
static double added_by(const pm_choice *v, const char *unit)
{
    for (size_t t = 0; t < v->why.n; t++)
        if (strcmp(v->why.terms[t].unit, unit) == 0)
            return v->why.terms[t].added_s;
    return (double)NAN;
}

static char *draw_units(const pm_report_case *c, const shown_units *units, pm_error *err)
{
    const pm_advice *a = c->advice;
    const char *groups[MOST_BARS];
    double value[MOST_BARS * PM_MAX_TIME_TERMS], most = 0, scale;
    size_t bars = a->n < MOST_BARS ? a->n : MOST_BARS;
    char *svg = NULL;

    for (size_t i = 0; i < bars; i++)
        most = fmax(most, a->choices[i].predicted_s);
    scale = most < 1e-3 ? 1e6 : most < 1 ? 1e3 : 1;
    for (size_t i = 0; i < bars; i++) {
        groups[i] = a->choices[i].variant;
        for (size_t u = 0; u < units->count; u++)
            value[i * units->count + u] = added_by(&a->choices[i], units->names[u]) * scale;
    }
    pm_figure_stack(&(pm_bars){.group_count = bars,
                               .series_count = units->count,
                               .groups = groups,
                               .colours = units->colours,
                               .value = value,
                               .axis = scale > 1e3 ? "predicted time, microseconds"
                                       : scale > 1 ? "predicted time, milliseconds"
                                                   : "predicted time, seconds"},
                    &svg, err);
    return svg;
}

static void put_unit_table(pm_page *page, const pm_report_target *target, const pm_report_case *c,
                           const shown_units *units)
{
    pm_page_column columns[PM_MAX_TIME_TERMS + 1] = {{"Version", false}};
    pm_format_text text;

    for (size_t u = 0; u < units->count; u++)
        columns[u + 1] = (pm_page_column){units->names[u], true};
    pm_page_fold(page, "The same as a table");
    pm_page_table(page, columns, units->count + 1,
                  "What each unit of %s adds to the predicted time.", target->id);
    for (size_t i = 0; i < c->advice->n; i++) {
        pm_page_cell(page, "%s", c->advice->choices[i].variant);
        for (size_t u = 0; u < units->count; u++) {
            double added = added_by(&c->advice->choices[i], units->names[u]);

            pm_page_cell(page, "%s", isnan(added) ? "" : pm_format_time(added, text));
        }
    }
    pm_page_table_end(page);
    pm_page_fold_end(page);
}

static void put_units(pm_page *page, const pm_report_target *target, const pm_report_case *c)
{
    const shown_units units = units_of(c->advice);
    char *svg;

    if (units.count == 0) {
        pm_page_paragraph(page, "Nothing is known of what each unit of the GPU adds: the model "
                                "that predicted does not know the GPU's units.");
        return;
    }
    svg = pm_page_is_html(page) ? draw_units(c, &units, pm_page_error(page)) : NULL;
    pm_page_figure(page,
                   &(pm_page_drawing){.svg = svg,
                                      .series = units.names,
                                      .colours = units.colours,
                                      .series_count = units.count},
                   "What each unit of %s adds to the predicted time of %s. Units that add less "
                   "than a thousandth are left out.",
                   target->id, c->advice->program);
    free(svg);
    put_unit_table(page, target, c, &units);
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

static void put_traces(pm_page *page, const pm_report_case *c)
{
    if (!c->base_trace)
        return;
    pm_page_fold(page, "Counters of each kernel");
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
    pm_page_fold(page, "Memory accesses of %s", trace->variant);
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
        pm_page_heading(page, 3, NULL, -1, "%s (%s)", pm_report_gpu(target), target->id);
        put_units(page, target, c);
        put_traces(page, c);
        put_accesses(page, target, c->base_trace);
        put_accesses(page, target, c->trace);
    }
}
