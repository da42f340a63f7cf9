/* Finds workloads by the paths that a user gave: workload files, captures, and folders of
 * these. See suite.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The path of a folder selects the workload files in it and in its immediate subfolders. A capture
 * is a folder with workload files, so a path may also name a capture or a folder of captures.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "program/suite/suite.h"

static const char ENDING[] = ".workload";

typedef struct {
    pm_session *session;
    pm_programs *to;
} resolving;

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns PM_BAD_INPUT if the suffix of the path belongs to another kind of file, such as a
 * dataset. The message names the kind, and is clearer than a syntax error in the first line. */
static pm_status check_kind(const char *path, pm_error *err)
{
    static const struct {
        const char *ending, *what;
    } kinds[] = {{".csv", "a dataset"}, {".json", "JSON"}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (pm_ends_in(path, kinds[i].ending))
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: is %s; a workload file is wanted, which says what kernels run on "
                           "(perfmodel advise --template prints one)",
                           path, kinds[i].what);
    return PM_OK;
}

/* Returns PM_BAD_INPUT if two programs have the same name, because datasets, tables and reports
 * identify programs by name. */
static pm_status check_name(const pm_programs *there, const pm_program *program, pm_error *err)
{
    for (size_t i = 0; i < there->count; i++) {
        const pm_program *other = there->items[i];

        if (other == program)
            return pm_fail(err, PM_BAD_INPUT, "%s: is there twice; name each workload once",
                           program->path);
        if (strcmp(other->info.name, program->info.name) == 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: its name, %s, is that of %s, too; give one of them another name",
                           program->path, program->info.name, other->path);
    }
    return PM_OK;
}

static pm_status add_program(resolving *r, const char *path, pm_error *err)
{
    const pm_program *program;
    const pm_program **items;

    program = pm_program_open(r->session, path, err);
    if (!program || check_name(r->to, program, err) != PM_OK)
        return err->status;
    items = reallocarray(r->to->items, r->to->count + 1, sizeof *items);
    if (!items)
        return pm_fail(err, PM_FAILED, "out of memory for workloads");
    r->to->items = items;
    items[r->to->count++] = program;
    return PM_OK;
}

static pm_status add_file(resolving *r, const char *path, pm_error *err)
{
    return check_kind(path, err) == PM_OK ? add_program(r, path, err) : err->status;
}

/* ---- folders with workloads ----------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    struct stat there;

    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Compares the names of two folder entries by strcmp. Unlike with alphasort, the order does not
 * depend on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static pm_status add_folder(resolving *r, const char *folder, bool deeper, pm_error *err);

/* Returns PM_BAD_INPUT if the OpenCL Intercept Layer wrote the folder to record a launch. Its
 * contents are no workload files. */
static pm_status check_recorded(const char *folder, pm_error *err)
{
    char path[PATH_MAX];
    struct stat there;

    if (snprintf(path, sizeof path, "%s/enqueueNumber.txt", folder) >= (int)sizeof path ||
        lstat(path, &there) != 0)
        return PM_OK;
    return pm_fail(err, PM_BAD_INPUT,
                   "%s: a launch that the OpenCL Intercept Layer recorded; perfmodel-intercept -o "
                   "DIR FOLDER... makes workload files from such folders; give its DIR here",
                   folder);
}

/* Adds the program of an entry of a folder if it is a workload file. If it is a subfolder and
 * `deeper` is true, adds the programs of the files in it. Other entries are ignored. */
static pm_status add_entry(resolving *r, const char *folder, const char *name, bool deeper,
                           pm_error *err)
{
    const char *slash = pm_ends_in(folder, "/") ? "" : "/";
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "%s%s%s", folder, slash, name) >= (int)sizeof path)
        return pm_fail(err, PM_BAD_INPUT, "%s: paths in it are too long; move it", folder);
    if (is_folder(path)) {
        if (check_recorded(path, err) != PM_OK)
            return err->status;
        return deeper ? add_folder(r, path, false, err) : PM_OK;
    }
    return pm_ends_in(name, ENDING) ? add_file(r, path, err) : PM_OK;
}

static pm_status add_folder(resolving *r, const char *folder, bool deeper, pm_error *err)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_shown, by_name);
    pm_status status = PM_OK;

    if (count < 0)
        return pm_fail(err, errno == ENOMEM ? PM_FAILED : PM_BAD_INPUT,
                       "%s: cannot be read: %s; mend its permissions, or name another", folder,
                       strerror(errno));
    for (int i = 0; i < count; i++) {
        if (status == PM_OK)
            status = add_entry(r, folder, entries[i]->d_name, deeper, err);
        free(entries[i]);
    }
    free(entries);
    return status;
}

/* ---- paths that users give ------------------------------------------------------------------ */

static pm_status add_path(resolving *r, const char *path, pm_error *err)
{
    const size_t before = r->to->count;
    struct stat there;

    if (stat(path, &there) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: %s; name a source, a workload file, a capture, or a folder of them",
                       path, strerror(errno));
    if (!is_folder(path))
        return add_file(r, path, err);
    if (check_recorded(path, err) != PM_OK || add_folder(r, path, true, err) != PM_OK)
        return err->status;
    return r->to->count > before
               ? PM_OK
               : pm_fail(err, PM_BAD_INPUT,
                         "%s: has no workload file, neither in it nor in a folder in it; the name "
                         "of one ends in %s",
                         path, ENDING);
}

/* Makes one list of the assumptions of all programs. If there are several programs, each assumption
 * starts with its program's name. */
static void list_assumed(void *user)
{
    pm_programs *programs = user;
    const char **list = NULL;
    size_t count = 0;

    for (size_t i = 0; i < programs->count; i++) {
        const pm_program *program = programs->items[i];

        for (const char *const *a = program->assumed; a && *a; a++)
            *pm_add(&programs->memory, list, count) = pm_format(
                &programs->memory, "%s%s%s", programs->count > 1 ? program->info.name : "",
                programs->count > 1 ? ": " : "", *a);
    }
    if (count > 0)
        *pm_add(&programs->memory, list, count) = NULL;
    programs->assumed = list;
}

static pm_status fill(pm_session *session, void *object, const void *user, pm_error *err)
{
    const char *const *path = user;
    resolving r = {session, object};
    pm_status status = PM_OK;

    for (; status == PM_OK && *path; path++)
        status = add_path(&r, *path, err);
    return status == PM_OK ? pm_attempt(&r.to->memory, list_assumed, r.to, err) : status;
}

static void release(void *programs)
{
    free(((pm_programs *)programs)->items);
    pm_memory_free(&((pm_programs *)programs)->memory);
    free(programs);
}

const pm_programs *pm_workloads_find(pm_session *session, const char *const *paths, pm_error *err)
{
    static const pm_session_kind kind = {"workloads", sizeof(pm_programs), fill, release};
    const pm_programs *found = NULL;
    pm_text key = {0};

    for (size_t i = 0; paths[i]; i++)
        pm_text_add(&key, "%zu %s ", strlen(paths[i]), paths[i]);
    pm_text_add(&key, "%s", pm_bare_key(session));
    if (key.failed)
        pm_fail(err, PM_FAILED, "out of memory for workloads");
    else
        found = pm_session_have(session, &kind, pm_text_get(&key), paths, err);
    pm_text_free(&key);
    return found;
}
