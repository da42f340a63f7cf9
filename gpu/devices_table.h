/* devices.csv: what GPUs are like, one a row. Who needs a property reads its column by name here.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_DEVICES_TABLE_H
#define PM_GPU_DEVICES_TABLE_H

#include <limits.h>

#include "base/strings.h"
#include "perfmodel.h"

typedef struct {
    char path[PATH_MAX];
    pm_strings ids;    /* of all rows */
    pm_strings titles; /* the column `name` of all rows; empty texts where the table has none */
    size_t line;       /* of the device's row; 0: there is none */
    size_t columns;
    char **names;  /* of the columns, in the table's order */
    char **values; /* of the device's row; NULL: there is none */
} pm_device_row;

/* Reads the table: the one in folder (may be NULL), else in $PERFMODEL_DATASETS, else the shipped
 * one. A file that is wrong is PM_BAD_INPUT; a table without the device (its id, such as h100) is
 * not: its line is 0. A CPU's row is that of its dataset, looked for in the same folders, where it
 * brings one (own_row.h). */
pm_status pm_device_row_read(const char *device, const char *folder, pm_device_row **out,
                             pm_error *err);
/* The table's row, whatever datasets there are. */
pm_status pm_device_row_read_table(const char *device, const char *folder, pm_device_row **out,
                                   pm_error *err);
/* The same of the table at path. */
pm_status pm_device_row_read_at(const char *device, const char *path, pm_device_row **out,
                                pm_error *err);
/* Like pm_device_row_read, with the session's folder of datasets. The table is read once in a
 * session. */
pm_status pm_session_device_row(pm_session *session, const char *device, pm_device_row **out,
                                pm_error *err);
void pm_device_row_free(pm_device_row *row);

/* Whether the table has a column of that name; older ones of a user's may not. */
bool pm_device_row_has(const pm_device_row *row, const char *column);
/* The cell of a column: "" is unknown. Without a row of the device it is NULL, and a column that
 * the table lacks is PM_BAD_INPUT all the same. The text lives as long as row. */
pm_status pm_device_row_cell(const pm_device_row *row, const char *column, const char **text,
                             pm_error *err);
/* PM_BAD_INPUT with the place of the cell, what it holds and what is wanted instead. */
pm_status pm_device_row_fail(const pm_device_row *row, const char *column, const char *wanted,
                             pm_error *err);

/* The devices that have a row, in the order of the table that pm_device_row_read finds.
 * names is empty before, and stays so on failure. */
pm_status pm_device_names(const char *folder, pm_strings *names, pm_error *err);

#endif
