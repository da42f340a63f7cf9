/* Finds and reads devices.csv. See devices_table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/devices_table.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "machine/own_row.h"

/* All rows of the table. */
typedef struct {
    char path[PATH_MAX];
    size_t columns, count, room;
    char **names;   /* column names; NULL until the header is read */
    char ***values; /* values[row][column]: text of the cell */
    size_t *lines;  /* line number of each row */
    size_t device_column, name_column;
} table;

static void free_table(table *t)
{
    for (size_t i = 0; i < t->count; i++)
        pm_device_cells_free(t->values[i], t->columns);
    free(t->values);
    free(t->lines);
    pm_device_cells_free(t->names, t->columns);
    *t = (table){.columns = 0};
}

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for the rows of devices.csv");
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
        pm_device_cells_free(texts, count);
        return no_memory(err);
    }
    *copy = texts;
    return PM_OK;
}

/* ---- reading the table ---------------------------------------------------------------------- */

static pm_status read_header(table *t, const char *const *cells, size_t count, pm_error *err)
{
    t->columns = t->device_column = t->name_column = count;
    for (size_t c = 0; c < count; c++) {
        if (strcmp(cells[c], "device") == 0)
            t->device_column = c;
        if (strcmp(cells[c], "name") == 0)
            t->name_column = c;
    }
    if (t->device_column == count)
        return pm_fail(err, PM_BAD_INPUT, "%s:1: no column 'device'; add it", t->path);
    return copy_cells(cells, count, &t->names, err);
}

static bool make_room(table *t)
{
    const size_t room = t->room > 0 ? 2 * t->room : 64;
    char ***values = realloc(t->values, room * sizeof *values);
    size_t *lines;

    if (!values)
        return false;
    t->values = values;
    lines = realloc(t->lines, room * sizeof *lines);
    if (!lines)
        return false;
    t->lines = lines;
    t->room = room;
    return true;
}

static pm_status read_row(void *user, size_t line, const char *const *cells, size_t count,
                          pm_error *err)
{
    table *t = user;
    pm_status status;

    if (count > PM_CSV_MAX_COLUMNS)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: more than %d columns; are the commas right?",
                       t->path, line, PM_CSV_MAX_COLUMNS);
    if (!t->names)
        return read_header(t, cells, count, err);
    if (count != t->columns)
        return pm_fail(err, PM_BAD_INPUT, "%s:%zu: %zu cells, the header has %zu; mend the row",
                       t->path, line, count, t->columns);
    if (t->count == t->room && !make_room(t))
        return no_memory(err);
    status = copy_cells(cells, count, &t->values[t->count], err);
    if (status == PM_OK)
        t->lines[t->count++] = line;
    return status;
}

/* Reads the whole table at `path` into *t. If it fails, *t needs no free_table. */
static pm_status read_table(const char *path, table *t, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    pm_status status;

    *t = (table){.columns = 0};
    if ((size_t)snprintf(t->path, sizeof t->path, "%s", path) >= sizeof t->path)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                       pm_shown(path, shown, sizeof shown));
    status = pm_csv_read_table(t->path, read_row, t, err);
    if (status == PM_OK && !t->names)
        status =
            pm_fail(err, PM_BAD_INPUT, "%s: it is empty; a first line names the columns", t->path);
    if (status != PM_OK)
        free_table(t);
    return status;
}

/* ---- one row -------------------------------------------------------------------------------- */

static pm_status add_device(const table *t, size_t i, pm_device_row *row, pm_error *err)
{
    const char *const *cells = (const char *const *)t->values[i];

    const char *id = cells[t->device_column];

    if (pm_strings_find(&row->ids, id))
        return PM_OK;
    return pm_strings_add(&row->ids, id) &&
                   pm_strings_append(&row->titles,
                                     t->name_column < t->columns ? cells[t->name_column] : "")
               ? PM_OK
               : no_memory(err);
}

