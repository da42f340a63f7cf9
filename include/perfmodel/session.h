/* Sessions: what commands have in common. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_SESSION_H
#define PERFMODEL_SESSION_H

#include "perfmodel/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What commands have in common. */
typedef struct {
    const char *datasets; /* folder where datasets, devices.csv and classes.csv are looked up first;
                           * may be NULL */
    pm_log log;
    /* Before each step of long work: done of total (0: not known yet). May be NULL. */
    void (*progress)(void *user, size_t done, size_t total, const char *step);
    void *progress_user;
    /* May be NULL. A signal handler may set it: once nonzero, long work ends soon with PM_FAILED,
     * interrupted. */
    volatile const int *cancel;
    /* The same for a caller that has to look first, as an interpreter for its signals: asked some
     * times a second by the thread that called and by those that work for it, which may be at the
     * same time. Once true, the work ends. May be NULL. */
    bool (*stop)(void *user);
    void *stop_user;
    double sample;     /* share of the work-groups that the trace engine runs, in (0, 1]; 0: a fixed
                        * amount of work */
    double step_limit; /* basic blocks that one warp may run there; 0: the default */
    /* Path of NVIDIA's ptxas, which then tells registers and shared memory of traced kernels, and
     * so how many work-groups are resident; "": $PERFMODEL_PTXAS, else the one that PATH or the
     * CUDA toolkit has. NULL: they are estimated. */
    const char *ptxas;
    unsigned long long seed; /* of inputs, and of what is sampled */
    unsigned
        threads; /* of the trace engine; 0: $PERFMODEL_THREADS, else as many as there are cores */
    /* The user's own datasets, by name or path, that models learn from beside the shipped ones:
     * times of the GPU that each row was measured on, and counters traced by a GPU's rules.
     * NULL-terminated; NULL: none. */
    const char *const *with;
    uint64_t reserved[7];
} pm_session_options;

/* A session keeps what it has read, counted and fitted, and does nothing twice: only the next
 * session sees that a file has changed. What functions return as const belongs to the session.
 * Other results may point into it, so the session has to outlive them. One thread at a time may use
 * a session. */
typedef struct pm_session pm_session;

/* options may be NULL: no folder, no messages, seed 1. */
pm_session *pm_session_create(const pm_session_options *options, pm_error *err);
void pm_session_free(pm_session *session);

/* How many things (targets, variants, workloads, samples) that were asked for could not be done and
 * were left out, each with a notice, since the session was made. */
size_t pm_session_left_out(const pm_session *session);

#ifdef __cplusplus
}
#endif

#endif
