/* Joins several datasets of one GPU to one, which the session owns. See perfmodel.h and dataset.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/text.h"
#include "model/samples/dataset.h"

static void release(void *dataset)
{
    pm_dataset_free(dataset);
}

const pm_dataset *pm_dataset_keep(pm_session *session, const char *name, pm_dataset *dataset,
                                  pm_error *err)
{
    return pm_session_keep(session, "a dataset of several", name, dataset, release, err) == PM_OK
               ? dataset
               : NULL;
}

/* Fails if rows are of another device, because a model must not mix two GPUs. */
static pm_status check_device(const pm_dataset *first, const pm_dataset *other, pm_error *err)
{
    const char *device = pm_dataset_sample(first, 0)->device;

    for (size_t i = 0; i < pm_dataset_rows(other); i++) {
        const pm_sample *s = pm_dataset_sample(other, i);

        if (strcmp(s->device, device) != 0)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s:%zu: is of %.60s, and %s of %.60s: datasets of one GPU are taken "
                           "together",
                           pm_dataset_path(other), s->line, s->device, pm_dataset_path(first),
                           device);
    }
    return PM_OK;
}

/* Returns a dataset in memory with the rows of all datasets. Its name is the list of their
 * paths. */
static pm_dataset *join(const pm_dataset *const *datasets, size_t count, pm_error *err)
{
    const pm_dataset *first = datasets[0];
    const size_t counters = pm_dataset_counters(first);
    const char **names = calloc(counters + 1, sizeof *names);
    pm_dataset *all = NULL;
    pm_text paths = {0};
    pm_status status = PM_OK;

    for (size_t i = 0; names && i < counters; i++)
        names[i] = pm_dataset_counter_name(first, i);
    for (size_t i = 0; i < count; i++)
        pm_text_add(&paths, "%s%s", i ? ", " : "", pm_dataset_path(datasets[i]));
    if (!names || paths.failed)
        pm_fail(err, PM_FAILED, "out of memory for datasets");
    else
        all = pm_dataset_memory(pm_text_get(&paths), names, counters, err);
    for (size_t i = 0; all && status == PM_OK && i < count; i++) {
        status = check_device(first, datasets[i], err);
        if (status == PM_OK)
            status = pm_dataset_append_all(all, datasets[i], err);
    }
    pm_text_free(&paths);
    free(names);
    if (status == PM_OK)
        return all;
    pm_dataset_free(all);
    return NULL;
}

const pm_dataset *pm_dataset_open_all(pm_session *session, const char *const *names, pm_error *err)
{
    const pm_dataset **datasets, *joined = NULL;
    pm_dataset *all;
    size_t count = 2;

    if (!names[1])
        return pm_dataset_open(session, names[0], err);
    while (names[count])
        count++;
    datasets = calloc(count, sizeof *datasets);
    if (!datasets) {
        pm_fail(err, PM_FAILED, "out of memory for datasets");
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        datasets[i] = pm_dataset_open(session, names[i], err);
        if (!datasets[i]) {
            free(datasets);
            return NULL;
        }
    }
    all = join(datasets, count, err);
    if (all)
        joined = pm_dataset_keep(session, pm_dataset_path(all), all, err);
    free(datasets);
    return joined;
}