static pm_status fill_row(const table *t, const char *device, pm_device_row *row, pm_error *err)
{
    char shown[PM_SHOWN_CELL];
    pm_status status = copy_cells((const char *const *)t->names, t->columns, &row->names, err);

    row->columns = status == PM_OK ? t->columns : 0;
    strcpy(row->path, t->path);
    for (size_t i = 0; status == PM_OK && i < t->count; i++) {
        status = add_device(t, i, row, err);
        if (status != PM_OK || strcmp(t->values[i][t->device_column], device) != 0)
            continue;
        if (row->values)
            return pm_fail(err, PM_BAD_INPUT, "%s:%zu: a second row of %s; remove one", t->path,
                           t->lines[i], pm_shown(device, shown, sizeof shown));
        row->line = t->lines[i];
        status = copy_cells((const char *const *)t->values[i], t->columns, &row->values, err);
    }
    return status;
}

static pm_status pick_row(const table *t, const char *device, pm_device_row **out, pm_error *err)
{
    pm_device_row *row = calloc(1, sizeof *row);
    pm_status status = row ? fill_row(t, device, row, err) : no_memory(err);

    *out = status == PM_OK ? row : NULL;
    if (status != PM_OK)
        pm_device_row_free(row);
    return status;
}

pm_status pm_device_row_read_at(const char *device, const char *path, pm_device_row **out,
                                pm_error *err)
{
    table t;
    pm_status status = read_table(path, &t, err);

    *out = NULL;
    if (status != PM_OK)
        return status;
    status = pick_row(&t, device, out, err);
    free_table(&t);
    return status;
}

pm_status pm_device_row_read_table(const char *device, const char *folder, pm_device_row **out,
                                   pm_error *err)
{
    char path[PATH_MAX];
    pm_status status = pm_table_path("devices.csv", folder, path, sizeof path, err);

    *out = NULL;
    return status == PM_OK ? pm_device_row_read_at(device, path, out, err) : status;
}

/* A device that devices.csv does not have, and each CPU, is described by a row in the JSON file of
 * its dataset. Replaces *out by that row in these cases. Does nothing if `status` is an error, and
 * returns it. */
static pm_status take_own(pm_status status, const char *device, const char *folder,
                          pm_device_row **out, pm_error *err)
{
    if (status == PM_OK && ((*out)->line == 0 || pm_device_row_is_cpu(*out)))
        status = pm_own_row_find(*out, device, folder, err);
    if (status != PM_OK) {
        pm_device_row_free(*out);
        *out = NULL;
    }
    return status;
}

pm_status pm_device_row_read(const char *device, const char *folder, pm_device_row **out,
                             pm_error *err)
{
    pm_status status = pm_device_row_read_table(device, folder, out, err);

    return take_own(status, device, folder, out, err);
}

static pm_status read_session_table(pm_session *session, void *object, const void *user,
                                    pm_error *err)
{
    char path[PATH_MAX];
    pm_status status =
        pm_table_path("devices.csv", pm_session_chosen(session)->datasets, path, sizeof path, err);

    (void)user;
    return status == PM_OK ? read_table(path, object, err) : status;
}

static void release_table(void *object)
{
    free_table(object);
    free(object);
}

pm_status pm_session_device_row(pm_session *session, const char *device, pm_device_row **out,
                                pm_error *err)
{
    static const pm_session_kind kind = {"devices.csv", sizeof(table), read_session_table,
                                         release_table};
    const table *t = pm_session_have(session, &kind, "", NULL, err);
    pm_status status;

    *out = NULL;
    if (!t)
        return err ? err->status : PM_FAILED;
    status = pick_row(t, device, out, err);
    return take_own(status, device, pm_session_chosen(session)->datasets, out, err);
}

pm_status pm_own_row_read(const char *device, const char *json_path, const char *folder,
                          pm_device_row **out, pm_error *err)
{
    pm_status status = pm_device_row_read_table(device, folder, out, err);

    if (status == PM_OK)
        status = pm_own_row_take(*out, device, json_path, err);
    if (status != PM_OK) {
        pm_device_row_free(*out);
        *out = NULL;
    }
    return status;
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
