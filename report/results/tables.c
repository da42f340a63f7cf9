/* Prints as tables on a terminal: predicted times, counters of traced kernels, and the list of
 * arrays that can be or were copied to local memory. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/results/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/suite/suite.h"
#include "report/figures/program_errors.h"
#include "report/table/table.h"

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* Largest number of programs that are printed one by one. If there are more, only totals over all
 * programs are printed. */
enum { MOST_PROGRAMS = 60 };

void pm_table_validation(const pm_screen *screen, const pm_validation *v)
{
    static const pm_table_column columns[] = {
        {.name = "program"},
        {.name = "n", .number = true, .gap = 2, .weight = 30},
        {.name = "mean error", .number = true, .gap = 2},
        {.name = "median", .number = true, .gap = 2, .weight = 40},
        {.name = "largest", .number = true, .gap = 2, .weight = 20},
        {.name = "pred/meas", .number = true, .gap = 2, .weight = 10}};
    pm_table t = pm_table_open(columns, 6, true);
    size_t count;
    pm_program_error *programs = pm_program_errors(v, &count);

    pm_screen_note(screen, "%s%s%s: method %s, %zu samples, leaving out one %s at a time",
                   v->dataset, v->from ? " from " : "", v->from ? v->from : "", v->method, v->n,
                   v->leave_out);
    for (size_t i = 0; programs && count <= MOST_PROGRAMS && i < count; i++) {
        const pm_program_error *p = &programs[i];

        PM_CELLS(&t, p->program, pm_words_of("%zu", p->n).s,
                 pm_words_of("%.1f %%", 100 * p->mean).s, pm_words_of("%.1f %%", 100 * p->median).s,
                 pm_words_of("%.1f %%", 100 * p->largest).s, pm_words_of("%.2f", p->ratio).s);
    }
    if (programs && count <= MOST_PROGRAMS)
        pm_table_print(&t, screen, 0);
    free(programs);
    pm_screen_say(screen, "mean error %.1f %%, median %.1f %%, 90 %% intervals cover %.1f %%",
                  100 * v->mape, 100 * v->median_ape, 100 * v->coverage90);
}

static void put_times(pm_table *t, double predicted_s, double lo_s, double hi_s, double measured_s)
{
    pm_cell_time(t, predicted_s, lo_s, hi_s);
    pm_cell_time_range(t, predicted_s, lo_s, hi_s);
    pm_cell_time(t, measured_s, (double)NAN, (double)NAN);
}

/* Prints the sum of the times of a program's kernels. Programs of the suite have no such sum,
 * because each of their kernels is predicted for itself. */
static void put_total(pm_table *t, const pm_predicted_total *total)
{
    if (total->kernels < 2 || pm_suite_find(total->program))
        return;
    PM_CELLS(t, total->program, total->variant, total->size,
             pm_words_of("all %zu kernels", total->kernels).s);
    put_times(t, total->predicted_s, total->lo_s, total->hi_s, total->measured_s);
}

void pm_table_sources(const pm_screen *screen, const pm_predictions *p)
{
    char named[600] = "";

    if (p->from)
        pm_list_add(named, sizeof named, "%s", p->from);
    for (const char *const *with = p->with; with && *with; with++)
        pm_list_add(named, sizeof named, "%s", *with);
    if (*named)
        pm_screen_note(screen, "Datasets that were named: %s.", named);
}

void pm_table_predictions(const pm_screen *screen, const char *target,
                          const pm_predictions *predictions)
{
    const pm_table_column columns[] = {
        {.name = "program", .weight = 60},
        {.name = "variant", .gap = 2, .weight = 30},
        {.name = "size", .gap = 2, .weight = 40},
        {.name = "kernel", .gap = 2},
        {.name = target, .number = true, .gap = 2},
        {.name = "90 % interval", .number = true, .gap = 2, .weight = 70},
        {.name = "measured", .number = true, .gap = 2, .weight = 50}};
    pm_table t = pm_table_open(columns, 7, true);
    pm_widths widths = {.count = 0};

    for (size_t i = 0; i < predictions->n; i++) {
        const pm_prediction *p = &predictions->predictions[i];

        PM_CELLS(&t, p->sample->program, p->sample->variant, p->sample->size, p->sample->kernel);
        put_times(&t, p->predicted_s, p->lo_s, p->hi_s, p->measured_s);
        pm_widths_add(&widths, p->lo_s, p->hi_s);
    }
    for (size_t i = 0; i < predictions->total_count; i++)
        put_total(&t, &predictions->totals[i]);
    pm_table_print(&t, screen, 0);
    pm_table_basis(screen, &widths, &target, &predictions->basis, 1);
    pm_table_sources(screen, predictions);
}

