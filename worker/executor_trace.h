/* The trace engine as an executor: counts what a GPU would count, on the CPU, in a worker process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_EXECUTOR_TRACE_H
#define PM_WORKER_EXECUTOR_TRACE_H

#include "base/wire.h"
#include "collector/executor.h"
#include "gpu/rules.h"
#include "program/reach.h"
#include "worker/worker.h"

/* Whose rules count where nobody says. */
#define PM_TRACE_TARGET "h100"

typedef struct {
    const char *target;   /* device whose rules count (a row of devices.csv) */
    const char *datasets; /* folder where devices.csv is looked up first; may be NULL */
    const pm_gpu *gpu;    /* its rules, where they are not in that table; NULL: they are */
    double sample;     /* share of the work-groups to run, in (0, 1]; 0: a fixed amount of work */
    double step_limit; /* blocks that one warp may run; 0: the default */
    unsigned long long seed;
    unsigned threads; /* 0: as many as there are cores */
    bool as_written;  /* no loop is unrolled: the access tables are the source's */
    bool quick;       /* compiled in less time, to run slower: for results of little work */
    /* Path of NVIDIA's assembler, which then tells registers and shared memory; "": see
     * pm_ptxas_find. NULL: they are estimated. Not with as_written. */
    const char *ptxas;
    pm_worker *worker; /* which must outlive the executor; NULL: one of its own */
} pm_trace_engine_options;

/* table must outlive the executor. run() executes everything and takes host time, which says
 * nothing of any GPU. count() samples, see pm_executor_class. */
pm_status pm_executor_trace_open(const pm_trace_engine_options *options,
                                 const pm_counter_table *table, const pm_log *log,
                                 pm_executor **out, pm_error *err);

/* Compiles a workload, which the next load then does not do again, and tells its code: a hash of
 * what the compiler made, by which versions with the same code are found before they are run. */
pm_status pm_executor_trace_compile(pm_executor *executor, const pm_workload *workload,
                                    uint64_t *code, pm_error *err);

/* Has the next load of that workload, here for another target, take what the other has compiled and
 * not yet loaded. */
pm_status pm_executor_trace_take(pm_executor *executor, const pm_executor *compiled, pm_error *err);

/* Where the registers of the loaded workload come from, or of the next one: estimate, or a version
 * of ptxas. */
const char *pm_executor_trace_registers(const pm_executor *executor);

/* Writes everything that counts and results of the workload depend on, as part of a cache key.
 * Returns false if they may depend on more, such as this machine's OpenCL driver. Notices of build
 * options go to log. */
bool pm_executor_trace_key(const pm_executor *executor, const pm_workload *workload, pm_wire *key,
                           const pm_log *log);

/* After load: returns whether the same workload gives the same counts again. false: a compiler that
 * reports registers has failed and may succeed next time. */
bool pm_executor_trace_is_final(const pm_executor *executor);
/* Returns the cache of the executor's worker; NULL: it has none. */
pm_cache *pm_executor_trace_cache(const pm_executor *executor);

/* After load: how far some of its work-groups go into each buffer, of which reach has a member
 * each. They run with the buffers' initial contents, and their results mean nothing. */
pm_status pm_executor_trace_reach(pm_executor *executor, pm_buffer_reach *reach, pm_error *err);

/* After count(): the access tables of the loaded workload, which outlive the executor; their memory
 * is to be freed either way. Counters are left out: count is 0. */
pm_status pm_executor_trace_accesses(pm_executor *executor, pm_trace_tables *tables, pm_error *err);

#endif
