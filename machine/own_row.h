/* Reads a row of the device table devices.csv from a dataset's JSON file. The row describes the CPU
 * that the dataset was measured on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * devices.csv describes GPUs, because GPUs of the same name are equal everywhere. It cannot
 * describe CPUs, because PoCL's device is called `pocl` on every machine. `collect` therefore
 * probes the CPU and writes its row to the dataset's JSON file: "device": {"row": {COLUMN: TEXT,
 * ...}}.
 */
#ifndef PM_MACHINE_OWN_ROW_H
#define PM_MACHINE_OWN_ROW_H

#include "machine/devices_table.h"

/* Replaces a row of devices.csv by the device's row in the JSON file of a dataset, if the file
 * exists and has one. names, values, path and line of *row are then those of the file. PM_BAD_INPUT
 * if the JSON value is not an object of strings. */
pm_status pm_own_row_take(pm_device_row *row, const char *device, const char *json_path,
                          pm_error *err);

/* Replaces row by the device's row in the JSON file of the dataset that has the device's name. The
 * file is searched in folder (may be NULL), then in the user's folders (base/paths.h), then among
 * the installed datasets. */
pm_status pm_own_row_find(pm_device_row *row, const char *device, const char *folder,
                          pm_error *err);

/* Makes a row of devices.csv from the values that pm_probe_run found. path: name of the row's
 * origin in messages, because the row is not in a file. NULL: out of memory. */
pm_device_row *pm_own_row_of_probe(const pm_probe_row *probed, const char *path, pm_error *err);

/* Returns true if the row comes from a dataset's JSON file and not from devices.csv. */
bool pm_device_row_is_own(const pm_device_row *row);

#endif
