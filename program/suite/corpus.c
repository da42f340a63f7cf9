/* Lists the files of the corpus. See corpus.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/suite/corpus.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"

static const char ENDING[] = ".workload";

static int is_workload(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), ending = sizeof ENDING - 1;

    return length > ending && strcmp(entry->d_name + length - ending, ENDING) == 0;
}

/* Compares the names of two folder entries by strcmp. Unlike with alphasort, the order does not
 * depend on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static pm_status add(pm_corpus *corpus, const char *folder, const char *file, pm_error *err)
{
    char *path, *name = strndup(file, strlen(file) - (sizeof ENDING - 1));

    if (asprintf(&path, "%s/%s", folder, file) < 0)
        path = NULL;
    corpus->names[corpus->count] = name;
    corpus->paths[corpus->count++] = path;
    return name && path ? PM_OK : pm_fail(err, PM_FAILED, "out of memory for the corpus");
}

pm_corpus *pm_corpus_list(pm_error *err)
{
    char folder[PATH_MAX];
    struct dirent **entries = NULL;
    int count;
    pm_corpus *corpus;
    pm_status status = PM_OK;

    if (pm_share_path("kernels/corpus", folder, sizeof folder, NULL) != PM_OK)
        return calloc(1, sizeof *corpus);
    count = scandir(folder, &entries, is_workload, by_name);
    if (count < 0) {
        pm_fail(err, PM_FAILED, "%s: %s", folder, strerror(errno));
        return NULL;
    }
    corpus = calloc(1, sizeof *corpus);
    if (corpus) {
        corpus->names = calloc((size_t)count + 1, sizeof *corpus->names);
        corpus->paths = calloc((size_t)count + 1, sizeof *corpus->paths);
    }
    if (!corpus || !corpus->names || !corpus->paths)
        status = pm_fail(err, PM_FAILED, "out of memory for the corpus");
    for (int i = 0; i < count; i++) {
        if (status == PM_OK)
            status = add(corpus, folder, entries[i]->d_name, err);
        free(entries[i]);
    }
    free(entries);
    if (status == PM_OK)
        return corpus;
    pm_corpus_free(corpus);
    return NULL;
}

void pm_corpus_free(pm_corpus *corpus)
{
    if (!corpus)
        return;
    for (size_t i = 0; i < corpus->count; i++) {
        free(corpus->names[i]);
        free(corpus->paths[i]);
    }
    free(corpus->names);
    free(corpus->paths);
    free(corpus);
}
