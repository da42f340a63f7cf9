/* The cache's folder: where it is, how large it is, and how it is cleared.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_CACHE_FOLDER_H
#define PM_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "cache/cache.h"

/* Bytes that the files may have together: $PERFMODEL_CACHE_MIB MiB, else PM_CACHE_MOST_MIB. */
size_t pm_cache_most_bytes(void);

/* Makes the folder that a file lies in, and those above it, for the user alone. */
bool pm_cache_make_folder(const char *file);

/* Deletes the files that were not used for longest until those that are left have at most three
 * quarters of most_bytes together; does nothing if all have at most most_bytes. */
void pm_cache_trim(const char *folder, size_t most_bytes);

typedef struct {
    size_t files, bytes;
} pm_cache_usage;

/* Files of each kind, and their bytes: usage has PM_CACHE_KINDS members. */
void pm_cache_measure(const char *folder, pm_cache_usage *usage);
/* Deletes all files of the cache, and counts them by kind. Files that are not the cache's stay.
 * PM_FAILED names the first one that could not be deleted. */
pm_status pm_cache_clear(const char *folder, pm_cache_usage *deleted, pm_error *err);

#endif