/* ---- trace ---------------------------------------------------------------------------------- */

/* Returns the unit of a counter in the words of the source's language, for example "threads" for
 * work-items in CUDA. */
static const char *unit_in(const pm_terms *terms, const char *unit)
{
    if (strcmp(unit, "work-groups") == 0)
        return terms->groups;
    return strcmp(unit, "work-items") == 0 ? terms->items : unit;
}

static void print_counters(const pm_screen *screen, const pm_terms *terms,
                           const pm_trace_kernel *kernel)
{
    static const pm_table_column columns[] = {
        {.name = "counter"},
        {.name = "value", .number = true, .gap = 2},
        {.name = "std. error", .number = true, .gap = 2, .weight = 10},
        {.name = "unit", .gap = 2, .weight = 20}};
    pm_table t = pm_table_open(columns, 4, true);

    for (size_t i = 0; i < kernel->count; i++)
        PM_CELLS(&t, kernel->names[i], pm_short_count(kernel->values[i]).s,
                 pm_short_count(kernel->errors[i]).s, unit_in(terms, kernel->units[i]));
    pm_table_print(&t, screen, 2);
}

/* Prints the names under which the target's profiler (such as Nsight Compute) knows the counters,
 * once for all kernels. */
static void print_profiler_names(const pm_screen *screen, const pm_trace *trace)
{
    const pm_trace_kernel *kernel = trace->kernel_count > 0 ? &trace->kernels[0] : NULL;
    pm_table_column columns[] = {{.name = "counter"}, {.gap = 2}};
    pm_table t;

    if (!kernel || !kernel->profiler)
        return;
    columns[1].name = kernel->profiler;
    t = pm_table_open(columns, 2, true);
    for (size_t i = 0; i < kernel->count; i++)
        if (kernel->profiler_names[i])
            PM_CELLS(&t, kernel->names[i], kernel->profiler_names[i]);
    pm_screen_gap(screen);
    pm_table_print(&t, screen, 2);
}

static void put_access(pm_table *t, const pm_access *a, bool fields)
{
    PM_CELLS(t, pm_words_of("%u:%u", a->line, a->column).s, a->kind, a->space,
             pm_words_of("%u", a->bytes).s, or_dash(a->buffer));
    if (fields)
        pm_cell_put(t, "%s%s%s", *a->structure || *a->field ? a->structure : "-",
                    *a->structure && *a->field ? "." : "", a->field);
    PM_CELLS(t, a->loop ? pm_words_of("%u", a->loop).s : "-", pm_short_count(a->executions).s,
             pm_short_count(a->executions > 0 ? a->transactions / a->executions : (double)NAN).s,
             pm_short_count(a->coalesced_threads).s, or_dash(a->access_class));
}

static void print_accesses(const pm_screen *screen, const pm_trace_kernel *kernel)
{
    pm_table_column columns[] = {{.name = "line:col"},
                                 {.name = "access", .gap = 1},
                                 {.name = "space", .gap = 1, .weight = 60},
                                 {.name = "bytes", .number = true, .gap = 1, .weight = 30},
                                 {.name = "buffer", .gap = 2},
                                 {.name = "field", .gap = 1},
                                 {.name = "loop", .number = true, .gap = 1, .weight = 10},
                                 {.name = "executions", .number = true, .gap = 1, .weight = 40},
                                 {.name = "trans.", .number = true, .gap = 1},
                                 {.name = "coalesced", .number = true, .gap = 1, .weight = 20},
                                 {.name = "class", .gap = 2, .weight = 50}};
    enum { FIELD = 5, COLUMNS = sizeof columns / sizeof *columns };
    bool fields = false;
    pm_table t;

    if (kernel->access_count == 0)
        return;
    for (size_t i = 0; i < kernel->access_count; i++)
        fields = fields || *kernel->accesses[i].structure || *kernel->accesses[i].field;
    if (!fields)
        memmove(&columns[FIELD], &columns[FIELD + 1], (COLUMNS - FIELD - 1) * sizeof *columns);
    t = pm_table_open(columns, fields ? COLUMNS : COLUMNS - 1, true);
    for (size_t i = 0; i < kernel->access_count; i++)
        put_access(&t, &kernel->accesses[i], fields);
    pm_screen_gap(screen);
    pm_table_print(&t, screen, 2);
}

