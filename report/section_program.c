/* Writes the section of a report about one program: its versions on each GPU, how much time each
 * functional unit of the GPU contributes, its counters and its memory accesses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <string.h>

#include "report/report.h"
#include "report/results/choices.h"
#include "report/table/format.h"

/* ---- the ranking ---------------------------------------------------------------------------- */

static void put_ranking(pm_markdown *md, const pm_report_target *target, const pm_report_case *c)
{
    const pm_advice *a = c->advice;
    pm_shown_choice *rows = pm_take(&md->memory, a->n, sizeof *rows);

    for (size_t i = 0; i < a->n; i++)
        rows[i] = pm_report_shown(c, i);
    pm_markdown_choices(md, PM_RANKING, rows, a->n,
                        "Versions of %s at size %s on %s, fastest first, with 90 %% intervals.",
                        a->program, a->size, target->id);
}

/* ---- time by functional unit ---------------------------------------------------------------- */

/* A functional unit is shown if it contributes at least this fraction to the time of a version
 * (variant of the program). */
static const double LEAST_SHARE = 1e-3;

/* Names of the functional units of a GPU, in the order of the table's columns. */
static const char *const known_units[] = {
    "dram",  "l2",   "requests", "atomics", "l1",      "shared",  "constant", "lsu",
    "issue", "fp32", "fp64",     "int",     "special", "latency", "groups",   "launch"};
enum { KNOWN_UNITS = sizeof known_units / sizeof *known_units };

/* Returns the seconds that a functional unit contributes to the predicted time of a version
 * (variant of the program). NaN: the time has no term for this unit. */
static double added_by(const pm_choice *v, const char *unit)
{
    for (size_t t = 0; t < v->why.n; t++)
        if (strcmp(v->why.terms[t].unit, unit) == 0)
            return v->why.terms[t].added_s;
    return (double)NAN;
}

/* Returns true if a functional unit contributes at least LEAST_SHARE of the predicted time of some
 * version (variant of the program). */
static bool matters(const pm_advice *a, const char *unit)
{
    for (size_t i = 0; i < a->n; i++)
        if (added_by(&a->choices[i], unit) >= LEAST_SHARE * a->choices[i].predicted_s)
            return true;
    return false;
}

static void put_units(pm_markdown *md, const pm_report_target *target, const pm_report_case *c)
{
    pm_table_column columns[KNOWN_UNITS + 1] = {PM_WORDS("Version")};
    size_t count = 1;
    pm_table t;

    for (size_t u = 0; u < KNOWN_UNITS; u++)
        if (matters(c->advice, known_units[u]))
            columns[count++] = (pm_table_column)PM_NUMBERS(known_units[u]);
    if (count == 1) {
        pm_markdown_paragraph(md, "Nothing is known of what each unit of the GPU adds: the model "
                                  "that predicted does not know the GPU's units.");
        return;
    }
    t = pm_table_open(columns, count, false);
    for (size_t i = 0; i < c->advice->n; i++) {
        pm_cell_put(&t, "%s", c->advice->choices[i].variant);
        for (size_t u = 1; u < count; u++) {
            double added = added_by(&c->advice->choices[i], columns[u].name);

            pm_cell_put(&t, "%s", isnan(added) ? "" : pm_format_time(added).s);
        }
    }
    pm_markdown_table(md, &t, "What each unit of %s adds to the predicted time.", target->id);
}

/* ---- the kernels ---------------------------------------------------------------------------- */

static void put_kernel(pm_table *t, const pm_choice *v, const pm_choice_kernel *k)
{
    PM_CELLS(t, k->kernel, v->variant);
    pm_cell_time_interval(t, k->predicted_s, k->lo_s, k->hi_s);
    pm_cell_put(t, "%s",
                v->predicted_s > 0 ? pm_words_of("%.0f %%", 100 * k->predicted_s / v->predicted_s).s
                                   : "");
    PM_CELLS(t, k->why.bound ? k->why.bound : "",
             isnan(k->measured_s) ? "" : pm_format_time(k->measured_s).s);
}

/* Writes a table of kernels of two versions (variants of the program): the base, and the candidate,
 * which is the version that the report compares with the base. */
static void put_kernels(pm_markdown *md, const pm_report_target *target, const pm_report_case *c)
{
    static const pm_table_column columns[] = {PM_WORDS("Kernel"),   PM_WORDS("Version"),
                                              PM_NUMBERS("Time"),   PM_NUMBERS("Of the version"),
                                              PM_WORDS("Bound by"), PM_NUMBERS("Measured")};
    const size_t versions[] = {c->base, c->candidate};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);

    for (size_t v = 0; v < (c->base == c->candidate ? 1 : 2); v++) {
        const pm_choice *version = &c->advice->choices[versions[v]];

        for (size_t k = 0; k < version->kernel_count; k++)
            put_kernel(&t, version, &version->kernels[k]);
    }
    pm_markdown_table(md, &t,
                      "Predicted time of each kernel of %s on %s, of all its launches, with 90 %% "
                      "intervals.",
                      c->advice->program, target->id);
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

/* Writes a table of counters of a kernel: in the base version (kernel) and in the version that is
 * compared with it (other). A counter that is 0 in both is left out. */
