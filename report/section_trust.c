/* Writes the section of a report that explains how exact its predictions are: predicted and
 * measured times in one table, and how a target differs from the GPUs that were measured.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"
#include "report/figures/program_errors.h"
#include "report/report.h"
#include "report/table/format.h"

/* ---- predicted against measured ------------------------------------------------------------- */

static void put_validation(pm_markdown *md, const pm_report_target *target)
{
    static const pm_table_column columns[] = {
        PM_WORDS("Program"), PM_NUMBERS("Samples"), PM_NUMBERS("Predicted / measured"),
        PM_NUMBERS("Smallest to largest"), PM_NUMBERS("Mean error")};
    const pm_validation *v = target->validation;
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);
    size_t count;
    pm_program_error *programs = pm_program_errors(v, &count);

    pm_markdown_paragraph(
        md,
        "%s: mean error %.1f %%, median %.1f %%, over %zu kernel runs; the 90 %% "
        "intervals cover %.1f %% of the measured times. Dataset %s%s%s, method %s, "
        "code counters alone; each %s was predicted by a model that has not seen it.",
        pm_report_gpu(target), 100 * v->mape, 100 * v->median_ape, v->n, 100 * v->coverage90,
        basename(v->dataset), v->from ? " with counters of " : "", v->from ? basename(v->from) : "",
        v->method, v->leave_out);
    for (size_t i = 0; programs && i < count; i++) {
        const pm_program_error *e = &programs[i];

        PM_CELLS(&t, e->program, pm_words_of("%zu", e->n).s, pm_words_of("%.2f", e->ratio).s,
                 pm_words_of("%.2f to %.2f", e->lo, e->hi).s,
                 pm_words_of("%.1f %%", 100 * e->mean).s);
    }
    free(programs);
    pm_markdown_table(md, &t, "Predicted over measured time on %s, each program left out.",
                      target->id);
}

void pm_section_validation(pm_markdown *md, const pm_report *report)
{
    pm_markdown_heading(md, 2, "Predicted against measured");
    for (size_t t = 0; t < report->target_count; t++) {
        const pm_report_target *target = &report->targets[t];

        if (target->validation)
            put_validation(md, target);
        else
            pm_markdown_paragraph(md, "%s: not validated: %s.", pm_report_gpu(target),
                                  target->no_validation ? target->no_validation : "");
    }
}

/* ---- distance to measured GPUs -------------------------------------------------------------- */

/* Columns of devices.csv with the properties that explain most of the speed of a GPU, and their
 * names in the report. */
static const struct {
    const char *column, *what;
} compared[] = {{"architecture", "architecture"},
                {"year", "introduced"},
                {"compute_units", "compute units"},
                {"clock_mhz", "clock, MHz"},
                {"fma_per_cycle", "fused multiply-adds, warp instructions a cycle"},
                {"l2_bytes", "L2 cache, bytes"},
                {"dram_gb_s", "DRAM, GB/s"}};
enum { COMPARED = sizeof compared / sizeof *compared };

static bool is_target(const pm_report *report, const char *id)
{
    for (size_t t = 0; t < report->target_count; t++)
        if (strcmp(report->targets[t].id, id) == 0)
            return true;
    return false;
}

static double number_of(const pm_report_target *gpu, const char *column)
{
    double value;

    return pm_number_parse(pm_report_property_of(gpu, column), &value) ? value : (double)NAN;
}

/* Returns the peak rate of multiply-add instructions of a GPU in millions of warp instructions per
 * second. */
static double peak(const pm_report_target *gpu)
{
    return number_of(gpu, "compute_units") * number_of(gpu, "clock_mhz") *
           number_of(gpu, "fma_per_cycle");
}

static void put_factor(pm_markdown *md, const char *what, double here, double there)
{
    if (isfinite(here / there) && here > 0)
        pm_markdown_add(md, "%s %s", pm_format_gain(here / there).s, what);
    else
        pm_markdown_add(md, "unknown %s", what);
}

static void put_basis(pm_markdown *md, const pm_report *report, const pm_report_target *target)
{
    bool profile = false, seen = false;

    for (size_t c = 0; c < target->case_count; c++) {
        const char *basis = target->cases[c].advice->basis;

        profile = profile || (basis && strcmp(basis, "profile") == 0);
    }
    seen = target->measured && !profile;
    pm_markdown_add(md, "%s (%s): ", pm_report_gpu(target), target->id);
    if (seen)
        pm_markdown_add(
            md, "predicted by a model that has learned from times measured on this GPU%s.",
            report->leave_out == PM_LEAVE_CLASS
                ? ", without those of any program of the class that it predicts"
            : report->leave_out ? ", without those of the program that it predicts"
                                : "; those of the program itself are among them, if it was "
                                  "measured");
    else
        pm_markdown_add(md,
                        "nobody measured times on this GPU; a model that has learned from other "
                        "GPUs was carried over by its row of devices.csv. ");
    for (size_t k = 0; !seen && k < report->known_count; k++) {
        const pm_report_target *known = &report->known[k];

        pm_markdown_add(md, "%s%s (%s): it has ", k ? "; beside " : "Beside ", pm_report_gpu(known),
                        known->id);
        put_factor(md, "its arithmetic", peak(target), peak(known));
        pm_markdown_add(md, " and ");
        put_factor(md, "its memory bandwidth", number_of(target, "dram_gb_s"),
                   number_of(known, "dram_gb_s"));
    }
    pm_markdown_add(md, "%s", seen ? "" : ".");
    pm_markdown_close(md);
}

static void put_value(pm_table *t, const pm_report_target *gpu, const char *column)
{
    const char *text = pm_report_property_of(gpu, column);
    double number = number_of(gpu, column);

    if (!*text)
        pm_cell_put(t, "unknown");
    else
        PM_CELLS(t,
                 strcmp(column, "year") == 0 || isnan(number) ? text : pm_format_number(number).s);
}

static void put_compared(pm_markdown *md, const pm_report *report)
{
    size_t count = 1 + report->target_count + report->known_count, used = 1;
    pm_table_column *columns = pm_take(&md->memory, count, sizeof *columns);
    const pm_report_target **gpus = pm_take(&md->memory, count, sizeof *gpus);
    pm_table t;

    columns[0].name = "Property";
    for (size_t k = 0; k < report->target_count; k++)
        gpus[used++] = &report->targets[k];
    for (size_t k = 0; k < report->known_count; k++)
        if (!is_target(report, report->known[k].id))
            gpus[used++] = &report->known[k];
    for (size_t g = 1; g < used; g++)
        columns[g] = (pm_table_column)PM_NUMBERS(gpus[g]->id);
    t = pm_table_open(columns, used, false);
    for (size_t i = 0; i < COMPARED; i++) {
        pm_cell_put(&t, "%s", compared[i].what);
        for (size_t g = 1; g < used; g++)
            put_value(&t, gpus[g], compared[i].column);
    }
    pm_markdown_table(md, &t, "The targets beside the GPUs that were measured.");
}

void pm_section_trust(pm_markdown *md, const pm_report *report)
{
    pm_markdown_heading(md, 2, "How sure, and why");
    pm_markdown_paragraph(
        md, "Counters come from running each version on the CPU, warp by warp, and "
            "counting as the target would; no version has been run on a GPU for this "
            "report. A 90 %% interval is meant to hold the truth nine times in ten; how "
            "often it did on programs left out is above.");
    for (size_t t = 0; t < report->target_count; t++)
        put_basis(md, report, &report->targets[t]);
    put_compared(md, report);
}
