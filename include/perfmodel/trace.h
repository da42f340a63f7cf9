/* Counts the hardware events of GPU kernels by simulating the GPU on the CPU. The GPU need not be
 * present. See perfmodel.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PERFMODEL_TRACE_H
#define PERFMODEL_TRACE_H

#include "perfmodel/session.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A memory instruction of a kernel, with statistics of the accesses that it made: a row of the
 * access table (Nakai and Ohno 2017, table 1 and figure 12). A text is "" if it is unknown. Counts
 * are sums over all launches of the kernel. If only some work-groups were run, the counts are
 * estimates for all work-groups. */
typedef struct {
    const char *kind; /* load, store or atomic */
    /* memory that the instruction accesses: global, shared, constant or private */
    const char *space;
    unsigned bytes;        /* bytes that one work-item accesses */
    unsigned line, column; /* location in the source, counted from 1; 0: unknown */
    const char *buffer;    /* name of the kernel argument or variable that is accessed */
    /* names of the struct and of its field that are accessed, as in the source; "": unknown */
    const char *structure, *field;
    /* source line of the innermost loop that contains the instruction; 0: the instruction is in no
     * loop */
    unsigned loop;
    /* executions: number of times that a warp with at least one active work-item executed the
     * instruction. work_items: number of times that a work-item executed it. */
    double executions;
    double work_items; /* executions by work-items */
    /* memory transactions on the target; shared-memory wavefronts if space is shared */
    double transactions;
    /* Mean number of work-items of a warp whose addresses lie within 128 bytes of the first
     * work-item's address. The first work-item is included. 0 if the space is not global. */
    double coalesced_threads;
    /* "ShareCoalesc" if work-items of a warp access the same address. Otherwise "Coalesc" if
     * coalesced_threads is at least 2, and "UnCoalesc" if it is less. "" if the space is not
     * global. */
    const char *access_class;
    uint64_t reserved[4];
} pm_access;

/* Counters of one kernel over all its launches. */
typedef struct {
    const char *kernel; /* name of the kernel */
    size_t launches;    /* number of launches that the counters are summed over */
    /* fraction of the kernel's work-groups that the trace engine ran, in (0, 1] */
    double sampled;
    /* tool that gave the register counts of the kernel: a version of ptxas, or "estimate" if they
     * were estimated without ptxas */
    const char *registers_source;
    /* number of members of the arrays names, units, values, errors and profiler_names */
    size_t count;
    const char *const *names, *const *units; /* name and unit of each counter */
    /* Value of each counter, and its standard error from the sampling of work-groups. An error is
     * NaN if it is unknown. */
    const double *values, *errors;
    size_t access_count; /* number of memory instructions */
    pm_access *accesses;
    /* profiler: the tool with which users of the target GPU profile: nvprof, Nsight Compute or
     * rocprof. NULL: none. profiler_names: that tool's name or formula for each counter, such as
     * "gld_transactions / 4". NULL: the tool does not have the counter. */
    const char *profiler;
    const char *const *profiler_names;
    uint64_t reserved[2];
} pm_trace_kernel;

/* Words of a source's language for messages. items: "work-items", or "threads" in CUDA. groups:
 * "work-groups", or "blocks" in CUDA. shared: "__local", or "__shared__" in CUDA. The texts are
 * static. No later version adds members. */
typedef struct {
    const char *items, *groups, *shared;
} pm_terms;

/* Counters of all kernels of a workload. The session owns the struct and all memory that it points
 * to. */
typedef struct {
    /* Program, variant and size that were traced. target: GPU that the trace engine simulated. */
    char *program, *variant, *size, *target;
    const pm_terms *terms; /* words of the source's language for messages */
    size_t kernel_count;
    pm_trace_kernel *kernels;
    /* Assumptions about the launches of a source without a workload file (perfmodel/launch.h).
     * NULL-terminated. NULL: none. */
    const char *const *assumed;
    uint64_t reserved[7];
} pm_trace;

typedef struct {
    const char *target; /* GPU to simulate: a row of devices.csv; NULL: h100 */
    /* Path of the user's own workload, which is traced if `program` is NULL: a workload file, a
     * source, a capture, a recorded launch, or a folder with one of these. NULL: none. */
    const char *workload;
    uint64_t reserved[8];
} pm_trace_options;

/* Runs a program of the suite, or a workload (program NULL), on the CPU, and counts the events that
 * the target GPU would count. variant NULL: the first variant. size NULL: the smallest size.
 * Returns the trace, which belongs to the session. NULL on failure. PM_BAD_INPUT if a name is
 * wrong; the message lists the right names. PM_FAILED if the kernel cannot be compiled or run. */
const pm_trace *pm_trace_run(pm_session *session, const char *program, const char *variant,
                             const char *size, const pm_trace_options *options, pm_error *err);

#ifdef __cplusplus
}
#endif

#endif
