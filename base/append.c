/* Appends lines to locked files. See append.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/append.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"

/* Locks an open file for this process. Returns false with errno: EWOULDBLOCK if another process
 * holds the lock; ESTALE if the file at `path` was replaced after it was opened as fd. */
static bool lock_file(int fd, const char *path)
{
    struct stat opened, named;
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &opened) != 0)
        return false;
    if (stat(path, &named) != 0 || named.st_dev != opened.st_dev || named.st_ino != opened.st_ino) {
        errno = ESTALE;
        return false;
    }
    return true;
}

static int open_once(const char *path, const void *first, size_t count)
{
    struct stat info;
    int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return errno == ENOENT ? pm_file_put(path, first, count, false, true) : -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && lock_file(fd, path))
        return fd;
    int saved = S_ISREG(info.st_mode) ? errno : ENODEV;
    close(fd);
    errno = saved;
    return -1;
}

int pm_append_open(const char *path, const void *first, size_t count, pm_error *err)
{
    char shown[PM_SHOWN_PATH];

    pm_shown(path, shown, sizeof shown);
    /* Try again if another process created, replaced or removed the file at the same moment. */
    for (int attempt = 0; attempt < 16; attempt++) {
        int fd = open_once(path, first, count);
        if (fd >= 0)
            return fd;
        if (errno != EEXIST && errno != ESTALE)
            break;
    }
    if (errno == EWOULDBLOCK)
        pm_fail(err, PM_FAILED,
                "%s: another process is writing to it; wait for it, or choose another file with -o",
                shown);
    else if (errno == ENODEV)
        pm_fail(err, PM_BAD_INPUT, "%s: not a regular file; choose another with -o", shown);
    else
        pm_fail(
            err, pm_place_status(errno),
            "%s: cannot be written: %s; make the file and its folder writable, or choose another "
            "with -o",
            shown, strerror(errno));
    return -1;
}

bool pm_append_put(int fd, const void *bytes, size_t count)
{
    ssize_t written;

    do
        written = write(fd, bytes, count);
    while (written < 0 && errno == EINTR);
    if (written >= 0 && (size_t)written < count) {
        /* write(2) wrote only a part of the bytes, and so set no errno; the usual cause is a full
         * disk */
        errno = ENOSPC;
        return false;
    }
    return written >= 0 && fdatasync(fd) == 0;
}
