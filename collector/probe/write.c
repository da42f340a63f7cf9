/* Writes the measured properties of a device as a row of a CSV file in the format of devices.csv:
 * to a new file with a header, or at the end of an existing table.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In both cases the whole file is written again.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"
#include "collector/probe/probe.h"

enum { LARGEST_TABLE = 64 << 20 };

char *pm_probe_csv(const pm_probe_row *row, pm_error *err)
{
    pm_text text = {0};
    char *bytes;

    for (size_t c = 0; c < row->count; c++)
        pm_csv_put(&text, row->cells[c].name, c + 1 == row->count);
    for (size_t c = 0; c < row->count; c++)
        pm_csv_put(&text, row->cells[c].value, c + 1 == row->count);
    bytes = pm_text_take(&text);
    if (!bytes)
        pm_fail(err, PM_FAILED, "out of memory for the row of the probe");
    return bytes;
}

/* ---- files ----------------------------------------------------------------------------------- */

static pm_status wrong_place(const char *path, int reason, pm_error *err)
{
    char shown[PM_SHOWN_PATH];

    return pm_fail(err, pm_place_status(reason),
                   "%s: cannot be written: %s; make the file and its folder writable, or choose "
                   "another with -o",
                   pm_shown(path, shown, sizeof shown), strerror(reason));
}

/* Fails if the process may not create files in the folder of `path`. */
static pm_status check_folder(const char *path, pm_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;

    if (strlen(path) >= sizeof folder)
        return wrong_place(path, ENAMETOOLONG, err);
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (access(length ? folder : slash ? "/" : ".", W_OK | X_OK) != 0)
        return wrong_place(path, errno, err);
    return PM_OK;
}

/* Reads the table of devices at `path`, to which the row of `device` will be appended. *row becomes
 * NULL if the file does not exist. */
static pm_status open_table(const char *path, const char *device, pm_device_row **row,
                            pm_error *err)
{
    struct stat info;
    char shown[PM_SHOWN_PATH];
    pm_status status;

    *row = NULL;
    if (stat(path, &info) != 0)
        return errno == ENOENT ? PM_OK : wrong_place(path, errno, err);
    if (!S_ISREG(info.st_mode))
        return pm_fail(err, PM_BAD_INPUT, "%s: not a regular file; choose another with -o",
                       pm_shown(path, shown, sizeof shown));
    status = pm_device_row_read_at(device, path, row, err);
    if (status != PM_OK)
        return status;
    /* Without this column the file is no table of devices, but for example a dataset, which also
     * has a column `device`. */
    if (!pm_device_row_has(*row, "clock_mhz"))
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s:1: no column 'clock_mhz', so this is no devices.csv; choose another "
                         "file with -o",
                         pm_shown(path, shown, sizeof shown));
    else if ((*row)->line > 0)
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s:%zu: a row of %s is there already; remove it, or choose another file "
                         "with -o",
                         pm_shown(path, shown, sizeof shown), (*row)->line, device);
    if (status != PM_OK) {
        pm_device_row_free(*row);
        *row = NULL;
    }
    return status;
}

pm_status pm_probe_output_check(const char *path, const char *device, pm_error *err)
{
    pm_device_row *table;
    pm_status status = open_table(path, device, &table, err);

    pm_device_row_free(table);
    return status == PM_OK ? check_folder(path, err) : status;
}

/* Appends the values that the probe found to a text, in the order of the columns of an existing
 * table of devices. Logs the values for which the table has no column. */
static void put_in_columns(pm_text *to, const pm_device_row *table, const pm_probe_row *row,
                           const pm_log *log)
{
    for (size_t c = 0; c < table->columns; c++) {
        const char *value = "";

        for (size_t k = 0; k < row->count; k++)
            if (strcmp(row->cells[k].name, table->names[c]) == 0)
                value = row->cells[k].value;
        pm_csv_put(to, value, c + 1 == table->columns);
    }
    for (size_t k = 0; k < row->count; k++)
        if (*row->cells[k].value && !pm_device_row_has(table, row->cells[k].name))
            pm_notice(log, "%s: no column '%s', so its %s is left out; add the column", table->path,
                      row->cells[k].name, row->cells[k].value);
}

pm_status pm_probe_output_write(const char *path, const pm_probe_row *row, const pm_log *log,
                                pm_error *err)
{
    char *bytes = NULL;
    pm_device_row *table;
    pm_status status = open_table(path, row->device.id, &table, err);
    int fd, reason;

    if (status == PM_OK && table) {
        pm_text text = {0};

        status = pm_file_read(path, LARGEST_TABLE, "a smaller table", &bytes, err);
        pm_text_add(&text, "%s", bytes ? bytes : "");
        put_in_columns(&text, table, row, log);
        free(bytes);
        bytes = pm_text_take(&text);
        if (!bytes)
            status = pm_fail(err, PM_FAILED, "out of memory for the row of the probe");
    } else if (status == PM_OK) {
        bytes = pm_probe_csv(row, err);
        status = bytes ? PM_OK : PM_FAILED;
    }
    if (status == PM_OK) {
        fd = pm_file_put(path, bytes, strlen(bytes), table != NULL, false);
        reason = errno;
        if (fd < 0)
            status = wrong_place(path, reason, err);
        else
            close(fd);
    }
    free(bytes);
    pm_device_row_free(table);
    return status;
}
