/* Handles the beginning and the end of a CUDA launch, which is recorded or only timed. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Before a recorded launch, the context is synchronized. No other thread may record until the
 * launch has ended (pm_rec_take_turn).
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/cuda/cuda.h"

/* number of finished launches whose times are read whenever a new launch begins */
enum { HARVEST = 4 };

/* ---- properties of a launch ------------------------------------------------------------------ */

/* Returns the launch's stream. Stream 0 is replaced by the default stream that the called driver
 * function means: the calling thread's default stream if the function's name ends in _ptsz,
 * otherwise the legacy default stream. */
static pm_cu_stream stream_of(const pm_cupti_call_data *data, const pm_cuda_call *call)
{
    const size_t length = strlen(data->function);
    const bool per_thread = length > 5 && strcmp(data->function + length - 5, "_ptsz") == 0;

    if (call->stream)
        return call->stream;
    return (pm_cu_stream)(uintptr_t)(per_thread ? PM_CU_STREAM_PER_THREAD : PM_CU_STREAM_LEGACY);
}

uint64_t pm_cuda_items(const pm_cuda_call *call)
{
    uint64_t items = 1;

    for (int d = 0; d < 3; d++)
        items *= (uint64_t)call->grid[d] * call->block[d];
    return items;
}

static void set_extent(const pm_cuda_call *call, pm_rec_launch *launch)
{
    launch->dimensions = 3;
    for (unsigned d = 0; d < 3; d++) {
        launch->global[d] = (size_t)call->grid[d] * call->block[d];
        launch->local[d] = call->block[d];
    }
    while (launch->dimensions > 1 && launch->global[launch->dimensions - 1] == 1)
        launch->dimensions--;
    launch->shared = call->shared;
}

bool pm_cuda_is_capturing(pm_cu_stream stream)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    int status = 0;

    return cuda->open_captures > 0 || cuda->capturing(stream, &status) != 0 || status != 0;
}

/* ---- before the launch ----------------------------------------------------------------------- */

/* Returns the architecture of a device, such as 90. 0: the driver does not tell it. */
static unsigned arch_of(pm_cu_device device)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    int major = 0, minor = 0;

    if (!cuda->device_attribute ||
        cuda->device_attribute(&major, PM_CU_ATTRIBUTE_MAJOR, device) != 0 ||
        cuda->device_attribute(&minor, PM_CU_ATTRIBUTE_MINOR, device) != 0 || major < 0 ||
        minor < 0)
        return 0;
    return (unsigned)major * 10 + (unsigned)minor;
}

static void tell_device(void)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cu_device device = 0;
    char name[256] = "";

    if (cuda->context_device(&device) != 0 || cuda->device_name(name, sizeof name - 1, device) != 0)
        return;
    pm_rec_lock();
    pm_rec_write_device(name, arch_of(device));
    pm_rec_unlock();
}

pm_rec_launch *pm_cuda_begin_recording(const pm_cuda_kernel *kernel, const pm_cuda_call *call,
                                       pm_left_out *reason)
{
    pm_rec_launch *launch = calloc(1, sizeof *launch);

    *reason = PM_LEFT_UNREADABLE;
    if (!launch)
        return NULL;
    launch->entry = kernel->entry;
    launch->items = pm_cuda_items(call);
    set_extent(call, launch);
    *reason = pm_cuda_layer_get()->synchronize() == 0 ? PM_CAPTURED : PM_LEFT_UNREADABLE;
    if (*reason == PM_CAPTURED)
        *reason = pm_cuda_read_arguments(kernel, call->arguments, call->extra, launch);
    if (*reason == PM_CAPTURED)
        pm_cuda_find_buffer_use(launch);
    if (*reason == PM_CAPTURED)
        *reason = pm_rec_before(launch, pm_cuda_take, launch);
    if (*reason == PM_CAPTURED)
        return launch;
    pm_rec_undone(launch, *reason);
    pm_rec_free_args(launch);
    free(launch);
    return NULL;
}

/* Prepares a launch, before the driver starts it. If the launch is to be recorded, waits until no
 * other thread records a launch (pm_rec_take_turn), and stores the arguments and the contents of
 * buffers in running->recorded. Otherwise running->reason says why not. Sets the members that the
 * code after the launch needs. */
