/* Lists GPUs that have data. See known.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "base/strings.h"
#include "model/samples/table.h"
#include "model/transfer/files.h"
#include "model/transfer/with.h"

typedef struct {
    pm_session *session;
    const pm_known_choice *choice;
    bool loops; /* true: list CPUs in place of GPUs */
    pm_known_gpu *gpus;
    size_t count;
} listing;

/* Adds a device to the list if it matches the choice. A list has only GPUs or only CPUs, because
 * the parameters of one kind say nothing about those of the other. */
static pm_status add_gpu(listing *l, const char *name, pm_error *err)
{
    pm_known_gpu *gpu = &l->gpus[l->count];
    pm_status status;

    *gpu = (pm_known_gpu){.unread = l->session};
    snprintf(gpu->name, sizeof gpu->name, "%s", name);
    status = pm_session_profile(l->session, name, &gpu->profile, err);
    if (status != PM_OK || !gpu->profile.present || gpu->profile.loops != l->loops)
        return status; /* the device is not wanted, so its files need not be read */
    status = pm_known_see_files(l->session, gpu, err);
    if (status == PM_OK &&
        (pm_known_is_whole(gpu) || (l->choice->all && pm_known_is_published(gpu))))
        l->count++;
    return status;
}

/* Adds each GPU for which `names` (of datasets) has both NAME, its times, and NAME-trace, its
 * traced counters. */
static pm_status add_named(listing *l, const pm_strings *names, pm_error *err)
{
    const char *except = l->choice->except ? l->choice->except : "";
    const size_t ending = strlen(PM_KNOWN_TRACED);
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < names->count; i++) {
        const char *name = names->items[i];
        char gpu[sizeof l->gpus->name];
        size_t length = strlen(name) - (pm_ends_in(name, PM_KNOWN_TRACED) ? ending : 0), k = 0;

        if (length == strlen(name) || length >= sizeof gpu)
            continue;
        snprintf(gpu, sizeof gpu, "%.*s", (int)length, name);
        while (k < l->count && strcmp(l->gpus[k].name, gpu) != 0)
            k++;
        if (k == l->count && pm_strings_has(names, gpu) && strcmp(gpu, except) != 0)
            status = add_gpu(l, gpu, err);
    }
    return status;
}

static pm_status find_kind(listing *l, pm_error *err)
{
    pm_profile kind = {0};
    pm_status status = PM_OK;

    if (l->choice->like)
        status = pm_session_profile(l->session, l->choice->like, &kind, err);
    l->loops = kind.loops;
    return status;
}

static pm_status list_gpus(listing *l, const pm_strings *names, const pm_strings *published,
                           pm_error *err)
{
    pm_status status = find_kind(l, err);

    l->gpus = calloc(names->count + published->count + 1, sizeof *l->gpus);
    if (!l->gpus)
        return pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    if (status == PM_OK)
        status = add_named(l, names, err);
    return status == PM_OK ? add_named(l, published, err) : status;
}

pm_status pm_known_list(pm_session *session, const pm_known_choice *choice, pm_known_gpu **list,
                        size_t *count, pm_error *err)
{
    const char *folder = pm_session_chosen(session)->datasets;
    pm_strings names = {0}, published = {0};
    listing l = {.session = session, .choice = choice};
    pm_status status = pm_dataset_names(folder, false, &names, err);

    if (status == PM_OK)
        status = pm_with_names(session, &names, err);
    if (status == PM_OK && choice->all)
        status = pm_dataset_published_names(folder, &published, err);
    if (status == PM_OK)
        status = list_gpus(&l, &names, &published, err);
    pm_strings_clear(&names);
    pm_strings_clear(&published);
    *list = status == PM_OK ? l.gpus : NULL;
    *count = status == PM_OK ? l.count : 0;
    if (status != PM_OK)
        free(l.gpus);
    return status;
}

pm_status pm_known_read(pm_known_gpu *gpu, pm_error *err)
{
    const pm_known_gpu *known;
    pm_status status;

    if (!gpu->unread)
        return PM_OK;
    status = pm_known_find(gpu->unread, gpu->name, &known, err);
    if (status == PM_OK)
        *gpu = *known;
    return status;
}
