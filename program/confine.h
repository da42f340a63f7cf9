/* Confines a capture to its own folder: files that it names must be inside. A capture may come from
 * anybody. A workload file that the user wrote may name any file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONFINE_H
#define PM_PROGRAM_CONFINE_H

#include <limits.h>
#include <stdbool.h>

/* Finds the capture that a workload file belongs to. Writes its folder, with symbolic links
 * resolved, into `root`. It is the nearest folder above the file whose name ends in .perfmodel, or
 * that has a capture.workload and contains the file directly or one level deeper. Symbolic links in
 * the path are not followed out of the capture. false: the file belongs to no capture. */
bool pm_confine_root(const char *path, char root[PATH_MAX]);
/* Returns whether the path, with symbolic links resolved, is root or inside of it. For a file that
 * does not exist, its nearest existing parent folder counts. */
bool pm_confine_holds(const char *root, const char *path);

#endif
