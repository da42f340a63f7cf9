/* Files that grow by whole lines, with one writer at a time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_APPEND_H
#define PM_BASE_APPEND_H

#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

/* Opens a file to read it and to append to it, locked (flock); where there is none, one with these
 * bytes appears whole. -1: another process writes to it, or it cannot be written. */
int pm_append_open(const char *path, const void *first, size_t count, pm_error *err);
/* Writes bytes to the end with a single write and flushes them to the disk. false with errno, which
 * is ENOSPC where a part of them was written: the caller cuts the file back. */
bool pm_append_put(int fd, const void *bytes, size_t count);

#endif
