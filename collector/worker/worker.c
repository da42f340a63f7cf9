/* Creates and frees the processes of a worker, and sets its limits.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/worker/worker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/numbers.h"
#include "base/paths.h"
#include "base/session/session.h"
#include "collector/worker/libclc.h"
#include "collector/worker/process.h"

enum { PROCESSES = 16 };
static const double SOURCE_SECONDS = 300, RUN_SECONDS = 24 * 3600;

struct pm_worker {
    pm_worker_limits limits;
    pm_compiler *compiler;
    pm_process processes[PROCESSES];
};

/* Returns the positive number in the environment variable `name`, or `usual` if there is none. */
static double setting(const char *name, double usual)
{
    const char *text = getenv(name);
    double value;

    return text && pm_number_parse(text, &value) && value > 0 ? value : usual;
}

/* Returns the compiler choice whose name is `name`: "auto", "clang" or "nvcc". Returns
 * PM_CUDA_UNSET for NULL and for other names. */
static pm_cuda_choice cuda_choice(const char *name)
{
    static const char *const names[] = {[PM_CUDA_UNSET] = "",
                                        [PM_CUDA_AUTO] = "auto",
                                        [PM_CUDA_CLANG] = "clang",
                                        [PM_CUDA_NVCC] = "nvcc"};

    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], name) == 0)
            return (pm_cuda_choice)i;
    return PM_CUDA_UNSET;
}

static void fill_limits(pm_worker_limits *limits)
{
    double machine = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double mib = machine > 0 ? machine * 0.75 / (1 << 20) : 4096;

    if (limits->memory_bytes == 0)
        limits->memory_bytes = (size_t)(setting("PERFMODEL_WORKER_MIB", mib) * (1 << 20));
    if (!(limits->source_seconds > 0))
        limits->source_seconds = setting("PERFMODEL_WORKER_SECONDS", SOURCE_SECONDS);
    if (!(limits->run_seconds > 0))
        limits->run_seconds = setting("PERFMODEL_WORKER_SECONDS", RUN_SECONDS);
    if (limits->cuda == PM_CUDA_UNSET)
        limits->cuda = cuda_choice(getenv("PERFMODEL_CUDA_COMPILER"));
    if (limits->cuda == PM_CUDA_UNSET)
        limits->cuda = PM_CUDA_AUTO;
}

pm_worker *pm_worker_create(const pm_worker_limits *limits, pm_error *err)
{
    pm_worker *worker = calloc(1, sizeof *worker);

    if (!worker) {
        pm_fail(err, PM_FAILED, "out of memory for a worker");
        return NULL;
    }
    if (limits)
        worker->limits = *limits;
    fill_limits(&worker->limits);
    for (size_t i = 0; i < PROCESSES; i++)
        pm_process_init(&worker->processes[i], &worker->limits);
    worker->compiler =
        pm_compiler_create(&(pm_compiler_limits){.memory_bytes = worker->limits.memory_bytes,
                                                 .seconds = worker->limits.source_seconds,
                                                 .cancel = worker->limits.cancel,
                                                 .cache = worker->limits.cache,
                                                 .cutter = {worker, pm_worker_cut_libclc}},
                           err);
    if (worker->compiler)
        return worker;
    pm_worker_free(worker);
    return NULL;
}

void pm_worker_free(pm_worker *worker)
{
    if (!worker)
        return;
    for (size_t i = 0; i < PROCESSES; i++)
        pm_process_end(&worker->processes[i]);
    pm_compiler_free(worker->compiler);
    free(worker);
}

pm_compiler *pm_worker_compiler(pm_worker *worker)
{
    return worker->compiler;
}

pm_cuda_choice pm_worker_cuda(const pm_worker *worker)
{
    return worker->limits.cuda;
}

void pm_worker_choose_cuda(pm_worker *worker, pm_cuda_choice choice)
{
    worker->limits.cuda = choice;
}

pm_process *pm_worker_process(pm_worker *worker)
{
    for (size_t i = 0; i < PROCESSES; i++)
        if (pthread_mutex_trylock(&worker->processes[i].lock) == 0) {
            pthread_mutex_unlock(&worker->processes[i].lock);
            return &worker->processes[i];
        }
    return &worker->processes[0];
}

/* ---- the session's worker ------------------------------------------------------------------ */

static void release(void *worker)
{
    pm_worker_free(worker);
}

pm_worker *pm_session_worker(pm_session *session)
{
    const pm_session_options *chosen = pm_session_chosen(session);
    const pm_worker_limits limits = {.cancel = pm_session_cancel(session),
                                     .cache = pm_session_cache(session),
                                     .cuda = cuda_choice(chosen ? chosen->cuda_compiler : NULL)};
    pm_worker *worker = pm_session_find(session, "worker", "");

    if (worker || !session)
        return worker;
    worker = pm_worker_create(&limits, NULL);
    if (worker && pm_session_keep(session, "worker", "", worker, release, NULL) != PM_OK)
        worker = NULL;
    return worker;
}
