/* Finds installed files: kernels, datasets, the table of counters and the worker program. See
 * paths.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All are in one directory tree with the program and the library. The tree may be anywhere, and the
 * library may be loaded by another program, for example Python.
 */
#include "base/paths.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/numbers.h"

/* Writes the path of the shared library that contains this code to `file`. Returns false if the
 * code is linked statically into the program. */
static bool own_library(char file[PATH_MAX])
{
    static const char here = 0;
    char folder[PATH_MAX], path[2 * PATH_MAX];
    struct link_map *map = NULL;
    Dl_info info;
    void *library;
    bool found;

    if (!dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) || !map || !*map->l_name)
        return false;
    library = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return false;
    /* RTLD_DI_ORIGIN gives an absolute folder; l_name may be relative */
    found = dlinfo(library, RTLD_DI_ORIGIN, folder) == 0;
    dlclose(library);
    if (!found)
        return false;
    snprintf(path, sizeof path, "%s/%s", folder, basename(map->l_name));
    return realpath(path, file) != NULL;
}

/* Searches for a file below each folder up to three levels above `file`, which is the path of the
 * program or library, such as PREFIX/bin/perfmodel. The path found is PREFIX/below/name. Changes
 * `file`. */
static bool found_above(char file[PATH_MAX], const char *below, const char *name, char *path,
                        size_t size)
{
    for (int level = 0; level < 3; level++) {
        char *slash = strrchr(file, '/');

        if (!slash)
            return false;
        *slash = '\0';
        if ((size_t)snprintf(path, size, "%s/%s/%s", file, below, name) < size &&
            access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static bool find(const char *below, const char *name, char *path, size_t size)
{
    char file[PATH_MAX];

    if (own_library(file) && found_above(file, below, name, path, size))
        return true;
    if (realpath("/proc/self/exe", file) && found_above(file, below, name, path, size))
        return true;
    return (size_t)snprintf(path, size, "%s/%s/%s", pm_installed_prefix, below, name) < size &&
           access(path, R_OK) == 0;
}

pm_status pm_share_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    const char *chosen = getenv("PERFMODEL_SHARE");

    if (chosen && *chosen) {
        if ((size_t)snprintf(path, path_size, "%s/%s", chosen, name) < path_size &&
            access(path, R_OK) == 0)
            return PM_OK;
        return pm_fail(err, PM_BAD_INPUT,
                       "%s/%s: not there; PERFMODEL_SHARE must name perfmodel's share folder",
                       chosen, name);
    }
    if (find(PM_INSTALLED_SHARE, name, path, path_size))
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s: not found beside the program or the library, or in %s/%s; set "
                   "PERFMODEL_SHARE to the folder that holds kernels/, datasets/ and counters.ini",
                   name, pm_installed_prefix, PM_INSTALLED_SHARE);
}

pm_status pm_module_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    if (find(PM_INSTALLED_MODULES, name, path, path_size))
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s: not found beside the program or the library, or in %s/%s: this perfmodel "
                   "was built without it",
                   name, pm_installed_prefix, PM_INSTALLED_MODULES);
}

static bool has_table(const char *folder, const char *name, char *path, size_t size)
{
    return folder && *folder && (size_t)snprintf(path, size, "%s/%s", folder, name) < size &&
           access(path, F_OK) == 0;
}

pm_status pm_table_path(const char *name, const char *folder, char *path, size_t path_size,
                        pm_error *err)
{
    char shipped[NAME_MAX + 1];

    if (has_table(folder, name, path, path_size) ||
        has_table(getenv("PERFMODEL_DATASETS"), name, path, path_size))
        return PM_OK;
    snprintf(shipped, sizeof shipped, "datasets/%s", name);
    return pm_share_path(shipped, path, path_size, err);
}

/* ---- the user's datasets --------------------------------------------------------------------- */

static pm_status join(char *path, size_t size, const char *folder, const char *name, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    int length = snprintf(path, size, "%s/%s", folder, name);

    if (length < 0 || (size_t)length >= size)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                       pm_shown(folder, shown, sizeof shown));
    return PM_OK;
}

/* $XDG_DATA_HOME is ignored if it is a relative path, as the XDG base directory specification
 * says. */
pm_status pm_data_folder(const char *name, char *path, size_t size, pm_error *err)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char below[NAME_MAX];

    if (data && data[0] == '/') {
        snprintf(below, sizeof below, "perfmodel/%s", name);
        return join(path, size, data, below, err);
    }
    snprintf(below, sizeof below, ".local/share/perfmodel/%s", name);
    if (home && home[0] == '/')
        return join(path, size, home, below, err);
    return pm_fail(err, PM_FAILED,
                   "no folder for %s: HOME is not set; set XDG_DATA_HOME to a folder", name);
}

pm_status pm_home_folder(char *path, size_t size, pm_error *err)
{
    pm_error unset = {0};

    if (pm_data_folder("datasets", path, size, &unset) == PM_OK)
        return PM_OK;
    if (unset.status == PM_BAD_INPUT)
        return pm_fail(err, PM_BAD_INPUT, "%s", unset.text);
    return pm_fail(err, PM_FAILED,
                   "no folder for datasets: HOME is not set; set PERFMODEL_DATASETS to a folder");
}

pm_status pm_user_folder(char *path, size_t size, pm_error *err)
{
    const char *folder = getenv("PERFMODEL_DATASETS");
    char shown[PM_SHOWN_PATH];
    if (!folder || !*folder)
        return pm_home_folder(path, size, err);
    if (strlen(folder) >= size)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; shorten PERFMODEL_DATASETS",
                       pm_shown(folder, shown, sizeof shown));
    strcpy(path, folder);
    return PM_OK;
}
