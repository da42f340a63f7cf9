/* Creates a row of devices.csv, the table of device properties, for a device that is being
 * measured, and writes values to the row's columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/numbers.h"
#include "collector/probe/probe.h"
#include "machine/columns.h"

enum { MEASURED_DIGITS = 4 }; /* significant digits of measured values in the table */

pm_probe_row *pm_probe_row_create(const pm_device *device)
{
    pm_probe_row *row = calloc(1, sizeof *row);

    if (!row || !(row->cells = calloc(pm_gpu_column_count, sizeof *row->cells))) {
        free(row);
        return NULL;
    }
    row->device = *device;
    row->count = pm_gpu_column_count;
    for (size_t c = 0; c < pm_gpu_column_count; c++) {
        row->cells[c].name = pm_gpu_columns[c].name;
        row->cells[c].value = strdup("");
        row->cells[c].how = strdup("nobody says, and it was not measured");
        if (!row->cells[c].value || !row->cells[c].how) {
            pm_probe_free(row);
            return NULL;
        }
    }
    return row;
}

void pm_probe_free(pm_probe_row *row)
{
    if (!row)
        return;
    for (size_t c = 0; c < row->count; c++) {
        free(row->cells[c].value);
        free(row->cells[c].how);
    }
    free(row->cells);
    free(row);
}

pm_probe_cell *pm_probe_cell_find(pm_probe_row *row, const char *column)
{
    for (size_t c = 0; c < row->count; c++)
        if (strcmp(row->cells[c].name, column) == 0)
            return &row->cells[c];
    return NULL;
}

void pm_probe_text(pm_probe *probe, const char *column, pm_probe_origin origin, const char *value,
                   const char *how)
{
    pm_probe_cell *cell = pm_probe_cell_find(probe->row, column);
    char *kept, *why;

    if (!cell || cell->origin != PM_PROBE_UNKNOWN || !*value)
        return;
    kept = strdup(value);
    why = strdup(how);
    if (!kept || !why) {
        free(kept);
        free(why);
        pm_leave(&probe->bench.memory, PM_FAILED, "out of memory for the row of the probe");
    }
    free(cell->value);
    free(cell->how);
    *cell = (pm_probe_cell){.name = cell->name, .value = kept, .how = why, .origin = origin};
}

void pm_probe_number(pm_probe *probe, const char *column, pm_probe_origin origin, double value,
                     const char *how)
{
    char text[PM_NUMBER_SIZE];

    if (!pm_number_format(value, text))
        pm_leave(&probe->bench.memory, PM_FAILED, "%s: %g cannot be written as a number", column,
                 value);
    pm_probe_text(probe, column, origin, text, how);
}

void pm_probe_measured(pm_probe *probe, const char *column, pm_probe_value value, const char *what)
{
    char how[256];

    snprintf(how, sizeof how, "%s; spread %.1f %%", what, 100 * value.spread);
    pm_probe_number(probe, column, PM_PROBE_MEASURED,
                    pm_number_rounded(value.median, MEASURED_DIGITS), how);
}
