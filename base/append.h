/* Files to which one process at a time appends whole lines.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_APPEND_H
#define PM_BASE_APPEND_H

#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

/* Opens a file for reading and appending, and locks it (flock). A missing file is created with
 * `count` bytes from first, in one step. -1: another process holds the lock, or the file cannot be
 * written. */
int pm_append_open(const char *path, const void *first, size_t count, pm_error *err);
/* Appends bytes with a single write and flushes them to the disk. False with errno on failure.
 * ENOSPC means that only a part of the bytes was written. The caller then truncates the file. */
bool pm_append_put(int fd, const void *bytes, size_t count);

#endif
