/* Predictions, traces and stagings as tables on a terminal. See tables.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/results/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/figures/program_errors.h"
#include "report/table/table.h"
#include "suite/suite.h"

static const char *or_dash(const char *text)
{
    return *text ? text : "-";
}

/* ---- predictions ---------------------------------------------------------------------------- */

/* Hundreds of programs are no table to read: their totals are. */
enum { MOST_PROGRAMS = 60 };

void pm_table_validation(FILE *out, const pm_validation *v)
{
    static const pm_table_column columns[] = {
        {"program", false, 28, 0}, {"n", true, 5, 1},        {"mean error", true, 11, 1},
        {"median", true, 11, 1},   {"largest", true, 11, 1}, {"pred/meas", true, 9, 1}};
    pm_table t = pm_table_open(columns, 6, true);
    size_t count;
    pm_program_error *programs = pm_program_errors(v, &count);

    fprintf(out, "%s%s%s: method %s, %zu samples, leaving out one %s at a time\n", v->dataset,
            v->from ? " from " : "", v->from ? v->from : "", v->method, v->n, v->leave_out);
    for (size_t i = 0; programs && count <= MOST_PROGRAMS && i < count; i++) {
        const pm_program_error *p = &programs[i];

        PM_CELLS(&t, p->program, pm_words_of("%zu", p->n).s,
                 pm_words_of("%.1f %%", 100 * p->mean).s, pm_words_of("%.1f %%", 100 * p->median).s,
                 pm_words_of("%.1f %%", 100 * p->largest).s, pm_words_of("%.2f", p->ratio).s);
    }
    if (programs && count <= MOST_PROGRAMS)
        pm_table_print(&t, out, 0, false);
    free(programs);
    fprintf(out, "mean error %.1f %%, median %.1f %%, 90 %% intervals cover %.1f %%\n",
            100 * v->mape, 100 * v->median_ape, 100 * v->coverage90);
}

static void put_times(pm_table *t, double predicted_s, double lo_s, double hi_s, double measured_s)
{
    pm_cell_number(t, PM_TIME, predicted_s);
    pm_cell_put(t, "%s to %s", pm_short_time(lo_s).s, pm_short_time(hi_s).s);
    pm_cell_number(t, PM_TIME, measured_s);
}

/* Kernels of the suite's programs are samples, each by itself. */
static void put_total(pm_table *t, const pm_predicted_total *total)
{
    if (total->kernels < 2 || pm_suite_find(total->program))
        return;
    PM_CELLS(t, total->program, total->variant, total->size,
             pm_words_of("all %zu kernels", total->kernels).s);
    put_times(t, total->predicted_s, total->lo_s, total->hi_s, total->measured_s);
}

void pm_table_basis(FILE *out, const char *target, const pm_predictions *p)
{
    const bool own = strcmp(p->basis, "dataset") == 0;

    if (own)
        fprintf(out, "basis: dataset: learned from times of %s itself", target);
    else
        fprintf(out,
                "basis: profile: times of other GPUs, carried over to %s by its row of "
                "devices.csv",
                target);
    if (p->from)
        fprintf(out, "; from %s", p->from);
    for (const char *const *with = p->with; with && *with; with++)
        fprintf(out, "%s%s", with == p->with ? "; with " : ", ", *with);
    fputc('\n', out);
}

void pm_table_predictions(FILE *out, const char *target, const pm_predictions *predictions)
{
    const pm_table_column columns[] = {{"program", false, 14, 0}, {"variant", false, 9, 1},
                                       {"size", false, 12, 1},    {"kernel", false, 16, 1},
                                       {target, true, 12, 1},     {"90 % interval", false, 24, 2},
                                       {"measured", true, 12, 1}};
    pm_table t = pm_table_open(columns, 7, true);

    for (size_t i = 0; i < predictions->n; i++) {
        const pm_prediction *p = &predictions->predictions[i];

        PM_CELLS(&t, p->sample->program, p->sample->variant, p->sample->size, p->sample->kernel);
        put_times(&t, p->predicted_s, p->lo_s, p->hi_s, p->measured_s);
    }
    for (size_t i = 0; i < predictions->total_count; i++)
        put_total(&t, &predictions->totals[i]);
    pm_table_print(&t, out, 0, false);
    pm_table_basis(out, target, predictions);
}

/* ---- trace ---------------------------------------------------------------------------------- */

/* A counter's unit as the source's language calls it. */
static const char *unit_in(const pm_terms *terms, const char *unit)
{
    if (strcmp(unit, "work-groups") == 0)
        return terms->groups;
    return strcmp(unit, "work-items") == 0 ? terms->items : unit;
}

