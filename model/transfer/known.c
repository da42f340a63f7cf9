/* What is known of a GPU, from the datasets of its name. See known.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/known.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/strings.h"
#include "samples/dataset.h"
#include "samples/table.h"
#include "session/session.h"

/* Programs that a GPU must have been measured with for a model of its own; with fewer they
 * recalibrate that of other GPUs. */
enum { ENOUGH_PROGRAMS = 5 };

/* What a dataset of traced counters is called behind its GPU. */
static const char TRACED[] = "-trace";

/* Appends the dataset NAME followed by ending to *rows, which is made like the first one. */
static pm_status add_dataset(pm_session *session, const char *name, const char *ending,
                             pm_dataset **rows, pm_error *err)
{
    char full[128], path[PATH_MAX];
    pm_error missing = {0};
    const pm_dataset *dataset;

    snprintf(full, sizeof full, "%s%s", name, ending);
    if (pm_dataset_locate(full, pm_session_chosen(session)->datasets, path, sizeof path,
                          &missing) != PM_OK)
        return PM_OK;
    dataset = pm_dataset_open_at(session, path, err);
    if (!dataset)
        return err->status;
    if (!*rows)
        *rows = pm_dataset_memory_like(dataset, err);
    return *rows ? pm_dataset_append_all(*rows, dataset, err) : err->status;
}

/* Of the dataset NAME followed by ending, where it tells energy. */
static pm_status add_metered(pm_session *session, pm_known_gpu *known, const char *ending,
                             pm_error *err)
{
    static const char *const names[] = {"energy_j"};
    pm_dataset *rows = NULL;
    pm_status status = add_dataset(session, known->name, ending, &rows, err);

    if (status == PM_OK && rows &&
        pm_dataset_counter_at(rows, names[0]) < pm_dataset_counters(rows)) {
        if (!known->metered)
            known->metered = pm_dataset_memory(known->name, names, 1, err);
        status = known->metered ? pm_dataset_append_all(known->metered, rows, err) : err->status;
    }
    pm_dataset_free(rows);
    return status;
}

static pm_status open_published(pm_session *session, pm_known_gpu *known, pm_error *err)
{
    char traced[sizeof known->name + sizeof TRACED];
    pm_error why = {0}; /* tells no dataset from one that is wrong */

    snprintf(traced, sizeof traced, "%s%s", known->name, TRACED);
    known->published = pm_dataset_published(session, known->name, &why);
    if (why.status == PM_OK)
        known->published_traced = pm_dataset_published(session, traced, &why);
    return why.status == PM_OK ? PM_OK : pm_fail(err, why.status, "%s", why.text);
}

static pm_status read_all(pm_session *session, void *object, const void *name, pm_error *err)
{
    static const char *const measured[] = {"-corpus", "-shared", "", "-layouts", "-cuda"};
    static const char *const traced[] = {"-corpus-trace", "-shared-trace", "-trace", "-cuda-trace"};
    pm_known_gpu *known = object;
    pm_status status =
        pm_profile_find(name, pm_session_chosen(session)->datasets, &known->profile, err);

    snprintf(known->name, sizeof known->name, "%s", (const char *)name);
    for (size_t i = 0; status == PM_OK && i < sizeof measured / sizeof *measured; i++)
        status = add_dataset(session, known->name, measured[i], &known->measured, err);
    if (status == PM_OK)
        status = add_metered(session, known, "-energy", err);
    for (size_t i = 0; status == PM_OK && i < sizeof measured / sizeof *measured; i++)
        status = add_metered(session, known, measured[i], err);
    for (size_t i = 0; status == PM_OK && i < sizeof traced / sizeof *traced; i++)
        status = add_dataset(session, known->name, traced[i], &known->traced, err);
    if (status == PM_OK)
        status = open_published(session, known, err);
    return status;
}

static void release(void *object)
{
    pm_known_gpu *known = object;

    pm_dataset_free(known->measured);
    pm_dataset_free(known->metered);
    pm_dataset_free(known->traced);
    free(known);
}

pm_status pm_known_find(pm_session *session, const char *name, const pm_known_gpu **out,
                        pm_error *err)
{
    static const pm_session_kind kind = {"what is known of a GPU", sizeof **out, read_all, release};

    *out = NULL;
    if (strlen(name) >= sizeof(*out)->name)
        return pm_fail(err, PM_BAD_INPUT, "'%.64s...' is too long for the name of a GPU", name);
    *out = pm_session_have(session, &kind, name, name, err);
    return *out ? PM_OK : err->status;
}

bool pm_known_is_whole(const pm_known_gpu *known)
{
    return known->profile.present && known->measured && known->traced;
}

