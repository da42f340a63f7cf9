/* Identities of files. See identity.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/identity.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 16 };

static void write_times(pm_wire *key, const struct stat *info)
{
    int64_t numbers[] = {info->st_size, info->st_mtim.tv_sec, info->st_mtim.tv_nsec,
                         info->st_ctim.tv_sec, info->st_ctim.tv_nsec};

    PM_WIRE_NUMBER(key, numbers);
}

void pm_identity_file(pm_wire *key, const char *path)
{
    struct stat info = {.st_size = 0};
    char real[PATH_MAX], *name = real;
    bool there = realpath(path, real) && stat(real, &info) == 0;

    if (!there)
        name = (char *)(uintptr_t)path;
    pm_wire_flag(key, &there);
    pm_wire_name(key, &name);
    write_times(key, &info);
}

static void write_folder(pm_wire *key, const char *path, const char *name_starts, unsigned depth);

static void write_entry(pm_wire *key, const char *folder, char *name, const char *name_starts,
                        unsigned depth)
{
    char path[PATH_MAX];
    struct stat info;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, name) >= sizeof path ||
        stat(path, &info) != 0)
        return;
    pm_wire_name(key, &name);
    if (S_ISREG(info.st_mode))
        write_times(key, &info);
    else if (S_ISDIR(info.st_mode) && !name_starts)
        write_folder(key, path, NULL, depth + 1);
}

static void write_folder(pm_wire *key, const char *path, const char *name_starts, unsigned depth)
{
    struct dirent **items = NULL;
    int count = depth < DEEPEST ? scandir(path, &items, NULL, alphasort) : -1;

    key->failed |= depth == DEEPEST;
    PM_WIRE_NUMBER(key, count);
    for (int i = 0; i < count; i++) {
        char *name = items[i]->d_name;

        if (name_starts ? strncmp(name, name_starts, strlen(name_starts)) == 0 : *name != '.')
            write_entry(key, path, name, name_starts, depth);
        free(items[i]);
    }
    free(items);
}

void pm_identity_folder(pm_wire *key, const char *path, const char *name_starts)
{
    char real[PATH_MAX], *name = realpath(path, real);

    pm_wire_text(key, &name);
    if (name)
        write_folder(key, real, name_starts, 0);
}
