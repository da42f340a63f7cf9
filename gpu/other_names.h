/* gpu_names.csv: names of GPUs beside those in devices.csv, and words that tell no GPU from
 * another.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns: name; device, a row of devices.csv (empty: `name` is a word without meaning, such as
 * NVIDIA); same, `yes` if the name means that GPU, `no` if it means a similar one that the table
 * lacks; note, what the source is, or how the similar one differs. Users may have their own table
 * where they have their own devices.csv.
 */
#ifndef PM_GPU_OTHER_NAMES_H
#define PM_GPU_OTHER_NAMES_H

#include "perfmodel.h"

typedef struct {
    char *name, *device, *note; /* device: "" for a word without meaning */
    bool same;
} pm_other_name;

typedef struct {
    pm_other_name *rows;
    size_t count, room;
} pm_other_names;

/* Reads the table that pm_table_path finds. A table that is nowhere is an empty one, a wrong one
 * PM_BAD_INPUT. *names is to be cleared in any case. */
pm_status pm_other_names_read(const char *folder, pm_other_names *names, pm_error *err);
void pm_other_names_clear(pm_other_names *names);

#endif
