/* Finds GPUs by the names that people and drivers use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MACHINE_NAMES_H
#define PM_MACHINE_NAMES_H

#include "machine/devices_table.h"
#include "perfmodel.h"

/* Finds the row of devices.csv for the GPU name `said`, and sets *id to the row's id, which the
 * caller frees. The table is found as in pm_device_row_read. `said` may be the id, the name without
 * maker and series ("GeForce RTX 2080 Ti", "Tesla K20c"), a name in gpu_names.csv (other_names.h),
 * or some words of the name ("A100 SXM4-80GB"). If `said` has a memory size and the row's name has
 * one, too, they must be equal. *id is NULL if no row matches, or if `said` is the path of a
 * dataset. If several rows match, returns PM_BAD_INPUT with their ids in the message. */
pm_status pm_gpu_id_of(const char *said, const char *folder, char **id, pm_error *err);

/* Reports in err that the table has no row for the GPU, and suggests similar names. Returns
 * PM_BAD_INPUT. If gpu_names.csv cannot be read, reports that error instead. */
pm_status pm_gpu_unknown(const pm_device_row *table, const char *said, pm_error *err);

#endif