static bool is_private(const pm_access *access)
{
    return strcmp(access->space, "private") == 0;
}

/* Prints a line for each private array that the compiler places in memory and not in registers, at
 * its first access. */
static void print_arrays(const pm_screen *screen, const pm_terms *terms,
                         const pm_trace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->access_count; i++) {
        const pm_access *a = &kernel->accesses[i];
        size_t first = 0;

        while (first < i && !(is_private(&kernel->accesses[first]) &&
                              strcmp(kernel->accesses[first].buffer, a->buffer) == 0))
            first++;
        if (!is_private(a) || first < i)
            continue;
        pm_screen_gap(screen);
        pm_screen_note(screen,
                       "  line %u: private array %s stays in memory: an index of it is not known "
                       "before the run, or its loop is too long to be unrolled. Constant indices, "
                       "a shorter loop of constant length, or %s memory would help.",
                       a->line, *a->buffer ? a->buffer : "(unnamed)", terms->shared);
    }
}

void pm_table_trace(const pm_screen *screen, const pm_trace *trace)
{
    pm_screen_say(screen, "%s %s %s as %s counts it", trace->program, trace->variant, trace->size,
                  trace->target);
    for (size_t k = 0; k < trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &trace->kernels[k];

        pm_screen_gap(screen);
        pm_screen_say(screen, "kernel %s: %zu launch%s, %.3g %% of the %s traced", kernel->kernel,
                      kernel->launches, kernel->launches == 1 ? "" : "es", 100 * kernel->sampled,
                      trace->terms->groups);
        print_counters(screen, trace->terms, kernel);
        print_accesses(screen, kernel);
        print_arrays(screen, trace->terms, kernel);
    }
    print_profiler_names(screen, trace);
    pm_screen_gap(screen);
    pm_screen_note(screen,
                   "executions: by warps; trans.: transactions of an execution (wavefronts in "
                   "shared memory); coalesced: %s of a warp within 128 bytes of its first one, "
                   "itself included; loop: line of the innermost one. Counted, not measured: std. "
                   "error is that of the sample of %s that was traced.",
                   trace->terms->items, trace->terms->groups);
}

/* ---- stagings ------------------------------------------------------------------------------- */

/* Returns a number as text. 0, which means unknown, becomes "?". */
static pm_words known(double count)
{
    return count > 0 ? pm_words_of("%.10g", count) : pm_words_of("?");
}

static void put_array(pm_table *t, const pm_stage_array *a, int indent)
{
    const double elements = (double)a->elements;

    PM_CELLS(t, a->kernel, a->array,
             a->last_line > a->line ? pm_words_of("%u-%u", a->line, a->last_line).s
                                    : pm_words_of("%u", a->line).s,
             !a->written ? "read"
             : !a->read  ? "write"
                         : "both",
             known(elements).s, known(a->accesses).s,
             known(elements > 0 ? a->accesses / elements : 0).s,
             a->tile_bytes > 0 ? pm_words_of("%zu", a->tile_bytes).s : "-",
             a->staged ? "yes" : "no", a->range ? a->range : "");
    if (a->reason)
        pm_table_note(t, "%*s  %s not staged: %s", indent, "", a->array, a->reason);
}

void pm_table_shared(const pm_screen *screen, const pm_transformed *transformed)
{
    static const pm_table_column columns[] = {
        {.name = "kernel"},
        {.name = "array", .gap = 2},
        {.name = "lines", .number = true, .gap = 2, .weight = 50},
        {.name = "use", .gap = 2, .weight = 30},
        {.name = "elements", .number = true, .gap = 2, .weight = 20},
        {.name = "accesses", .number = true, .gap = 2, .weight = 10},
        {.name = "each", .number = true, .gap = 2, .weight = 40},
        {.name = "tile bytes", .number = true, .gap = 2, .weight = 60},
        {.name = "staged", .gap = 2},
        {.name = "what", .gap = 2, .weight = 70}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);
    const int indent = 4;

    for (size_t i = 0; i < transformed->array_count; i++)
        put_array(&t, &transformed->arrays[i], indent);
    if (transformed->array_count > 0)
        pm_table_print(&t, screen, 0);
    for (size_t i = 0; i < transformed->assumption_count; i++)
        pm_screen_say(screen, "assumed: %s", transformed->assumptions[i]);
}
