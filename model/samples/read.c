/* Reads a dataset from CSV. The header assigns the columns, and each row becomes a sample.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "base/text.h"
#include "model/samples/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REQUIRED_NAMES "device, program, variant, size, kernel, counter_source and time_s"

typedef struct {
    pm_dataset *dataset;
    double *values; /* values of the counters in the row that is being read */
} reader;

static pm_status fault(const reader *in, size_t line, pm_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static pm_status fault(const reader *in, size_t line, pm_error *err, const char *format, ...)
{
    char path[PM_SHOWN_PATH], what[PM_FAULT_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s", pm_shown(in->dataset->path, path, sizeof path),
                   line, what);
}

static pm_status no_memory(const char *path, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    return pm_fail(err, PM_FAILED, "%s: not enough memory to read it; free some and try again",
                   pm_shown(path, shown, sizeof shown));
}

/* ---- the header ------------------------------------------------------------------------------ */

static pm_status check_name(const reader *in, size_t line, size_t column, const char *name,
                            pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    if (!*name)
        return fault(in, line, err, "column %zu has no name; name it or remove it", column + 1);
    if (!pm_is_utf8(name))
        return fault(in, line, err, "column %zu is called '%s', which is not UTF-8; rename it",
                     column + 1, pm_shown(name, shown, sizeof shown));
    if (pm_strings_find(&in->dataset->strings, name))
        return fault(in, line, err, "two columns are called '%s'; rename or remove one",
                     pm_shown(name, shown, sizeof shown));
    return PM_OK;
}

static pm_status check_required(const reader *in, size_t line, pm_error *err)
{
    char missing[128] = "";
    for (size_t i = 0; i < PM_KNOWN_COLUMNS; i++) {
        const char *name = pm_known_columns[i].name;
        if (pm_known_columns[i].required && !pm_strings_find(&in->dataset->strings, name))
            pm_list_add(missing, sizeof missing, "%s", name);
    }
    if (*missing)
        return fault(in, line, err,
                     "no column %s; the first line of a dataset names its columns, among "
                     "them " REQUIRED_NAMES,
                     missing);
    return PM_OK;
}

static pm_status read_header(reader *in, size_t line, const char *const *cells, size_t count,
                             pm_error *err)
{
    pm_dataset *dataset = in->dataset;
    if (count > PM_CSV_MAX_COLUMNS)
        return fault(in, line, err, "%zu columns; a dataset has %d at most, so remove some", count,
                     PM_CSV_MAX_COLUMNS);
    dataset->columns = calloc(count, sizeof *dataset->columns);
    dataset->counters = calloc(count, sizeof *dataset->counters);
    in->values = calloc(count, sizeof *in->values);
    if (!dataset->columns || !dataset->counters || !in->values)
        return no_memory(dataset->path, err);
    dataset->column_count = count;
    for (size_t i = 0; i < count; i++) {
        pm_status status = check_name(in, line, i, cells[i], err);
        if (status != PM_OK)
            return status;
        pm_column *column = &dataset->columns[i];
        column->name = pm_strings_add(&dataset->strings, cells[i]);
        if (!column->name)
            return no_memory(dataset->path, err);
        column->known = pm_known_column_of(column->name);
        column->counter = PM_NO_ENTRY;
        if (column->known == PM_NO_ENTRY) {
            column->counter = dataset->counter_count;
            dataset->counters[dataset->counter_count++] = column->name;
        }
    }
    return check_required(in, line, err);
}

/* ---- a row ----------------------------------------------------------------------------------- */

static pm_status read_cells(reader *in, size_t line, const char *const *cells, pm_sample *sample,
                            pm_error *err)
{
    for (size_t i = 0; i < in->dataset->column_count; i++) {
        const pm_column *column = &in->dataset->columns[i];
        if (column->known < PM_TEXT_COLUMNS) {
            *pm_sample_text(sample, column->known) = cells[i];
            if (column->known == PM_ORIGIN_COLUMN && !*cells[i])
                return fault(in, line, err,
                             "origin is empty; say who published the time, and keep rows of your "
                             "own in a dataset without that column");
            continue;
        }
        double *value = column->known == PM_NO_ENTRY ? &in->values[column->counter]
                                                     : pm_sample_number(sample, column->known);
        *value = NAN;
        if (*cells[i] && !pm_number_parse(cells[i], value)) {
            char name[PM_SHOWN_CELL], text[PM_SHOWN_CELL];
            return fault(in, line, err,
                         "column %s holds '%s', not a number; write a decimal number, or leave "
                         "the cell empty if it is unknown",
                         pm_shown(column->name, name, sizeof name),
                         pm_shown(cells[i], text, sizeof text));
        }
    }
    return PM_OK;
}

static pm_status read_sample(reader *in, size_t line, const char *const *cells, size_t count,
                             pm_error *err)
{
    pm_dataset *dataset = in->dataset;
    if (count != dataset->column_count)
        return fault(in, line, err,
                     "%zu cells where the header has %zu columns; mend the row or "
                     "remove it",
                     count, dataset->column_count);
    pm_sample sample = {.time_s = NAN,
                        .time_mad_s = NAN,
                        .runs = NAN,
                        .work_items = NAN,
                        .work_group = NAN,
                        .counters = in->values,
                        .line = line};
    pm_status status = read_cells(in, line, cells, &sample, err);
    if (status != PM_OK)
        return status;
    char text[PM_FAULT_SIZE];
    if (pm_sample_fault(&sample, dataset->counter_count, text))
        return fault(in, line, err, "%s", text);
    size_t earlier = PM_NO_ENTRY;
    if (pm_dataset_add(dataset, &sample, &earlier))
        return PM_OK;
    if (earlier == PM_NO_ENTRY)
        return no_memory(dataset->path, err);
    return fault(in, line, err,
                 "the same device, program, variant, size, kernel and counter_source as line "
                 "%zu; remove one of the two",
                 dataset->samples[earlier].line);
}

static pm_status on_row(void *user, size_t line, const char *const *cells, size_t count,
                        pm_error *err)
{
    reader *in = user;
    return in->dataset->column_count ? read_sample(in, line, cells, count, err)
                                     : read_header(in, line, cells, count, err);
}

/* ---- the file -------------------------------------------------------------------------------- */

pm_dataset *pm_dataset_read_fd(int fd, const char *path, pm_error *err)
{
    reader in = {.dataset = pm_dataset_create(path)};
    if (!in.dataset) {
        no_memory(path, err);
        return NULL;
    }
    pm_status status = pm_csv_read(fd, path, on_row, &in, &in.dataset->end, err);
    if (status == PM_OK && !in.dataset->column_count)
        status = fault(
            &in, 1, err,
            "no header; the first line of a dataset names its columns, among them " REQUIRED_NAMES);
    free(in.values);
    if (status != PM_OK) {
        pm_dataset_free(in.dataset);
        return NULL;
    }
    return in.dataset;
}

pm_dataset *pm_dataset_read(const char *path, const pm_log *log, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    int fd = pm_file_open(path, err);
    if (fd < 0)
        return NULL;
    pm_dataset *dataset = pm_dataset_read_fd(fd, path, err);
    close(fd);
    if (!dataset)
        return NULL;
    if (!dataset->rows) {
        pm_fail(err, PM_BAD_INPUT,
                dataset->end.torn_line ? "%s:%zu: no rows but one without a newline at its end, "
                                         "which may be cut short; collect it again"
                                       : "%s:%zu: no rows; collect some with perfmodel collect",
                pm_shown(path, shown, sizeof shown), dataset->end.last_line);
        pm_dataset_free(dataset);
        return NULL;
    }
    pm_dataset_mark_languages(dataset);
    if (dataset->end.torn_line)
        pm_notice(log,
                  "%s:%zu: the last row has no newline at its end and may be cut short, so it is "
                  "dropped; collecting again measures it anew",
                  pm_shown(path, shown, sizeof shown), dataset->end.torn_line);
    return dataset;
}
