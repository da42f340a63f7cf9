/* Where everything in the report comes from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "model/effort.h"
#include "report.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void put_run(pm_page *page, const pm_report_dataset *dataset, const json_t *run)
{
    pm_page_cell(page, "%s", dataset->name);
    pm_page_cell(page, "%s", dataset->path);
    pm_page_cell(page, "%zu", dataset->rows);
    pm_page_cell(page, "%s", text_of(run, "date"));
    pm_page_cell(page, "%s", text_of(run, "tool"));
    pm_page_cell(page, "%s", text_of(run, "command"));
    pm_page_cell(page, "%s %s", text_of(run, "counter_source"), text_of(run, "counter_target"));
    pm_page_cell(page, "%s", text_of(run, "driver"));
}

/* A row for each run of collect; at least one for the dataset. */
static void put_dataset(pm_page *page, const pm_report_dataset *dataset)
{
    const json_t *runs = json_object_get(dataset->provenance, "runs"), *run;
    size_t i;

    if (json_array_size(runs) == 0)
        put_run(page, dataset, NULL);
    json_array_foreach((json_t *)runs, i, run) put_run(page, dataset, run);
}

static void put_datasets(pm_page *page, const pm_report *report)
{
    static const pm_page_column columns[] = {
        {"Dataset", false}, {"File", false},    {"Rows", true},      {"Collected", false},
        {"Tool", false},    {"Command", false}, {"Counters", false}, {"Driver", false}};

    pm_page_table(page, columns, sizeof columns / sizeof *columns,
                  "Datasets of the targets, and how they were made.");
    for (size_t t = 0; t < report->target_count; t++)
        for (size_t d = 0; d < report->targets[t].dataset_count; d++)
            put_dataset(page, &report->targets[t].datasets[d]);
    pm_page_table_end(page);
}

static void put_sources(pm_page *page, const pm_report_target *target)
{
    static const pm_page_column columns[] = {{"Property", false}, {"Value", true}};

    if (!target->property_count) {
        pm_page_paragraph(page, "%s has no row in devices.csv.", target->id);
        return;
    }
    pm_page_fold(page, "devices.csv on %s, and its sources", target->id);
    pm_page_table(page, columns, 2, "%s", pm_report_gpu(target));
    for (size_t i = 0; i < target->property_count; i++) {
        const pm_report_property *p = &target->properties[i];

        if (strcmp(p->name, "sources") == 0 || strcmp(p->name, "name") == 0)
            continue;
        pm_page_cell(page, "%s", p->name);
        pm_page_cell(page, "%s", *p->value ? p->value : "unknown");
    }
    pm_page_table_end(page);
    pm_page_paragraph(page, "%s", pm_report_property_of(target, "sources"));
    pm_page_fold_end(page);
}

static void put_rates(pm_page *page, const pm_report *report)
{
    static const pm_page_column columns[] = {
        {"Rate", false}, {"Value", true}, {"What", false}, {"Source", false}};
    pm_effort_rates rates = report->cost.effort;

    pm_page_fold(page, "Rates that hours are estimated by");
    pm_page_table(page, columns, 4, "Rates of work.");
    for (size_t i = 0; i < PM_EFFORT_RATES; i++) {
        const pm_effort_rate *rate = pm_effort_rate_at(i);
        double value = *pm_effort_rate_of(&rates, rate);

        pm_page_cell(page, "%s", rate->name);
        pm_page_cell(page, "%.4g", value);
        pm_page_cell(page, "%s", rate->what);
        pm_page_cell(page, "%s", value == rate->value ? rate->source : "given by --effort");
    }
    pm_page_table_end(page);
    pm_page_fold_end(page);
}

static void put_omissions(pm_page *page, const pm_report *report)
{
    static const pm_page_column columns[] = {{"Program", false}, {"GPU", false}, {"Why", false}};

    if (report->omission_count == 0)
        return;
    pm_page_table(page, columns, 3, "Left out.");
    for (size_t i = 0; i < report->omission_count; i++) {
        pm_page_cell(page, "%s", report->omissions[i].program);
        pm_page_cell(page, "%s",
                     *report->omissions[i].target ? report->omissions[i].target : "all");
        pm_page_cell(page, "%s", report->omissions[i].reason);
    }
    pm_page_table_end(page);
}

void pm_section_provenance(pm_page *page, const pm_report *report)
{
    pm_page_heading(page, 2, "provenance", -1, "Where this comes from");
    pm_page_paragraph(page, "perfmodel " PM_VERSION ", %s. Command: %s", report->date,
                      report->command ? report->command : "none (made through the library)");
    put_datasets(page, report);
    for (size_t t = 0; t < report->target_count; t++)
        put_sources(page, &report->targets[t]);
    put_rates(page, report);
    put_omissions(page, report);
}
