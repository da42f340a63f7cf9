/* Sessions: an object with the options and the cached data (read files, counts, fitted models) that
 * all functions of the library use. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_SESSION_H
#define PERFMODEL_SESSION_H

#include "perfmodel/core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Options of a session. The session copies the texts. */
typedef struct {
    /* Folder in which datasets, devices.csv and classes.csv are looked up first. NULL: none. */
    const char *datasets;
    pm_log log; /* receiver of notices */
    /* Called before each step of long work: `done` of `total` steps are finished, and `step` names
     * the next one. total is 0 if the number of steps is not known yet. NULL: not called. */
    void (*progress)(void *user, size_t done, size_t total, const char *step);
    void *progress_user; /* first argument of progress */
    /* Flag that cancels work. If it becomes nonzero, long work soon ends with PM_FAILED and the
     * message "interrupted". A signal handler may set it. NULL: none. */
    volatile const int *cancel;
    /* Callback that cancels work if it returns true. It is for callers that must run code to learn
     * whether the user cancelled, such as an interpreter that checks for signals. It is called
     * several times a second, by the calling thread and by worker threads, perhaps at the same
     * time. NULL: none. */
    bool (*stop)(void *user);
    void *stop_user; /* argument of stop */
    /* Fraction of the work-groups that the trace engine runs, in (0, 1]. 0: the engine chooses the
     * fraction so that a workload takes a fixed amount of work. */
    double sample;
    /* Largest number of basic blocks that one warp may run in the trace engine. 0: 1e7. */
    double step_limit;
    /* Path of NVIDIA's ptxas. It reports registers and shared memory of traced kernels, from which
     * the number of resident work-groups is computed. "": $PERFMODEL_PTXAS, else ptxas of PATH or
     * of the CUDA toolkit. NULL: registers and shared memory are estimated. */
    const char *ptxas;
    /* seed of random inputs of kernels, and of the random choice of sampled work-groups */
    unsigned long long seed;
    /* Threads of the trace engine. 0: $PERFMODEL_THREADS, else one for each core. */
    unsigned threads;
    /* Names or paths of the user's own datasets from which models learn in addition to the
     * installed ones. A row with a time is used for the GPU on which the time was measured. A row
     * with traced counters is used for the GPU that the trace engine simulated. NULL-terminated.
     * NULL: none. */
    const char *const *with;
    /* Compiler of CUDA sources for the trace engine: "clang", "nvcc", or "auto", which is clang,
     * and nvcc for sources that clang refuses. NULL: $PERFMODEL_CUDA_COMPILER, else auto. */
    const char *cuda_compiler;
    uint64_t reserved[6];
} pm_session_options;

/* A session caches the files it has read, the counters it has traced and the models it has fitted.
 * A session does not notice later changes of a file. Results that functions return as const belong
 * to the session. All other results may point into the session, so free them before the session.
 * Only one thread at a time may use a session. */
typedef struct pm_session pm_session;

/* Creates a session. options NULL: no folder, no messages, seed 1. Returns NULL on failure: an
 * option, or $PERFMODEL_THREADS, is out of range (PM_BAD_INPUT), or memory ran out (PM_FAILED). */
pm_session *pm_session_create(const pm_session_options *options, pm_error *err);
void pm_session_free(pm_session *session);

/* Returns the number of requested targets, variants, workloads and samples that the session has
 * left out because they failed. Each failure was reported in a notice. */
size_t pm_session_left_out(const pm_session *session);

#ifdef __cplusplus
}
#endif

#endif
