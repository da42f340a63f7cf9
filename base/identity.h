/* Identities of files. The identity of a program or library changes when the file is replaced, for
 * example by an update.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file counts as unchanged while its real path, size, modification time and status change time
 * are the same. The status change time also changes when the modification time is set back.
 */
#ifndef PM_BASE_IDENTITY_H
#define PM_BASE_IDENTITY_H

#include "base/wire.h"

/* Writes the identity of the file at `path` (real path, size and times) to the key. A missing file
 * also has an identity, which differs from the identities of all existing files. */
void pm_identity_file(pm_wire *key, const char *path);
/* Writes the identities of a folder's regular files to the key, in the order of their names.
 * name_starts not NULL: only files directly in the folder whose names have this prefix. NULL: all
 * files that are not hidden, in subfolders, too. Sets key->failed if subfolders are nested 16 deep
 * or more. */
void pm_identity_folder(pm_wire *key, const char *path, const char *name_starts);

#endif
