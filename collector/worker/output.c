/* Captures the standard output and error of a worker process in an unnamed file.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/subprocess.h"
#include "collector/worker/requests.h"

int pm_output_create(int *file)
{
    *file = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*file < 0 || ftruncate(*file, PM_WORKER_OUTPUT_BYTES) != 0 ||
        fcntl(*file, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        return errno;
    return pm_fd_move_up(file);
}

void pm_output_read(int file, char *line, size_t size)
{
    char text[PM_WORKER_OUTPUT_BYTES + 1];
    off_t end = lseek(file, 0, SEEK_CUR);
    ssize_t got =
        end <= 0 ? 0
                 : pread(file, text, (size_t)end < sizeof text ? (size_t)end : sizeof text - 1, 0);
    const char *at = text, *found;

    *line = '\0';
    if (got <= 0)
        return;
    text[got] = '\0';
    at += strspn(at, "\n");
    found = strstr(at, "ERROR");
    found = found ? found : strstr(at, "error");
    while (found && found > at && found[-1] != '\n')
        found--;
    at = found ? found : at;
    if (*at)
        snprintf(line, size, ", saying '%.*s'", (int)strcspn(at, "\n"), at);
}
