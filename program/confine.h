/* What a capture may name: only what lies in its own folder. A capture may be anybody's, and come
 * from elsewhere; a workload file that somebody wrote by hand may name what it likes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_PROGRAM_CONFINE_H
#define PM_PROGRAM_CONFINE_H

#include <limits.h>
#include <stdbool.h>

/* Writes into root the folder of the capture that a workload file is of, without links: the nearest
 * one above it with a name that ends in .perfmodel, or with a capture.workload, if the file lies in
 * it or in a folder of it. A link on the way to the file leads out of no capture. false: it is of
 * none. */
bool pm_confine_root(const char *path, char root[PATH_MAX]);
/* Whether the path leads to root or what is in it, through whatever links. Of one that is not there
 * the folders that are there tell. */
bool pm_confine_holds(const char *root, const char *path);

#endif
