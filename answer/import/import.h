/* Imports times and counters from the files of profilers into a dataset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files are CSV tables of Nsight Compute (ncu --csv), Nsight Systems (nsys stats --format csv),
 * nvprof (--csv), rocprof, rocprofv3 and rocprof-compute. docs/usage.md describes the command, and
 * docs/counters.md the names of counters.
 */
#ifndef PM_ANSWER_IMPORT_IMPORT_H
#define PM_ANSWER_IMPORT_IMPORT_H

#include "perfmodel.h"

/* Options of pm_import. Texts and lists are NULL if the user did not give them. Lists are
 * NULL-terminated. */
typedef struct {
    /* Files of one run of a program. Times may be in one file and counters in another one. There is
     * at least one file. */
    const char *const *files;
    /* Path of the workload file, source or capture of the profiled program, or the name of a
     * program. If both are NULL, each kernel counts as a program of its own. */
    const char *workload, *program;
    const char *variant, *size; /* names that are written to the rows */
    const char *target;         /* GPU on which the program was profiled: an id of devices.csv */
    /* Source of the rows' counters. "auto" or NULL: the profiler. "trace": the trace engine, which
     * needs a workload. "none": the counters stay unknown. */
    const char *counters;
    /* path of the dataset; NULL: DEVICE-TOOL.csv in the folder of the user's datasets, such as
     * h100-ncu.csv */
    const char *output;
    const char *command; /* command line, for the dataset's provenance file */
} pm_import_options;

/* A counter of a kernel, by the profiler and by the trace engine, which simulates the same GPU. */
typedef struct {
    const char *kernel, *counter, *unit;
    const char *profiler_name; /* the profiler's name or formula for the counter */
    double profiled, traced;   /* sums over the kernel's launches in one run of the workload */
} pm_import_compared;

typedef struct {
    char path[4096];  /* path of the dataset */
    char device[64];  /* id of the GPU */
    const char *tool; /* profiler of the counters, such as "ncu" */
    /* true: the profiler of the times lowers clocks or empties caches, unless options forbid it */
    bool disturbed;
    size_t rows, kept;          /* numbers of rows that were added, and that were there already */
    size_t left_out;            /* number of kernels that were left out, each with a notice */
    size_t unknown_count;       /* number of the profiler's counters that perfmodel does not have */
    const char *const *unknown; /* their names */
    size_t compared_count;
    const pm_import_compared *compared;
    const pm_program_info *program; /* program of the workload; NULL: no workload was given */
} pm_imported;

/* Reads the files and appends a row for each kernel to the dataset. The session owns the result.
 * NULL on failure. PM_BAD_INPUT if a file has no table of a known profiler, is cut off, or has no
 * times, or if the GPU is unknown. The message then names the file, the line and the remedy. */
const pm_imported *pm_import(pm_session *session, const pm_import_options *options, pm_error *err);

#endif
