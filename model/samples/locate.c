/* Finds the CSV file of a dataset (a table of measured kernels) by name, in the user's folder or
 * among the shipped ones, and the dataset that was collected last. Reads each file once per
 * session.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/error.h"
#include "base/file.h"
#include "base/nearest.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "base/text.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pm_status join(char *path, size_t size, const char *folder, const char *name,
                      const char *end, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    int length = snprintf(path, size, "%s/%s%s", folder, name, end);
    if (length < 0 || (size_t)length >= size)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                       pm_shown(folder, shown, sizeof shown));
    return PM_OK;
}

/* ---- folders --------------------------------------------------------------------------------- */

static pm_status make_folder(const char *path, pm_error *err)
{
    char shown[PM_SHOWN_PATH];

    if (pm_make_folders(path, 0777))
        return PM_OK;
    return pm_fail(err, pm_place_status(errno),
                   "%s: the folder for datasets cannot be made: %s; set PERFMODEL_DATASETS to "
                   "another",
                   pm_shown(path, shown, sizeof shown), strerror(errno));
}

pm_status pm_user_dataset_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    char folder[PATH_MAX], shown[PM_SHOWN_CELL];
    if (!*name || *name == '.' || strchr(name, '/'))
        return pm_fail(err, PM_BAD_INPUT,
                       "'%s' cannot be the name of a dataset; it is not empty, does not begin with "
                       "a dot and has no slash",
                       pm_shown(name, shown, sizeof shown));
    pm_status status = pm_user_folder(folder, sizeof folder, err);
    if (status == PM_OK)
        status = make_folder(folder, err);
    return status == PM_OK ? join(path, path_size, folder, name, ".csv", err) : status;
}

/* ---- datasets of a folder -------------------------------------------------------------------- */

/* Returns true if a CSV file of a dataset folder is a dataset. These are not: devices.csv
 * (properties of GPUs), gpu_names.csv (their other names), classes.csv (classes of programs) and
 * published.csv (values that others published). */
static bool is_dataset(const char *file)
{
    static const char *const others[] = {"devices.csv", "gpu_names.csv", "classes.csv",
                                         "published.csv", NULL};

    return file[0] != '.' && pm_ends_in(file, ".csv") && !pm_listed(others, file);
}

typedef pm_status (*found_fn)(void *user, const char *folder, const char *name, pm_error *err);

/* Calls `found` with the name (without .csv) of each dataset in a folder. A missing folder has no
 * datasets. */
static pm_status each_dataset(const char *folder, found_fn found, void *user, pm_error *err)
{
    DIR *open_folder = opendir(folder);
    pm_status status = PM_OK;

    if (!open_folder)
        return PM_OK;
    for (struct dirent *entry; status == PM_OK && (entry = readdir(open_folder));) {
        char name[NAME_MAX + 1];
        if (!is_dataset(entry->d_name))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(strlen(entry->d_name) - strlen(".csv")),
                 entry->d_name);
        status = found(user, folder, name, err);
    }
    closedir(open_folder);
    return status;
}

/* ---- by name --------------------------------------------------------------------------------- */

typedef struct {
    char path[4][PATH_MAX];
    size_t count;
} folder_list;

/* Lists the folders that are searched for datasets, in order. folder: folder that the user named,
 * or NULL. A folder whose path is unknown or too long is left out. own: true if the user's own
 * folder is included. */
static void list_folders(const char *folder, bool own, folder_list *list)
{
    const char *set = getenv("PERFMODEL_DATASETS");

    list->count = 0;
    if (folder && strlen(folder) < PATH_MAX)
        strcpy(list->path[list->count++], folder);
    if (set && *set && strlen(set) < PATH_MAX)
        strcpy(list->path[list->count++], set);
    if (own && pm_home_folder(list->path[list->count], PATH_MAX, NULL) == PM_OK)
        list->count++;
    if (pm_share_path("datasets", list->path[list->count], PATH_MAX, NULL) == PM_OK)
        list->count++;
}

