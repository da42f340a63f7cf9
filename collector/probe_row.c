/* The row that the probe fills: its columns, and how a value gets into a cell. See probe.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dataset_parts.h"
#include "error.h"
#include "probe.h"

/* As in datasets/devices.csv. */
static const char *const columns[] = {"device",
                                      "name",
                                      "compute_units",
                                      "clock_mhz",
                                      "issue_per_cycle",
                                      "fma_per_cycle",
                                      "fmaheavy_per_cycle",
                                      "alu_per_cycle",
                                      "xu_per_cycle",
                                      "lsu_per_cycle",
                                      "l1_wavefronts_per_cycle",
                                      "l2_bytes_per_cycle",
                                      "dram_gb_s",
                                      "warp_width",
                                      "coalescing",
                                      "l1_global",
                                      "l1_unified",
                                      "l1_bytes",
                                      "l1_line",
                                      "l1_sector",
                                      "l1_ways",
                                      "shared_bytes",
                                      "shared_group_bytes",
                                      "shared_reserved_bytes",
                                      "shared_unit_bytes",
                                      "shared_banks",
                                      "shared_bank_bytes",
                                      "shared_carveouts_kb",
                                      "shared_spare_kb",
                                      "l2_bytes",
                                      "l2_line",
                                      "l2_sector",
                                      "l2_ways",
                                      "l2_far",
                                      "max_warps",
                                      "max_groups",
                                      "registers",
                                      "register_scope",
                                      "register_unit",
                                      "warp_unit",
                                      "max_registers",
                                      "load_l1_cycles",
                                      "load_l2_cycles",
                                      "architecture",
                                      "year",
                                      "fp64_per_cycle",
                                      "alu_latency_cycles",
                                      "shared_load_cycles",
                                      "load_dram_cycles",
                                      "launch_us",
                                      "dram_bus_bits",
                                      "dram_type",
                                      "dram_ecc",
                                      "dram_copy_share",
                                      "readonly_bytes",
                                      "global_access",
                                      "sources"};
enum { COLUMNS = sizeof columns / sizeof *columns };

pm_probe_row *pm_probe_row_create(const pm_device *device)
{
    pm_probe_row *row = calloc(1, sizeof *row);

    if (!row || !(row->cells = calloc(COLUMNS, sizeof *row->cells))) {
        free(row);
        return NULL;
    }
    row->device = *device;
    row->count = COLUMNS;
    for (size_t c = 0; c < COLUMNS; c++) {
        row->cells[c].name = columns[c];
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

pm_status pm_probe_text(pm_probe *probe, const char *column, pm_probe_origin origin,
                        const char *value, const char *how, pm_error *err)
{
    pm_probe_cell *cell = pm_probe_cell_find(probe->row, column);
    char *kept, *why;

    if (!cell || cell->origin != PM_PROBE_UNKNOWN || !*value)
        return PM_OK;
    kept = strdup(value);
    why = strdup(how);
    if (!kept || !why) {
        free(kept);
        free(why);
        return pm_fail(err, PM_FAILED, "out of memory for the row of the probe");
    }
    free(cell->value);
    free(cell->how);
    *cell = (pm_probe_cell){.name = cell->name, .value = kept, .how = why, .origin = origin};
    return PM_OK;
}

pm_status pm_probe_number(pm_probe *probe, const char *column, pm_probe_origin origin, double value,
                          const char *how, pm_error *err)
{
    char text[PM_NUMBER_SIZE];

    if (!pm_number_format(value, text))
        return pm_fail(err, PM_FAILED, "%s: %g cannot be written as a number", column, value);
    return pm_probe_text(probe, column, origin, text, how, err);
}

/* Four digits: more than a measurement has. */
static double rounded(double value)
{
    char text[PM_NUMBER_SIZE];

    snprintf(text, sizeof text, "%.4g", value);
    return strtod(text, NULL);
}

pm_status pm_probe_measured(pm_probe *probe, const char *column, pm_probe_value value,
                            const char *what, pm_error *err)
{
    char how[256];

    snprintf(how, sizeof how, "%s; spread %.1f %%", what, 100 * value.spread);
    return pm_probe_number(probe, column, PM_PROBE_MEASURED, rounded(value.median), how, err);
}
