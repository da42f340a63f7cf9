/* Reads rows of devices.csv in datasets' JSON files. See own_row.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "machine/own_row.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_read.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/text.h"

static pm_status no_memory(pm_error *err)
{
    return pm_fail(err, PM_FAILED, "out of memory for a row of devices.csv");
}

static pm_status not_a_row(const char *path, const char *what, pm_error *err)
{
    char shown[PM_SHOWN_PATH], key[PM_SHOWN_CELL];

    return pm_fail(err, PM_BAD_INPUT,
                   "%s:1: \"row\" of the device: %s; it is to be up to %d names of columns with "
                   "texts; mend this file or move it away, then collect again",
                   pm_shown(path, shown, sizeof shown), pm_shown(what, key, sizeof key),
                   PM_CSV_MAX_COLUMNS);
}

/* Adds the device to the ids of the table's rows if the table does not have the device. Returns
 * false if memory runs out. */
static bool add_name(pm_device_row *row, const char *device)
{
    return row->line > 0 || (pm_strings_add(&row->ids, device) && pm_strings_add(&row->titles, ""));
}

/* Copies the names and the values of the cells from a JSON object. On failure the remaining members
 * of names and values are NULL. */
static pm_status copy_cells(const char *path, json_t *cells, char **names, char **values,
                            pm_error *err)
{
    const char *name;
    json_t *value;
    size_t count = 0;

    json_object_foreach(cells, name, value)
    {
        if (!json_is_string(value) || strlen(json_string_value(value)) != json_string_length(value))
            return not_a_row(path, name, err);
        names[count] = strdup(name);
        values[count] = strdup(json_string_value(value));
        if (!names[count] || !values[count])
            return no_memory(err);
        count++;
    }
    return PM_OK;
}

static pm_status put_cells(pm_device_row *row, const char *device, const char *path, json_t *cells,
                           pm_error *err)
{
    const size_t count = json_object_size(cells);
    char **names, **values;
    pm_status status;

    if (!json_is_object(cells) || count == 0 || count > PM_CSV_MAX_COLUMNS)
        return not_a_row(path, "not an object of that size", err);
    names = calloc(count, sizeof *names);
    values = calloc(count, sizeof *values);
    status = names && values ? copy_cells(path, cells, names, values, err) : no_memory(err);
    if (status == PM_OK && !add_name(row, device))
        status = no_memory(err);
    if (status != PM_OK) {
        pm_device_cells_free(names, count);
        pm_device_cells_free(values, count);
        return status;
    }
    pm_device_cells_free(row->names, row->columns);
    pm_device_cells_free(row->values, row->columns);
    row->names = names;
    row->values = values;
    row->columns = count;
    row->line = 1;
    snprintf(row->path, sizeof row->path, "%s", path);
    return PM_OK;
}

pm_status pm_own_row_take(pm_device_row *row, const char *device, const char *json_path,
                          pm_error *err)
{
    json_t *document, *cells;
    pm_status status = PM_OK;
    int fd;

    if (access(json_path, F_OK) != 0)
        return PM_OK;
    fd = pm_file_open(json_path, err);
    if (fd < 0)
        return PM_BAD_INPUT;
    /* Ignore malformed JSON here, because the code that writes the file reports it. */
    document = pm_json_read(fd, NULL);
    close(fd);
    cells = json_object_get(json_object_get(document, "device"), "row");
    if (cells)
        status = put_cells(row, device, json_path, cells, err);
    json_decref(document);
    return status;
}

/* Writes the path of a device's JSON file in a folder to `path`. Returns true if the file exists. A
 * path that is too long counts as missing. */
static bool is_in(const char *folder, const char *device, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s.json", folder, device);

    return length > 0 && length < PATH_MAX && access(path, F_OK) == 0;
}

pm_status pm_own_row_find(pm_device_row *row, const char *device, const char *folder, pm_error *err)
{
    char users[PATH_MAX], path[PATH_MAX], name[NAME_MAX];
    int length = snprintf(name, sizeof name, "datasets/%s.json", device);

    if (!*device || strchr(device, '/') || length < 0 || (size_t)length >= sizeof name)
        return PM_OK;
    if ((folder && is_in(folder, device, path)) ||
        (pm_user_folder(users, sizeof users, NULL) == PM_OK && is_in(users, device, path)) ||
        (pm_home_folder(users, sizeof users, NULL) == PM_OK && is_in(users, device, path)) ||
        pm_share_path(name, path, sizeof path, NULL) == PM_OK)
        return pm_own_row_take(row, device, path, err);
    return PM_OK;
}

pm_device_row *pm_own_row_of_probe(const pm_probe_row *probed, const char *path, pm_error *err)
{
    pm_device_row *row = calloc(1, sizeof *row);
    bool whole = row != NULL;

    if (whole) {
        row->names = calloc(probed->count, sizeof *row->names);
        row->values = calloc(probed->count, sizeof *row->values);
        whole = row->names && row->values;
        row->columns = whole ? probed->count : 0;
        row->line = 1;
        snprintf(row->path, sizeof row->path, "%s", path);
    }
    for (size_t c = 0; whole && c < probed->count; c++) {
        row->names[c] = strdup(probed->cells[c].name);
        row->values[c] = strdup(probed->cells[c].value);
        whole = row->names[c] && row->values[c];
    }
    if (whole)
        return row;
    pm_device_row_free(row);
    no_memory(err);
    return NULL;
}

bool pm_device_row_is_own(const pm_device_row *row)
{
    const size_t length = strlen(row->path), end = strlen(".json");

    return length > end && strcmp(row->path + length - end, ".json") == 0;
}
