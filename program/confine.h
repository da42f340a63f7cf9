/* Confines the files that a capture names to the capture's own folder, because a capture may come
 * from anybody. A workload file that the user wrote may name any file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONFINE_H
#define PM_PROGRAM_CONFINE_H

#include <limits.h>
#include <stdbool.h>

/* Finds the capture that a workload file belongs to. Writes the capture's folder, with symbolic
 * links resolved, to `root`. It is the nearest folder above the file whose name ends in .perfmodel,
 * or that has a capture.workload and contains the file directly or one level deeper. Symbolic links
 * in the path do not lead out of the capture. Returns false if the file belongs to no capture. */
bool pm_confine_root(const char *path, char root[PATH_MAX]);
/* Returns whether a file is inside of the folder `root`, or root itself. Symbolic links in path are
 * resolved. If a file does not exist, its nearest existing parent folder is checked. */
bool pm_confine_holds(const char *root, const char *path);

#endif
