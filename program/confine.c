/* Decides whether files are inside of a capture, the folder that perfmodel capture writes. See
 * confine.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/confine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/strings.h"

static const char ENDING[] = ".perfmodel";
static const char FIRST_FILE[] = "/capture.workload";

/* Number of levels of subfolders below a capture's folder in which its workload files may be. A
 * folder with a file capture.workload is a capture. */
enum { DEEPEST = 1 };

/* Removes the last component of a path. Returns false if the path has none, as "/", "." and
 * "..". */
static bool go_up(char *path)
{
    size_t length = strlen(path);
    char *slash;

    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    slash = strrchr(path, '/');
    if (!length || strcmp(path, "/") == 0 || strcmp(slash ? slash + 1 : path, "..") == 0 ||
        strcmp(slash ? slash + 1 : path, ".") == 0)
        return false;
    if (!slash)
        strcpy(path, ".");
    else
        slash[slash == path] = '\0';
    return true;
}

static bool is_capture(const char *folder, int depth)
{
    char file[PATH_MAX + sizeof FIRST_FILE];
    struct stat there;

    if (pm_ends_in(folder, ENDING))
        return true;
    snprintf(file, sizeof file, "%s%s", folder, FIRST_FILE);
    return depth <= DEEPEST && lstat(file, &there) == 0;
}

/* Removes the last components of `folder` one by one, until it is the folder of a capture. Returns
 * false if no parent folder is one. *depth is incremented for each component that is removed. */
static bool climb(char *folder, int *depth)
{
    do {
        while (strlen(folder) > 1 && pm_ends_in(folder, "/"))
            folder[strlen(folder) - 1] = '\0';
        if (is_capture(folder, *depth))
            return true;
        ++*depth;
    } while (go_up(folder));
    return false;
}

/* Resolves symbolic links in the path of a folder. Then removes its last components until it is the
 * folder of a capture, and writes this path to `root`. Returns false if no parent folder is a
 * capture. */
static bool climb_real(const char *folder, int depth, char root[PATH_MAX])
{
    return realpath(folder, root) && climb(root, &depth);
}

bool pm_confine_root(const char *path, char root[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const int length = slash ? (int)(slash - path) + (slash == path) : 1;
    char folder[PATH_MAX], named[PATH_MAX];
    int depth = 0;

    if (snprintf(folder, sizeof folder, "%.*s", length, slash ? path : ".") >= (int)sizeof folder)
        /* a path that is longer than PATH_MAX cannot be opened anyway, so it is no capture */
        return false;
    strcpy(named, folder);
    if (climb(named, &depth)) {
        /* If the path of the capture's folder cannot be resolved, return true with root "". No file
         * is inside of it, so that all files are refused. */
        if (!realpath(named, root))
            *root = '\0';
        return true;
    }
    return climb_real(folder, 0, root) || climb_real(named, depth - 1, root);
}

static bool is_within(const char *root, const char *real)
{
    const size_t length = strlen(root);

    return strcmp(root, "/") == 0 || (length > 0 && strncmp(root, real, length) == 0 &&
                                      (real[length] == '/' || !real[length]));
}

bool pm_confine_holds(const char *root, const char *path)
{
    char at[PATH_MAX], real[PATH_MAX];
    struct stat there;

    if (snprintf(at, sizeof at, "%s", path) >= (int)sizeof at)
        /* a path that is longer than PATH_MAX cannot be opened anyway, so it needs no check */
        return true;
    if (realpath(at, real))
        return is_within(root, real);
    /* A file that exists but whose path cannot be resolved counts as outside of the capture. */
    if (stat(at, &there) == 0)
        return false;
    while (!realpath(at, real) && strcmp(at, "/") != 0 && strcmp(at, ".") != 0) {
        char *slash = strrchr(at, '/');

        if (slash)
            slash[slash == at] = '\0';
        else
            strcpy(at, ".");
    }
    return realpath(at, real) && is_within(root, real);
}
