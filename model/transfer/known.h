/* What is known of a GPU: its profile, the times that were measured on it, and what the trace
 * engine counted by its rules, from the datasets of its name.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_MODEL_TRANSFER_KNOWN_H
#define PM_MODEL_TRANSFER_KNOWN_H

#include "base/digest.h"
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
    /* Session that reads the datasets when they are needed (pm_known_read); NULL: they are read.
     * Until then `whole` and `is_published` say which files exist. */
    pm_session *unread;
    bool whole, is_published;
    /* Digest of the files that models learn from; all zero: the datasets do not come from files. */
    pm_digest files;
    bool torn; /* a file has a torn last row, which each reading reports */
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

/* ---- lists of GPUs (known_list.c) ----------------------------------------------------------- */

/* Selects devices for a list. like: name of a device; the list has devices of the same kind, GPU or
 * CPU (NULL: GPUs). except: name of a device to leave out (NULL: none). all: list also devices that
 * have only published times; otherwise only whole ones. */
typedef struct {
    const char *like, *except;
    bool all;
} pm_known_choice;

/* Lists GPUs without reading their datasets: whole GPUs by name, then others by name. Free *list
 * with free(). The session owns the objects that its members point to. */
pm_status pm_known_list(pm_session *session, const pm_known_choice *choice, pm_known_gpu **list,
                        size_t *count, pm_error *err);

/* Reads the datasets of a listed GPU, unless they are read already. */
pm_status pm_known_read(pm_known_gpu *gpu, pm_error *err);
/* Returns whether the GPU's files still have the digest gpu->files. */
bool pm_known_is_unchanged(pm_session *session, const pm_known_gpu *gpu);

#endif
