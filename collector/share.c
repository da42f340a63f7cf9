/* Where the shipped files are: kernels, datasets and the counter table, and the modules that are
 * loaded when they are wanted; found from wherever the program was started.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"
#include "share.h"

/* The folder two levels above the running program: PREFIX of PREFIX/bin/perfmodel. */
static bool program_prefix(char *prefix, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", prefix, size - 1);

    if (length <= 0)
        return false;
    prefix[length] = '\0';
    for (int level = 0; level < 2; level++) {
        char *slash = strrchr(prefix, '/');

        if (!slash)
            return false;
        *slash = '\0';
    }
    return true;
}

pm_status pm_share_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    const char *chosen = getenv("PERFMODEL_SHARE");
    char prefix[4096];

    if (chosen && *chosen) {
        if ((size_t)snprintf(path, path_size, "%s/%s", chosen, name) < path_size &&
            access(path, R_OK) == 0)
            return PM_OK;
        return pm_fail(err, PM_BAD_INPUT,
                       "%s/%s: not there; PERFMODEL_SHARE must name perfmodel's share folder",
                       chosen, name);
    }
    if (program_prefix(prefix, sizeof prefix) &&
        (size_t)snprintf(path, path_size, "%s/share/perfmodel/%s", prefix, name) < path_size &&
        access(path, R_OK) == 0)
        return PM_OK;
    if ((size_t)snprintf(path, path_size, "%s/%s", PM_INSTALLED_SHARE, name) < path_size &&
        access(path, R_OK) == 0)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s: not found beside the program or in %s; set PERFMODEL_SHARE to the folder "
                   "that holds kernels/, datasets/ and counters.ini",
                   name, PM_INSTALLED_SHARE);
}

pm_status pm_module_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    char prefix[4096];

    if (program_prefix(prefix, sizeof prefix) &&
        (size_t)snprintf(path, path_size, "%s/lib/perfmodel/%s", prefix, name) < path_size &&
        access(path, R_OK) == 0)
        return PM_OK;
    if ((size_t)snprintf(path, path_size, "%s/%s", PM_INSTALLED_MODULES, name) < path_size &&
        access(path, R_OK) == 0)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s: not found beside the program or in %s: this perfmodel was built without it",
                   name, PM_INSTALLED_MODULES);
}
