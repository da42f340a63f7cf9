/* Datasets that are made in memory. See memory.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_SAMPLES_MEMORY_H
#define PM_SAMPLES_MEMORY_H

#include "perfmodel.h"

/* An empty dataset with these counters; the name stands in messages where a file has its path.
 * Freed with pm_dataset_free. */
pm_dataset *pm_dataset_memory(const char *name, const char *const *counters, size_t count,
                              pm_error *err);
/* Copies a sample, whose counters are in the dataset's order. One with a key that is there already
 * changes nothing. */
pm_status pm_dataset_append(pm_dataset *dataset, const pm_sample *sample, pm_error *err);
/* Copies all samples of another dataset, counters by name; those that it lacks are unknown. */
pm_status pm_dataset_append_all(pm_dataset *dataset, const pm_dataset *from, pm_error *err);

/* An empty dataset with the name and the counters of another. */
pm_dataset *pm_dataset_memory_like(const pm_dataset *other, pm_error *err);

#endif