static void print_counters(FILE *out, const pm_terms *terms, const pm_trace_kernel *kernel)
{
    static const pm_table_column columns[] = {{"counter", false, 22, 0},
                                              {"value", true, 18, 1},
                                              {"std. error", true, 14, 1},
                                              {"unit", false, 1, 2}};
    pm_table t = pm_table_open(columns, 4, true);

    for (size_t i = 0; i < kernel->count; i++)
        PM_CELLS(&t, kernel->names[i], pm_short_count(kernel->values[i]).s,
                 pm_short_count(kernel->errors[i]).s, unit_in(terms, kernel->units[i]));
    pm_table_print(&t, out, 2, false);
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

static void print_accesses(FILE *out, const pm_trace_kernel *kernel)
{
    pm_table_column columns[] = {
        {"line:col", false, 8, 0}, {"access", false, 6, 1},    {"space", false, 8, 1},
        {"bytes", true, 5, 1},     {"buffer", false, 0, 2},    {"field", false, 0, 1},
        {"loop", true, 4, 1},      {"executions", true, 0, 1}, {"trans.", true, 6, 1},
        {"coalesced", true, 9, 1}, {"class", false, 1, 2}};
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
    fputc('\n', out);
    pm_table_print(&t, out, 2, false);
}

static bool is_private(const pm_access *access)
{
    return strcmp(access->space, "private") == 0;
}

/* A line for each private array that is kept in memory, at its first access. */
static void print_arrays(FILE *out, const pm_terms *terms, const pm_trace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->access_count; i++) {
        const pm_access *a = &kernel->accesses[i];
        size_t first = 0;

        while (first < i && !(is_private(&kernel->accesses[first]) &&
                              strcmp(kernel->accesses[first].buffer, a->buffer) == 0))
            first++;
        if (!is_private(a) || first < i)
            continue;
        fprintf(
            out,
            "\n  line %u: private array %s stays in memory: an index of it is not known before the "
            "run,\n  or its loop is too long to be unrolled. Constant indices, a shorter loop of "
            "constant\n  length, or %s memory would help.\n",
            a->line, *a->buffer ? a->buffer : "(unnamed)", terms->shared);
    }
}

void pm_table_trace(FILE *out, const pm_trace *trace)
{
    fprintf(out, "%s %s %s as %s counts it\n", trace->program, trace->variant, trace->size,
            trace->target);
    for (size_t k = 0; k < trace->kernel_count; k++) {
        const pm_trace_kernel *kernel = &trace->kernels[k];

        fprintf(out, "\nkernel %s: %zu launch%s, %.3g %% of the %s traced\n", kernel->kernel,
                kernel->launches, kernel->launches == 1 ? "" : "es", 100 * kernel->sampled,
                trace->terms->groups);
        print_counters(out, trace->terms, kernel);
        print_accesses(out, kernel);
        print_arrays(out, trace->terms, kernel);
    }
    fprintf(out,
            "\nexecutions: by warps; trans.: transactions of an execution (wavefronts in shared\n"
            "memory); coalesced: %s of a warp within 128 bytes of its first one, itself\n"
            "included; loop: line of the innermost one\n",
            trace->terms->items);
}

/* ---- stagings ------------------------------------------------------------------------------- */

/* "?" where it is unknown. */
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
        pm_table_note(t, "%*s  not staged: %s", indent, "", a->reason);
}

void pm_table_shared(FILE *out, const pm_transformed *transformed)
{
    static const pm_table_column columns[] = {{"kernel", false, 0, 0},  {"array", false, 0, 2},
                                              {"lines", true, 9, 2},    {"use", false, 5, 2},
                                              {"elements", true, 8, 2}, {"accesses", true, 8, 2},
                                              {"each", true, 6, 2},     {"tile bytes", true, 10, 2},
                                              {"staged", false, 6, 2},  {"what", false, 1, 2}};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, true);
    int indent = (int)strlen("kernel");

    for (size_t i = 0; i < transformed->array_count; i++)
        indent = (int)fmax(indent, (double)strlen(transformed->arrays[i].kernel));
    for (size_t i = 0; i < transformed->array_count; i++)
        put_array(&t, &transformed->arrays[i], indent);
    if (transformed->array_count > 0)
        pm_table_print(&t, out, 0, false);
    for (size_t i = 0; i < transformed->assumption_count; i++)
        fprintf(out, "assumed: %s\n", transformed->assumptions[i]);
}
