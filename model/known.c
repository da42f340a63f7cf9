/* What is known of a GPU, from the datasets of its name. See known.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "known.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/dataset_memory.h"
#include "collector/dataset_parts.h"
#include "collector/error.h"

/* Appends the dataset NAME followed by ending to *rows, which is made like the first one. */
static pm_status add_dataset(const char *name, const char *ending, const char *folder,
                             const pm_log *log, pm_dataset **rows, pm_error *err)
{
    char full[128], path[PATH_MAX];
    pm_error missing = {0};
    pm_dataset *dataset;
    pm_status status;

    snprintf(full, sizeof full, "%s%s", name, ending);
    if (pm_dataset_locate(full, folder, path, sizeof path, &missing) != PM_OK)
        return PM_OK;
    dataset = pm_dataset_read(path, log, err);
    if (!dataset)
        return err->status;
    if (!*rows)
        *rows = pm_dataset_memory_like(dataset, err);
    status = *rows ? pm_dataset_append_all(*rows, dataset, err) : err->status;
    pm_dataset_free(dataset);
    return status;
}

pm_status pm_known_open(const char *name, const char *folder, const pm_log *log,
                        pm_known_gpu *known, pm_error *err)
{
    static const char *const measured[] = {"-shared", "", "-layouts"};
    static const char *const traced[] = {"-shared-trace", "-trace"};
    pm_status status;

    *known = (pm_known_gpu){0};
    if (strlen(name) >= sizeof known->name)
        return pm_fail(err, PM_BAD_INPUT, "'%.64s...' is too long for the name of a GPU", name);
    snprintf(known->name, sizeof known->name, "%s", name);
    status = pm_profile_find(name, folder, &known->profile, err);
    for (size_t i = 0; status == PM_OK && i < sizeof measured / sizeof *measured; i++)
        status = add_dataset(name, measured[i], folder, log, &known->measured, err);
    for (size_t i = 0; status == PM_OK && i < sizeof traced / sizeof *traced; i++)
        status = add_dataset(name, traced[i], folder, log, &known->traced, err);
    if (status != PM_OK)
        pm_known_close(known);
    return status;
}

void pm_known_close(pm_known_gpu *known)
{
    pm_dataset_free(known->measured);
    pm_dataset_free(known->traced);
    known->measured = known->traced = NULL;
}

bool pm_known_is_whole(const pm_known_gpu *known)
{
    return known->profile.present && known->measured && known->traced;
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

/* ---- all of them ---------------------------------------------------------------------------- */

/* Whether the name is of traced counters, and of which GPU: NAME of NAME-trace. */
static bool is_traced(const char *name, char *gpu, size_t size)
{
    static const char ending[] = "-trace";
    size_t length = strlen(name), cut = sizeof ending - 1;

    if (length <= cut || length - cut >= size || strcmp(name + length - cut, ending) != 0)
        return false;
    memcpy(gpu, name, length - cut);
    gpu[length - cut] = '\0';
    return true;
}

/* Sorted names are not where their index was made for. */
static bool has_name(const pm_strings *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0)
            return true;
    return false;
}

static pm_status add_gpu(const char *name, const char *folder, const pm_log *log,
                         pm_known_gpu *list, size_t *count, pm_error *err)
{
    pm_profile profile;
    pm_status status = pm_profile_find(name, folder, &profile, err);

    if (status != PM_OK || !profile.present)
        return status; /* its datasets need not be read */
    status = pm_known_open(name, folder, log, &list[*count], err);
    if (status == PM_OK && pm_known_is_whole(&list[*count]))
        ++*count;
    else if (status == PM_OK)
        pm_known_close(&list[*count]);
    return status;
}

pm_status pm_known_list(const char *folder, const char *except, const pm_log *log,
                        pm_known_gpu **list, size_t *count, pm_error *err)
{
    pm_strings names = {0};
    pm_status status = pm_dataset_names(folder, &names, err);
    pm_known_gpu *gpus = calloc(names.count + 1, sizeof *gpus);

    *list = NULL;
    *count = 0;
    if (status == PM_OK && !gpus)
        status = pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    for (size_t i = 0; status == PM_OK && i < names.count; i++) {
        char gpu[sizeof gpus->name];

        if (is_traced(names.items[i], gpu, sizeof gpu) && has_name(&names, gpu) &&
            strcmp(gpu, except) != 0)
            status = add_gpu(gpu, folder, log, gpus, count, err);
    }
    pm_strings_clear(&names);
    if (status != PM_OK) {
        pm_known_free(gpus, *count);
        *count = 0;
        return status;
    }
    *list = gpus;
    return PM_OK;
}

void pm_known_free(pm_known_gpu *list, size_t count)
{
    for (size_t i = 0; list && i < count; i++)
        pm_known_close(&list[i]);
    free(list);
}
