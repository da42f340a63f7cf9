/* Confines a capture to its own folder: files that it names must be inside. A capture may come from
 * anybody. A workload file that the user wrote may name any file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONFINE_H
#define PM_PROGRAM_CONFINE_H

#include <limits.h>
#include <stdbool.h>

/* Writes into `root` the folder of the capture that a workload file belongs to, with links
 * resolved. It is the nearest folder above the file whose name ends in .perfmodel. A folder with a
 * capture.workload is also one if it contains the file directly or one level deeper. Links in the
 * path do not lead out of the capture. false: the file belongs to no capture. */
bool pm_confine_root(const char *path, char root[PATH_MAX]);
/* Returns whether the path, with links resolved, is root or inside of it. If the file does not
 * exist, its existing parent folders decide. */
bool pm_confine_holds(const char *root, const char *path);

#endif
