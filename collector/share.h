/* Where the modules are that are loaded when they are wanted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_SHARE_H
#define PM_COLLECTOR_SHARE_H

#include "perfmodel.h"

/* Writes into path the place of a module (trace.so): beside the program (../lib/perfmodel), else
 * where it was installed. One that is not there is PM_FAILED. */
pm_status pm_module_path(const char *name, char *path, size_t path_size, pm_error *err);

#endif