static void begin(const pm_cuda_kernel *kernel, const pm_cuda_call *call, pm_cuda_running *running)
{
    const bool capturing =
        !pm_cuda_layer_get()->has_graphs && pm_cuda_is_capturing(running->stream);

    pm_rec_lock();
    running->entry = kernel->entry;
    running->reason = pm_rec_choose(kernel->entry, running->items);
    if (capturing || call->clusters)
        running->reason = capturing ? PM_LEFT_GRAPH : PM_LEFT_CLUSTERS;
    if (running->reason == PM_CAPTURED) {
        pm_rec_take_turn();
        pm_rec_unlock();
        running->begun = pm_now_s();
        running->recorded = pm_cuda_begin_recording(kernel, call, &running->reason);
        pm_rec_lock();
        if (!running->recorded) {
            pm_rec_spend(running->entry, pm_now_s() - running->begun);
            pm_rec_give_turn();
        }
    }
    pm_rec_unlock();
}

static void start_event(const pm_cupti_call_data *data, pm_cuda_running *running)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    running->context = data->context;
    running->before = pm_now_s();
    if (running->reason == PM_LEFT_GRAPH || (cuda->has_activity && !running->recorded))
        return;
    pm_rec_lock();
    if (!pm_cuda_take_events(data->context, running))
        running->start = NULL;
    pm_rec_unlock();
    if (running->start && running->recorded)
        pm_cuda_hold(data->context, running->stream);
    if (running->start && cuda->event_record(running->start, running->stream) != 0)
        running->start = NULL;
}

void pm_cuda_launch_begins(const pm_cupti_call_data *data, const pm_cuda_call *call)
{
    pm_cuda_running *running = NULL;
    const pm_cuda_kernel *kernel;

    *data->kept = 0;
    if (!pm_recording_get()->active)
        return;
    if (pm_cuda_layer_get()->has_graphs && pm_cuda_is_capturing(stream_of(data, call)))
        return; /* this call adds a kernel to a graph; the kernel runs when the graph is launched */
    kernel = pm_cuda_find_kernel(call->function, data->symbol);
    if (kernel)
        running = calloc(1, sizeof *running);
    if (!running)
        return;
    running->stream = stream_of(data, call);
    running->items = pm_cuda_items(call);
    begin(kernel, call, running);
    start_event(data, running);
    *data->kept = (uintptr_t)running;
}

/* ---- after the launch ------------------------------------------------------------------------ */

void pm_cuda_find_times(pm_rec_launch **launches, size_t count)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    pm_rec_lock();
    cuda->recorded = launches;
    cuda->recorded_count = count;
    pm_rec_unlock();
    pm_cuda_activity_read(false);
    pm_rec_lock();
    cuda->recorded_count = 0;
    pm_rec_unlock();
}

static void end_recording(pm_cuda_running *running, bool launched)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_rec_launch *launch = running->recorded;
    const bool done = launched && cuda->synchronize() == 0;

    if (done)
        pm_cuda_find_times(&launch, 1);
    if (done && launch->ns == 0 && (!running->start || !pm_cuda_elapsed(running, &launch->ns)))
        launch->ns = (uint64_t)((pm_now_s() - running->before) * 1e9);
    if (done) {
        tell_device();
        pm_rec_done(launch, pm_rec_after(launch, pm_cuda_take, launch));
    } else {
        pm_rec_undone(launch, PM_LEFT_UNREADABLE);
    }
    pm_rec_lock();
    pm_rec_spend(running->entry, pm_now_s() - running->begun - (double)launch->ns * 1e-9);
    if (running->start)
        pm_cuda_give_events(running);
    pm_rec_give_turn();
    pm_rec_unlock();
    pm_rec_free_args(launch);
    free(launch);
}

void pm_cuda_launch_ends(const pm_cupti_call_data *data)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    pm_cuda_running *running = (pm_cuda_running *)(uintptr_t)*data->kept;
    const bool launched = data->result && *(const pm_cu_result *)data->result == 0;

    *data->kept = 0;
    if (!running)
        return;
    if (running->start && cuda->event_record(running->end, running->stream) != 0)
        running->start = NULL;
    if (running->recorded) {
        end_recording(running, launched);
    } else if (launched) {
        running->host_ns = (uint64_t)((pm_now_s() - running->before) * 1e9);
        pm_rec_lock();
        pm_recording_get()->number++;
        if (running->start || (cuda->has_activity && running->reason != PM_LEFT_GRAPH))
            pm_cuda_await(running);
        else
            pm_rec_count(running->entry, running->reason, false, 0);
        if (running->reason != PM_LEFT_GRAPH)
            pm_cuda_harvest(HARVEST);
        pm_rec_unlock();
    }
    free(running);
}
