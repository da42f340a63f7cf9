/* Worker: processes in which kernels are parsed, optimised and run, so that whatever happens there
 * neither ends nor blocks this one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process (perfmodel-worker) is started when the first request comes, and serves many. Requests
 * of several threads get a process each. One that ends, or is ended at a limit, fails the request
 * that it was at; the next one gets a new process, in which sources and workloads are opened again.
 */
#ifndef PM_WORKER_WORKER_H
#define PM_WORKER_WORKER_H

#include "base/cancel.h"
#include "cache/cache.h"
#include "compiler/compile.h"
#include "perfmodel.h"

typedef struct {
    /* Bytes that a process may have for itself. 0: $PERFMODEL_WORKER_MIB, else three quarters of
     * the machine's. */
    size_t memory_bytes;
    /* Seconds for parsing, rewriting or optimising a source. 0: $PERFMODEL_WORKER_SECONDS, else
     * 300.
     */
    double source_seconds;
    /* Seconds for running or counting a workload; warps that do not end are told much sooner, by
     * the limit on their steps. 0: a day. */
    double run_seconds;
    pm_cancel cancel;
    pm_cache *cache; /* cache for compilers' output and counts; NULL: none */
} pm_worker_limits;

typedef struct pm_worker pm_worker;

/* limits may be NULL: none but the usual ones. It must outlive what is opened with it. */
pm_worker *pm_worker_create(const pm_worker_limits *limits, pm_error *err);
void pm_worker_free(pm_worker *worker);
/* What its requests are compiled with. */
pm_compiler *pm_worker_compiler(pm_worker *worker);

/* The session's own, made when it is first asked for; it stops when the session is cancelled. NULL:
 * there is no session, or no memory; whoever takes a worker then starts one of its own. */
pm_worker *pm_session_worker(pm_session *session);

#endif
