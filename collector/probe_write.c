/* The probe's row as CSV: by itself with a header, or appended to a table, which is written whole.
 * See probe.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <csv.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dataset_parts.h"
#include "error.h"
#include "probe.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void put_cell(FILE *to, const char *text, bool last)
{
    static const char spaces[] = " \t";
    size_t length = strlen(text);

    if (length > 0 &&
        (strpbrk(text, ",\"\r\n") || strchr(spaces, text[0]) || strchr(spaces, text[length - 1])))
        csv_fwrite(to, text, length);
    else
        fputs(text, to);
    fputc(last ? '\n' : ',', to);
}

static void put_row(FILE *to, const pm_probe_row *row)
{
    for (size_t c = 0; c < row->count; c++)
        put_cell(to, row->cells[c].value, c + 1 == row->count);
}

static char *finish(FILE *text, char **bytes, pm_error *err)
{
    bool whole = text && !ferror(text);

    if (text && fclose(text) == 0 && whole)
        return *bytes;
    free(*bytes);
    pm_fail(err, PM_FAILED, "out of memory for the row of the probe");
    return NULL;
}

char *pm_probe_csv(const pm_probe_row *row, pm_error *err)
{
    char *bytes = NULL;
    size_t size;
    FILE *text = open_memstream(&bytes, &size);

    if (text) {
        for (size_t c = 0; c < row->count; c++)
            put_cell(text, row->cells[c].name, c + 1 == row->count);
        put_row(text, row);
    }
    return finish(text, &bytes, err);
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

/* Whether a file can be made beside path. */
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

/* *row is the table at path, read for the device; NULL: there is no such file. */
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
    if (!pm_device_row_has(*row, "clock_mhz")) /* a dataset has devices too */
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s:1: no column 'clock_mhz', so this is no devices.csv; choose another "
                         "file with -o",
                         pm_shown(path, shown, sizeof shown));
    else if (pm_device_row_found(*row))
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s:%zu: a row of %s is there already; remove it, or choose another file "
                         "with -o",
                         pm_shown(path, shown, sizeof shown), pm_device_row_line(*row), device);
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

/* The bytes of a file are copied to the stream. */
static pm_status copy_file(const char *path, FILE *to, pm_error *err)
{
    FILE *from = fopen(path, "re");
    char chunk[4096];
    size_t got;
    bool failed;

    if (!from)
        return wrong_place(path, errno, err);
    while ((got = fread(chunk, 1, sizeof chunk, from)) > 0)
        fwrite(chunk, 1, got, to);
    failed = ferror(from) != 0;
    fclose(from);
    return failed ? wrong_place(path, EIO, err) : PM_OK;
}

/* The row in the table's columns; cells that it has no column for are told. */
static void put_in_columns(FILE *to, const pm_device_row *table, const pm_probe_row *row,
                           const pm_log *log)
{
    for (size_t c = 0; pm_device_row_column(table, c); c++) {
        const char *value = "";

        for (size_t k = 0; k < row->count; k++)
            if (strcmp(row->cells[k].name, pm_device_row_column(table, c)) == 0)
                value = row->cells[k].value;
        put_cell(to, value, !pm_device_row_column(table, c + 1));
    }
    for (size_t k = 0; k < row->count; k++)
        if (*row->cells[k].value && !pm_device_row_has(table, row->cells[k].name))
            pm_notice(log, "%s: no column '%s', so its %s is left out; add the column",
                      pm_device_row_path(table), row->cells[k].name, row->cells[k].value);
}

pm_status pm_probe_output_write(const char *path, const pm_probe_row *row, const pm_log *log,
                                pm_error *err)
{
    char *bytes = NULL;
    size_t size = 0;
    pm_device_row *table;
    pm_status status = open_table(path, row->device.id, &table, err);
    int fd, reason;

    if (status != PM_OK)
        return status;
    if (table) {
        FILE *text = open_memstream(&bytes, &size);

        if (text) {
            status = copy_file(path, text, err);
            put_in_columns(text, table, row, log);
        }
        bytes = finish(text, &bytes, status == PM_OK ? err : NULL);
    } else {
        bytes = pm_probe_csv(row, err);
        size = bytes ? strlen(bytes) : 0;
    }
    if (!bytes || status != PM_OK) {
        free(bytes);
        pm_device_row_free(table);
        return status != PM_OK ? status : PM_FAILED;
    }
    fd = pm_file_put(path, bytes, size, table != NULL, false);
    reason = errno;
    free(bytes);
    pm_device_row_free(table);
    if (fd < 0)
        return wrong_place(path, reason, err);
    close(fd);
    return PM_OK;
}
