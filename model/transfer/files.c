/* Finds the dataset files of a GPU and computes a digest of their contents. See files.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/files.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"
#include "model/transfer/with.h"

typedef struct {
    bool whole, is_published;
    pm_digest digest;
} seen_files;

typedef struct {
    const char *folder; /* folder of datasets that the user named for the session */
    /* serialized list of the files: for each one the ending of its name, and the digest of its
     * contents */
    pm_wire contents;
    pm_error *err;
} seeing;

/* Adds the digest of a file to the list; zeros if the file is missing or unreadable. The error is
 * reported when the dataset is read. */
static void add_file(seeing *s, char *path)
{
    pm_digest digest = {0, 0};

    (void)pm_file_digest(path, &digest);
    PM_WIRE_NUMBER(&s->contents, digest);
}

/* Adds the digests of a dataset and of the JSON file of the same name, which says which variants
 * are in CUDA. */
static void add_dataset(seeing *s, char *dataset_path)
{
    char path[PATH_MAX];

    add_file(s, dataset_path);
    if (pm_provenance_path(dataset_path, path, NULL) == PM_OK)
        add_file(s, path);
}

/* Adds the digests of all existing datasets NAME + ending to the list. Returns true if there is at
 * least one. endings: NULL-terminated. */
static bool see_measured(seeing *s, const char *name, const char *const *endings)
{
    bool any = false;

    for (size_t i = 0; endings[i]; i++) {
        char full[128], path[PATH_MAX];

        snprintf(full, sizeof full, "%s%s", name, endings[i]);
        if (!pm_dataset_locate_known(full, s->folder, path, sizeof path))
            continue;
        PM_WIRE_NUMBER(&s->contents, i);
        add_dataset(s, path);
        any = true;
    }
    return any;
}

static bool see_published(seeing *s, const char *name)
{
    char path[PATH_MAX] = "";

    if (pm_dataset_locate_published(name, s->folder, path, sizeof path, NULL) != PM_OK || !*path)
        return false;
    add_dataset(s, path);
    return true;
}

static pm_status see(pm_session *session, void *object, const void *user, pm_error *err)
{
    static const char *const energy[] = {"-energy", NULL};
    const char *name = user;
    char traced[128];
    seen_files *f = object;
    seeing s = {.folder = pm_session_chosen(session)->datasets, .contents = PM_WIRE_WRITER};
    bool measured, traced_rows, published;
    pm_status status;

    snprintf(traced, sizeof traced, "%s" PM_KNOWN_TRACED, name);
    measured = see_measured(&s, name, pm_known_measured_endings);
    traced_rows = see_measured(&s, name, pm_known_traced_endings);
    status = pm_with_see(session, name, &s.contents, &measured, &traced_rows, err);
    f->whole = measured && traced_rows;
    published = see_published(&s, name);
    /* NAME-energy is read together with the measured times, and errors in it are reported then */
    (void)see_measured(&s, name, energy);
    f->is_published = see_published(&s, traced) && published;
    pm_wire_flag(&s.contents, &measured);
    pm_wire_flag(&s.contents, &published);
    if (status == PM_OK && s.contents.failed)
        status = pm_fail(err, PM_FAILED, "out of memory for the files of %s", name);
    if (status == PM_OK)
        f->digest = pm_digest_of(s.contents.data, s.contents.bytes);
    pm_wire_free(&s.contents);
    return status;
}

bool pm_known_is_unchanged(pm_session *session, const pm_known_gpu *known)
{
    seen_files now;

    return see(session, &now, known->name, NULL) == PM_OK &&
           pm_digest_equal(now.digest, known->files);
}

pm_status pm_known_see_files(pm_session *session, pm_known_gpu *known, pm_error *err)
{
    static const pm_session_kind kind = {"files of a GPU", sizeof(seen_files), see, free};
    const seen_files *f = pm_session_have(session, &kind, known->name, known->name, err);

    if (!f)
        return err->status;
    known->whole = f->whole;
    known->is_published = f->is_published;
    known->files = f->digest;
    return PM_OK;
}
