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
#include "program/reach.h"

/* Default target. */
#define PM_TRACE_TARGET "h100"

typedef struct {
    const char *target;   /* GPU whose rules apply: a row of devices.csv */
    const char *datasets; /* directory where devices.csv is looked up first; may be NULL */
    const pm_gpu *gpu;    /* rules of a GPU without a row in devices.csv; NULL: use that table */
    /* Fraction of the work-groups to run, in (0, 1]; 0: a fixed amount of work. */
    double sample;
    double step_limit; /* maximum number of blocks that one warp may execute; 0: the default */
    unsigned long long seed;
    unsigned threads; /* 0: one per core */
    /* Do not unroll loops, so that access tables have a row for each access of the source. */
    bool as_written;
    bool quick; /* compile faster to slower code, for runs of few work-items */
    /* Path of NVIDIA's assembler, which then reports registers and shared memory; "": see
     * pm_ptxas_find. NULL: they are estimated. Must be NULL with as_written. */
    const char *ptxas;
    pm_worker *worker; /* must outlive the executor; NULL: the executor creates its own */
} pm_trace_engine_options;

/* Opens the executor. table must outlive it. run() executes everything and measures host time,
 * which is unrelated to the time on a GPU. count() samples, see pm_executor_class. */
pm_status pm_executor_trace_open(const pm_trace_engine_options *options,
                                 const pm_counter_table *table, const pm_log *log,
                                 pm_executor **out, pm_error *err);

/* Compiles a workload ahead; the next load of it uses the result. *code becomes a hash of the
 * compiled code. Versions with equal hashes have the same code and need to run only once. */
pm_status pm_executor_trace_compile(pm_executor *executor, const pm_workload *workload,
                                    uint64_t *code, pm_error *err);

/* Copies the compiled workload of another executor that has not loaded it yet. The next load of
 * that workload uses it if this executor would compile the same code. */
pm_status pm_executor_trace_take(pm_executor *executor, const pm_executor *compiled, pm_error *err);

/* Origin of the register counts of the loaded workload, or of the next one: "estimate", or a
 * version of ptxas. */
const char *pm_executor_trace_registers(const pm_executor *executor);

/* Writes everything that counts and results of the workload depend on, as part of a cache key.
 * Returns false if they may depend on more, such as this machine's OpenCL driver. Notices of build
 * options go to log. */
bool pm_executor_trace_key(const pm_executor *executor, const pm_workload *workload, pm_wire *key,
                           const pm_log *log);
/* As pm_executor_trace_key, but for results only. They are the same on all NVIDIA GPUs, because
 * kernels run as the same code. */
bool pm_executor_trace_results_key(const pm_executor *executor, const pm_workload *workload,
                                   pm_wire *key, const pm_log *log);

/* After load: returns whether the same workload gives the same counts again. false: a compiler that
 * reports registers has failed and may succeed next time. */
bool pm_executor_trace_is_final(const pm_executor *executor);
/* Returns the cache of the executor's worker; NULL: it has none. */
pm_cache *pm_executor_trace_cache(const pm_executor *executor);

/* Call it after load. Runs some work-groups with the buffers' initial contents and sets reach[b],
 * the extent of their accesses in buffer b, and *work, an estimate of the basic blocks that run
 * when all launches are counted once. Their results are meaningless. */
pm_status pm_executor_trace_reach(pm_executor *executor, pm_buffer_reach *reach, double *work,
                                  pm_error *err);

/* Returns whether a run ended because a warp, or all work-groups of a launch, would take too long.
 */
bool pm_executor_trace_is_too_long(const pm_error *err);

/* Call it after count(). Returns the access tables of the loaded workload, which outlive the
 * executor. The caller frees their memory in any case. Counters are not included: their number is
 * 0. */
pm_status pm_executor_trace_accesses(pm_executor *executor, pm_trace_tables *tables, pm_error *err);

#endif
