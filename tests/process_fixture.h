/* What is said of worker processes, and what they have open.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_PROCESS_FIXTURE_H
#define PM_TESTS_PROCESS_FIXTURE_H

#include <dirent.h>
#include <unistd.h>

#include "unit.h"

static inline void assert_says(const pm_error *err, pm_status status, const char *says)
{
    assert_int_equal(err->status, status);
    if (!strstr(err->text, says) || strchr(err->text, '\n'))
        fail_msg("\"%s\" does not say \"%s\" in one line", err->text, says);
}

static inline size_t open_files(pid_t pid)
{
    char path[64];
    DIR *folder;
    size_t count = 0;

    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

#endif
