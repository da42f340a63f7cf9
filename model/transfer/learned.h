/* The units model (times of a GPU's functional units) for a target GPU, which a session fits once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_LEARNED_H
#define PM_MODEL_TRANSFER_LEARNED_H

#include "model/transfer/transfer.h"

typedef enum {
    /* Learns from the target's own times, if its datasets have enough of them. If the target has
     * measured but no traced counters, the measured ones are used. If the times are too few, learns
     * as PM_LEARN_CARRIED. */
    PM_LEARN_OWN,
    /* learns from other GPUs' times, and updates the result with the target's own times */
    PM_LEARN_CARRIED,
    PM_LEARN_OTHERS /* learns from other GPUs' times only, even if the target was measured */
} pm_learn;

typedef struct {
    const char *basis; /* "dataset": from the target's own times; "profile": from others' times */
    pm_known_gpu target;
    pm_known_gpu *gpus; /* GPUs from whose times the model learned */
    size_t gpu_count;
    pm_transfer *carry;
    /* The members below are data of this target only. The model that `carry` uses may be shared
     * with other targets. */
    pm_trained *own_trained; /* model of the target's own times only; NULL: not needed */
    /* copy of `target`, without its measured times if the model must not learn from them */
    pm_known_gpu without_own;
    /* measured counters of the target, used as if they had been traced; NULL: the traced ones are
     * used */
    pm_dataset *counted;
} pm_learned;

/* Sets *out to the model for a target GPU. The session owns it, and fits it on the first call.
 * PM_BAD_INPUT: devices.csv has no row for the GPU. */
pm_status pm_learned_find(pm_session *session, const char *target, pm_learn how,
                          const pm_learned **out, pm_error *err);

#endif
