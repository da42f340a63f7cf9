/* Fits the units model (times of a GPU's functional units) for a target GPU, once per session. See
 * learned.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/transfer/learned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/session/session.h"
#include "model/samples/dataset.h"

/* ---- models that several targets share --------------------------------------------------------
 */

/* A list of GPUs, and one model that learned from their times. Predictions for several target GPUs
 * share it. */
typedef struct {
    pm_known_gpu *gpus;
    size_t count;
    /* Model of the GPUs: `trained` has one set of parameters for all of them, `pooled` a set for
     * each. Both are NULL before learning; then one of them is set. */
    pm_trained *trained;
    pm_pooled *pooled;
} shared;

static void release_shared(void *object)
{
    shared *s = object;

    pm_trained_free(s->trained);
    pm_pooled_free(s->pooled);
    free(s->gpus);
    free(s);
}

/* Request for a fitted model of kernel times that predictions for several GPUs share. */
typedef struct {
    pm_known_choice choice;
    const pm_known_gpu
        /* GPU that replaces the GPU of the same name in the list, or is added to the list; NULL:
         * none */
        *own;
    pm_learn how; /* selects the GPUs from whose times the model learns */
    const pm_classes *classes;
} sharing;

/* Replaces the GPU of the same name in the list by `own`, or adds `own` to the list. If `own` has
 * no times to learn from, removes the GPU of this name. */
static pm_status put_own(shared *s, const pm_known_gpu *own, pm_error *err)
{
    const bool has_times = pm_known_is_whole(own) || pm_known_is_published(own);
    pm_known_gpu *grown = realloc(s->gpus, (s->count + 1) * sizeof *grown);
    size_t k = 0;

    if (!grown)
        return pm_fail(err, PM_FAILED, "out of memory for the GPUs that are known");
    s->gpus = grown;
    while (k < s->count && strcmp(s->gpus[k].name, own->name) != 0)
        k++;
    if (has_times) {
        s->gpus[k] = *own;
        s->count += k == s->count;
    } else if (k < s->count) {
        memmove(&s->gpus[k], &s->gpus[k + 1], (s->count - k - 1) * sizeof *s->gpus);
        s->count--;
    }
    return PM_OK;
}

static pm_status share(pm_session *session, void *object, const void *user, pm_error *err)
{
    const sharing *how = user;
    shared *s = object;
    pm_status status = pm_known_list(session, &how->choice, &s->gpus, &s->count, err);

    if (status == PM_OK && how->own)
        status = put_own(s, how->own, err);
    if (status != PM_OK)
        return status;
    return how->choice.all
               ? pm_pooled_create(session, s->gpus, s->count, how->classes, &s->pooled, err)
               : pm_trained_create(session, s->gpus, s->count, how->classes, &s->trained, err);
}

/* Finds the model that targets with this request share, or makes it on the first call. loops: true
 * for a model of CPUs. */
static const shared *find_shared(pm_session *session, const sharing *how, bool loops, pm_error *err)
{
    static const pm_session_kind kind = {"a model of other GPUs", sizeof(shared), share,
                                         release_shared};
    const char *except = how->choice.except ? how->choice.except : "";
    char key[2 * sizeof how->own->name + 64];

    snprintf(key, sizeof key, "%d %d %.64s %.64s %d", how->choice.all, loops, except,
             how->own ? how->own->name : "", how->own ? (int)how->how : 0);
    return pm_session_have(session, &kind, key, how, err);
}

/* ---- the model of a target --------------------------------------------------------------------
 */

static void release(void *object)
{
    pm_learned *l = object;

    pm_transfer_free(l->carry);
    pm_trained_free(l->own_trained);
    pm_dataset_free(l->counted);
    free(l);
}

/* If the target has no traced counters, learns from its measured counters instead. The variants of
 * kernels that are predicted later still have traced counters. Errors of the trace engine are then
 * not compensated, because the model has seen no traced counters. */
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
    l->target.files = (pm_digest){0, 0};
    return l->counted ? pm_dataset_append_all(l->counted, l->target.measured, err) : err->status;
}

static pm_status learn_own(pm_session *session, const pm_classes *classes, pm_learned *l,
                           pm_error *err)
{
    pm_status status = pm_trained_create(session, &l->target, 1, classes, &l->own_trained, err);

    l->basis = "dataset";
    l->gpus = &l->target;
    l->gpu_count = 1;
    return status == PM_OK ? pm_transfer_create_on(l->own_trained, &l->target, &l->carry, err)
                           : status;
}

/* Lets predictions use a model of many GPUs, which also learns from published times. Targets share
 * one such model. Two kinds of targets need one of their own: a target from whose times the model
 * must not learn, and a target whose training data is not read from its files. */
static pm_status pool(pm_session *session, const pm_classes *classes, pm_learned *l, pm_learn how,
                      pm_error *err)
{
    sharing all = {.choice = {.like = l->target.name, .all = true}, .how = how, .classes = classes};
    const shared *s;

    l->without_own = l->target;
    if (how == PM_LEARN_OTHERS)
        l->without_own.measured = NULL;
    if (l->counted || (how == PM_LEARN_OTHERS && pm_known_is_whole(&l->target)))
        all.own = &l->without_own;
    s = find_shared(session, &all, l->target.profile.loops, err);
    if (!s)
        return err->status;
    pm_transfer_pool(l->carry, s->pooled, false);
    return PM_OK;
}

static pm_status learn_others(pm_session *session, const pm_classes *classes, pm_learned *l,
                              pm_learn how, pm_error *err)
{
    const bool listed = pm_known_is_whole(&l->target) && !l->counted;
    const sharing others = {
        .choice = {.like = l->target.name, .except = listed ? l->target.name : NULL},
        .classes = classes};
    const shared *s = find_shared(session, &others, l->target.profile.loops, err);
    pm_status status;

    if (!s)
        return err->status;
    l->basis = "profile";
    l->gpus = s->gpus;
    l->gpu_count = s->count;
    status = pm_transfer_create_on(s->trained, &l->target, &l->carry, err);
    return status == PM_OK ? pool(session, classes, l, how, err) : status;
}

/* Request for the model that predicts kernel times on the GPU `target`. The member `how` says
 * from which GPUs' times the model learns. */
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
               ? learn_own(session, classes, l, err)
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
