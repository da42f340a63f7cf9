/* The trace engine as an executor: counts what a GPU would count, on the CPU, in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_EXECUTOR_TRACE_H
#define PM_COLLECTOR_WORKER_EXECUTOR_TRACE_H

#include "base/wire.h"
#include "collector/executor.h"
#include "collector/worker/worker.h"
#include "machine/rules.h"
#include "program/page_use.h"
#include "program/reach.h"

/* Default GPU for which the trace engine counts. */
#define PM_TRACE_TARGET "h100"

typedef struct {
    const char *target;   /* GPU whose rules for counting apply: the name of a row in devices.csv */
    const char *datasets; /* directory where devices.csv is looked up first; may be NULL */
    /* properties of the GPU whose rules for counting apply; for a GPU without a row in devices.csv.
     * NULL: the row that `target` names has the properties. */
    const pm_gpu *gpu;
    /* Fraction of the work-groups to run, in (0, 1]; 0: as many as time allows. */
    double sample;
    /* maximum number of basic blocks that one warp may execute; 0: the default */
    double step_limit;
    unsigned long long seed;
    unsigned threads; /* 0: one per core */
    /* true: loops are not unrolled, so that access tables (counts per memory instruction) have one
     * row for each access of the source. */
    bool as_written;
    bool quick; /* true: code is compiled faster, but runs slower, which suits runs of few
                   work-items */
    /* Path of NVIDIA's assembler ptxas, which then reports the registers and shared memory of
     * kernels; "": search for it (pm_ptxas_find). NULL: registers are estimated. ptxas must be NULL
     * if as_written is set. */
    const char *ptxas;
    /* worker that the executor uses and that must outlive it; NULL: the executor creates a worker
     * of its own */
    pm_worker *worker;
} pm_trace_engine_options;

/* Opens the trace engine as an executor. table must outlive the executor. The executor's function
 * `run` executes all work-groups and measures host time, which is unrelated to the time on a GPU.
 * Its function `count` may run only a sample of the work-groups. */
pm_status pm_executor_trace_open(const pm_trace_engine_options *options,
                                 const pm_counter_table *table, const pm_log *log,
                                 pm_executor **out, pm_error *err);

/* Compiles a workload before it is loaded. The next load of this workload uses the result. *code
 * becomes a hash of the compiled code. If variants of a program have equal hashes, their code is
 * the same, and only one of them needs to run. */
pm_status pm_executor_trace_compile(pm_executor *executor, const pm_workload *workload,
                                    uint64_t *code, pm_error *err);

/* Copies the compiled workload of another executor, which has compiled but not yet loaded it. The
 * next load of that workload uses it if this executor would compile the same code. */
pm_status pm_executor_trace_take(pm_executor *executor, const pm_executor *compiled, pm_error *err);

/* Returns the origin of the numbers of registers of the loaded workload, or, if none is loaded, of
 * the next one: "estimate", or the version of ptxas. */
const char *pm_executor_trace_registers(const pm_executor *executor);

/* Writes all data on which the workload's counts and results depend, as part of a cache key.
 * Returns false if they may depend on something else, such as this machine's OpenCL driver. Notices
 * about build options go to log. */
bool pm_executor_trace_key(const pm_executor *executor, const pm_workload *workload, pm_wire *key,
                           const pm_log *log);
/* Writes all data on which the results of running the workload depend, as part of a cache key. The
 * counts may depend on more data (pm_executor_trace_key). Results are the same on all NVIDIA GPUs,
 * because kernels run as the same code. */
bool pm_executor_trace_results_key(const pm_executor *executor, const pm_workload *workload,
                                   pm_wire *key, const pm_log *log);

/* Returns whether the same workload would give the same counts again. Returns false if a compiler
 * that reports registers has failed and may succeed next time. Call this function after the
 * workload was loaded. */
bool pm_executor_trace_is_final(const pm_executor *executor);
/* Returns the file cache that the executor's worker uses; NULL: it uses none. */
pm_cache *pm_executor_trace_cache(const pm_executor *executor);

/* Call this function after the workload was loaded. Runs some work-groups with the buffers' initial
 * contents. Sets reach[b] to the extent of these groups' accesses in buffer b, and *work to an
 * estimate of the basic blocks that run when all launches are counted once. The contents that these
 * work-groups write are meaningless. */
pm_status pm_executor_trace_reach(pm_executor *executor, pm_buffer_reach *reach, double *work,
                                  pm_error *err);

/* Call this function after the workload was loaded. Runs all work-groups of all launches with the
 * buffers' initial contents, for at most about `seconds` seconds. use[b] must have room for a
 * pm_page_use of each page of buffer b. PM_FAILED if the launches take longer. */
pm_status pm_executor_trace_page_use(pm_executor *executor, double seconds, uint8_t **use,
                                     pm_error *err);

/* Returns whether an error says that a run was ended because a warp, or all work-groups of a
 * launch, would take too long. */
bool pm_executor_trace_is_too_long(const pm_error *err);

/* Call this function after count(). Gets the access tables (counts per memory instruction) of the
 * loaded workload. The tables outlive the executor. The tables have no values of counters: their
 * number of counters is 0. The caller frees their memory in any case. */
pm_status pm_executor_trace_accesses(pm_executor *executor, pm_trace_tables *tables, pm_error *err);

#endif
