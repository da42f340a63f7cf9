/* One worker process: started, asked, watched and ended.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_WORKER_PROCESS_H
#define PM_WORKER_PROCESS_H

#include <pthread.h>
#include <stddef.h>
#include <sys/types.h>

#include "worker/requests.h"
#include "worker/worker.h"

typedef struct {
    pthread_mutex_t lock; /* held while a request is under way */
    const pm_worker_limits *limits;
    pid_t pid;           /* 0: none runs */
    pid_t caller;        /* that started it; after a fork, the child starts its own */
    int socket;          /* to it */
    int output;          /* an unnamed file: its standard output and error */
    uint64_t generation; /* how many have been started */
} pm_process;

void pm_process_init(pm_process *process, const pm_worker_limits *limits);
void pm_process_end(pm_process *process);

/* Starts it if it does not run, so that it is ready by the time of the first request. */
pm_status pm_process_start(pm_process *process, pm_error *err);

/* Whether the process of that generation is still there. */
bool pm_process_has(pm_process *process, uint64_t generation);

typedef struct {
    pm_request kind;
    const pm_wire *body;
    const int *files; /* that the worker gets copies of */
    size_t file_count;
    const char *subject; /* what messages name: the source's path */
    /* Reads what the answer holds beside the status; called where that is PM_OK. What it has put
     * into result is to be freed also where the call fails then. NULL: it holds nothing. */
    void (*read)(pm_wire *reply, void *result);
    void *result;
} pm_worker_call;

/* Sends a request and waits for its answer. *generation: which process to ask, 0 for any. It
 * becomes the generation of the process that was asked, or 0 once that has ended. If the process to
 * ask has ended already, nothing is sent: PM_FAILED too. */
pm_status pm_process_call(pm_process *process, const pm_worker_call *call, uint64_t *generation,
                          pm_error *err);

/* Writes the path of the program perfmodel-worker. */
pm_status pm_worker_program(char *path, size_t size, pm_error *err);

/* One of the worker's processes, if possible one that no request is under way in. */
pm_process *pm_worker_process(pm_worker *worker);

/* ---- output.c: what a worker process prints ------------------------------------------------- */

/* An unnamed file of a fixed size, in which what does not fit is not written. */

/* Returns 0 or the errno; then, too, *file is -1 or to be closed. */
int pm_output_create(int *file);
/* ", saying '...'" with the line that tells most, which has an error in it, else the first; ""
 * where it printed nothing. */
void pm_output_read(int file, char *line, size_t size);

#endif
