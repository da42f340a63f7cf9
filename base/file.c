/* Opens and reads files that users name, and writes files in one step. See file.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/text.h"

/* ---- reading -------------------------------------------------------------------------------- */

/* Returns true if the file is this process's own standard output or standard error. A read from
 * such a pipe would never end, because this process has it open for writing. */
static bool is_own_output(const struct stat *info)
{
    struct stat output;

    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &output) == 0 && output.st_dev == info->st_dev &&
            output.st_ino == info->st_ino)
            return true;
    return false;
}

/* Returns the reason to refuse to read an open file. NULL: the file is accepted. A named pipe is
 * refused because it may have no writer, and reading it would block. An anonymous pipe already has
 * its writer. */
static const char *why_not(int fd)
{
    struct stat info;
    struct statfs place;

    if (fd < 0 || fstat(fd, &info) != 0 || fstatfs(fd, &place) != 0)
        return strerror(errno);
    if (S_ISDIR(info.st_mode))
        return strerror(EISDIR);
    if (!S_ISREG(info.st_mode) && !(S_ISFIFO(info.st_mode) && place.f_type == PIPEFS_MAGIC))
        return "it is no regular file";
    if (S_ISFIFO(info.st_mode) && is_own_output(&info))
        return "it is the program's own output";
    /* Make reads of a pipe wait for data. Regular files stay non-blocking, because some files of
     * the kernel, such as those in /proc, may block. */
    return !S_ISREG(info.st_mode) && fcntl(fd, F_SETFL, 0) != 0 ? strerror(errno) : NULL;
}

int pm_file_open(const char *path, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    const char *fault = why_not(fd);

    if (!fault)
        return fd;
    pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s; check the path",
            pm_shown(path, shown, sizeof shown), fault);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Reads to the end of fd, or until the text exceeds `most` bytes. False: read error. */
static bool read_all(int fd, size_t most, pm_text *text)
{
    char chunk[1 << 14];
    ssize_t got;

    while (!text->failed && text->length <= most && (got = read(fd, chunk, sizeof chunk)) != 0)
        if (got > 0)
            pm_text_put(text, chunk, (size_t)got);
        else if (errno != EINTR)
            return false;
    return true;
}

static size_t line_at_end(const char *text)
{
    size_t line = 1;

    while ((text = strchr(text, '\n')) != NULL) {
        text++;
        line++;
    }
    return line;
}

pm_status pm_file_read(const char *path, size_t most, const char *wanted, char **text,
                       pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    pm_text all = {0};
    pm_status status = PM_OK;
    int fd = pm_file_open(path, err);
    bool good;

    *text = NULL;
    if (fd < 0)
        return PM_BAD_INPUT;
    pm_shown(path, shown, sizeof shown);
    good = read_all(fd, most, &all);
    /* Drop a NUL at the end of the file. Sources that an OpenCL driver gave may have one. */
    if (!all.failed && all.length > 0 && all.length <= most && all.data[all.length - 1] == '\0')
        all.length--;
    if (!good)
        status = pm_fail(err, PM_BAD_INPUT, "%s: cannot be read: %s", shown, strerror(errno));
    else if (all.length > most)
        status = pm_fail(err, PM_BAD_INPUT, "%s: over %zu MiB; give %s", shown, most >> 20, wanted);
    else if (!all.failed && strlen(pm_text_get(&all)) != all.length)
        status = pm_fail(err, PM_BAD_INPUT, "%s:%zu: a NUL byte; give %s", shown,
                         line_at_end(pm_text_get(&all)), wanted);
    else if (!(*text = pm_text_take(&all)))
        status = pm_fail(err, PM_FAILED, "%s: out of memory", shown);
    close(fd);
    pm_text_free(&all);
    return status;
}

bool pm_read_whole(int fd, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = read(fd, (char *)to + done, bytes - done);

        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* ---- folders -------------------------------------------------------------------------------- */

bool pm_make_folders(const char *folder, unsigned mode)
{
    char path[PATH_MAX];
    struct stat info;

    if (strlen(folder) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(path, folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        /* Ignore errors here, because a parent folder may exist already. The mkdir of the last
         * folder reports them. */
        (void)mkdir(path, mode);
        *slash = '/';
    }
    return mkdir(path, mode) == 0 ||
           (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Returns false for devices, pipes and links to open files, such as /dev/stdout. Renaming a file to
 * such a path would replace the device for all users of the machine. */
static bool may_be_replaced(const char *path)
{
    static const char open_files[] = "/proc/";
    char start[sizeof open_files - 1];
    struct stat there;

    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode))
        return false;
    return readlink(path, start, sizeof start) != (ssize_t)sizeof start ||
           memcmp(start, open_files, sizeof start) != 0;
}

int pm_file_temporary(const char *path, char temporary[PATH_MAX])
{
    if (!may_be_replaced(path)) {
        errno = EPERM;
        return -1;
    }
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        int length = snprintf(temporary, PATH_MAX, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(temporary, O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

bool pm_write_whole(int fd, const void *from, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t put = write(fd, (const char *)from + done, bytes - done);

        if (put < 0 && errno != EINTR)
            return false;
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

static bool put_in_place(const char *temporary, const char *path, bool replace)
{
    if (replace)
        return rename(temporary, path) == 0;
    if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    /* The file system does not support RENAME_NOREPLACE. We therefore test whether the path exists,
     * then rename. Another process may create the file between the two steps. */
    if (access(path, F_OK) == 0) {
        errno = EEXIST;
        return false;
    }
    return rename(temporary, path) == 0;
}

/* Flushes the folder that contains the file at `path`, so that a rename survives a crash of the
 * machine. If the file system cannot flush folders, the file still exists after a crash, under its
 * old or its new name. */
static void flush_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    if (length >= sizeof folder)
        return;
    memcpy(folder, path, length);
    folder[length] = '\0';
    int fd = open(length ? folder : slash ? "/" : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

int pm_file_put(const char *path, const void *bytes, size_t size, bool replace, bool lock)
{
    char temporary[PATH_MAX];
    int fd = pm_file_temporary(path, temporary);
    if (fd < 0)
        return -1;
    if (!pm_write_whole(fd, bytes, size) || fsync(fd) != 0 ||
        (lock && flock(fd, LOCK_EX | LOCK_NB) != 0) || !put_in_place(temporary, path, replace)) {
        int saved = errno;
        close(fd);
        unlink(temporary);
        errno = saved;
        return -1;
    }
    flush_folder(path);
    return fd;
}

pm_status pm_file_unwritten(const char *path, int reason, const char *advice, pm_error *err)
{
    char shown[PM_SHOWN_PATH];

    return pm_fail(err, pm_place_status(reason), "%s: cannot be written: %s; %s",
                   pm_shown(path, shown, sizeof shown), strerror(reason), advice);
}

pm_status pm_file_write(const char *path, const char *text, const char *advice, pm_error *err)
{
    int fd = pm_file_put(path, text, strlen(text), true, false);

    if (fd < 0)
        return pm_file_unwritten(path, errno, advice, err);
    close(fd);
    return PM_OK;
}
