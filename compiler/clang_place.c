/* Finds the version of clang and the folders of its headers from the path of the program clang,
 * without starting it. See clang_place.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/clang_place.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"

bool pm_clang_tells_version(const char *path)
{
    const char *name = strrchr(path, '/');
    char versioned[32];

    snprintf(versioned, sizeof versioned, "/clang-%d", PM_LLVM_MAJOR);
    return *path == '/' && strcmp(name, versioned) == 0 && access(path, X_OK) == 0;
}

bool pm_clang_installed(const char *name, char *path, size_t size)
{
    char module[64];

    return (size_t)snprintf(module, sizeof module, "llvm/%s", name) < sizeof module &&
           pm_module_path(module, path, size, NULL) == PM_OK;
}

/* Removes the last component of a path. Returns false if the path has none. */
static bool leave(char *path)
{
    char *last = strrchr(path, '/');

    if (last)
        *last = '\0';
    return last != NULL;
}

bool pm_clang_headers(const char *path, char *folder, size_t size)
{
    char real[PATH_MAX], header[PATH_MAX];

    if (*path != '/' || !realpath(path, real) || !leave(real) || !leave(real) ||
        (size_t)snprintf(folder, size, "%s/lib/clang/%d", real, PM_LLVM_MAJOR) >= size ||
        (size_t)snprintf(header, sizeof header, "%s/include/stddef.h", folder) >= sizeof header)
        return false;
    return access(header, R_OK) == 0;
}
