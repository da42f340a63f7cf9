/* Adapts fitted model parameters to a target GPU: copies them, and fills in the target's own
 * parameters and their covariance. See parts.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "model/transfer/parts.h"

typedef struct {
    pm_transfer *carry;
    const pm_transfer_set *of;
    const pm_hierarchy *pool; /* model of many GPUs; NULL: none */
    const pm_transfer_set *made;
} viewing;

/* Sets the parameters of the target GPU, and their covariance, to those in a model of many GPUs. If
 * the model does not have the target, they are predicted from the target's profile. view: the set
 * of parameters for this target, which is changed. */
static void take_pool(viewing *v, pm_transfer_view *view)
{
    pm_memory *memory = &v->carry->memory;
    const pm_known_gpu *target = v->carry->target;
    const size_t gpu = pm_pooled_gpu(v->carry->pooled, target->name);

    view->set.pool = v->pool;
    if (gpu == PM_NO_NAME) {
        pm_require(memory, pm_hierarchy_meet(v->pool, &target->profile, &view->guest, memory->err));
        view->set.moved = view->guest.parameters;
        view->set.open = view->guest.covariance;
        return;
    }
    view->set.moved = pm_hierarchy_parameters(v->pool, gpu);
    pm_hierarchy_covariance(v->pool, gpu, view->open);
    view->set.open = view->open;
}

static void make_view(void *user)
{
    viewing *v = user;
    pm_transfer *carry = v->carry;
    pm_transfer_view *view = pm_take(&carry->memory, 1, sizeof *view);

    view->of = v->of;
    view->set = *v->of;
    view->set.moved = v->of->fitted;
    view->set.open = carry->covariance;
    if (v->pool)
        take_pool(v, view);
    view->next = carry->views;
    carry->views = view;
    v->made = &view->set;
}

pm_status pm_transfer_find(pm_transfer *carry, const char *program, pm_withheld without,
                           const pm_transfer_set **set, pm_error *err)
{
    viewing v = {.carry = carry};
    pm_status status = pm_trained_find(carry->trained, program, without, &v.of, err);

    *set = NULL;
    if (status == PM_OK && carry->pooled)
        status = pm_pooled_find(carry->pooled, program, without, &v.pool, err);
    if (status != PM_OK)
        return status;
    for (const pm_transfer_view *view = carry->views; view; view = view->next)
        if (view->of == v.of && view->set.pool == v.pool)
            *set = &view->set;
    if (*set)
        return PM_OK;
    status = pm_attempt(&carry->memory, make_view, &v, err);
    *set = v.made;
    return status;
}
