/* The units model as a session has learned it for a GPU. See learned.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/learned.h"

#include <stdlib.h>

#include "base/error.h"
#include "samples/dataset.h"
#include "session/session.h"

static void release(void *object)
{
    pm_learned *l = object;

    pm_transfer_free(l->carry);
    pm_dataset_free(l->counted);
    free(l->others);
    free(l->pooled);
    free(l);
}

/* Measured counters are better than none by the engine: candidates are traced, and what it gets
 * wrong is then not learned with the rest. */
static pm_status take_measured(const pm_session *session, pm_learned *l, pm_error *err)
{
    const char *name = l->target.name;

    if (l->target.traced || !l->target.measured)
        return PM_OK;
    pm_notice(pm_session_log(session),
              "%s-trace: no dataset of traced counters; learning from measured ones (perfmodel "
              "collect --device none --target %s makes one)",
              name, name);
    l->counted = l->target.traced = pm_dataset_memory_like(l->target.measured, err);
    return l->counted ? pm_dataset_append_all(l->counted, l->target.measured, err) : err->status;
}

static pm_status learn_own(const pm_classes *classes, pm_learned *l, pm_error *err)
{
    l->basis = "dataset";
    l->gpus = &l->target;
    l->gpu_count = 1;
    return pm_transfer_create(&l->target, 1, &l->target, classes, &l->carry, err);
}

/* All GPUs at once, with the times that others published. */
static pm_status pool(pm_session *session, const pm_classes *classes, pm_learned *l,
                      const pm_known_gpu *target, pm_error *err)
{
    pm_pooled *pooled;
    size_t count;
    pm_status status = pm_known_list_all(session, target->name, &l->pooled, &count, err);

    if (status == PM_OK)
        status = pm_pooled_create(l->pooled, count, target, classes, &pooled, err);
    if (status == PM_OK)
        pm_transfer_pool(l->carry, pooled, true);
    return status;
}

static pm_status learn_others(pm_session *session, const pm_classes *classes, pm_learned *l,
                              pm_learn how, pm_error *err)
{
    pm_status status = pm_known_list(session, l->target.name, &l->others, &l->gpu_count, err);

    l->basis = "profile";
    l->gpus = l->others;
    if (status == PM_OK)
        status = pm_transfer_create(l->gpus, l->gpu_count, &l->target, classes, &l->carry, err);
    l->without_own = l->target;
    if (how == PM_LEARN_OTHERS)
        l->without_own.measured = NULL;
    return status == PM_OK ? pool(session, classes, l, &l->without_own, err) : status;
}

/* What is learned for a target. */
typedef struct {
    const char *target;
    pm_learn how;
} wanted;

static pm_status learn(pm_session *session, void *object, const void *user, pm_error *err)
{
    const wanted *w = user;
    pm_learned *l = object;
    const pm_classes *classes = pm_classes_find(session, err);
    const pm_known_gpu *known;
    pm_status status;

    if (!classes)
        return err->status;
    status = pm_known_find(session, w->target, &known, err);
    if (status != PM_OK)
        return status;
    l->target = *known;
    if (!known->profile.present)
        status = pm_profile_need(w->target, pm_session_chosen(session)->datasets,
                                 &l->target.profile, err);
    if (status == PM_OK && w->how == PM_LEARN_OWN)
        status = take_measured(session, l, err);
    if (status != PM_OK)
        return status;
    return w->how == PM_LEARN_OWN && pm_known_is_whole(&l->target) &&
                   pm_known_has_enough(&l->target)
               ? learn_own(classes, l, err)
               : learn_others(session, classes, l, w->how, err);
}

pm_status pm_learned_find(pm_session *session, const char *target, pm_learn how,
                          const pm_learned **out, pm_error *err)
{
    static const pm_session_kind kinds[] = {{"a model", sizeof **out, learn, release},
                                            {"a model, carried", sizeof **out, learn, release},
                                            {"a model of others", sizeof **out, learn, release}};

    *out = pm_session_have(session, &kinds[how], target, &(wanted){target, how}, err);
    return *out ? PM_OK : err->status;
}
