/* Finds devices.csv and reads a row of it. See devices_table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "gpu/devices_table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/strings.h"
#include "base/text.h"
#include "gpu/own_row.h"

/* While the table is read. */
typedef struct {
    pm_device_row *row;
    const char *device;
    size_t device_column, name_column;
} reader;

static void free_cells(char **cells, size_t count)
{
    for (size_t c = 0; cells && c < count; c++)
        free(cells[c]);
    free(cells);
}

static pm_status copy_cells(const char *const *cells, size_t count, char ***copy, pm_error *err)
{
    char **texts = calloc(count, sizeof *texts);
    bool whole = texts != NULL;

    for (size_t c = 0; whole && c < count; c++) {
        texts[c] = strdup(cells[c]);
        whole = texts[c] != NULL;
    }
    if (!whole) {
        free_cells(texts, count);
        return pm_fail(err, PM_FAILED, "out of memory for a row of devices.csv");
    }
    *copy = texts;
    return PM_OK;
}

static pm_status read_header(reader *r, const char *const *cells, size_t count, pm_error *err)
{
    pm_device_row *row = r->row;

    row->columns = count;
    r->device_column = r->name_column = count;
    for (size_t c = 0; c < count; c++) {
        if (strcmp(cells[c], "device") == 0)
            r->device_column = c;
        if (strcmp(cells[c], "name") == 0)
            r->name_column = c;
    }
    if (r->device_column == count)
        return pm_fail(err, PM_BAD_INPUT, "%s:1: no column 'device'; add it", row->path);
    return copy_cells(cells, count, &row->names, err);
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    reader *r = user;
    pm_device_row *row = r->row;
    char shown[PM_SHOWN_CELL];

    if (count > PM_CSV_MAX_COLUMNS)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: more than %d columns; are the commas right?",
                       row->path, line, PM_CSV_MAX_COLUMNS);
    if (!row->names)
        return read_header(r, cells, count, err);
    if (count != row->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells, the header has %zu; mend the row",
                       row->path, line, count, row->columns);
    pm_list_add(row->devices, sizeof row->devices, "%s",
                pm_shown(cells[r->device_column], shown, sizeof shown));
    if (!pm_strings_add(&row->ids, cells[r->device_column]) ||
        !pm_strings_add(&row->titles, r->name_column < count ? cells[r->name_column] : ""))
        return pm_fail(err, PM_FAILED, "out of memory for the rows of devices.csv");
    if (strcmp(cells[r->device_column], r->device) != 0)
        return PM_OK;
    if (row->values)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: a second row of %s; remove one", row->path, line,
                       pm_shown(r->device, shown, sizeof shown));
    row->line = line;
    return copy_cells(cells, count, &row->values, err);
}

static pm_status read_table(pm_device_row *row, const char *device, pm_error *err)
{
    reader r = {.row = row, .device = device};
    pm_csv_end end;
    pm_status status;
    int fd = pm_file_open(row->path, err);

    if (fd < 0)
        return PM_BAD_INPUT;
    status = pm_csv_read(fd, row->path, read_row, &r, &end, err);
    close(fd);
    if (status == PM_OK && end.torn_line > 0)
        status = pm_fail(err, PM_BAD_INPUT, "%s:%zu: the last line does not end; add a newline",
                         row->path, end.torn_line);
    if (status == PM_OK && !row->names)
        status = pm_fail(err, PM_BAD_INPUT, "%s: it is empty; a first line names the columns",
                         row->path);
    return status;
}

pm_status pm_device_row_read_at(const char *device, const char *path, pm_device_row **out,
                                pm_error *err)
{
    pm_device_row *row = calloc(1, sizeof *row);
    char shown[PM_SHOWN_PATH];
    pm_status status;

    *out = NULL;
    if (!row)
        return pm_fail(err, PM_FAILED, "out of memory for a row of devices.csv");
    if ((size_t)snprintf(row->path, sizeof row->path, "%s", path) >= sizeof row->path)
        status = pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                         pm_shown(path, shown, sizeof shown));
    else
        status = read_table(row, device, err);
    if (status != PM_OK) {
        pm_device_row_free(row);
        return status;
    }
    *out = row;
    return PM_OK;
}

pm_status pm_device_row_read_table(const char *device, const char *folder, pm_device_row **out,
                                   pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_table_path("devices.csv", folder, path, sizeof path, err);

    *out = NULL;
    return status == PM_OK ? pm_device_row_read_at(device, path, out, err) : status;
}

pm_status pm_device_row_read(const char *device, const char *folder, pm_device_row **out,
                             pm_error *err)
{
    pm_status status = pm_device_row_read_table(device, folder, out, err);

    if (status == PM_OK && ((*out)->line == 0 || pm_device_row_is_cpu(*out)))
        status = pm_own_row_find(*out, device, folder, err);
    if (status != PM_OK) {
        pm_device_row_free(*out);
        *out = NULL;
    }
    return status;
}

void pm_device_row_free(pm_device_row *row)
{
    if (!row)
        return;
    pm_strings_clear(&row->ids);
    pm_strings_clear(&row->titles);
    free_cells(row->names, row->columns);
    free_cells(row->values, row->columns);
    free(row);
}

/* The last column of the name, or row->columns. */
static size_t find_column(const pm_device_row *row, const char *name)
{
    size_t c = row->columns;

    while (c > 0 && strcmp(row->names[c - 1], name) != 0)
        c--;
    return c > 0 ? c - 1 : row->columns;
}

bool pm_device_row_has(const pm_device_row *row, const char *column)
{
    return find_column(row, column) < row->columns;
}

pm_status pm_device_row_cell(const pm_device_row *row, const char *column, const char **text,
                             pm_error *err)
{
    size_t c = find_column(row, column);

    if (c == row->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:1: no column '%s'; add it", row->path, column);
    *text = row->values ? row->values[c] : NULL;
    return PM_OK;
}

pm_status pm_device_row_fail(const pm_device_row *row, const char *column, const char *wanted,
                             pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    const char *text;
    pm_status status = pm_device_row_cell(row, column, &text, err);

    if (status != PM_OK)
        return status;
    if (!text || !*text)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s is empty; %s is wanted", row->path, row->line,
                       column, wanted);
    return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %s is '%s'; %s is wanted", row->path, row->line,
                   column, pm_shown(text, shown, sizeof shown), wanted);
}

pm_status pm_device_names(const char *folder, pm_strings *names, pm_error *err)
{
    pm_device_row *row;
    pm_status status = pm_device_row_read("", folder, &row, err);

    if (status != PM_OK)
        return status;
    *names = row->ids;
    row->ids = (pm_strings){0};
    pm_device_row_free(row);
    return PM_OK;
}
