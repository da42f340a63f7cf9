/* The cache's folder: where it is, how large it is, and how it is cleared.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_CACHE_FOLDER_H
#define PM_BASE_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cache/cache.h"

/* Returns the limit on the total size of the cache in bytes: $PERFMODEL_CACHE_MIB MiB, or else
 * PM_CACHE_MOST_MIB MiB. */
size_t pm_cache_most_bytes(void);

/* Creates the folder that will contain the file at this path, and its parent folders. Only the user
 * may access new folders. Returns false on failure. */
bool pm_cache_make_folder(const char *file);

/* If the cache's files exceed most_bytes in total, deletes the least recently used files until at
 * most three quarters of most_bytes are left. */
void pm_cache_trim(const char *folder, size_t most_bytes);

typedef struct {
    size_t files, bytes;
} pm_cache_usage;

/* Counts the cached files of each kind of result, and their bytes. usage has PM_CACHE_KINDS
 * members. */
void pm_cache_measure(const char *folder, pm_cache_usage *usage);
/* Deletes all entries and counts them by kind; deleted has PM_CACHE_KINDS members. Files that are
 * no entries stay. PM_FAILED: err names the first file that could not be deleted. */
pm_status pm_cache_clear(const char *folder, pm_cache_usage *deleted, pm_error *err);

#endif
