/* Lists the origin of all data in the report: datasets, devices and commands.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "answer/cost/effort.h"
#include "base/text.h"
#include "report/report.h"

/* number of characters of a date YYYY-MM-DD, after which the time follows */
enum { DATE = 10 };

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static const json_t *runs_of(const pm_report_dataset *dataset)
{
    return json_object_get(dataset->provenance, "runs");
}

/* Appends to a table cell the distinct texts that the runs of `perfmodel collect` recorded under
 * `key` in the dataset's provenance. */
static void put_texts(pm_table *t, const pm_report_dataset *dataset, const char *key)
{
    char all[512] = "";
    size_t used = 0, i;
    const json_t *run;

    json_array_foreach((json_t *)runs_of(dataset), i, run)
    {
        const char *text = text_of(run, key);

        if (*text && !strstr(all, text) && used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", text);
    }
    pm_cell_put(t, "%s", all);
}

static void put_dataset(pm_table *t, const pm_report_dataset *dataset)
{
    const json_t *runs = runs_of(dataset);
    size_t count = json_array_size(runs);
    const char *first = text_of(json_array_get(runs, 0), "date");
    const char *last = text_of(json_array_get(runs, count ? count - 1 : 0), "date");

    PM_CELLS(t, dataset->name, dataset->path, pm_words_of("%zu", dataset->rows).s);
    if (strncmp(first, last, DATE) == 0)
        pm_cell_put(t, "%.*s", DATE, first);
    else
        pm_cell_put(t, "%.*s to %.*s", DATE, first, DATE, last);
    put_texts(t, dataset, "tool");
    put_texts(t, dataset, "counter_source");
    put_texts(t, dataset, "driver");
    put_texts(t, dataset, "host_os");
}

/* Returns the i-th GPU whose datasets are listed: first the targets, then the other GPUs to whose
 * times models were fitted. NULL: i is past the end. */
static const pm_report_target *gpu_at(const pm_report *report, size_t i)
{
    if (i < report->target_count)
        return &report->targets[i];
    i -= report->target_count;
    for (size_t k = 0; k < report->known_count; k++) {
        bool target = false;

        for (size_t t = 0; t < report->target_count; t++)
            target = target || strcmp(report->targets[t].id, report->known[k].id) == 0;
        if (!target && i-- == 0)
            return &report->known[k];
    }
    return NULL;
}

/* Writes a table with the command of each run of `perfmodel collect` that measured a dataset. */
static void put_commands(pm_markdown *md, const pm_report *report)
{
    static const pm_table_column columns[] = {PM_WORDS("Dataset"), PM_WORDS("Date"),
                                              PM_WORDS("Command")};
    pm_table t = pm_table_open(columns, 3, false);
    const pm_report_target *gpu;

    for (size_t g = 0; (gpu = gpu_at(report, g)); g++)
        for (size_t d = 0; d < gpu->dataset_count; d++) {
            const json_t *run;
            size_t i;

            json_array_foreach((json_t *)runs_of(&gpu->datasets[d]), i, run)
            {
                PM_CELLS(&t, gpu->datasets[d].name, text_of(run, "date"), text_of(run, "command"));
            }
        }
    pm_markdown_table(md, &t, "Runs of collect, from the JSON files beside the datasets.");
}

static void put_datasets(pm_markdown *md, const pm_report *report)
{
    static const pm_table_column columns[] = {
        PM_WORDS("Dataset"), PM_WORDS("File"),     PM_NUMBERS("Rows"), PM_WORDS("Collected"),
        PM_WORDS("Tool"),    PM_WORDS("Counters"), PM_WORDS("Driver"), PM_WORDS("System")};
    pm_table t = pm_table_open(columns, sizeof columns / sizeof *columns, false);
    const pm_report_target *gpu;

    for (size_t g = 0; (gpu = gpu_at(report, g)); g++)
        for (size_t d = 0; d < gpu->dataset_count; d++)
            put_dataset(&t, &gpu->datasets[d]);
    pm_markdown_table(
        md, &t,
        "Datasets: of the targets, and of the other GPUs with times that are there to "
        "learn from.");
    put_commands(md, report);
}

static void put_sources(pm_markdown *md, const pm_report_target *target)
{
    static const pm_table_column columns[] = {PM_WORDS("Property"), PM_NUMBERS("Value")};
    pm_table t = pm_table_open(columns, 2, false);

    if (!target->property_count) {
        pm_markdown_paragraph(md, "%s has no row in devices.csv.", target->id);
        return;
    }
    for (size_t i = 0; i < target->property_count; i++) {
        const pm_report_property *p = &target->properties[i];

        if (strcmp(p->name, "sources") != 0 && strcmp(p->name, "name") != 0)
            PM_CELLS(&t, p->name, *p->value ? p->value : "unknown");
    }
    pm_markdown_table(md, &t, "devices.csv on %s: %s.", target->id, pm_report_gpu(target));
    pm_markdown_paragraph(md, "%s", pm_report_property_of(target, "sources"));
}

static void put_rates(pm_markdown *md, const pm_report *report)
{
    static const pm_table_column columns[] = {PM_WORDS("Rate"), PM_NUMBERS("Value"),
                                              PM_WORDS("What"), PM_WORDS("Source")};
    pm_table t = pm_table_open(columns, 4, false);
    pm_effort_rates rates = report->cost.effort;

    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);
        double value = *pm_effort_rate_of(&rates, rate);

        PM_CELLS(&t, rate->name, pm_words_of("%.4g", value).s, rate->what,
                 value == rate->value ? rate->source : "given by --effort");
    }
    pm_markdown_table(md, &t, "Rates of work.");
}

static void put_assumed(pm_markdown *md, const pm_report *report)
{
    pm_text text = {0};

    for (const char *const *a = report->assumed; a && *a; a++)
        pm_text_add(&text, "%s%s", text.length ? "; " : "", *a);
    if (text.length)
        pm_markdown_paragraph(md, "Assumed of sources that have no workload file: %s.",
                              pm_text_get(&text));
    pm_text_free(&text);
}

static void put_omissions(pm_markdown *md, const pm_report *report)
{
    static const pm_table_column columns[] = {PM_WORDS("Program"), PM_WORDS("GPU"),
                                              PM_WORDS("Why")};
    pm_table t = pm_table_open(columns, 3, false);

    if (report->omission_count == 0)
        return;
    for (size_t i = 0; i < report->omission_count; i++) {
        const pm_report_omission *o = &report->omissions[i];

        PM_CELLS(&t, o->program, *o->target ? o->target : "all", o->reason);
    }
    pm_markdown_table(md, &t, "Left out.");
}

void pm_section_provenance(pm_markdown *md, const pm_report *report)
{
    pm_markdown_heading(md, 2, "Where this comes from");
    pm_markdown_paragraph(md, "perfmodel " PM_VERSION ", %s. Command: %s", report->date,
                          report->command ? report->command : "none (made through the library)");
    put_datasets(md, report);
    for (size_t t = 0; t < report->target_count; t++)
        put_sources(md, &report->targets[t]);
    put_rates(md, report);
    put_assumed(md, report);
    put_omissions(md, report);
}
