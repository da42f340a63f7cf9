/* Reads files without blocking on pipes and devices, and writes files in one step.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_FILE_H
#define PM_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

/* Opens a file that the user named for reading: a regular file, or an anonymous pipe such as
 * /dev/stdin. Named pipes and devices are refused without blocking. -1: error, always PM_BAD_INPUT.
 */
int pm_file_open(const char *path, pm_error *err);
/* Reads a whole file into a string; the caller frees it. NULL on failure. A file of more than
 * `most` bytes, or with a NUL byte before its last byte, is PM_BAD_INPUT. wanted: the expected
 * contents for the message, such as "a file with OpenCL C". */
pm_status pm_file_read(const char *path, size_t most, const char *wanted, char **text,
                       pm_error *err);

/* Reads exactly `bytes` bytes from an open file to `to`. Returns false if the file ends earlier or
 * the read fails. */
bool pm_read_whole(int fd, void *to, size_t bytes);
/* Writes all bytes to an open file. Returns false with errno if not all of them could be written.
 */
bool pm_write_whole(int fd, const void *from, size_t bytes);

/* Creates a folder and its parents with the given access mode. Returns false with errno if there is
 * no folder at this path afterwards. */
bool pm_make_folders(const char *folder, unsigned mode);

/* Creates a temporary file in the folder that contains `path`, and writes its name to `temporary`.
 * Returns its descriptor, which is open for writing and reading. -1 with errno on failure; EPERM if
 * path is a device or a pipe. */
int pm_file_temporary(const char *path, char temporary[PATH_MAX]);
/* Writes bytes to a temporary file, flushes the file, and renames it to path. If `lock` is true,
 * locks the file before renaming it. If `replace` is false and path exists, fails with EEXIST.
 * Returns the open file, or -1 with errno. */
int pm_file_put(const char *path, const void *bytes, size_t size, bool replace, bool lock);
/* Replaces the file at path by the text. advice: how the user can mend a failure; it becomes part
 * of the error message. Returns PM_BAD_INPUT if another path can help (for example, the disk is
 * full or the folder is missing), else PM_FAILED on failure. */
pm_status pm_file_write(const char *path, const char *text, const char *advice, pm_error *err);
/* Reports in err that the file at `path` could not be written. reason: the errno of the failure.
 * advice: how the user can mend it. Returns PM_BAD_INPUT if another path can help (for example, the
 * disk is full or the folder is missing), else PM_FAILED. */
pm_status pm_file_unwritten(const char *path, int reason, const char *advice, pm_error *err);

#endif
