/* What a GPU would count of a kernel, counted without one. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_TRACE_H
#define PERFMODEL_TRACE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A memory instruction of a kernel, as it ran: a row of the access table (Nakai and Ohno 2017,
 * table 1 and figure 12). Texts are "" where nothing is known. */
typedef struct {
    const char *kind;  /* load, store, atomic */
    const char *space; /* global, shared, constant, private */
    unsigned bytes;    /* of one work-item's access */
    unsigned line, column;
    const char *buffer;            /* kernel argument or variable */
    const char *structure, *field; /* of the source */
    unsigned loop;                 /* line of the innermost loop around it; 0: none */
    double executions;             /* by warps */
    double work_items;             /* by work-items */
    double transactions;           /* by the target's rule; in shared memory wavefronts */
    /* Mean number of work-items of a warp whose addresses lie within 128 bytes from that of the
     * first, itself included. */
    double coalesced_threads;
    const char *access_class; /* UnCoalesc, Coalesc, ShareCoalesc; "" where not global */
    uint64_t reserved[4];
} pm_access;

typedef struct {
    const char *kernel;
    size_t launches;
    double sampled;               /* share of the work-groups that ran */
    const char *registers_source; /* estimate, or a version of ptxas */
    size_t count;                 /* of counters */
    const char *const *names, *const *units;
    const double *values, *errors; /* standard error that sampling leaves; NaN: unknown */
    size_t access_count;
    pm_access *accesses;
    /* What users of the target profile with (nvprof, Nsight Compute, rocprof), and what that calls
     * each counter, such as "gld_transactions / 4"; NULL: no profiler, or no such counter. */
    const char *profiler;
    const char *const *profiler_names;
    uint64_t reserved[2];
} pm_trace_kernel;

/* What the language of a source calls what runs a kernel, and the memory that a group shares.
 * Complete. */
typedef struct {
    const char *items, *groups, *shared;
} pm_terms;

typedef struct {
    char *program, *variant, *size, *target;
    const pm_terms *terms; /* of its source's language */
    size_t kernel_count;
    pm_trace_kernel *kernels;
    /* What was assumed of bare sources (perfmodel/launch.h), NULL-terminated and of the session;
     * NULL: nothing. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_trace;

typedef struct {
    const char *target;   /* GPU by whose rules to count, a row of devices.csv; NULL: h100 */
    const char *workload; /* a workload of one's own, in place of program: a file, or a capture,
                           * recorded launch or folder of one alone; or NULL */
    uint64_t reserved[8];
} pm_trace_options;

/* Runs a program of the suite, or a workload file (program NULL), on the CPU and counts what the
 * target would count. variant and size may be NULL: its first variant, its smallest size. Wrong
 * names are PM_BAD_INPUT and list the right ones. */
const pm_trace *pm_trace_run(pm_session *session, const char *program, const char *variant,
                             const char *size, const pm_trace_options *options, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
