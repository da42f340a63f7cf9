/* Captures: runs a program, records its kernel launches, and writes them as workload files
 * (docs/workloads.md). See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A layer of OpenCL's loader records launches of OpenCL. CUPTI records launches of CUDA.
 */
#ifndef PERFMODEL_CAPTURE_H
#define PERFMODEL_CAPTURE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const char *folder; /* output folder; it must be new or empty, unless command is NULL */
    /* Command to run: program and arguments, NULL-terminated. NULL: nothing is run, because the
     * folder already has the records of an interrupted capture. */
    char *const *command;
    const char *const *kernels; /* names of kernels to record, NULL-terminated; NULL: all */
    /* Launches to record. A launch must meet all limits; 0 is no limit. The launches of a process
     * are numbered from 0, and launches number `from` to `to` - 1 are recorded (no limit if `to` is
     * 0). `first`: of each kernel, only the first `first` launches are recorded. `longest`: only
     * the `longest` longest launches are recorded, and at least one of each kernel. */
    uint64_t from, to, first, longest;
    uint64_t most_bytes; /* largest total size of recorded buffers, bytes; 0 allows no bytes */
    double most_seconds; /* longest total time of recording, seconds; 0 records nothing */
    /* folder with the sources of the CUDA kernels, for the workload files; NULL: none */
    const char *source;
    const char *build; /* build options that workload files give for CUDA sources; NULL: none */
    /* Tolerance of floating-point results when a workload file is replayed. 0: results must equal
     * the program's bit for bit. */
    double tolerance;
    /* Fraction (0 ... 1) of the time of all kernels. Kernels are taken by decreasing time until
     * their sum reaches this fraction, and only their launches are recorded. 0: the launches of all
     * kernels. */
    double share;
    /* 1: all contents of buffers are kept. 0: large contents that change no address and no branch
     * of a CUDA kernel are left out. The results of launches without contents cannot be compared
     * with the program's. */
    uint64_t all_contents;
    uint64_t reserved[6];
} pm_capture_options;

/* Number and time of the kernel launches that were not captured, for one reason. */
typedef struct {
    /* reason why they were not captured, with a remedy; static or owned by the capture */
    const char *why;
    uint64_t launches, ns; /* number of launches, and their time in ns */
    uint64_t reserved[4];
} pm_capture_left;

/* Summary of a captured program: its run time, its kernels, and which launches were written to
 * workload files. The pm_capture owns it. */
typedef struct {
    double program_s; /* seconds that the captured program ran; 0: this call did not run it */
    size_t file_count;
    /* names of the workload files that were written, relative to the output folder */
    char **files;
    /* Numbers of captured processes, of kernels that these processes launched, and of kernels with
     * at least one captured launch. */
    size_t processes, kernels, kernels_captured;
    /* Numbers of launches. launches: all. captured: launches that are in workload files. untimed:
     * launches whose time is unknown. */
    uint64_t launches, captured, untimed;
    /* Times in nanoseconds. ns: sum over all launches. captured_ns: sum over captured launches.
     * of_kernels_ns: sum over all launches, captured or not, of kernels with a captured launch. */
    uint64_t ns, captured_ns, of_kernels_ns;
    uint64_t bytes; /* total size of the recorded buffers, bytes */
    size_t left_count;
    /* launches that were not captured: one member for each reason, by decreasing time */
    pm_capture_left *left;
    uint64_t reserved[8];
} pm_capture_summary;

typedef struct pm_capture pm_capture;

/* Runs the command to its end and writes the workload files. *code gets the command's exit code, or
 * 128 + the number of the signal that ended it; 0 if nothing was run. Free the result with
 * pm_capture_free. NULL on failure; PM_BAD_INPUT if the command cannot be started. */
pm_capture *pm_capture_run(pm_session *session, const pm_capture_options *options, int *code,
                           pm_error *err);
/* Returns the summary of a capture: counts, times and files. The capture owns it. */
const pm_capture_summary *pm_capture_told(const pm_capture *capture);
void pm_capture_free(pm_capture *capture);

#ifdef __cplusplus
}
#endif

#endif
