/* The layer that perfmodel puts between a program and its OpenCL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It hands every call on. On the way it notes what programs, kernels, buffers and queues are, takes
 * the time of kernels, and records some launches with the contents of their buffers. Whatever goes
 * wrong here, the program runs on: a launch is then left out, and counted. What it shares with
 * what records CUDA programs is in capture/recording; its mutex is this one's too.
 */
#ifndef PM_CAPTURE_LAYER_LAYER_H
#define PM_CAPTURE_LAYER_LAYER_H

#include <CL/cl_layer.h>

#include "capture/recording/recording.h"

typedef cl_icd_dispatch pm_layer_dispatch;

/* ---- what is known of the program's objects -------------------------------------------------- */

typedef enum { PM_MEM_BUFFER, PM_MEM_IMAGE, PM_MEM_PIPE } pm_layer_mem_kind;

typedef struct {
    const void *handle;
    pm_layer_mem_kind kind;
    unsigned id; /* of the buffer that it is part of, or its own */
    size_t offset, bytes;
    bool part;   /* of another one */
    bool hidden; /* the host may not read it */
} pm_layer_mem;

typedef struct {
    const void *handle;
    cl_context context;
    unsigned references;
    bool timed, hide_timing; /* profiled; and the program did not ask for it */
} pm_layer_queue;

/* A header that the host handed over or that was found. */
typedef struct {
    char *path, *text;
} pm_layer_header;

typedef struct {
    const void *handle;
    unsigned id; /* of its last build; 0: not recorded yet */
    int kind;
    char *source, *options;
    size_t header_count;
    pm_layer_header *headers;
} pm_layer_program;

typedef struct {
    const void *handle;
    pm_rec_entry *entry;
    cl_uint arg_count;
    pm_rec_arg *args;
} pm_layer_kernel;

/* ---- launches -------------------------------------------------------------------------------- */

/* One that runs, and whose time is not known yet. */
typedef struct {
    cl_event event;
    pm_rec_entry *entry;
    pm_left_out reason;
    uint64_t items;
} pm_layer_pending;

typedef struct {
    pm_layer_dispatch next; /* what the layer calls */
    pm_layer_dispatch own;  /* what the loader calls */

    pm_rec_table mems, queues, programs, kernels;
    unsigned open_user_events;

    pm_layer_pending *pending; /* a ring, of a power of two */
    size_t pending_room, pending_first, pending_count;
} pm_layer;

pm_layer *pm_layer_get(void);

/* Whether this thread is in a callback of the driver, which must not wait. */
extern _Thread_local bool pm_layer_in_callback;

/* ---- objects.c: by handle ----------------------------------------------------------------------
 */

void pm_layer_fill_objects(pm_layer_dispatch *own);

/* ---- programs.c, headers.c ------------------------------------------------------------------- */

void pm_layer_fill_programs(pm_layer_dispatch *own);
void pm_layer_fill_kernels(pm_layer_dispatch *own);
/* Adds the headers that the source includes, by the -I of the options, to the program. */
void pm_layer_find_headers(pm_layer_program *program);
void pm_layer_add_header(pm_layer_program *program, const char *path, const char *text);

/* ---- timing.c -------------------------------------------------------------------------------- */

bool pm_layer_event_ns(cl_event event, uint64_t *ns);
/* Notes a launch that runs; takes over a reference to the event. The lock is held. */
void pm_layer_await(cl_event event, pm_rec_entry *entry, pm_left_out reason, uint64_t items);
/* Takes the times of launches that are done, from the oldest on, at most so many. */
void pm_layer_harvest(size_t most);
void pm_layer_fill_waits(pm_layer_dispatch *own);

/* ---- launch.c, snapshot.c -------------------------------------------------------------------- */

typedef struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    bool task; /* clEnqueueTask */
    pm_rec_entry *entry;
    uint64_t items;
} pm_layer_call;

void pm_layer_fill_launches(pm_layer_dispatch *own);
/* The contents of a region, put into the store; SIZE_MAX: reason says why not. */
size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_rec_region *region,
                         pm_left_out *reason);
/* Records a launch while it runs. false: it was not launched, and reason says why. Else code is the
 * program's. The thread has the turn. */
bool pm_layer_record_launch(const pm_layer_call *call, cl_int *code, pm_left_out *reason);
cl_int pm_layer_pass_on(const pm_layer_call *call, cl_event *event);

#endif
