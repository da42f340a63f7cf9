/* Records a kernel launch of the captured program with its arguments and the contents of its
 * buffers before and after it. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All enqueued work of the program is finished first, so that the recorded contents are those that
 * the launch reads. Then the launch runs alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/layer/layer.h"

typedef struct {
    const pm_layer_call *call;
    cl_context context;
    cl_device_id device;
    pm_rec_launch launch;
} recording;

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

cl_int pm_layer_pass_on(const pm_layer_call *call, cl_event *event)
{
    if (call->task)
        return next()->clEnqueueTask(call->queue, call->kernel, call->wait_count, call->wait_list,
                                     event);
    return next()->clEnqueueNDRangeKernel(call->queue, call->kernel, call->dimensions, call->offset,
                                          call->global, call->local, call->wait_count,
                                          call->wait_list, event);
}

/* ---- the arguments --------------------------------------------------------------------------- */

static pm_left_out add_region(recording *r, cl_uint arg, cl_mem handle, bool read_only)
{
    const pm_layer_mem *mem = pm_rec_find(&pm_layer_get()->mems, handle);

    if (!mem)
        return PM_CAPTURED; /* the argument is a plain value and not a buffer */
    if (mem->kind != PM_MEM_BUFFER)
        return mem->kind == PM_MEM_IMAGE ? PM_LEFT_IMAGE : PM_LEFT_PIPE;
    if (mem->bytes > PM_RECORD_LARGEST)
        return PM_LEFT_LARGE;
    r->launch.regions[r->launch.region_count++] = (pm_rec_region){.arg = arg,
                                                                  .handle = handle,
                                                                  .id = mem->id,
                                                                  .offset = mem->offset,
                                                                  .bytes = mem->bytes,
                                                                  .hidden = mem->hidden,
                                                                  .read_only = read_only,
                                                                  .before = SIZE_MAX,
                                                                  .after = SIZE_MAX};
    return PM_CAPTURED;
}

/* Merges the ranges of two overlapping sub-buffers into one range, whose contents are read from
 * their common parent buffer. False if the parent buffer is unknown. */
static bool join(pm_rec_region *one, pm_rec_region *other)
{
    const pm_layer *layer = pm_layer_get();
    const size_t start = one->offset < other->offset ? one->offset : other->offset;
    const size_t end = one->offset + one->bytes > other->offset + other->bytes
                           ? one->offset + one->bytes
                           : other->offset + other->bytes;
    const pm_layer_mem *whole = NULL;

    for (size_t i = 0; !whole && i < layer->mems.count; i++) {
        const pm_layer_mem *mem = layer->mems.items[i];

        if (mem->id == one->id && !mem->part)
            whole = mem;
    }
    /* the parent buffer's handle is valid, because OpenCL keeps a buffer as long as its sub-buffers
     * exist */
    for (size_t i = 0; whole && i < 2; i++) {
        pm_rec_region *region = i ? other : one;

        region->at += region->offset - start;
        region->handle = (cl_mem)(uintptr_t)whole->handle;
        region->start = region->offset = start;
        region->bytes = end - start;
    }
    return whole != NULL;
}

