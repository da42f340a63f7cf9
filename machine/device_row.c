/* Reads the values in a row of devices.csv, the table of GPU properties. See devices_table.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "machine/devices_table.h"

void pm_device_cells_free(char **cells, size_t count)
{
    for (size_t c = 0; cells && c < count; c++)
        free(cells[c]);
    free(cells);
}

void pm_device_row_free(pm_device_row *row)
{
    if (!row)
        return;
    pm_strings_clear(&row->ids);
    pm_strings_clear(&row->titles);
    pm_device_cells_free(row->names, row->columns);
    pm_device_cells_free(row->values, row->columns);
    free(row);
}

/* Returns the index of the last column with this name. row->columns if there is no such column. */
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

bool pm_device_row_is_cpu(const pm_device_row *row)
{
    const char *coalescing = NULL;

    return row->values && pm_device_row_has(row, "coalescing") &&
           pm_device_row_cell(row, "coalescing", &coalescing, NULL) == PM_OK &&
           strcmp(coalescing, "items") == 0;
}
