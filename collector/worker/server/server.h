/* The functions of a worker process that serve requests.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_WORKER_SERVER_SERVER_H
#define PM_COLLECTOR_WORKER_SERVER_SERVER_H

#include "collector/worker/requests.h"
#include "perfmodel.h"

/* A request and its answer. */
typedef struct {
    pm_request kind;
    pm_wire body;
    /* descriptors of the request's open files; -1: the function that used the file has taken
     * ownership of it */
    int *files;
    size_t file_count;
    pm_wire reply; /* data of the answer, which follow the answer's status */
    size_t memory_bytes;
} pm_served;

/* Sources, workloads and compiled programs that the worker has open for its client. The client
 * refers to sources and workloads by numbers. last: the number that was given last. */
typedef struct pm_served_source pm_served_source;
typedef struct pm_served_trace pm_served_trace;
typedef struct pm_served_program pm_served_program;
typedef struct {
    uint64_t last;
    pm_served_source *sources;
    pm_served_trace *traces;
    pm_served_program *programs;
    /* perfmodel's CUDA declarations, parsed once as a precompiled header for all CUDA sources;
     * NULL: not parsed yet */
    struct pm_prelude *prelude;
} pm_served_things;

pm_status pm_serve_source(pm_served_things *things, pm_served *request, pm_error *err);
pm_status pm_serve_trace(pm_served_things *things, pm_served *request, pm_error *err);
/* Writes to the reply the bitcode of the functions of libclc that the request names. */
pm_status pm_serve_libclc(pm_served *request, pm_error *err);
/* Raises the error for a malformed request. Returns PM_FAILED. */
pm_status pm_serve_senseless(pm_error *err);
void pm_served_sources_free(pm_served_source *sources);
void pm_served_traces_free(pm_served_trace *traces);
void pm_served_programs_free(pm_served_program *programs);

#endif
