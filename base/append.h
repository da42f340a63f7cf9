/* Files to which one process at a time appends whole lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_APPEND_H
#define PM_BASE_APPEND_H

#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

/* Opens a file for reading and appending, and locks it (flock). A missing file is created with the
 * `count` bytes at `first`; other processes see it only with these bytes. Returns the file
 * descriptor. -1: another process holds the lock, or the file cannot be written; err says which. */
int pm_append_open(const char *path, const void *first, size_t count, pm_error *err);
/* Appends `count` bytes with a single write and flushes them to the disk. Returns false with errno
 * on failure. ENOSPC means that only some of the bytes were written, and the caller should truncate
 * the file. */
bool pm_append_put(int fd, const void *bytes, size_t count);

#endif
