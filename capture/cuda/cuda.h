/* The library that perfmodel injects into a running CUDA program to record its kernel launches.
 * CUDA's driver loads it because its path is in the environment variable CUDA_INJECTION64_PATH.
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

/* A kernel of the captured program. Its handle is the CUfunction or CUkernel that the program
 * passes to launch it. */
typedef struct {
    const void *handle;
    pm_rec_entry *entry;
    bool laid_out; /* true: the sizes and offsets of its parameters are known */
    unsigned param_count;
    struct {
        size_t offset, bytes;
    } params[PM_REC_ARGS];
    /* id of the stored image (PTX, cubin or fatbin) that has the kernel; "": not known */
    char image[40];
    /* number of variables in the __constant__ memory of the kernel's module */
    unsigned symbol_count;
    struct {
        const char *name;
        pm_cu_pointer at;
        size_t bytes;
    } symbols[PM_CUDA_SYMBOLS];
} pm_cuda_kernel;

/* An image (PTX, cubin or fatbin) that was copied to the records. id: name of its file. */
typedef struct {
    char id[40]; /* name of its contents */
} pm_cuda_image;

/* A module that the program loaded. Its handle is the CUmodule. */
typedef struct {
    const void *handle;
    /* number of the module's image in pm_cuda_layer.images, from 1; 0: the image is not stored */
    uint64_t image;
} pm_cuda_loaded;

/* An allocation of GPU memory. Its handle is its start address. */
typedef struct {
    const void *handle;
    unsigned id;
    size_t bytes;
} pm_cuda_memory;

/* A launch that has not ended yet, or whose time is not known yet. reason: PM_CAPTURED, or why the
 * launch is not recorded. items: number of work-items. */
typedef struct {
    pm_rec_entry *entry;
    pm_left_out reason;
    uint64_t items;
    pm_cu_stream stream;
    pm_cu_context context;
    pm_cu_event start, end;  /* NULL: the launch has none */
    uint32_t correlation;    /* CUPTI's correlation id of the launch, which its records repeat */
    pm_rec_launch *recorded; /* record of the launch; NULL: the launch is only timed */
    /* Times of the host in seconds (pm_now_s). begun: when this library began to record the launch;
     * before: when the program's call that launches it began. */
    double begun, before;
    /* time from the start of the program's launch call until the host had submitted the launch,
     * ns */
    uint64_t host_ns;
} pm_cuda_running;

/* The kernel that pm_cuda_hold launches to keep the GPU busy while the host submits a launch of the
 * program. There is one for each CUDA context. */
typedef struct {
    const void *handle;
    /* the loaded kernel that keeps the GPU busy; NULL: it could not be loaded */
    pm_cu_function function;
    bool looked_for;
} pm_cuda_hold_kernel;

/* A pair of CUDA events, created to time a launch, that no launch uses at present and that can
 * be used again. */
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
    PM_CUPTI_ACTIVITY_FUNCTIONS(PM_CUPTI_MEMBER)
#undef PM_CUPTI_MEMBER
    pm_cupti_subscriber subscriber;

    /* id of the only program in the records of this process, to which all its kernels belong; 0:
     * not recorded yet */
    unsigned program;
    bool has_activity; /* true: the times of launches come from CUPTI's activity records */
    double next_read;  /* time at which the records are read again (pm_now_s) */
    /* number of streams that are being captured into CUDA graphs; launches into them do not run
     * yet */
    unsigned open_captures;
    bool has_graphs; /* true: the driver tells which kernels a graph has */
    pm_rec_table kernels, memories, holds, graphs, modules;
    size_t image_count;
    pm_cuda_image *images;
    /* Names of the variables in __constant__ memory of all modules. A separate lock protects them,
     * because CUPTI reports a new module while the driver holds its own locks. While constants_lock
     * is held, no driver function may be called, because it could wait for the driver's locks. */
    pthread_mutex_t constants_lock;
    size_t constant_count;
    char **constants;
    /* recorded launches that have ended and whose times CUPTI may still report; a launch's time is
     * 0 until then */
    pm_rec_launch **recorded;
    size_t recorded_count;
    /* Launches that are timed but not recorded, oldest first, from running[running_first] on. */
    size_t running_first, running_count, running_room;
    pm_cuda_running *running;
    size_t event_count, event_room;
    pm_cuda_events *events;
} pm_cuda_layer;

