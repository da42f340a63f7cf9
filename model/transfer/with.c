/* Reads the user's own datasets that a session names. See with.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/with.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"
#include "model/samples/table.h"
#include "model/transfer/files.h"

/* A dataset of the user, and the GPU that the trace engine simulated for its counters. */
typedef struct {
    const pm_dataset *dataset;
    /* GPU that the trace engine simulated for the dataset's counters; "": unknown, so the device of
     * each row counts */
    char target[64];
} own_dataset;

static bool has_time(const pm_sample *s)
{
    return s->time_s > 0 && isfinite(s->time_s);
}

/* Returns the GPU that the trace engine simulated for a row's counters; NULL: they were not
 * traced. */
static const char *traced_for(const own_dataset *own, const pm_sample *s)
{
    if (strcmp(s->counter_source, "trace") != 0)
        return NULL;
    return *own->target ? own->target : s->device;
}

static bool is_measured_on(const own_dataset *own, const pm_sample *s, const char *gpu)
{
    (void)own;
    return has_time(s) && strcmp(s->device, gpu) == 0;
}

static bool is_traced_for(const own_dataset *own, const pm_sample *s, const char *gpu)
{
    const char *target = traced_for(own, s);

    return target && strcmp(target, gpu) == 0;
}

typedef bool (*row_test)(const own_dataset *own, const pm_sample *s, const char *gpu);

static pm_status open_own(pm_session *session, const char *name, own_dataset *own, pm_error *err)
{
    own->dataset = pm_dataset_open(session, name, err);
    if (!own->dataset)
        return err->status;
    pm_provenance_target(pm_dataset_path(own->dataset), own->target);
    return PM_OK;
}

static pm_status append_rows(const own_dataset *own, const char *gpu, row_test is_row,
                             pm_dataset **rows, pm_error *err)
{
    pm_dataset *some = pm_dataset_memory_like(own->dataset, err);
    pm_status status = some ? PM_OK : err->status;

    for (size_t i = 0; status == PM_OK && i < pm_dataset_rows(own->dataset); i++) {
        const pm_sample *s = pm_dataset_sample(own->dataset, i);

        if (is_row(own, s, gpu))
            status = pm_dataset_append(some, s, err);
    }
    if (status == PM_OK && pm_dataset_rows(some) > 0 && !*rows) {
        *rows = some;
        return PM_OK;
    }
    if (status == PM_OK && pm_dataset_rows(some) > 0)
        status = pm_dataset_append_all(*rows, some, err);
    pm_dataset_free(some);
    return status;
}

pm_status pm_with_add(pm_session *session, pm_known_gpu *known, pm_error *err)
{
    const char *const *with = pm_session_chosen(session)->with;
    pm_status status = PM_OK;

    for (; status == PM_OK && with && *with; with++) {
        own_dataset own = {0};

        status = open_own(session, *with, &own, err);
        if (status == PM_OK)
            status = append_rows(&own, known->name, is_measured_on, &known->measured, err);
        if (status == PM_OK)
            status = append_rows(&own, known->name, is_traced_for, &known->traced, err);
        if (status == PM_OK)
            known->torn = known->torn || own.dataset->end.torn_line > 0;
    }
    return status;
}

static bool has_row(const own_dataset *own, const char *gpu, row_test is_row)
{
    for (size_t i = 0; i < pm_dataset_rows(own->dataset); i++)
        if (is_row(own, pm_dataset_sample(own->dataset, i), gpu))
            return true;
    return false;
}

/* Appends to the byte stream `contents` the digests of a dataset and of the JSON file of the same
 * name. */
static void add_digests(const char *dataset, pm_wire *contents)
{
    char path[PATH_MAX];
    pm_digest digest = {0, 0};

    (void)pm_file_digest(dataset, &digest);
    PM_WIRE_NUMBER(contents, digest);
    digest = (pm_digest){0, 0};
    if (pm_provenance_path(dataset, path, NULL) == PM_OK)
        (void)pm_file_digest(path, &digest);
    PM_WIRE_NUMBER(contents, digest);
}

pm_status pm_with_see(pm_session *session, const char *gpu, pm_wire *contents, bool *measured,
                      bool *traced, pm_error *err)
{
    const char *const *with = pm_session_chosen(session)->with;

    for (; with && *with; with++) {
        own_dataset own = {0};
        bool times, counters;

        if (open_own(session, *with, &own, err) != PM_OK)
            return err->status;
        times = has_row(&own, gpu, is_measured_on);
        counters = has_row(&own, gpu, is_traced_for);
        if (times || counters)
            add_digests(pm_dataset_path(own.dataset), contents);
        *measured = *measured || times;
        *traced = *traced || counters;
    }
    return PM_OK;
}

static bool add_name(pm_strings *names, const char *gpu, const char *ending)
{
    char name[128];

    snprintf(name, sizeof name, "%.64s%s", gpu, ending);
    return pm_strings_has(names, name) || pm_strings_add(names, name);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

pm_status pm_with_names(pm_session *session, pm_strings *names, pm_error *err)
{
    const char *const *with = pm_session_chosen(session)->with;
    bool fits = true;

    for (; with && *with; with++) {
        own_dataset own = {0};

        if (open_own(session, *with, &own, err) != PM_OK)
            return err->status;
        for (size_t i = 0; i < pm_dataset_rows(own.dataset); i++) {
            const pm_sample *s = pm_dataset_sample(own.dataset, i);
            const char *target = traced_for(&own, s);

            fits = fits && (!has_time(s) || add_name(names, s->device, ""));
            fits = fits && (!target || add_name(names, target, PM_KNOWN_TRACED));
        }
    }
    if (!fits)
        return pm_fail(err, PM_FAILED, "out of memory for the names of datasets");
    if (names->count > 0)
        qsort(names->items, names->count, sizeof *names->items, by_name);
    return PM_OK;
}
