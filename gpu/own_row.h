/* The row of devices.csv that a dataset brings with it: of the CPU that it was measured on.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU of one name is the same everywhere. PoCL's device is called `pocl` on every machine, so
 * that the table's row of it says nothing of another CPU. `collect` makes the row of the CPU at
 * hand, and keeps it in the JSON file beside the dataset: "device": {"row": {COLUMN: TEXT, ...}}.
 */
#ifndef PM_GPU_OWN_ROW_H
#define PM_GPU_OWN_ROW_H

#include "gpu/devices_table.h"

/* Puts the row of that JSON file in place of the table's, if the file is there and has one: names,
 * values, path and line are then the file's. One that is no row of texts is PM_BAD_INPUT. */
pm_status pm_own_row_take(pm_device_row *row, const char *device, const char *json_path,
                          pm_error *err);

/* The same of the dataset that is called as the device: in folder (may be NULL), else in the user's
 * folders (base/paths.h), else the shipped one. */
pm_status pm_own_row_find(pm_device_row *row, const char *device, const char *folder,
                          pm_error *err);

/* The row of a device as a dataset has it, else the table's: json_path is beside the dataset, and
 * folder may be NULL (pm_device_row_read). The dataset's own if its path is json_path. */
pm_status pm_own_row_read(const char *device, const char *json_path, const char *folder,
                          pm_device_row **out, pm_error *err);

/* The row that a probe has filled, which has no path and stands in no line; for messages the path
 * is what the caller says. NULL: out of memory. */
pm_device_row *pm_own_row_of_probe(const pm_probe_row *probed, const char *path, pm_error *err);

/* Whether the row is one that a dataset brought with it. */
bool pm_device_row_is_own(const pm_device_row *row);
/* Whether the row is of a CPU. */
bool pm_device_row_is_cpu(const pm_device_row *row);

#endif
