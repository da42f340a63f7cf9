/* What perfmodel puts into a CUDA program (CUDA_INJECTION64_PATH).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUPTI tells of the driver's calls, as they begin and as they end; launches of the runtime come by
 * there too. Nothing is asked of the driver with the recording's lock held: it may load a module,
 * of which CUPTI tells in turn.
 */
#ifndef PM_CAPTURE_CUDA_CUDA_H
#define PM_CAPTURE_CUDA_CUDA_H

#include "capture/recording/recording.h"
#include "collector/cupti/callback_abi.h"

enum { PM_CUDA_SYMBOLS = PM_REC_REGIONS - PM_REC_ARGS };

/* A kernel, by what launches name it with. */
typedef struct {
    const void *handle;
    pm_rec_entry *entry;
    bool laid_out; /* where its arguments lie is known */
    unsigned param_count;
    struct {
        size_t offset, bytes;
    } params[PM_REC_ARGS];
    unsigned symbol_count; /* __constant__ memory of its module */
    struct {
        const char *name;
        pm_cu_pointer at;
        size_t bytes;
    } symbols[PM_CUDA_SYMBOLS];
} pm_cuda_kernel;

/* An allocation, by the address where it begins. */
typedef struct {
    const void *handle;
    unsigned id;
    size_t bytes;
} pm_cuda_memory;

/* A launch between its beginning and its end, or one whose time is not known yet. */
typedef struct {
    pm_rec_entry *entry;
    pm_left_out reason;
    uint64_t items;
    pm_cu_stream stream;
    pm_cu_context context;
    pm_cu_event start, end;
    pm_rec_launch *recorded; /* NULL: it is only timed */
    double begun, before;    /* when recording and when the launch began */
    uint64_t host_ns;        /* that the host took to start it */
} pm_cuda_running;

/* The kernel that holds a GPU, in a context. */
typedef struct {
    const void *handle;
    pm_cu_function function; /* NULL: there is none */
    bool looked_for;
} pm_cuda_hold_kernel;

/* Two events that no launch has. */
typedef struct {
    pm_cu_context context;
    pm_cu_event start, end;
} pm_cuda_events;

typedef struct {
#define PM_CU_MEMBER(name, symbol, parameters) pm_cu_result(*name) parameters;
    PM_CU_CAPTURE_FUNCTIONS(PM_CU_MEMBER)
    PM_CU_CAPTURE_OPTIONAL(PM_CU_MEMBER)
#undef PM_CU_MEMBER
#define PM_CUPTI_MEMBER(name, symbol, parameters) int(*name) parameters;
    PM_CUPTI_CALLBACK_FUNCTIONS(PM_CUPTI_MEMBER)
#undef PM_CUPTI_MEMBER
    pm_cupti_subscriber subscriber;

    unsigned program;       /* the id of all kernels' program; 0: not recorded yet */
    unsigned open_captures; /* streams that are being captured into graphs */
    pm_rec_table kernels, memories, holds;
    /* Names of __constant__ memory in all modules. They have a lock of their own, under which
     * nobody calls the driver: it tells of a module with locks of its own held. */
    pthread_mutex_t constants_lock;
    size_t constant_count;
    char **constants;
    size_t running_count, running_room;
    pm_cuda_running *running; /* launches that are not recorded, from the oldest on */
    size_t event_count, event_room;
    pm_cuda_events *events;
} pm_cuda_layer;

pm_cuda_layer *pm_cuda_layer_get(void);

/* ---- kernels.c ------------------------------------------------------------------------------- */

/* The kernel that a launch names; name is NULL where CUPTI did not tell. NULL: it cannot be known.
 * The lock is not held. */
const pm_cuda_kernel *pm_cuda_find_kernel(const void *handle, const char *name);
/* A module is unloaded: handles may come again. The lock is held. */
void pm_cuda_forget_kernels(void);

/* ---- modules.c ------------------------------------------------------------------------------- */

/* Notes the names of __constant__ memory in a cubin. */
void pm_cuda_note_constants(const void *cubin, size_t bytes);
/* Keeps an image that the program loads, as far as its size can be told. The lock is held. */
void pm_cuda_keep_image(const void *image);

/* ---- arguments.c: the lock is not held ------------------------------------------------------- */

/* What the launch takes: values, and the allocations that its pointers lead to. */
pm_left_out pm_cuda_read_arguments(const pm_cuda_kernel *kernel, void **arguments, void **extra,
                                   pm_rec_launch *launch);
/* For pm_rec_before and pm_rec_after; user is the launch. */
size_t pm_cuda_take(void *user, const pm_rec_region *region, pm_left_out *reason);

/* ---- hold.c ------------------------------------------------------------------------------------
 */

/* Holds the stream for as long as the host takes to start a launch, so that an event before it is
 * taken when the GPU starts it and not before. The lock is not held. */
void pm_cuda_hold(pm_cu_context context, pm_cu_stream stream);
/* Contexts are gone. The lock is held. */
void pm_cuda_forget_holds(void);

/* ---- timing.c: the lock is held, but as said ------------------------------------------------- */

/* Events for a launch. false: there are none. */
bool pm_cuda_take_events(pm_cu_context context, pm_cuda_running *launch);
void pm_cuda_give_events(const pm_cuda_running *launch);
void pm_cuda_await(const pm_cuda_running *launch);
/* Takes the times of launches that are done, from the oldest on, at most so many. */
void pm_cuda_harvest(size_t most);
/* Counts all launches that run, with times as far as they are known; asks the driver for them only
 * if it is there. Events are gone. */
void pm_cuda_settle(bool driver);
bool pm_cuda_elapsed(const pm_cuda_running *launch, uint64_t *ns);

/* ---- launch.c -------------------------------------------------------------------------------- */

typedef struct {
    const void *function;
    const unsigned *grid, *block;
    unsigned shared;
    pm_cu_stream stream;
    void **arguments, **extra;
    bool clusters; /* blocks are launched in clusters */
} pm_cuda_call;

void pm_cuda_launch_begins(const pm_cupti_call_data *data, const pm_cuda_call *call);
void pm_cuda_launch_ends(const pm_cupti_call_data *data);

#endif