static pm_status add_name(void *user, const char *folder, const char *name, pm_error *err)
{
    (void)folder;
    if (!pm_strings_add(user, name))
        return pm_fail(err, PM_FAILED, "not enough memory to list the datasets; free some");
    return PM_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

pm_status pm_dataset_names(const char *folder, bool own, pm_strings *names, pm_error *err)
{
    folder_list folders;
    pm_status status = PM_OK;

    list_folders(folder, own, &folders);
    for (size_t i = 0; i < folders.count && status == PM_OK; i++)
        status = each_dataset(folders.path[i], add_name, names, err);
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return status;
}

static pm_status wrong_name(const char *name, const char *folder, pm_error *err)
{
    pm_strings names = {0};
    char shown[PM_SHOWN_CELL];
    pm_nearest nearest;
    pm_status status = pm_dataset_names(folder, true, &names, err);

    pm_nearest_open(&nearest, name);
    for (size_t i = 0; i < names.count; i++)
        pm_nearest_add(&nearest, names.items[i]);
    if (status == PM_OK)
        status = pm_fail(err, PM_BAD_INPUT, "no dataset is called '%s'; %s",
                         pm_shown(name, shown, sizeof shown),
                         names.count > 0 ? pm_nearest_text(&nearest, "perfmodel devices")
                                         : "there are none, collect one with perfmodel collect");
    pm_strings_clear(&names);
    return status;
}

static pm_status locate_path(const char *name, char *path, size_t path_size, pm_error *err)
{
    char shown[PM_SHOWN_PATH];
    if (access(name, F_OK) != 0)
        return pm_fail(err, PM_BAD_INPUT, "%s: %s; check the path, or give a dataset's name",
                       pm_shown(name, shown, sizeof shown), strerror(errno));
    if (strlen(name) >= path_size)
        return pm_fail(err, PM_BAD_INPUT, "%s: the path is too long; choose a shorter one",
                       pm_shown(name, shown, sizeof shown));
    strcpy(path, name);
    return PM_OK;
}

static pm_status locate(const char *name, const char *folder, bool own, char *path,
                        size_t path_size, pm_error *err)
{
    char file[NAME_MAX + 1];
    folder_list folders;
    int length;

    if (strchr(name, '/') || pm_ends_in(name, ".csv"))
        return locate_path(name, path, path_size, err);
    list_folders(folder, own, &folders);
    length = snprintf(file, sizeof file, "%s.csv", name);
    if (length < 0 || (size_t)length >= sizeof file || !is_dataset(file))
        return err ? wrong_name(name, folder, err) : PM_BAD_INPUT;
    for (size_t i = 0; i < folders.count; i++)
        if (join(path, path_size, folders.path[i], name, ".csv", err) != PM_OK)
            return PM_BAD_INPUT;
        else if (access(path, F_OK) == 0)
            return PM_OK;
    /* err is NULL if the caller needs no message; the message would need a slow search for similar
     * names */
    return err ? wrong_name(name, folder, err) : PM_BAD_INPUT;
}

pm_status pm_dataset_locate(const char *name, const char *folder, char *path, size_t path_size,
                            pm_error *err)
{
    return locate(name, folder, true, path, path_size, err);
}

bool pm_dataset_locate_known(const char *name, const char *folder, char *path, size_t path_size)
{
    return locate(name, folder, false, path, path_size, NULL) == PM_OK;
}

/* ---- times that others published ------------------------------------------------------------- */

static const char PUBLISHED[] = "public";

pm_status pm_dataset_published_names(const char *folder, pm_strings *names, pm_error *err)
{
    char path[PATH_MAX];
    folder_list folders;
    pm_status status = PM_OK;

    list_folders(folder, false, &folders);
    for (size_t i = 0; i < folders.count && status == PM_OK; i++) {
        status = join(path, sizeof path, folders.path[i], PUBLISHED, "", err);
        if (status == PM_OK)
            status = each_dataset(path, add_name, names, err);
    }
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return status;
}

pm_status pm_dataset_locate_published(const char *name, const char *folder, char *path,
                                      size_t path_size, pm_error *err)
{
    folder_list folders;
    char within[PATH_MAX];

    list_folders(folder, false, &folders);
    for (size_t i = 0; i < folders.count; i++) {
        if (join(within, sizeof within, folders.path[i], PUBLISHED, "", err) != PM_OK ||
            join(path, path_size, within, name, ".csv", err) != PM_OK)
            return err->status;
        if (access(path, F_OK) == 0)
            return PM_OK;
    }
    *path = '\0';
    return PM_OK;
}

/* ---- the newest dataset ---------------------------------------------------------------------- */

typedef struct {
    char name[NAME_MAX + 1];
    struct timespec time;
} newest;

static bool is_newer(const struct timespec *a, const newest *b, const char *name)
{
    if (a->tv_sec != b->time.tv_sec)
        return a->tv_sec > b->time.tv_sec;
    if (a->tv_nsec != b->time.tv_nsec)
        return a->tv_nsec > b->time.tv_nsec;
    /* If both files changed at the same time, compare their names, so that the result does not
     * depend on the order of the files in the folder. */
    return strcmp(name, b->name) < 0;
}

static pm_status keep_newest(void *user, const char *folder, const char *name, pm_error *err)
{
    newest *last = user;
    char path[PATH_MAX];
    struct stat info;

    pm_status status = join(path, sizeof path, folder, name, ".json", err);
    if (status != PM_OK)
        return status;
    if (access(path, F_OK) != 0)
        return PM_OK;
    status = join(path, sizeof path, folder, name, ".csv", err);
    if (status != PM_OK || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return status;
    if (!*last->name || is_newer(&info.st_mtim, last, name)) {
        snprintf(last->name, sizeof last->name, "%s", name);
        last->time = info.st_mtim;
    }
    return PM_OK;
}

pm_status pm_dataset_locate_latest(const char *folder, char *path, size_t path_size, pm_error *err)
{
    char own[PATH_MAX], shown[PM_SHOWN_PATH];
    newest last = {0};

    if (!folder) {
        pm_status status = pm_user_folder(own, sizeof own, err);
        if (status != PM_OK)
            return status;
        folder = own;
    }
    pm_status status = each_dataset(folder, keep_newest, &last, err);
    if (status != PM_OK)
        return status;
    if (!*last.name)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: no collected dataset here; run perfmodel collect first, or name a "
                       "dataset with --from",
                       pm_shown(folder, shown, sizeof shown));
    return join(path, path_size, folder, last.name, ".csv", err);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void release(void *dataset)
{
    pm_dataset_free(dataset);
}

const pm_dataset *pm_dataset_open_at(pm_session *session, const char *path, pm_error *err)
{
    pm_dataset *dataset = pm_session_find(session, "dataset", path);

    if (dataset)
        return dataset;
    dataset = pm_dataset_read(path, pm_session_log(session), err);
    if (!dataset || pm_session_keep(session, "dataset", path, dataset, release, err) != PM_OK)
        return NULL;
    return dataset;
}

const pm_dataset *pm_dataset_open(pm_session *session, const char *name, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    char path[PATH_MAX], shown[PM_SHOWN_PATH], who[PM_SHOWN_CELL];
    const pm_dataset *dataset;
    bool first;

    if (pm_dataset_locate(name, folder, path, sizeof path, err) != PM_OK)
        return NULL;
    first = !pm_session_find(session, "dataset", path);
    dataset = pm_dataset_open_at(session, path, err);
    if (dataset && first && pm_dataset_rows(dataset) > 0 && *pm_dataset_sample(dataset, 0)->origin)
        pm_notice(pm_session_log(session),
                  "%s: its times were published by others (%s in its first row), not measured by "
                  "perfmodel",
                  pm_shown(path, shown, sizeof shown),
                  pm_shown(pm_dataset_sample(dataset, 0)->origin, who, sizeof who));
    return dataset;
}

const pm_dataset *pm_dataset_published(pm_session *session, const char *device, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    char path[PATH_MAX] = "";

    err->status = PM_OK;
    if (pm_dataset_locate_published(device, folder, path, sizeof path, err) != PM_OK || !*path)
        return NULL;
    return pm_dataset_open_at(session, path, err);
}
