/* Reads gpu_names.csv, the table of further names of GPUs, and words in names that do not identify
 * a GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns: `name`. `device`, an id in devices.csv; empty if `name` is a word without meaning such
 * as NVIDIA. `same`, `yes` if the name means this GPU, `no` if it means a similar GPU that
 * devices.csv lacks. `note`, the source, or how the similar GPU differs. A user may have an own
 * table in the same folder as an own devices.csv.
 */
#ifndef PM_MACHINE_OTHER_NAMES_H
#define PM_MACHINE_OTHER_NAMES_H

#include "perfmodel.h"

typedef struct {
    /* device: id of the GPU in devices.csv; "": `name` is a word to ignore, such as a maker or a
     * series */
    char *name, *device, *note;
    bool same;
} pm_other_name;

typedef struct {
    pm_other_name *rows;
    size_t count, room;
} pm_other_names;

/* Reads gpu_names.csv, which pm_table_path finds. If the file is missing, *names is empty. A
 * malformed table is PM_BAD_INPUT. Call pm_other_names_clear in both cases. */
pm_status pm_other_names_read(const char *folder, pm_other_names *names, pm_error *err);
void pm_other_names_clear(pm_other_names *names);

#endif
