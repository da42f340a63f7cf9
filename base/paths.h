/* Where the programs are that perfmodel starts, and tables that it reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_PATHS_H
#define PM_BASE_PATHS_H

#include "perfmodel.h"

/* The folder that bin/, lib/ and share/ were installed into. */
extern const char pm_installed_prefix[];

/* Writes into path the place of perfmodel-worker or the layer of captures, which is looked for as
 * pm_share_path does. One that is not there is PM_FAILED. */
pm_status pm_module_path(const char *name, char *path, size_t path_size, pm_error *err);

/* Writes into path the place of a table that users may have their own of: in folder (may be NULL),
 * else in $PERFMODEL_DATASETS, else the shipped one, which pm_share_path finds. */
pm_status pm_table_path(const char *name, const char *folder, char *path, size_t path_size,
                        pm_error *err);

/* Writes into path $XDG_DATA_HOME/perfmodel/datasets (~/.local/share/...). */
pm_status pm_home_folder(char *path, size_t path_size, pm_error *err);
/* The folder that datasets are collected into where nobody says: $PERFMODEL_DATASETS, else that. */
pm_status pm_user_folder(char *path, size_t path_size, pm_error *err);

#endif
