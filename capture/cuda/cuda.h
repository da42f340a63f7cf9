/* The library that perfmodel injects into a CUDA program (CUDA_INJECTION64_PATH).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUPTI reports the beginning and the end of the driver's calls, including launches through the
 * runtime. The library never calls the driver while it holds the recording's lock, because the
 * driver may load a module and make CUPTI report this in turn.
 */
#ifndef PM_CAPTURE_CUDA_CUDA_H
#define PM_CAPTURE_CUDA_CUDA_H

#include "capture/recording/recording.h"
#include "collector/cupti/callback_abi.h"

enum { PM_CUDA_SYMBOLS = PM_REC_REGIONS - PM_REC_ARGS };

/* A kernel, found by the handle that launches pass. */
typedef struct {
    const void *handle;
    pm_rec_entry *entry;
    bool laid_out; /* the layout of its parameters is known */
    unsigned param_count;
    struct {
        size_t offset, bytes;
    } params[PM_REC_ARGS];
    unsigned symbol_count; /* variables in __constant__ memory of its module */
    struct {
        const char *name;
        pm_cu_pointer at;
        size_t bytes;
    } symbols[PM_CUDA_SYMBOLS];
} pm_cuda_kernel;

/* An allocation, found by its start address. */
typedef struct {
    const void *handle;
    unsigned id;
    size_t bytes;
} pm_cuda_memory;

/* A launch that has not ended yet, or whose time is not known yet. */
typedef struct {
    pm_rec_entry *entry;
    pm_left_out reason;
    uint64_t items;
    pm_cu_stream stream;
    pm_cu_context context;
    pm_cu_event start, end;
    pm_rec_launch *recorded; /* NULL: the launch is only timed */
    double begun, before;    /* when recording began, and when the launch began; seconds */
    uint64_t host_ns;        /* time that the host took to start the launch */
} pm_cuda_running;

/* The kernel of a context that keeps the GPU busy (see pm_cuda_hold). */
typedef struct {
    const void *handle;
    pm_cu_function function; /* NULL if it could not be loaded */
    bool looked_for;
} pm_cuda_hold_kernel;

/* A pair of events that no launch uses. */
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

    unsigned program;       /* id of the program of all kernels; 0: not recorded yet */
    unsigned open_captures; /* number of streams that are being captured into graphs */
    pm_rec_table kernels, memories, holds;
    /* Names of __constant__ memory in all modules. They have a lock of their own, because the
     * driver reports a module while it holds locks. Nothing calls the driver under this lock. */
    pthread_mutex_t constants_lock;
    size_t constant_count;
    char **constants;
    size_t running_count, running_room;
    pm_cuda_running *running; /* launches that are only timed, oldest first */
    size_t event_count, event_room;
    pm_cuda_events *events;
} pm_cuda_layer;

pm_cuda_layer *pm_cuda_layer_get(void);

/* ---- kernels.c ------------------------------------------------------------------------------- */

/* Finds the kernel of a launch. name is NULL if CUPTI did not report it. NULL if the kernel cannot
 * be identified. The lock must not be held. */
const pm_cuda_kernel *pm_cuda_find_kernel(const void *handle, const char *name);
/* Forgets all kernels when a module is unloaded, because the driver may reuse their handles. The
 * lock must be held. */
void pm_cuda_forget_kernels(void);

/* ---- modules.c ------------------------------------------------------------------------------- */

/* Notes the names of __constant__ variables in a cubin. */
void pm_cuda_note_constants(const void *cubin, size_t bytes);
/* Stores an image that the program loads, if its size is known. The lock must be held. */
void pm_cuda_keep_image(const void *image);

/* ---- arguments.c: the lock is not held ------------------------------------------------------- */

/* Reads the arguments of a launch: values, and the allocations to which pointers lead. Returns
 * PM_CAPTURED, or the reason why the launch cannot be recorded. */
pm_left_out pm_cuda_read_arguments(const pm_cuda_kernel *kernel, void **arguments, void **extra,
                                   pm_rec_launch *launch);
/* Reads a region's contents, for pm_rec_before and pm_rec_after. user is the launch. */
size_t pm_cuda_take(void *user, const pm_rec_region *region, pm_left_out *reason);

/* ---- hold.c ------------------------------------------------------------------------------------
 */

/* Keeps the stream busy for the time that the host takes to start a launch. The GPU then
 * timestamps an event before the launch when the launch starts, and not earlier. The lock must
 * not be held. */
void pm_cuda_hold(pm_cu_context context, pm_cu_stream stream);
/* Forgets the hold kernels after contexts were destroyed. The lock must be held. */
void pm_cuda_forget_holds(void);

/* ---- timing.c: the lock is held unless a comment says otherwise
 * ------------------------------------------------- */

/* Sets launch->start and launch->end to a pair of events. False if no pair can be created. */
bool pm_cuda_take_events(pm_cu_context context, pm_cuda_running *launch);
void pm_cuda_give_events(const pm_cuda_running *launch);
void pm_cuda_await(const pm_cuda_running *launch);
/* Reads the times of at most `most` finished launches, oldest first. */
void pm_cuda_harvest(size_t most);
/* Counts all running launches, with their times if known. Calls the driver only if `driver` is
 * true, because it may be gone at exit. All events are forgotten. */
void pm_cuda_settle(bool driver);
bool pm_cuda_elapsed(const pm_cuda_running *launch, uint64_t *ns);

/* ---- launch.c -------------------------------------------------------------------------------- */

typedef struct {
    const void *function;
    const unsigned *grid, *block;
    unsigned shared;
    pm_cu_stream stream;
    void **arguments, **extra;
    bool clusters; /* thread blocks are launched in clusters */
} pm_cuda_call;

void pm_cuda_launch_begins(const pm_cupti_call_data *data, const pm_cuda_call *call);
void pm_cuda_launch_ends(const pm_cupti_call_data *data);

#endif
