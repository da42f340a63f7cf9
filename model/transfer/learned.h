/* The units model as a session has learned it for a GPU.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_LEARNED_H
#define PM_MODEL_TRANSFER_LEARNED_H

#include "model/transfer/transfer.h"

typedef enum {
    /* From the target's own times where its datasets have enough of them; where it has measured
     * counters but no traced ones, from these. Else as PM_LEARN_CARRIED. */
    PM_LEARN_OWN,
    PM_LEARN_CARRIED, /* from other GPUs' times, moved by those that the target has */
    PM_LEARN_OTHERS   /* from other GPUs' times alone */
} pm_learn;

typedef struct {
    const char *basis; /* dataset: from the target's own times; profile: from others' */
    pm_known_gpu target;
    pm_known_gpu *gpus; /* GPUs that were learned from */
    size_t gpu_count;
    pm_transfer *carry;
    /* What is its own. */
    pm_trained *own_trained;  /* model of the target's own times alone; NULL: not needed */
    pm_known_gpu without_own; /* the target, without its own times where they do not count */
    pm_dataset *counted;      /* what stands in for the target's traced counters */
} pm_learned;

/* Learns, once in a session, for a GPU that has a profile; one without is PM_BAD_INPUT. */
pm_status pm_learned_find(pm_session *session, const char *target, pm_learn how,
                          const pm_learned **out, pm_error *err);

#endif