static bool overlap(const pm_rec_region *a, const pm_rec_region *b)
{
    return a->id == b->id && (a->offset != b->offset || a->bytes != b->bytes) &&
           a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Merges overlapping ranges until no two overlap. Most launches have no overlapping ranges. */
static pm_left_out join_all(recording *r)
{
    for (size_t a = 1; a < r->launch.region_count; a++)
        for (size_t b = 0; b < a; b++)
            if (overlap(&r->launch.regions[a], &r->launch.regions[b])) {
                if (!join(&r->launch.regions[a], &r->launch.regions[b]))
                    return PM_LEFT_UNREADABLE;
                /* start again, because the merged range may overlap ranges that were compared
                 * before */
                a = b = 0;
            }
    return PM_CAPTURED;
}

/* Reads the arguments of a launch and the buffer ranges that it uses. The caller must hold the
 * recording's lock (pm_rec_lock()). */
static pm_left_out read_arguments(recording *r, const pm_layer_kernel *kernel)
{
    pm_left_out reason = kernel->arg_count > PM_REC_ARGS ? PM_LEFT_UNSET : PM_CAPTURED;

    for (cl_uint i = 0; reason == PM_CAPTURED && i < kernel->arg_count; i++) {
        const pm_rec_arg *arg = &kernel->args[i];
        cl_mem handle = NULL;

        if (!arg->set)
            return PM_LEFT_UNSET;
        if (!pm_rec_copy_arg(&r->launch.args[i], arg))
            return PM_LEFT_UNREADABLE;
        r->launch.arg_count++;
        if (arg->value && arg->bytes == sizeof(cl_mem))
            memcpy(&handle, arg->value, sizeof handle);
        if (handle && arg->svm)
            reason =
                pm_layer_add_svm(&r->launch, i, (uintptr_t)handle, kernel->entry->read_only[i]);
        else if (handle)
            reason = add_region(r, i, handle, kernel->entry->read_only[i]);
    }
    return reason;
}

/* Adds the shared virtual memory to which pointers in structs by value lead. */
static pm_left_out read_structs(recording *r)
{
    pm_left_out reason = PM_CAPTURED;

    for (unsigned i = 0; reason == PM_CAPTURED && i < r->launch.arg_count; i++)
        if (r->launch.args[i].value && r->launch.args[i].bytes > sizeof(cl_mem))
            reason = pm_layer_add_inner_svm(&r->launch, r->launch.args[i].value,
                                            r->launch.args[i].bytes);
    return reason;
}

static pm_left_out find_arguments(recording *r)
{
    pm_layer *layer = pm_layer_get();
    pm_left_out reason = PM_LEFT_UNSET;
    const pm_layer_kernel *kernel;

    pm_rec_lock();
    kernel = pm_rec_find(&layer->kernels, r->call->kernel);
    if (kernel)
        reason = read_arguments(r, kernel);
    if (reason == PM_CAPTURED)
        reason = join_all(r);
    pm_rec_unlock();
    return reason == PM_CAPTURED ? read_structs(r) : reason;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Waits, before a launch is recorded, until all commands in the queues of its context have
 * finished. Also flushes the queues of other contexts, because commands may wait for events of
 * other contexts. */
static void finish_all(const recording *r)
{
    pm_layer *layer = pm_layer_get();
    cl_command_queue *queues;
    size_t count = 0;

    pm_rec_lock();
    queues = calloc(layer->queues.count + 1, sizeof(cl_command_queue));
    for (size_t i = 0; queues && i < layer->queues.count; i++) {
        const pm_layer_queue *queue = layer->queues.items[i];
        cl_command_queue handle = (cl_command_queue)(uintptr_t)queue->handle;

        if (queue->references == 0 || handle == r->call->queue)
            continue;
        if (next()->clFlush(handle) == CL_SUCCESS && queue->context == r->context &&
            next()->clRetainCommandQueue(handle) == CL_SUCCESS)
            queues[count++] = handle;
    }
    pm_rec_unlock();
    for (size_t i = 0; i < count; i++) {
        next()->clFinish(queues[i]);
        next()->clReleaseCommandQueue(queues[i]);
    }
    free(queues);
    next()->clFinish(r->call->queue);
}

/* Finds the work-group size: from the launch, or else from the kernel's reqd_work_group_size
 * attribute. */
static void find_local(recording *r)
{
    for (cl_uint d = 0; r->call->local && d < r->call->dimensions; d++)
        r->launch.local[d] = r->call->local[d];
    if (!r->call->local && next()->clGetKernelWorkGroupInfo(
                               r->call->kernel, r->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                               sizeof r->launch.local, r->launch.local, NULL) != CL_SUCCESS)
        memset(r->launch.local, 0, sizeof r->launch.local);
}

/* ---- recording ------------------------------------------------------------------------------- */

static void copy_extent(size_t to[3], const size_t *from, cl_uint dimensions)
{
    for (cl_uint d = 0; from && d < dimensions; d++)
        to[d] = from[d];
}

static size_t take(void *user, const pm_rec_region *region, pm_left_out *reason)
{
    recording *r = user;
    const bool before = region->before == SIZE_MAX;

    return pm_layer_snapshot(r->call->queue, r->context, region, before ? &r->launch : NULL,
                             reason);
}

static void tell_device(const recording *r)
{
    char name[256] = "";

    if (next()->clGetDeviceInfo(r->device, CL_DEVICE_NAME, sizeof name - 1, name, NULL) !=
        CL_SUCCESS)
        return;
    pm_rec_lock();
    pm_rec_write_device(name, 0);
    pm_rec_unlock();
}

/* ---- a whole recording ----------------------------------------------------------------------- */

/* Runs the launch and waits for its end. */
static cl_int launch(recording *r)
{
    const double start = pm_now_s();
    cl_event event = NULL;
    cl_int code = pm_layer_pass_on(r->call, &event);

    if (code != CL_SUCCESS)
        return code;
    next()->clFinish(r->call->queue);
    if (!pm_layer_event_ns(event, &r->launch.ns))
        r->launch.ns = (uint64_t)((pm_now_s() - start) * 1e9);
    if (r->call->event)
        *r->call->event = event;
    else
        next()->clReleaseEvent(event);
    return code;
}

static bool run(recording *r, cl_int *code, pm_left_out *reason)
{
    const pm_layer_call *call = r->call;

    if (next()->clGetCommandQueueInfo(call->queue, CL_QUEUE_CONTEXT, sizeof r->context, &r->context,
                                      NULL) != CL_SUCCESS ||
        next()->clGetCommandQueueInfo(call->queue, CL_QUEUE_DEVICE, sizeof r->device, &r->device,
                                      NULL) != CL_SUCCESS)
        return false;
    *reason = find_arguments(r);
    if (*reason != PM_CAPTURED)
        return false;
    find_local(r);
    copy_extent(r->launch.global, call->global, call->dimensions);
    copy_extent(r->launch.offset, call->offset, call->dimensions);
    finish_all(r);
    *reason = pm_rec_before(&r->launch, take, r);
    if (*reason == PM_CAPTURED) {
        *code = launch(r);
        if (*code == CL_SUCCESS) {
            tell_device(r);
            pm_rec_done(&r->launch, pm_rec_after(&r->launch, take, r));
            return true;
        }
    }
    pm_rec_undone(&r->launch, *reason);
    return *reason == PM_CAPTURED;
}

bool pm_layer_record_launch(const pm_layer_call *call, cl_int *code, pm_left_out *reason)
{
    recording *r = calloc(1, sizeof *r);
    const double start = pm_now_s();
    bool launched;

    *reason = PM_LEFT_UNREADABLE;
    if (!r)
        return false;
    r->call = call;
    r->launch.entry = call->entry;
    r->launch.items = call->items;
    r->launch.dimensions = call->dimensions;
    launched = run(r, code, reason);
    pm_rec_lock();
    pm_rec_spend(call->entry, pm_now_s() - start - (double)r->launch.ns * 1e-9);
    pm_rec_unlock();
    pm_rec_free_args(&r->launch);
    free(r);
    return launched;
}