static void put_counters(pm_markdown *md, const pm_trace_kernel *kernel,
                         const pm_trace_kernel *other, const pm_report_case *c)
{
    const pm_table_column columns[] = {
        PM_WORDS("Counter"), PM_WORDS("Unit"), PM_NUMBERS(c->advice->base),
        PM_NUMBERS(c->advice->choices[c->candidate].variant), PM_NUMBERS("Ratio")};
    pm_table t = pm_table_open(columns, other ? 5 : 3, false);

    for (size_t i = 0; i < kernel->count; i++) {
        double before = kernel->values[i], after = counter_of(other, kernel->names[i]);

        if (!is_known(before) && !is_known(after))
            continue;
        PM_CELLS(&t, kernel->names[i], kernel->units[i], pm_format_number(before).s);
        if (other)
            PM_CELLS(&t, pm_format_number(after).s,
                     before > 0 ? pm_format_gain(after / before).s : "");
    }
    pm_markdown_table(md, &t, "Kernel %s: %zu launches, %.3g %% of the %s traced.", kernel->kernel,
                      kernel->launches, 100 * kernel->sampled, c->base_trace->terms->groups);
}

static void put_traces(pm_markdown *md, const pm_report_case *c)
{
    if (!c->base_trace)
        return;
    for (size_t k = 0; k < c->base_trace->kernel_count; k++)
        put_counters(md, &c->base_trace->kernels[k],
                     kernel_of(c->trace, c->base_trace->kernels[k].kernel), c);
    for (size_t k = 0; c->trace && k < c->trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &c->trace->kernels[k];

        if (kernel_of(c->base_trace, kernel->kernel))
            continue;
        pm_markdown_paragraph(md, "Kernel %s is in %s alone.", kernel->kernel, c->trace->variant);
    }
}

/* ---- accesses ------------------------------------------------------------------------------- */

/* Returns a number with three significant digits; "" if it is unknown (NaN). */
static pm_words digits(double value)
{
    return isnan(value) ? pm_words_of("%s", "") : pm_words_of("%.3g", value);
}

static void put_access(pm_table *t, const pm_trace_kernel *kernel, const pm_access *a)
{
    bool field = *a->structure || *a->field;

    PM_CELLS(t, kernel->kernel, a->line ? pm_words_of("%u:%u", a->line, a->column).s : "");
    pm_cell_put(t, "%s %s", a->space, a->kind);
    pm_cell_put(t, "%s%s%s%s%s", a->buffer, field ? " " : "", a->structure,
                *a->structure && *a->field ? "." : "", a->field);
    PM_CELLS(t, pm_words_of("%u", a->bytes).s, a->loop ? pm_words_of("%u", a->loop).s : "",
             pm_format_number(a->executions).s,
             digits(a->executions > 0 ? a->transactions / a->executions : (double)NAN).s,
             digits(a->coalesced_threads).s, a->access_class);
}

static void put_accesses(pm_markdown *md, const pm_report_target *target, const pm_trace *trace)
{
    static const pm_table_column columns[] = {
        PM_WORDS("Kernel"),       PM_WORDS("Line"),
        PM_WORDS("Access"),       PM_WORDS("Of"),
        PM_NUMBERS("Bytes"),      PM_NUMBERS("Loop"),
        PM_NUMBERS("Executions"), PM_NUMBERS("Transactions each"),
        PM_NUMBERS("Coalesced"),  PM_WORDS("Class")};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);

    if (!trace)
        return;
    for (size_t k = 0; k < trace->kernel_count; k++)
        for (size_t i = 0; i < trace->kernels[k].access_count; i++)
            put_access(&t, &trace->kernels[k], &trace->kernels[k].accesses[i]);
    pm_markdown_table(
        md, &t,
        "Memory instructions of %s, %s: executions by warps; transactions by the rules "
        "of %s; %s of a warp that are coalesced; class by Nakai and Ohno (2017).",
        trace->program, trace->variant, target->id, trace->terms->items);
}

/* ---- the check ------------------------------------------------------------------------------ */

static void put_check(pm_markdown *md, const pm_report_case *c)
{
    const pm_advice *a = c->advice;

    if (c->best == c->base)
        return;
    if (a->unchecked)
        pm_markdown_paragraph(md, "%s was not checked: %s.", a->best, a->unchecked);
    else
        pm_markdown_paragraph(md,
                              "%s was run whole in the trace engine, in size %s, and gives the "
                              "right results.",
                              a->best, a->checked_size);
}

/* ---- the whole section ---------------------------------------------------------------------- */

void pm_section_program(pm_markdown *md, const pm_report *report, size_t number)
{
    const char *program = pm_report_program_at(report, number);

    pm_markdown_heading(md, 2, "%s", program);
    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_target *target = &report->targets[t];
        const pm_report_case *c = pm_report_case_of(target, program);

        if (c)
            put_ranking(md, target, c);
    }
    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_target *target = &report->targets[t];
        const pm_report_case *c = pm_report_case_of(target, program);

        if (!c)
            continue;
        pm_markdown_heading(md, 3, "%s (%s)", pm_report_gpu(target), target->id);
        put_check(md, c);
        pm_put_tuning(md, c);
        put_kernels(md, target, c);
        put_units(md, target, c);
        put_traces(md, c);
        put_accesses(md, target, c->base_trace);
        put_accesses(md, target, c->trace);
    }
}
