/* Gathers what a report says about a target itself: its row of devices.csv, its datasets and their
 * origin, and the model's validation on programs that it was not fitted to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "machine/names.h"
#include "model/samples/dataset.h"
#include "report/report.h"

/* columns of devices.csv that the report shows */
static const char *const columns[] = {"name",
                                      "architecture",
                                      "year",
                                      "compute_units",
                                      "clock_mhz",
                                      "issue_per_cycle",
                                      "fma_per_cycle",
                                      "fp64_per_cycle",
                                      "lsu_per_cycle",
                                      "l1_bytes",
                                      "shared_bytes",
                                      "l2_bytes",
                                      "l2_bytes_per_cycle",
                                      "dram_gb_s",
                                      "dram_type",
                                      "warp_width",
                                      "coalescing",
                                      "load_l1_cycles",
                                      "load_l2_cycles",
                                      "load_dram_cycles",
                                      "launch_us",
                                      "sources"};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Suffixes of the names of a target's datasets: NAME, NAME-shared, ... The first four have measured
 * times, the last two traced counters. */
static const char *const endings[] = {"",        "-shared", "-layouts",
                                      "-energy", "-trace",  "-shared-trace"};
enum { ENDINGS = sizeof endings / sizeof *endings };

const char *pm_report_property_of(const pm_report_target *target, const char *name)
{
    for (size_t i = 0; i < target->property_count; i++)
        if (strcmp(target->properties[i].name, name) == 0)
            return target->properties[i].value;
    return "";
}

const char *pm_report_gpu(const pm_report_target *target)
{
    const char *name = pm_report_property_of(target, "name");

    return *name ? name : target->id;
}

/* ---- devices.csv ---------------------------------------------------------------------------- */

void pm_report_read_properties(pm_memory *memory, pm_session *session, pm_report_target *target,
                               const char *id)
{
    target->id = pm_copy(memory, id);
    target->properties = pm_take(memory, COLUMNS, sizeof *target->properties);
    pm_require(memory, pm_device_row_read(id, pm_session_chosen(session)->datasets, &target->row,
                                          memory->err));
    for (size_t c = 0; target->row->line > 0 && c < COLUMNS; c++) {
        pm_report_property *property = &target->properties[target->property_count];

        /* A user's own devices.csv may lack a column. */
        if (!pm_device_row_has(target->row, columns[c]))
            continue;
        property->name = columns[c];
        pm_require(memory,
                   pm_device_row_cell(target->row, columns[c], &property->value, memory->err));
        target->property_count++;
    }
}

/* ---- datasets ------------------------------------------------------------------------------- */

/* Returns the provenance of a dataset as JSON. NULL if its file is missing or broken, because the
 * report can do without it. */
static json_t *read_provenance(const char *dataset)
{
    char path[PATH_MAX];
    size_t length = strlen(dataset);

    if (length + 2 > sizeof path || !pm_ends_in(dataset, ".csv"))
        return NULL;
    snprintf(path, sizeof path, "%.*s.json", (int)length - 4, dataset);
    return json_load_file(path, 0, NULL);
}

/* Opens the dataset TARGET + ending and adds it to the target's datasets. NULL: there is no such
 * dataset. */
static const pm_dataset *add_dataset(pm_memory *memory, pm_session *session,
                                     pm_report_target *target, const char *ending)
{
    pm_report_dataset *note = &target->datasets[target->dataset_count];
    char *name = pm_format(memory, "%s%s", target->id, ending), path[PATH_MAX];
    const pm_dataset *dataset;

    if (!pm_dataset_locate_known(name, pm_session_chosen(session)->datasets, path, sizeof path))
        return NULL;
    dataset = pm_dataset_open_at(session, path, memory->err);
    if (!dataset)
        pm_give_up(memory, memory->err->status);
    *note = (pm_report_dataset){name, pm_copy(memory, path), pm_dataset_rows(dataset),
                                read_provenance(path)};
    target->dataset_count++;
    return dataset;
}

void pm_report_read_datasets(pm_memory *memory, pm_session *session, pm_report_target *target)
{
    target->datasets = pm_take(memory, ENDINGS, sizeof *target->datasets);
    for (size_t e = 0; e < ENDINGS; e++) {
        const pm_dataset *dataset = add_dataset(memory, session, target, endings[e]);

        if (strcmp(endings[e], "") == 0)
            target->measured = dataset;
        else if (strcmp(endings[e], "-trace") == 0)
            target->counted = dataset;
    }
}

/* ---- validation ----------------------------------------------------------------------------- */

/* Predicts the rows of the target's dataset that have measured times with models that were not
 * fitted to the row's program, as `perfmodel advise` predicts. The variables are traced counters if
 * a dataset has them. The method is "units" if devices.csv has a row for the GPU. */
static void validate(pm_memory *memory, pm_session *session, pm_report_target *target)
{
    const pm_model_options model = {.method = target->property_count ? "units" : "auto",
                                    .counters = "code",
                                    .no_source_time = true};
    pm_error why = {0};

    if (!target->measured) {
        target->no_validation = "nobody measured times on it for a dataset";
        return;
    }
    target->validation = pm_validate(session, target->measured, target->counted, &model, &why);
    if (target->validation)
        return;
    if (pm_session_is_cancelled(session))
        pm_leave(memory, PM_FAILED, "%s", why.text);
    /* Record why there is no validation. A validation fails, for example, if the dataset has too
     * few programs to leave one out. */
    pm_notice(pm_session_log(session), "%s: no validation: %s", target->id, why.text);
    target->no_validation = pm_copy(memory, why.text);
}

/* ---- the whole target ----------------------------------------------------------------------- */

void pm_report_open_target(pm_memory *memory, pm_session *session, pm_report_target *target,
                           const char *id)
{
    pm_report_read_properties(memory, session, target, id);
    pm_report_read_datasets(memory, session, target);
    if (!target->property_count && !target->measured)
        pm_require(memory, pm_gpu_unknown(target->row, id, memory->err));
    validate(memory, session, target);
}

void pm_report_target_clear(pm_report_target *target)
{
    for (size_t i = 0; i < target->case_count; i++) {
        pm_advice_free(target->cases[i].advice);
        pm_tuning_free(target->cases[i].tuning);
    }
    for (size_t i = 0; i < target->dataset_count; i++)
        json_decref(target->datasets[i].provenance);
    pm_validation_free(target->validation);
    pm_device_row_free(target->row);
}
