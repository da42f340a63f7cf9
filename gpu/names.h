/* GPUs by the names that people and drivers give them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_GPU_NAMES_H
#define PM_GPU_NAMES_H

#include "perfmodel.h"

/* The id of the one row of devices.csv (as pm_device_row_read finds it) that `said` may mean: its
 * id, or what is left of its name without makers and series ("GeForce RTX 2080 Ti", "Tesla K20c"),
 * or words that only its name has ("A100 SXM4-80GB"). *id stays NULL where there is none, and of
 * the path of a dataset; else it is the caller's to free. Several that it may mean are
 * PM_BAD_INPUT, which names them. */
pm_status pm_gpu_id_of(const char *said, const char *folder, char **id, pm_error *err);

#endif
