/* What a report says of a target itself: its row of devices.csv, its datasets and where they come
 * from, and what the model gets on programs that it has not seen.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/devices_table.h"
#include "report/report.h"
#include "samples/dataset.h"
#include "session/session.h"

/* Columns of devices.csv that the report shows. */
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

/* Datasets of a target, by what follows its name: times first, then traced counters. */
static const char *const endings[] = {"", "-shared", "-layouts", "-trace", "-shared-trace"};
enum { ENDINGS = sizeof endings / sizeof *endings };

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for the report");
}

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

static pm_status add_property(pm_report_target *target, const pm_device_row *row, const char *name,
                              pm_error *err)
{
    pm_report_property *property = &target->properties[target->property_count];
    const char *value;

    /* A user's own table may lack a column. */
    if (!pm_device_row_has(row, name))
        return PM_OK;
    if (pm_device_row_cell(row, name, &value, err) != PM_OK)
        return err->status;
    property->name = strdup(name);
    property->value = strdup(value);
    target->property_count++;
    return property->name && property->value ? PM_OK : no_memory(err);
}

pm_status pm_report_read_properties(pm_session *session, pm_report_target *target, pm_error *err)
{
    pm_device_row *row;
    pm_status status =
        pm_device_row_read(target->id, pm_session_chosen(session)->datasets, &row, err);

    if (status != PM_OK)
        return status;
    if (row->line > 0) {
        target->properties = calloc(COLUMNS, sizeof *target->properties);
        status = target->properties ? PM_OK : no_memory(err);
        for (size_t c = 0; c < COLUMNS && status == PM_OK; c++)
            status = add_property(target, row, columns[c], err);
    }
    pm_device_row_free(row);
    return status;
}

/* ---- datasets ------------------------------------------------------------------------------- */

/* A broken or missing one is none: the dataset itself has been read. */
static json_t *read_provenance(const char *dataset)
{
    char path[PATH_MAX];
    size_t length = strlen(dataset);

    if (length < 4 || length + 2 > sizeof path || strcmp(dataset + length - 4, ".csv") != 0)
        return NULL;
    snprintf(path, sizeof path, "%.*s.json", (int)length - 4, dataset);
    return json_load_file(path, 0, NULL);
}

/* Reads the dataset of that ending, if there is one, and notes it; else *out is NULL. */
static pm_status add_dataset(pm_session *session, pm_report_target *target, const char *ending,
                             const pm_dataset **out, pm_error *err)
{
    pm_report_dataset *note = &target->datasets[target->dataset_count];
    char name[256], path[PATH_MAX];
    pm_error none = {0};

    *out = NULL;
    snprintf(name, sizeof name, "%s%s", target->id, ending);
    if (pm_dataset_locate(name, pm_session_chosen(session)->datasets, path, sizeof path, &none) !=
        PM_OK)
        return PM_OK;
    *out = pm_dataset_open_at(session, path, err);
    if (!*out)
        return err->status;
    note->name = strdup(name);
    note->path = strdup(path);
    note->rows = pm_dataset_rows(*out);
    note->provenance = read_provenance(path);
    target->dataset_count++;
    return note->name && note->path ? PM_OK : no_memory(err);
}

pm_status pm_report_read_datasets(pm_session *session, pm_report_target *target, pm_error *err)
{
    pm_status status = PM_OK;

    target->datasets = calloc(ENDINGS, sizeof *target->datasets);
    if (!target->datasets)
        return no_memory(err);
    for (size_t e = 0; e < ENDINGS && status == PM_OK; e++) {
        const pm_dataset *dataset;

        status = add_dataset(session, target, endings[e], &dataset, err);
        if (strcmp(endings[e], "") == 0)
            target->measured = dataset;
        else if (strcmp(endings[e], "-trace") == 0)
            target->counted = dataset;
    }
    return status;
}

/* ---- validation ----------------------------------------------------------------------------- */

/* As advise predicts: from what the trace engine counts, where there is a dataset of that; by the
 * units of the GPU, where its row of devices.csv has them. */
static pm_status validate(pm_session *session, pm_report_target *target, pm_error *err)
{
    const pm_model_options model = {.method = target->property_count ? "units" : "auto",
                                    .counters = "code",
                                    .no_source_time = true};

    if (!target->measured) {
        target->no_validation = strdup("nobody measured times on it for a dataset");
        return target->no_validation ? PM_OK : no_memory(err);
    }
    target->validation = pm_validate(session, target->measured, target->counted, &model, err);
    if (target->validation || pm_session_is_cancelled(session))
        return target->validation ? PM_OK : PM_FAILED;
    /* Too few programs to leave any out, for instance. */
    pm_notice(pm_session_log(session), "%s: no validation: %s", target->id, err->text);
    target->no_validation = strdup(err->text);
    *err = (pm_error){0};
    return target->no_validation ? PM_OK : no_memory(err);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static pm_status unknown_target(const pm_session *session, const char *id, pm_error *err)
{
    pm_device_row *row;
    pm_status status = pm_device_row_read(id, pm_session_chosen(session)->datasets, &row, err);

    if (status != PM_OK)
        return status;
    status = pm_fail(err, PM_BAD_INPUT,
                     "no target '%s': %s has %s; add a row for it, or collect a dataset", id,
                     row->path, row->devices);
    pm_device_row_free(row);
    return status;
}

pm_status pm_report_open_target(pm_session *session, pm_report_target *target, const char *id,
                                pm_error *err)
{
    pm_status status;

    target->id = strdup(id);
    if (!target->id)
        return no_memory(err);
    status = pm_report_read_properties(session, target, err);
    if (status == PM_OK)
        status = pm_report_read_datasets(session, target, err);
    if (status == PM_OK && !target->property_count && !target->measured)
        status = unknown_target(session, id, err);
    return status == PM_OK ? validate(session, target, err) : status;
}

static void clear_case(pm_report_case *c)
{
    pm_advice_free(c->advice);
    free(c->costs);
}

void pm_report_target_clear(pm_report_target *target)
{
    for (size_t i = 0; i < target->case_count; i++)
        clear_case(&target->cases[i]);
    for (size_t i = 0; i < target->property_count; i++) {
        free(target->properties[i].name);
        free(target->properties[i].value);
    }
    for (size_t i = 0; i < target->dataset_count; i++) {
        free(target->datasets[i].name);
        free(target->datasets[i].path);
        json_decref(target->datasets[i].provenance);
    }
    pm_validation_free(target->validation);
    free(target->cases);
    free(target->properties);
    free(target->datasets);
    free(target->no_validation);
    free(target->id);
}
