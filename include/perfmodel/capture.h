/* Programs of others, run once with a layer of OpenCL, or CUPTI, that records their launches, as
 * workload files (docs/workloads.md). See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_CAPTURE_H
#define PERFMODEL_CAPTURE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *folder;   /* to be made, or empty */
    char *const *command; /* NULL-terminated; NULL: the folder has records, as of a killed run */
    const char *const *kernels; /* NULL-terminated; NULL: all */
    /* Which launches: those numbered from..to - 1 (to > 0), the first of each kernel (first > 0),
     * or those that take longest. */
    uint64_t from, to, first, longest;
    uint64_t most_bytes; /* of contents */
    double most_seconds; /* for recording */
    const char *source;  /* the folder of the sources of CUDA kernels; NULL: none */
    const char *build;   /* options of workload files for these; NULL: none */
    double tolerance;    /* of floats that replays give, beside the program's; 0: bit for bit */
    uint64_t reserved[8];
} pm_capture_options;

/* What became of launches. */
typedef struct {
    const char *why; /* they were left out, and what to do */
    uint64_t launches, ns;
    uint64_t reserved[4];
} pm_capture_left;

typedef struct {
    double program_s; /* that the program ran; 0: it did not */
    size_t file_count;
    char **files; /* workload files, from the folder on */
    size_t processes, kernels, kernels_captured;
    uint64_t launches, captured,
        untimed; /* launches; those in files; those whose time is unknown */
    uint64_t ns, captured_ns, of_kernels_ns; /* of all; of captured launches; of all launches of
                                              * kernels that have a captured one */
    uint64_t bytes;                          /* of contents */
    size_t left_count;
    pm_capture_left *left; /* by time */
    uint64_t reserved[8];
} pm_capture_summary;

typedef struct pm_capture pm_capture;

/* Runs the command to its end and makes the files. *code: its own exit code, 128 + the number of a
 * signal that ended it. NULL: err says why; a command that cannot be started is PM_BAD_INPUT. */
pm_capture *pm_capture_run(pm_session *session, const pm_capture_options *options, int *code,
                           pm_error *err);
const pm_capture_summary *pm_capture_told(const pm_capture *capture);
void pm_capture_free(pm_capture *capture);

#ifdef __cplusplus
}
#endif

#endif