const pm_sample *pm_known_metered(const pm_known_gpu *known, const pm_sample *like)
{
    const pm_sample *found = known->metered ? pm_dataset_find(known->metered, like) : NULL;

    return found && found->time_s > 0 && found->counters[0] >= 0 ? found : NULL;
}

const pm_sample *pm_known_measured(const pm_known_gpu *known, const pm_sample *like)
{
    const pm_sample *found = known->measured ? pm_dataset_find(known->measured, like) : NULL;

    return found && found->time_s > 0 && isfinite(found->time_s) ? found : NULL;
}

const pm_sample *pm_known_traced(const pm_known_gpu *known, const pm_sample *like)
{
    return known->traced ? pm_dataset_find(known->traced, like) : NULL;
}

static bool is_first_of_program(const pm_known_gpu *gpu, size_t i)
{
    const pm_sample *s = pm_dataset_sample(gpu->traced, i);

    if (!pm_known_measured(gpu, s))
        return false;
    for (size_t k = 0; k < i; k++) {
        const pm_sample *t = pm_dataset_sample(gpu->traced, k);

        if (strcmp(s->program, t->program) == 0 && pm_known_measured(gpu, t))
            return false;
    }
    return true;
}

bool pm_known_has_enough(const pm_known_gpu *gpu)
{
    size_t count = 0;

    for (size_t i = 0; count < ENOUGH_PROGRAMS && i < pm_dataset_rows(gpu->traced); i++)
        count += is_first_of_program(gpu, i);
    return count == ENOUGH_PROGRAMS;
}

/* ---- all of them ---------------------------------------------------------------------------- */

bool pm_known_is_published(const pm_known_gpu *known)
{
    return known->profile.present && known->published && known->published_traced;
}

typedef bool (*good_fn)(const pm_known_gpu *known);

static bool is_known(const pm_known_gpu *known)
{
    return pm_known_is_whole(known) || pm_known_is_published(known);
}

/* A CPU tells nothing of a GPU's parameters, nor a GPU of a CPU's. like: a GPU or a CPU; one
 * without a row, or "", is a GPU. */
static pm_status add_gpu(pm_session *session, const char *name, const char *like, good_fn good,
                         pm_known_gpu *list, size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    const pm_known_gpu *known;
    pm_profile profile, kind = {0};
    pm_status status = pm_profile_find(name, folder, &profile, err);

    if (status == PM_OK && *like)
        status = pm_profile_find(like, folder, &kind, err);
    if (status != PM_OK || !profile.present || profile.loops != kind.loops)
        return status; /* its datasets need not be read */
    status = pm_known_find(session, name, &known, err);
    if (status == PM_OK && good(known))
        list[(*count)++] = *known;
    return status;
}

/* Adds the GPUs of which there is NAME and NAME-trace among the names. */
static pm_status add_named(pm_session *session, const pm_strings *names, const char *except,
                           good_fn good, pm_known_gpu *list, size_t *count, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < names->count; i++) {
        const char *name = names->items[i];
        char gpu[sizeof list->name];
        size_t length = strlen(name) - (pm_ends_in(name, TRACED) ? strlen(TRACED) : 0), k = 0;

        if (length == strlen(name) || length >= sizeof gpu)
            continue;
        snprintf(gpu, sizeof gpu, "%.*s", (int)length, name);
        while (k < *count && strcmp(list[k].name, gpu) != 0)
            k++;
        if (k == *count && pm_strings_has(names, gpu) && strcmp(gpu, except) != 0)
            status = add_gpu(session, gpu, except, good, list, count, err);
    }
    return status;
}

static pm_status list_gpus(pm_session *session, const char *except, good_fn good,
                           pm_known_gpu **list, size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    pm_strings names = {0}, published = {0};
    pm_known_gpu *gpus = NULL;
    pm_status status = pm_dataset_names(folder, &names, err);

    *list = NULL;
    *count = 0;
    if (status == PM_OK && good == is_known)
        status = pm_dataset_published_names(folder, &published, err);
    if (status == PM_OK) {
        gpus = calloc(names.count + published.count + 1, sizeof *gpus);
        if (!gpus)
            status = pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    }
    if (status == PM_OK)
        status = add_named(session, &names, except, good, gpus, count, err);
    if (status == PM_OK)
        status = add_named(session, &published, except, good, gpus, count, err);
    pm_strings_clear(&names);
    pm_strings_clear(&published);
    if (status == PM_OK)
        *list = gpus;
    else
        free(gpus);
    return status;
}

pm_status pm_known_list(pm_session *session, const char *except, pm_known_gpu **list, size_t *count,
                        pm_error *err)
{
    return list_gpus(session, except, pm_known_is_whole, list, count, err);
}

pm_status pm_known_list_all(pm_session *session, const char *except, pm_known_gpu **list,
                            size_t *count, pm_error *err)
{
    return list_gpus(session, except, is_known, list, count, err);
}
