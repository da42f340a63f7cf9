/* Fits the models of kernel times and stores them in the cache, so that later commands need not
 * wait for them. See fill.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "answer/predict/fill.h"

#include <stdlib.h>
#include <string.h>

#include "base/cache/cache.h"
#include "base/session/session.h"
#include "model/transfer/learned.h"

/* Fits the three models of a target that commands use. They learn from the target's own times, from
 * other GPUs' times updated with the target's, or from other GPUs' times only. */
static pm_status fill_target(pm_session *session, const char *target, pm_error *err)
{
    static const pm_learn ways[] = {PM_LEARN_OWN, PM_LEARN_CARRIED, PM_LEARN_OTHERS};
    pm_status status = PM_OK;

    for (size_t i = 0; status == PM_OK && i < sizeof ways / sizeof *ways; i++) {
        const pm_learned *learned;
        const pm_transfer_set *set;

        status = pm_learned_find(session, target, ways[i], &learned, err);
        if (status == PM_OK)
            status = pm_transfer_find(learned->carry, "", (pm_withheld){.unit = PM_LEAVE_NOTHING},
                                      &set, err);
    }
    return status;
}

/* Fits the model for the GPUs that were not measured. All these GPUs have the same model, so it is
 * fitted only for the first of them. whole[count]: the GPUs that were measured. */
static pm_status fill_other(pm_session *session, const pm_known_gpu *whole, size_t count,
                            pm_error *err)
{
    char **names;
    size_t profiles, at = 0;
    pm_status status = pm_profiles(session, &names, &profiles, err);

    if (status != PM_OK)
        return status;
    for (bool other = false; at < profiles && !other; at += !other) {
        pm_profile profile;

        other = pm_session_profile(session, names[at], &profile, NULL) == PM_OK && !profile.loops;
        for (size_t i = 0; i < count; i++)
            other = other && strcmp(whole[i].name, names[at]) != 0;
    }
    if (at < profiles)
        status = fill_target(session, names[at], err);
    pm_profiles_free(names);
    return status;
}

pm_status pm_fits_fill(pm_session *session, pm_error *err)
{
    pm_known_gpu *whole;
    size_t count;
    pm_status status;

    pm_cache_ignore_shipped(pm_session_cache(session));
    status = pm_known_list(session, &(pm_known_choice){0}, &whole, &count, err);

    for (size_t i = 0; status == PM_OK && i < count; i++) {
        pm_session_show(session, i, count + 1, whole[i].name);
        status = fill_target(session, whole[i].name, err);
        if (status == PM_OK)
            status = pm_session_go_on(session, err);
    }
    if (status == PM_OK)
        status = fill_other(session, whole, count, err);
    free(whole);
    return status;
}
