/* Which file a path names, so that a program or a library that was replaced is told from the one
 * before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file counts as unchanged while its real path, its size and its times of modification and of
 * status change stay the same. The second time also changes where somebody sets the first one back.
 */
#ifndef PM_BASE_IDENTITY_H
#define PM_BASE_IDENTITY_H

#include "base/wire.h"

/* Writes the identity of the file at that path; a missing file has one, too. */
void pm_identity_file(pm_wire *key, const char *path);
/* Writes the identities of all regular files in a folder and in the folders below it, in the order
 * of their names. name_starts: only files directly in it whose names start so; NULL: all. */
void pm_identity_folder(pm_wire *key, const char *path, const char *name_starts);

#endif