pm_cuda_layer *pm_cuda_layer_get(void);

/* ---- kernels.c ------------------------------------------------------------------------------- */

/* Finds the kernel of a launch. handle: CUfunction or CUkernel of the launch. name: the kernel's
 * name; NULL if CUPTI did not report it. NULL if the kernel cannot be identified. The caller must
 * not hold the recording's lock (pm_rec_lock()). */
const pm_cuda_kernel *pm_cuda_find_kernel(const void *handle, const char *name);
/* Forgets all kernels when a module is unloaded, because the driver may reuse their handles. The
 * caller must hold the recording's lock (pm_rec_lock()). */
void pm_cuda_forget_kernels(void);

/* ---- modules.c ------------------------------------------------------------------------------- */

/* Adds the names of the __constant__ variables in a cubin to pm_cuda_layer.constants. */
void pm_cuda_note_constants(const void *cubin, size_t bytes);

/* ---- images.c: the caller must hold the recording's lock (pm_rec_lock()) ----------------------
 */

/* Copies an image (PTX, cubin or fatbin) in the program's memory into the records. The image's
 * header states its size. Returns the image's number, or 0 if the image is not stored. */
uint64_t pm_cuda_keep_image(const void *image);
/* Copies an image of `bytes` bytes into the records. Returns the image's number, or 0 if the image
 * is not stored. */
uint64_t pm_cuda_keep_bytes(const void *image, size_t bytes);
/* Copies the image in a file into the records. Returns the image's number, or 0 if the image is not
 * stored. */
uint64_t pm_cuda_keep_file(const char *path);
/* Handles the end of a call that has loaded a module from an image. image: the image's number. */
void pm_cuda_module_loaded(const void *handle, uint64_t image);
/* Sets `id` to the id of the stored image of a module: the name of its file. handle: CUmodule. ""
 * if the image is not stored. */
void pm_cuda_image_of(const void *handle, char id[40]);

/* ---- arguments.c: the caller must not hold the lock ------------------------------------------ */

/* Reads the arguments of a launch: values, and the GPU allocations to which pointers point. Returns
 * PM_CAPTURED, or the reason why the launch cannot be recorded. */
pm_left_out pm_cuda_read_arguments(const pm_cuda_kernel *kernel, void **arguments, void **extra,
                                   pm_rec_launch *launch);
/* Copies a range of GPU memory to a file of the records, unless equal contents are stored already.
 * Returns the index of the contents in pm_recording.contents; SIZE_MAX, with *reason set, on
 * failure. pm_rec_before and pm_rec_after call it for each range. user: the pm_rec_launch. */
size_t pm_cuda_take(void *user, const pm_rec_region *region, pm_left_out *reason);

/* ---- buffer_use.c: the caller must not hold the lock -------------------------------------------
 */

/* Marks those buffers of a launch that the kernel does not write, and those whose contents need not
 * be stored, if the launch has large buffers. Asks perfmodel about the kernel once. */
void pm_cuda_find_buffer_use(pm_rec_launch *launch);

/* ---- hold.c ------------------------------------------------------------------------------------
 */

/* Runs a kernel that keeps the stream busy while the host submits the launch. An event before the
 * launch then gets its timestamp when the launch starts. If the GPU were idle, the event would get
 * its timestamp too early. The caller must not hold the recording's lock (pm_rec_lock()). */
