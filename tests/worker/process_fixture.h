/* Counts the open files of a process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_PROCESS_FIXTURE_H
#define PM_TESTS_PROCESS_FIXTURE_H

#include <dirent.h>
#include <unistd.h>

#include "unit.h"

static inline size_t open_files(pid_t pid)
{
    char path[64];
    DIR *folder;
    size_t count = 0;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    folder = need(opendir(path));
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

#endif
