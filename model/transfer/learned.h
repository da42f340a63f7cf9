/* The units model (times of a GPU's functional units) for a target GPU, which a session fits once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_LEARNED_H
#define PM_MODEL_TRANSFER_LEARNED_H

#include "model/transfer/transfer.h"

typedef enum {
    /* The model of the target's own times, if its datasets have enough of them. A target with
     * measured but without traced counters learns from the measured counters. With too few times,
     * the model is the one of PM_LEARN_CARRIED. */
    PM_LEARN_OWN,
    PM_LEARN_CARRIED, /* the model of other GPUs' times, updated with the target's own */
    PM_LEARN_OTHERS   /* the model of other GPUs' times only */
} pm_learn;

typedef struct {
    const char *basis; /* "dataset": from the target's own times; "profile": from others' times */
    pm_known_gpu target;
    pm_known_gpu *gpus; /* GPUs whose times the model learned from */
    size_t gpu_count;
    pm_transfer *carry;
    /* The members below are data of this target only. The model that `carry` uses may be shared
     * with other targets. */
    pm_trained *own_trained; /* model of the target's own times only; NULL: not needed */
    /* copy of `target`, without its measured times if the model must not learn from them */
    pm_known_gpu without_own;
    /* dataset that replaces the target's traced counters; NULL: not needed */
    pm_dataset *counted;
} pm_learned;

/* Returns the model for a target GPU, which the session learns on the first call and owns.
 * PM_BAD_INPUT: the GPU has no profile. */
pm_status pm_learned_find(pm_session *session, const char *target, pm_learn how,
                          const pm_learned **out, pm_error *err);

#endif
