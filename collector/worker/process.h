/* A worker process: its start, requests to it, limits on it, and its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_PROCESS_H
#define PM_COLLECTOR_WORKER_PROCESS_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "collector/worker/requests.h"
#include "collector/worker/worker.h"

typedef struct {
    pthread_mutex_t lock; /* held during a request */
    const pm_worker_limits *limits;
    pid_t pid; /* 0: no process is running */
    /* process that started the worker; after a fork the child starts its own worker */
    pid_t caller;
    int socket; /* connection to the worker process */
    int output; /* unnamed file that receives the worker's standard output and error */
    /* number of worker processes started so far; it identifies the process that was started last */
    uint64_t generation;
} pm_process;

void pm_process_init(pm_process *process, const pm_worker_limits *limits);
void pm_process_end(pm_process *process);

/* Starts the worker process if it is not running. Does not wait until the process is ready for
 * requests, so an early call saves time at the first request. */
pm_status pm_process_start(pm_process *process, pm_error *err);

/* Returns whether the started process with this number (pm_process.generation) is still running. */
bool pm_process_has(pm_process *process, uint64_t generation);

typedef struct {
    pm_request kind;
    const pm_wire *body;
    const int *files; /* files to pass to the worker */
    size_t file_count;
    const char *subject; /* path of the source, for messages */
    /* Reads the data of an answer; called only if the answer's status is PM_OK. The caller frees
     * the data that this function has stored in `result`, also if the call fails afterwards. NULL:
     * the answer has no data after its status. */
    void (*read)(pm_wire *reply, void *result);
    void *result;
} pm_worker_call;

/* Sends a request to the worker process and waits for its answer. The caller sets *generation to
 * the started process that must get the request (pm_process.generation); 0: any. Afterwards it
 * identifies the process that got the request; 0: this process has ended since. If the wanted
 * process had ended before, nothing is sent, and the result is PM_FAILED. */
pm_status pm_process_call(pm_process *process, const pm_worker_call *call, uint64_t *generation,
                          pm_error *err);

/* Writes the path of the program perfmodel-worker. */
pm_status pm_worker_program(char *path, size_t size, pm_error *err);

/* Returns a process of the worker, preferably one without a request in progress. */
pm_process *pm_worker_process(pm_worker *worker);

/* ---- output.c: the output of a worker process ------------------------------------------------ */

/* An unnamed file of a fixed size receives a worker's standard output and error. Output beyond that
 * size is lost. */

/* Creates the file for a worker's output. Returns 0 or an errno. The caller closes *file if it is
 * not -1, also after an error. */
int pm_output_create(int *file);
/* Writes ", saying '...'" with the most informative line of a worker's output, as the end of an
 * error message. The most informative line is the first line with an error, or else the first line.
 * Writes "" if there is no output. */
void pm_output_read(int file, char *line, size_t size);

#endif
