/* The library that perfmodel inserts as a layer between a program and its OpenCL driver, to record
 * the program's kernel launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It passes every OpenCL call of the program on to the implementation. It tracks programs, kernels,
 * buffers and queues, times kernels, and records some launches with the contents of their buffers.
 * If anything fails in the layer, the program still runs, and the launch is counted as left out.
 * capture/recording has the code that the layer shares with the recorder of CUDA programs, and the
 * mutex of both.
 */
#ifndef PM_CAPTURE_LAYER_LAYER_H
#define PM_CAPTURE_LAYER_LAYER_H

#include <CL/cl_layer.h>

#include "capture/recording/recording.h"

typedef cl_icd_dispatch pm_layer_dispatch;

/* ---- the program's objects ------------------------------------------------------------------- */

typedef enum { PM_MEM_BUFFER, PM_MEM_IMAGE, PM_MEM_PIPE } pm_layer_mem_kind;

typedef struct {
    const void *handle;
    pm_layer_mem_kind kind;
    /* id of this buffer in the records, or of the parent buffer if this is a sub-buffer */
    unsigned id;
    size_t offset, bytes;
    bool part; /* true: it is a sub-buffer */
    /* true: the program created the buffer with a flag that forbids the host to read it */
    bool hidden;
} pm_layer_mem;

/* Shared virtual memory that the program allocated. */
typedef struct {
    const void *address;
    unsigned id;
    size_t bytes; /* 0: the program freed it */
} pm_layer_svm;

typedef struct {
    const void *handle;
    cl_context context;
    unsigned references;
    /* timed: true if the queue has profiling; hide_timing: true if the program did not ask for
     * profiling, so that queries must not show it */
    bool timed, hide_timing;
} pm_layer_queue;

/* A header of a source: the program passed it to the compiler as text, or the layer found it in a
 * folder of the -I options. */
typedef struct {
    char *path, *text;
} pm_layer_header;

typedef struct {
    const void *handle;
    unsigned id; /* id of the program's last build in the records; 0: not recorded yet */
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

/* A launch that still runs, or whose time was not read yet. */
typedef struct {
    cl_event event;
    pm_rec_entry *entry;
    pm_left_out reason;
    uint64_t items;
} pm_layer_pending;

typedef struct {
    /* next: the functions that the loader gave to the layer, which the layer calls for the real
     * work */
    pm_layer_dispatch next;
    /* own: table of the layer's functions, which the OpenCL loader calls instead of the driver's */
    pm_layer_dispatch own;

    pm_rec_table mems, queues, programs, kernels;
    pm_rec_table svms; /* shared virtual memory, found by its first address */
    /* All shared virtual memory so far lies from address svm_low to svm_high - 1. */
    uint64_t svm_low, svm_high;
    unsigned open_user_events;

    pm_layer_pending *pending; /* ring buffer of running launches; its capacity is a power of two */
    size_t pending_room, pending_first, pending_count;
} pm_layer;

pm_layer *pm_layer_get(void);

/* True in a thread that runs a callback of the driver. Waiting for launches is forbidden there. */
extern _Thread_local bool pm_layer_in_callback;

/* ---- objects.c: objects of the program, found by handle -------------------------------------- */

void pm_layer_fill_objects(pm_layer_dispatch *own);

/* ---- svm.c: shared virtual memory (SVM) -------------------------------------------------------
 */

void pm_layer_fill_svm(pm_layer_dispatch *own);
/* Adds the allocation of shared virtual memory (SVM) at an address to the ranges of memory that are
 * recorded for the launch. arg: index of the argument that has the address. The caller must hold
 * the recording's lock (pm_rec_lock()). */
pm_left_out pm_layer_add_svm(pm_rec_launch *launch, unsigned arg, uint64_t address, bool read_only);
/* Finds addresses of shared virtual memory (SVM) in a struct argument, or in memory that is
 * recorded. Adds their allocations to the ranges of memory that are recorded for the launch, except
 * allocations that are there already. bytes: `size` bytes of the struct or memory. The caller must
 * not hold the lock. */
pm_left_out pm_layer_add_inner_svm(pm_rec_launch *launch, const void *bytes, size_t size);

/* ---- limits.c: limits of devices, as the program sees them ------------------------------------
 */

void pm_layer_fill_limits(pm_layer_dispatch *own);

/* ---- programs.c, headers.c ------------------------------------------------------------------- */

void pm_layer_fill_programs(pm_layer_dispatch *own);
void pm_layer_fill_kernels(pm_layer_dispatch *own);
/* Finds the headers that the source includes, with the -I options of the build, and adds them to
 * the program. */
void pm_layer_find_headers(pm_layer_program *program);
void pm_layer_add_header(pm_layer_program *program, const char *path, const char *text);

/* ---- timing.c -------------------------------------------------------------------------------- */

bool pm_layer_event_ns(cl_event event, uint64_t *ns);
/* Adds a running launch. Takes ownership of a reference to its event. The caller must hold the
 * recording's lock (pm_rec_lock()). */
void pm_layer_await(cl_event event, pm_rec_entry *entry, pm_left_out reason, uint64_t items);
/* Reads the times of at most `most` finished launches, oldest first. */
void pm_layer_harvest(size_t most);
void pm_layer_fill_waits(pm_layer_dispatch *own);

/* ---- launch.c, recorder.c, snapshot.c ------------------------------------------------------- */

typedef struct {
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait_list;
    cl_event *event;
    bool task; /* true: launched by clEnqueueTask */
    pm_rec_entry *entry;
    uint64_t items;
} pm_layer_call;

void pm_layer_fill_launches(pm_layer_dispatch *own);
/* Copies a buffer range to a file of the records (recording/contents.c). Returns the index of the
 * contents in pm_recording.contents; SIZE_MAX on failure, with *reason set. launch: if the contents
 * have pointers to shared virtual memory, this memory is added to the launch; NULL: the contents
 * are not searched for pointers. */
size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_rec_region *region,
                         pm_rec_launch *launch, pm_left_out *reason);
/* Records a launch and runs it. False with *reason set if it was not launched. Otherwise *code is
 * the result code of OpenCL that the program gets. The calling thread must have called
 * pm_rec_take_turn(). */
bool pm_layer_record_launch(const pm_layer_call *call, cl_int *code, pm_left_out *reason);
cl_int pm_layer_pass_on(const pm_layer_call *call, cl_event *event);

#endif
