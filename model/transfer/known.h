/* What is known of a GPU: its profile, the times that were measured on it, and what the trace
 * engine counted by its rules, from the datasets of its name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_KNOWN_H
#define PM_MODEL_TRANSFER_KNOWN_H

#include "gpu/profile.h"

typedef struct {
    char name[64];
    pm_profile profile;
    /* NAME, and beside it NAME-shared and NAME-layouts: versions in local memory, and layouts. The
     * first of several rows of a key counts: versions in local memory come with plain ones that
     * were measured beside them. NULL: there is none. */
    pm_dataset *measured;
    /* The rows of those, and before them of NAME-energy, that tell energy, which is their one
     * counter. NULL: there are none. */
    pm_dataset *metered;
    pm_dataset *traced; /* NAME-shared-trace and NAME-trace; NULL: there is neither */
    /* Times that others published, and what was traced of the same programs: NAME and NAME-trace of
     * the folder `public`. NULL: there is none. */
    const pm_dataset *published, *published_traced;
} pm_known_gpu;

/* Reads what is known, once in a session. That there are no datasets is no error, nor that the
 * table of GPUs does not have it; a broken file is. */
pm_status pm_known_find(pm_session *session, const char *name, const pm_known_gpu **out,
                        pm_error *err);

/* Whether times can be learned from: a profile, measured times and traced counters. */
bool pm_known_is_whole(const pm_known_gpu *known);

/* Whether enough programs of those that are traced were measured for a model of its own. */
bool pm_known_has_enough(const pm_known_gpu *known);

/* A GPU's measured and traced row of the same program, variant, size and kernel as a sample. */
const pm_sample *pm_known_measured(const pm_known_gpu *known, const pm_sample *like);
const pm_sample *pm_known_traced(const pm_known_gpu *known, const pm_sample *like);

/* The row that tells the energy of the sample in its one counter; NULL: none does. */
const pm_sample *pm_known_metered(const pm_known_gpu *known, const pm_sample *like);

/* Whether others published times of it that can be learned from. */
bool pm_known_is_published(const pm_known_gpu *known);

/* The GPUs that are whole or published, but for the one named except; freed with free(). */
pm_status pm_known_list_all(pm_session *session, const char *except, pm_known_gpu **list,
                            size_t *count, pm_error *err);

/* The GPUs that are whole, but for the one named except; freed with free(), what they point to is
 * the session's. */
pm_status pm_known_list(pm_session *session, const char *except, pm_known_gpu **list, size_t *count,
                        pm_error *err);

#endif