void pm_cuda_hold(pm_cu_context context, pm_cu_stream stream);
/* Forgets the kernels of pm_cuda_hold after their contexts were destroyed. The caller must hold the
 * recording's lock (pm_rec_lock()). */
void pm_cuda_forget_holds(void);

/* ---- activity.c: the caller must not hold the lock --------------------------------------------
 */

/* Makes CUPTI time all kernels, if it can. */
void pm_cuda_activity_open(void);
/* Makes CUPTI pass its records of ended kernels to this library. all: true to also get buffers that
 * CUPTI has not filled yet, at the end of the program. */
void pm_cuda_activity_read(bool all);
/* Calls pm_cuda_activity_read(false), but at most twenty times a second. Call it when the program
 * has waited for the GPU, because records of the kernels are then complete. */
void pm_cuda_activity_wait(void);

/* ---- timing.c: the caller must hold the lock unless a comment says otherwise ----------------- */

/* Sets launch->start and launch->end to CUDA events that will time the launch. False if they cannot
 * be created. */
bool pm_cuda_take_events(pm_cu_context context, pm_cuda_running *launch);
void pm_cuda_give_events(const pm_cuda_running *launch);
void pm_cuda_await(const pm_cuda_running *launch);
/* Reads the times of at most `most` finished launches, oldest first. */
void pm_cuda_harvest(size_t most);
/* Adds all launches that have not ended to the statistics, with their times if known. Then discards
 * all CUDA events, before their context is destroyed or the program ends. driver: true if driver
 * functions may be called; the driver may already be unloaded at exit. */
void pm_cuda_settle(bool driver);
bool pm_cuda_elapsed(const pm_cuda_running *launch, uint64_t *ns);
/* Handles CUPTI's record of a kernel: its mangled name, the number of its work-items, and its time
 * in ns. */
void pm_cuda_kernel_ended(const char *name, uint64_t items, uint64_t ns);

/* ---- launch.c -------------------------------------------------------------------------------- */

typedef struct {
    const void *function;
    const unsigned *grid, *block;
    unsigned shared;
    pm_cu_stream stream;
    void **arguments, **extra;
    bool clusters; /* true: thread blocks are launched in clusters */
} pm_cuda_call;

/* Returns the number of work-items of a launch. */
uint64_t pm_cuda_items(const pm_cuda_call *call);
/* Starts recording a launch: reads its arguments, and copies the contents of its buffers to files.
 * NULL with *reason set if the launch cannot be recorded. The calling thread must have called
 * pm_rec_take_turn(). */
pm_rec_launch *pm_cuda_begin_recording(const pm_cuda_kernel *kernel, const pm_cuda_call *call,
                                       pm_left_out *reason);
/* Sets the times of recorded launches that have ended, from CUPTI's activity records. If CUPTI has
 * no record of a launch, its time stays 0. */
void pm_cuda_find_times(pm_rec_launch **launches, size_t count);
/* Returns true if a stream is being captured into a CUDA graph. Waiting for the stream is then
 * forbidden. */
bool pm_cuda_is_capturing(pm_cu_stream stream);
void pm_cuda_launch_begins(const pm_cupti_call_data *data, const pm_cuda_call *call);
void pm_cuda_launch_ends(const pm_cupti_call_data *data);

/* ---- graphs.c -------------------------------------------------------------------------------- */

/* Reads the kernels of a graph from which the program has made an instance (a CUgraphExec). */
void pm_cuda_graph_made(const void *handle, const void *from);
/* Forgets the kernels of a CUDA graph instance (CUgraphExec) that is destroyed or changed. */
void pm_cuda_graph_forget(const void *handle);
/* These functions handle the beginning and the end of the program's call that launches a CUDA graph
 * instance (CUgraphExec). */
void pm_cuda_graph_begins(const pm_cupti_call_data *data, const void *handle, pm_cu_stream stream);
void pm_cuda_graph_ends(const pm_cupti_call_data *data);

#endif
