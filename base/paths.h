/* Finds programs that perfmodel starts, and tables that it reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_PATHS_H
#define PM_BASE_PATHS_H

#include "perfmodel.h"

/* Folder into which perfmodel was installed; it contains bin/, lib/ and share/. */
extern const char pm_installed_prefix[];

/* Finds the program perfmodel-worker or the library for `perfmodel capture`. Searches the same
 * folders as pm_share_path. PM_FAILED if the file is missing. */
pm_status pm_module_path(const char *name, char *path, size_t path_size, pm_error *err);

/* Writes the path of a table of data, such as devices.csv, of which users may have their own
 * version. Searches `folder` (may be NULL), then $PERFMODEL_DATASETS, then the installed table
 * (pm_share_path). */
pm_status pm_table_path(const char *name, const char *folder, char *path, size_t path_size,
                        pm_error *err);

/* Writes the path of a folder of the user's data: $XDG_DATA_HOME/perfmodel/NAME, or
 * ~/.local/share/perfmodel/NAME. */
pm_status pm_data_folder(const char *name, char *path, size_t size, pm_error *err);
/* Writes the path of the default folder of the user's datasets: $XDG_DATA_HOME/perfmodel/datasets,
 * or ~/.local/share/perfmodel/datasets. */
pm_status pm_home_folder(char *path, size_t path_size, pm_error *err);
/* Writes the path of the folder in which datasets are stored if the user gives no path:
 * $PERFMODEL_DATASETS, else the folder of pm_home_folder. */
pm_status pm_user_folder(char *path, size_t path_size, pm_error *err);

#endif
