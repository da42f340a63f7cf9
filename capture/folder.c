/* Creates and finds the files in the folder of a capture (the recorded kernel launches of a
 * program). See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "program/confine.h"

enum { MOST_SOURCE = 64 << 20, MOST_OPEN = 16 };

_Noreturn void pm_folder_unwritten(const pm_capture_folder *folder, const char *path)
{
    pm_give_up(folder->memory,
               pm_file_unwritten(path, errno, "make room, or capture into another folder",
                                 folder->memory->err));
}

static bool is_empty(const char *path)
{
    DIR *open = opendir(path);
    const struct dirent *entry;
    size_t entries = 0;

    if (!open)
        return false;
    while ((entry = readdir(open)) != NULL)
        entries += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return entries == 0;
}

void pm_folder_require(const pm_capture_folder *folder, const char *path)
{
    struct stat info;

    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        pm_leave(folder->memory, PM_BAD_INPUT,
                 "%s: no folder; capture the program again into a new one", path);
}

void pm_folder_below(const pm_capture_folder *folder, const char *below)
{
    const char *path = pm_format(folder->memory, "%s/%s", folder->path, below);

    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        pm_folder_unwritten(folder, path);
    pm_folder_require(folder, path);
}

void pm_folder_make(const pm_capture_folder *folder)
{
    if (mkdir(folder->path, 0777) != 0 && errno != EEXIST)
        pm_folder_unwritten(folder, folder->path);
    if (!is_empty(folder->path))
        pm_leave(folder->memory, PM_BAD_INPUT,
                 "%s: there is something already; capture into a new folder", folder->path);
    pm_folder_below(folder, "records");
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

void pm_folder_remove(const pm_capture_folder *folder, const char *below)
{
    const char *path = pm_format(folder->memory, "%s/%s", folder->path, below);

    if (nftw(path, remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS) != 0 && errno != ENOENT)
        pm_folder_unwritten(folder, path);
}

const char *pm_folder_recorded(const pm_capture_folder *folder, const pm_captured_process *process,
                               const char *contents)
{
    const char *path = pm_format(folder->memory, "%s/contents/%s", process->folder, contents);

    if (!pm_confine_holds(folder->path, path))
        pm_leave(folder->memory, PM_BAD_INPUT,
                 "%s: leads out of the capture; capture the program again into a new folder", path);
    return path;
}

char *pm_folder_text(const pm_capture_folder *folder, const pm_captured_process *process,
                     const char *given, const char *contents)
{
    const char *path;
    char *text;

    if (given) {
        text = strdup(given);
        if (!text)
            pm_leave(folder->memory, PM_FAILED, "out of memory");
        return text;
    }
    path = pm_folder_recorded(folder, process, contents);
    pm_require(folder->memory,
               pm_file_read(path, MOST_SOURCE, "a source", &text, folder->memory->err));
    return text;
}

void pm_folder_write(const pm_capture_folder *folder, const char *name, const char *text)
{
    pm_require(folder->memory,
               pm_file_write(pm_format(folder->memory, "%s/%s", folder->path, name), text,
                             "make room, or capture into another folder", folder->memory->err));
}

uint8_t *pm_folder_bytes(const pm_capture_folder *folder, const pm_captured_process *process,
                         const char *contents, size_t bytes)
{
    uint8_t *all = malloc(bytes + 1);
    FILE *file = NULL;

    if (all && *contents == '=') {
        pm_replay_repeat(contents, 0, bytes, all);
        return all;
    }
    if (all)
        file = fopen(pm_folder_recorded(folder, process, contents), "rbe");
    if (!file || fread(all, 1, bytes, file) != bytes) {
        free(all);
        all = NULL;
    }
    if (file)
        fclose(file);
    return all;
}

/* ---- images ---------------------------------------------------------------------------------- */

static void move(const pm_capture_folder *folder, const char *from, const char *to)
{
    if (rename(from, to) == 0)
        return;
    if (errno == ENOENT)
        pm_leave(folder->memory, PM_BAD_INPUT, "%s: not there; capture the program again", from);
    pm_folder_unwritten(folder, to);
}

void pm_folder_modules(const pm_capture_folder *folder, const pm_captured_process *process)
{
    for (size_t i = 0; i < process->module_count; i++) {
        const pm_captured_module *module = &process->modules[i];
        const char *name = pm_format(folder->memory, "%s/modules/%s.%s", folder->path,
                                     module->contents, module->kind);
        struct stat info;

        pm_folder_below(folder, "modules");
        if (lstat(name, &info) != 0)
            move(folder, pm_folder_recorded(folder, process, module->contents), name);
    }
}
