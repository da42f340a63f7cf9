/* Worker: processes that parse, optimise and run kernels, so that no fault in them ends or blocks
 * this process.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process (perfmodel-worker) starts at the first request and serves many. Concurrent requests of
 * several threads use separate processes. If a process ends, or is ended at a limit, its request
 * fails. The next request starts a new process, in which sources and workloads are opened again.
 */
#ifndef PM_COLLECTOR_WORKER_WORKER_H
#define PM_COLLECTOR_WORKER_WORKER_H

#include "base/cache/cache.h"
#include "base/cancel.h"
#include "compiler/compile.h"
#include "perfmodel.h"

/* Compiler of CUDA sources. AUTO: clang, and NVIDIA's compiler, if this machine has it, for sources
 * that clang refuses. UNSET: $PERFMODEL_CUDA_COMPILER, else AUTO. */
typedef enum { PM_CUDA_UNSET, PM_CUDA_AUTO, PM_CUDA_CLANG, PM_CUDA_NVCC } pm_cuda_choice;

typedef struct {
    /* Limit of the private memory of a worker process in bytes. 0: $PERFMODEL_WORKER_MIB, or three
     * quarters of the machine's memory. */
    size_t memory_bytes;
    /* Time limit in seconds for parsing, rewriting or optimising a source. 0:
     * $PERFMODEL_WORKER_SECONDS, or 300. */
    double source_seconds;
    /* Time limit in seconds for running or counting a workload. 0: a day. Endless warps are found
     * much earlier, by the limit on the basic blocks that a warp may execute. */
    double run_seconds;
    pm_cancel cancel;
    pm_cache *cache;     /* cache for compilers' output and counts; NULL: none */
    pm_cuda_choice cuda; /* compiler of CUDA sources */
} pm_worker_limits;

typedef struct pm_worker pm_worker;

/* Creates a worker. limits NULL: the default limits. The worker must outlive all objects that are
 * opened with it. */
pm_worker *pm_worker_create(const pm_worker_limits *limits, pm_error *err);
void pm_worker_free(pm_worker *worker);
/* Returns the worker's compiler, with which this process compiles sources before it sends them to a
 * worker process. The worker owns it. */
pm_compiler *pm_worker_compiler(pm_worker *worker);
pm_cuda_choice pm_worker_cuda(const pm_worker *worker);
/* Changes the compiler of CUDA sources for later requests. */
void pm_worker_choose_cuda(pm_worker *worker, pm_cuda_choice choice);
/* Returns whether this machine has a compiler of NVIDIA (nvcc or NVRTC) and the worker may use it
 * for CUDA sources. */
bool pm_worker_has_nvidia(const pm_worker *worker);

/* Returns the session's worker, which is created at the first call. Requests to this worker end
 * when the session is cancelled. NULL: no session, or out of memory; callers then start a worker of
 * their own. */
pm_worker *pm_session_worker(pm_session *session);

#endif
