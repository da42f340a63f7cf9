/* Finds, measures, trims and clears the cache's folder. See folder.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/cache/folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/numbers.h"

/* ---- location ------------------------------------------------------------------------------- */

/* $XDG_CACHE_HOME is ignored if it is a relative path, as the XDG base directory specification
 * demands. */
bool pm_cache_folder(char *path, size_t size, bool *off)
{
    const char *chosen = getenv("PERFMODEL_CACHE"), *home = getenv("HOME");
    const char *xdg = getenv("XDG_CACHE_HOME");
    int length = -1;

    *off = chosen && strcmp(chosen, "off") == 0;
    if (*off)
        return false;
    if (chosen && *chosen)
        length = snprintf(path, size, "%s", chosen);
    else if (xdg && xdg[0] == '/')
        length = snprintf(path, size, "%s/perfmodel", xdg);
    else if (home && home[0] == '/')
        length = snprintf(path, size, "%s/.cache/perfmodel", home);
    return length > 0 && (size_t)length < size;
}

const char *pm_cache_kind_name(pm_cache_kind kind)
{
    static const char *const names[PM_CACHE_KINDS] = {[PM_CACHE_FITS] = "fits",
                                                      [PM_CACHE_BITCODE] = "bitcode",
                                                      [PM_CACHE_SOURCES] = "sources",
                                                      [PM_CACHE_COUNTS] = "counts"};

    return names[kind];
}

size_t pm_cache_most_bytes(void)
{
    const char *text = getenv("PERFMODEL_CACHE_MIB");
    double mib;

    if (!text || !pm_number_parse(text, &mib) || !(mib > 0) || mib > (double)(SIZE_MAX >> 21))
        mib = PM_CACHE_MOST_MIB;
    return (size_t)(mib * (1 << 20));
}

bool pm_cache_make_folder(const char *file)
{
    char path[PATH_MAX];
    const char *slash = strrchr(file, '/');

    return slash &&
           (size_t)snprintf(path, sizeof path, "%.*s", (int)(slash - file), file) < sizeof path &&
           pm_make_folders(path, 0700);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns whether a file in the cache folder is an entry or an entry's temporary file. Their names
 * have 32 hexadecimal digits, then nothing or a dot. */
static bool is_entry(const char *name)
{
    const size_t digits = strspn(name, "0123456789abcdef");

    return digits == PM_DIGEST_TEXT - 1 && (name[digits] == '\0' || name[digits] == '.');
}

/* A function to call for each entry of one kind in the cache folder. see(user, path, info) gets
 * the path of the entry's file and its file status. Other files and folders are skipped. */
typedef struct {
    void (*see)(void *user, const char *path, const struct stat *info);
    void *user;
} visitor;

static void visit_kind(const char *folder, pm_cache_kind kind, const visitor *v)
{
    char path[PATH_MAX];
    const struct dirent *item;
    DIR *list = NULL;

    if ((size_t)snprintf(path, sizeof path, "%s/%s", folder, pm_cache_kind_name(kind)) <
        sizeof path)
        list = opendir(path);
    while (list && (item = readdir(list)) != NULL) {
        struct stat info;

        if (is_entry(item->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/%s/%s", folder, pm_cache_kind_name(kind),
                             item->d_name) < sizeof path &&
            lstat(path, &info) == 0 && S_ISREG(info.st_mode))
            v->see(v->user, path, &info);
    }
    if (list)
        closedir(list);
}

static void add_usage(void *user, const char *path, const struct stat *info)
{
    pm_cache_usage *usage = user;

    (void)path;
    usage->files++;
    usage->bytes += (size_t)info->st_size;
}

void pm_cache_measure(const char *folder, pm_cache_usage *usage)
{
    for (int kind = 0; kind < PM_CACHE_KINDS; kind++) {
        usage[kind] = (pm_cache_usage){0};
        visit_kind(folder, (pm_cache_kind)kind, &(visitor){add_usage, &usage[kind]});
    }
}

typedef struct {
    pm_cache_usage *deleted;
    pm_error *err;
    pm_status status;
} clearing;

static void delete_file(void *user, const char *path, const struct stat *info)
{
    clearing *c = user;
    char shown[PM_SHOWN_PATH];

    if (unlink(path) == 0)
        add_usage(c->deleted, path, info);
    else if (errno != ENOENT && c->status == PM_OK)
        c->status = pm_fail(c->err, PM_FAILED, "%s: cannot be deleted: %s",
                            pm_shown(path, shown, sizeof shown), strerror(errno));
}

pm_status pm_cache_clear(const char *folder, pm_cache_usage *deleted, pm_error *err)
{
    clearing c = {.err = err, .status = PM_OK};

    for (int kind = 0; kind < PM_CACHE_KINDS; kind++) {
        deleted[kind] = (pm_cache_usage){0};
        c.deleted = &deleted[kind];
        visit_kind(folder, (pm_cache_kind)kind, &(visitor){delete_file, &c});
    }
    return c.status;
}

/* ---- bound on the size ---------------------------------------------------------------------- */

typedef struct {
    char *path;
    struct timespec used;
    size_t bytes;
} file;

typedef struct {
    file *files;
    size_t count, room, bytes;
} file_list;

static void list_file(void *user, const char *path, const struct stat *info)
{
    file_list *list = user;

    if (list->count == list->room) {
        const size_t room = list->room > 0 ? 2 * list->room : 256;
        file *grown = realloc(list->files, room * sizeof *grown);

        if (!grown)
            return;
        list->files = grown;
        list->room = room;
    }
    list->files[list->count] =
        (file){.path = strdup(path), .used = info->st_mtim, .bytes = (size_t)info->st_size};
    if (list->files[list->count].path)
        list->bytes += list->files[list->count++].bytes;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec x = ((const file *)a)->used, y = ((const file *)b)->used;

    if (x.tv_sec != y.tv_sec)
        return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

void pm_cache_trim(const char *folder, size_t most_bytes)
{
    file_list list = {0};

    for (int kind = 0; kind < PM_CACHE_KINDS; kind++)
        visit_kind(folder, (pm_cache_kind)kind, &(visitor){list_file, &list});
    if (list.bytes > most_bytes) {
        qsort(list.files, list.count, sizeof *list.files, by_use);
        for (size_t i = 0; i < list.count && list.bytes > most_bytes / 4 * 3; i++) {
            list.bytes -= list.files[i].bytes;
            unlink(list.files[i].path);
        }
    }
    for (size_t i = 0; i < list.count; i++)
        free(list.files[i].path);
    free(list.files);
}
