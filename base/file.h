/* Files: read without waiting for what is none, and written whole or not at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_BASE_FILE_H
#define PM_BASE_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "perfmodel.h"

/* Opens a file that a user named, for reading: a regular one, or a pipe that is open already (as
 * /dev/stdin may be). A named pipe, a device and the like are refused at once; -1 is PM_BAD_INPUT.
 */
int pm_file_open(const char *path, pm_error *err);
/* The whole of such a file as a string, to free; NULL if it fails. One of more than `most` bytes or
 * with a NUL byte before its end is PM_BAD_INPUT; wanted says in the message what would be right
 * ("a file with OpenCL C"). */
pm_status pm_file_read(const char *path, size_t most, const char *wanted, char **text,
                       pm_error *err);

/* Reads exactly `bytes` bytes from an open file. Returns false if it ends earlier or fails. */
bool pm_read_whole(int fd, void *to, size_t bytes);
/* Writes all bytes to an open file. Returns false with errno if not all of them could be written.
 */
bool pm_write_whole(int fd, const void *from, size_t bytes);

/* Makes a folder and the folders above it, with that mode. Returns false with errno if the path is
 * no folder afterwards. */
bool pm_make_folders(const char *folder, unsigned mode);

/* Opens a new file beside path, for writing and reading, and writes its name into temporary; -1
 * with errno, which is EPERM where path is a device or a pipe. */
int pm_file_temporary(const char *path, char temporary[PATH_MAX]);
/* Writes the bytes under a temporary name in the same folder, flushes them, locks the file if
 * asked, and renames it to path. replace: over what is there; else errno is EEXIST if there is
 * something. Returns the open file, or -1 with errno. */
int pm_file_put(const char *path, const void *bytes, size_t size, bool replace, bool lock);
/* The same of a text that replaces what is there; advice says how to mend it where it fails, as
 * PM_BAD_INPUT or PM_FAILED. */
pm_status pm_file_write(const char *path, const char *text, const char *advice, pm_error *err);
/* That failure, for a reason of errno. */
pm_status pm_file_unwritten(const char *path, int reason, const char *advice, pm_error *err);

#endif
