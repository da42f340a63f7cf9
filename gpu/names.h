/* GPUs by the names that people and drivers give them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_NAMES_H
#define PM_GPU_NAMES_H

#include "gpu/devices_table.h"
#include "perfmodel.h"

/* The id of the one row of devices.csv (as pm_device_row_read finds it) that `said` may mean: its
 * id, or what is left of its name without makers and series ("GeForce RTX 2080 Ti", "Tesla K20c"),
 * another name of it (other_names.h), or words that only its name has ("A100 SXM4-80GB"). The size
 * of the memory need not be in the name of the row, but may not differ from it. *id stays NULL
 * where there is none, and of the path of a dataset; else it is the caller's to free. Several that
 * it may mean are PM_BAD_INPUT, which names them. */
pm_status pm_gpu_id_of(const char *said, const char *folder, char **id, pm_error *err);

/* Says that the table has no row of a GPU, and which GPU may be meant. Returns PM_BAD_INPUT, or
 * what is wrong with gpu_names.csv. */
pm_status pm_gpu_unknown(const pm_device_row *table, const char *said, pm_error *err);

#endif
