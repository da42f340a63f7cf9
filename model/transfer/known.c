/* Reads the data that exist about a GPU: its properties, its measured kernel times and its traced
 * counters, from the datasets that have the GPU's name. See known.h.
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
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"
#include "model/transfer/files.h"
#include "model/transfer/with.h"

/* Least number of programs that must have been measured on a GPU to fit a model to this GPU alone.
 * If there are fewer, the GPU's times only update the model of other GPUs. */
enum { ENOUGH_PROGRAMS = 5 };

const char *const pm_known_measured_endings[] = {"-corpus",  "-shared", "",
                                                 "-layouts", "-cuda",   NULL};
const char *const pm_known_traced_endings[] = {"-corpus-trace", "-shared-trace", "-trace",
                                               "-cuda-trace", NULL};

/* Appends the rows of the dataset NAME + ending to *rows. If *rows is NULL, creates it with the
 * counters of that dataset. */
static pm_status add_dataset(pm_session *session, pm_known_gpu *known, const char *ending,
                             pm_dataset **rows, pm_error *err)
{
    char full[128], path[PATH_MAX];
    const pm_dataset *dataset;

    snprintf(full, sizeof full, "%s%s", known->name, ending);
    if (!pm_dataset_locate_known(full, pm_session_chosen(session)->datasets, path, sizeof path))
        return PM_OK;
    dataset = pm_dataset_open_at(session, path, err);
    if (!dataset)
        return err->status;
    known->torn = known->torn || dataset->end.torn_line > 0;
    if (!*rows)
        *rows = pm_dataset_memory_like(dataset, err);
    return *rows ? pm_dataset_append_all(*rows, dataset, err) : err->status;
}

/* Appends to known->metered the rows of the dataset NAME + ending that have a measured energy. */
static pm_status add_metered(pm_session *session, pm_known_gpu *known, const char *ending,
                             pm_error *err)
{
    static const char *const names[] = {"energy_j"};
    pm_dataset *rows = NULL;
    pm_status status = add_dataset(session, known, ending, &rows, err);

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
    char traced[sizeof known->name + sizeof PM_KNOWN_TRACED];
    /* the status in `why` says whether the dataset is missing, which is no error, or invalid */
    pm_error why = {0};

    snprintf(traced, sizeof traced, "%s" PM_KNOWN_TRACED, known->name);
    known->published = pm_dataset_published(session, known->name, &why);
    if (why.status == PM_OK)
        known->published_traced = pm_dataset_published(session, traced, &why);
    known->torn = known->torn || (known->published && known->published->end.torn_line > 0) ||
                  (known->published_traced && known->published_traced->end.torn_line > 0);
    return why.status == PM_OK ? PM_OK : pm_fail(err, why.status, "%s", why.text);
}

static pm_status read_all(pm_session *session, void *object, const void *name, pm_error *err)
{
    pm_known_gpu *known = object;
    pm_status status = pm_session_profile(session, name, &known->profile, err);

    snprintf(known->name, sizeof known->name, "%s", (const char *)name);
    if (status == PM_OK)
        status = pm_with_add(session, known, err);
    for (const char *const *end = pm_known_measured_endings; status == PM_OK && *end; end++)
        status = add_dataset(session, known, *end, &known->measured, err);
    if (status == PM_OK)
        status = add_metered(session, known, "-energy", err);
    for (const char *const *end = pm_known_measured_endings; status == PM_OK && *end; end++)
        status = add_metered(session, known, *end, err);
    for (const char *const *end = pm_known_traced_endings; status == PM_OK && *end; end++)
        status = add_dataset(session, known, *end, &known->traced, err);
    if (status == PM_OK)
        status = open_published(session, known, err);
    if (status == PM_OK)
        status = pm_known_see_files(session, known, err);
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
    return known->profile.present &&
           (known->unread ? known->whole : known->measured && known->traced);
}

bool pm_known_is_published(const pm_known_gpu *known)
{
    return known->profile.present &&
           (known->unread ? known->is_published : known->published && known->published_traced);
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
