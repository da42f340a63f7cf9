/* Access to devices.csv, the table of GPU properties: one row per GPU, columns by name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_DEVICES_TABLE_H
#define PM_MACHINE_DEVICES_TABLE_H

#include <limits.h>

#include "base/strings.h"
#include "perfmodel.h"

typedef struct {
    char path[PATH_MAX];
    pm_strings ids; /* id of each row */
    /* full name of the GPU of each row (column `name`); empty strings if the table has no such
     * column */
    pm_strings titles;
    size_t line; /* line of the device's row in the file; 0: the device has no row */
    size_t columns;
    char **names;  /* names of the table's columns, in their order */
    char **values; /* cells of the device's row; NULL: it has no row */
} pm_device_row;

/* Reads the row of a device, given by its id such as h100. The table devices.csv is searched in
 * folder (may be NULL), then in $PERFMODEL_DATASETS, then among the installed files. If the device
 * is a CPU or missing from the table, a row in its dataset's JSON file (own_row.h) replaces the
 * table's row. A device without a row is no error: its line is 0. A malformed table is
 * PM_BAD_INPUT. Free with pm_device_row_free. */
pm_status pm_device_row_read(const char *device, const char *folder, pm_device_row **out,
                             pm_error *err);
/* Reads the row of a device as pm_device_row_read does, but only from the table: rows in JSON files
 * of datasets are ignored. */
pm_status pm_device_row_read_table(const char *device, const char *folder, pm_device_row **out,
                                   pm_error *err);
/* Reads the row of a device from the table at `path`. Rows in JSON files of datasets are
 * ignored. */
pm_status pm_device_row_read_at(const char *device, const char *path, pm_device_row **out,
                                pm_error *err);
/* Reads the row of a device as pm_device_row_read does. The table is in the session's folder of
 * datasets. The session reads the table once. */
pm_status pm_session_device_row(pm_session *session, const char *device, pm_device_row **out,
                                pm_error *err);
/* Reads the row of a device from the dataset's JSON file at json_path. If the file has no row,
 * reads the table in folder (may be NULL) as pm_device_row_read does. The row is from the JSON file
 * if (*out)->path is json_path. */
pm_status pm_own_row_read(const char *device, const char *json_path, const char *folder,
                          pm_device_row **out, pm_error *err);

void pm_device_row_free(pm_device_row *row);
/* Frees `count` texts and the array of them. NULL texts and a NULL array are allowed. */
void pm_device_cells_free(char **cells, size_t count);

/* Returns true if the table has the column. A user's older table may lack new columns. */
bool pm_device_row_has(const pm_device_row *row, const char *column);
/* Gets the text of the cell in a column of the device's row. *text: "" if the value is unknown;
 * NULL if the device has no row. A missing column is PM_BAD_INPUT in both cases. The text belongs
 * to row. */
pm_status pm_device_row_cell(const pm_device_row *row, const char *column, const char **text,
                             pm_error *err);
/* Returns true if the row describes a CPU. */
bool pm_device_row_is_cpu(const pm_device_row *row);
/* Reports a wrong cell of a device's row in err, with file, line, the cell's content and what is
 * wanted instead. Returns PM_BAD_INPUT. */
pm_status pm_device_row_fail(const pm_device_row *row, const char *column, const char *wanted,
                             pm_error *err);

/* Lists the ids of the devices in devices.csv, in the order of the table, which is found as in
 * pm_device_row_read. names must be empty; it stays empty on failure. */
pm_status pm_device_names(const char *folder, pm_strings *names, pm_error *err);

#endif
