/* A launch with its arguments and what its buffers hold before and after it. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All that the program has enqueued so far is finished first, so that the contents are those which
 * the launch will find; then the launch runs alone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/layer/layer.h"

typedef struct {
    const pm_layer_call *call;
    cl_context context;
    cl_device_id device;
    size_t region_count;
    pm_layer_region regions[PM_LAYER_ARGS];
    size_t local[3];
    cl_uint arg_count;
    pm_layer_arg args[PM_LAYER_ARGS]; /* copies */
    uint64_t ns;
} recording;

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

/* ---- the arguments --------------------------------------------------------------------------- */

static pm_left_out add_region(recording *r, cl_uint arg, cl_mem handle, bool read_only)
{
    const pm_layer_mem *mem = pm_layer_find(&pm_layer_get()->mems, handle);

    if (!mem)
        return PM_CAPTURED; /* a value */
    if (mem->kind != PM_MEM_BUFFER)
        return mem->kind == PM_MEM_IMAGE ? PM_LEFT_IMAGE : PM_LEFT_PIPE;
    if (mem->bytes > PM_RECORD_LARGEST)
        return PM_LEFT_LARGE;
    r->regions[r->region_count++] = (pm_layer_region){.arg = arg,
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

/* Parts of a buffer that overlap become all of what they have together, read by the whole buffer.
 * false: that is not known. */
static bool join(pm_layer_region *one, pm_layer_region *other)
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
    for (size_t i = 0; whole && i < 2; i++) { /* which lives as long as its parts */
        pm_layer_region *region = i ? other : one;

        region->at += region->offset - start;
        region->handle = (cl_mem)(uintptr_t)whole->handle;
        region->start = region->offset = start;
        region->bytes = end - start;
    }
    return whole != NULL;
}

static bool overlap(const pm_layer_region *a, const pm_layer_region *b)
{
    return a->id == b->id && (a->offset != b->offset || a->bytes != b->bytes) &&
           a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes;
}

/* Until none overlap, which they do for the most part not at all. */
static pm_left_out join_all(recording *r)
{
    for (size_t a = 1; a < r->region_count; a++)
        for (size_t b = 0; b < a; b++)
            if (overlap(&r->regions[a], &r->regions[b])) {
                if (!join(&r->regions[a], &r->regions[b]))
                    return PM_LEFT_UNREADABLE;
                a = b = 0; /* what grew may overlap others */
            }
    return PM_CAPTURED;
}

static bool copy_arg(pm_layer_arg *to, const pm_layer_arg *from)
{
    *to = *from;
    if (!from->value)
        return true;
    to->value = malloc(from->bytes + 1);
    if (to->value)
        memcpy(to->value, from->value, from->bytes);
    return to->value != NULL;
}

/* The lock is held. */
static pm_left_out read_arguments(recording *r, const pm_layer_kernel *kernel)
{
    pm_left_out reason = kernel->arg_count > PM_LAYER_ARGS ? PM_LEFT_UNSET : PM_CAPTURED;

    for (cl_uint i = 0; reason == PM_CAPTURED && i < kernel->arg_count; i++) {
        const pm_layer_arg *arg = &kernel->args[i];
        cl_mem handle = NULL;

        if (!arg->set || arg->svm)
            return arg->svm ? PM_LEFT_SVM : PM_LEFT_UNSET;
        if (!copy_arg(&r->args[i], arg))
            return PM_LEFT_UNREADABLE;
        r->arg_count++;
        if (arg->value && arg->bytes == sizeof(cl_mem))
            memcpy(&handle, arg->value, sizeof handle);
        if (handle)
            reason = add_region(r, i, handle, kernel->entry->read_only[i]);
    }
    return reason;
}

static pm_left_out find_arguments(recording *r)
{
    pm_layer *layer = pm_layer_get();
    pm_left_out reason = PM_LEFT_UNSET;
    const pm_layer_kernel *kernel;

    pm_layer_lock();
    kernel = pm_layer_find(&layer->kernels, r->call->kernel);
    if (kernel)
        reason = read_arguments(r, kernel);
    if (reason == PM_CAPTURED)
        reason = join_all(r);
    pm_layer_unlock();
    return reason;
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Everything of the context is finished; what other contexts have is on its way. */
static void finish_all(const recording *r)
{
    pm_layer *layer = pm_layer_get();
    cl_command_queue *queues;
    size_t count = 0;

    pm_layer_lock();
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
    pm_layer_unlock();
    for (size_t i = 0; i < count; i++) {
        next()->clFinish(queues[i]);
        next()->clReleaseCommandQueue(queues[i]);
    }
    free(queues);
    next()->clFinish(r->call->queue);
}

/* The size of the work-groups: what the program says, else what the kernel says. */
static void find_local(recording *r)
{
    for (cl_uint d = 0; r->call->local && d < r->call->dimensions; d++)
        r->local[d] = r->call->local[d];
    if (!r->call->local && next()->clGetKernelWorkGroupInfo(
                               r->call->kernel, r->device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                               sizeof r->local, r->local, NULL) != CL_SUCCESS)
        memset(r->local, 0, sizeof r->local);
}

/* ---- contents -------------------------------------------------------------------------------- */

static pm_left_out snapshot_before(recording *r)
{
    pm_left_out reason = PM_CAPTURED;

    for (size_t i = 0; i < r->region_count; i++) {
        r->regions[i].before =
            pm_layer_snapshot(r->call->queue, r->context, &r->regions[i], &reason);
        if (r->regions[i].before == SIZE_MAX)
            return reason;
    }
    return PM_CAPTURED;
}

static pm_left_out snapshot_after(recording *r)
{
    pm_left_out reason = PM_CAPTURED;

    for (size_t i = 0; i < r->region_count; i++) {
        if (r->regions[i].read_only)
            continue;
        r->regions[i].after =
            pm_layer_snapshot(r->call->queue, r->context, &r->regions[i], &reason);
        if (r->regions[i].after == SIZE_MAX)
            return reason;
    }
    return PM_CAPTURED;
}

static void leave_contents(const recording *r)
{
    for (size_t i = 0; i < r->region_count; i++) {
        if (r->regions[i].before != SIZE_MAX)
            pm_layer_contents_leave(r->regions[i].before);
        if (r->regions[i].after != SIZE_MAX)
            pm_layer_contents_leave(r->regions[i].after);
    }
}

/* ---- the record ------------------------------------------------------------------------------ */

static void add_extent(pm_text *record, const size_t *values, cl_uint dimensions)
{
    for (cl_uint d = 0; d < dimensions; d++)
        pm_text_add(record, "%s%zu", d ? "," : " ", values ? values[d] : 0);
}

static void add_argument(pm_text *record, const recording *r, cl_uint i)
{
    const pm_layer *layer = pm_layer_get();
    const pm_layer_arg *arg = &r->args[i];
    size_t n = 0;

    while (n < r->region_count && r->regions[n].arg != i)
        n++;
    if (n < r->region_count) {
        const pm_layer_region *region = &r->regions[n];

        pm_text_add(record, " buffer:%u:%zu:%zu:%zu:%s:%s", region->id, region->offset,
                    region->bytes, region->at, layer->contents[region->before].id,
                    region->after == SIZE_MAX ? "-" : layer->contents[region->after].id);
        return;
    }
    if (!arg->value) {
        pm_text_add(record, " local:%zu", arg->bytes);
        return;
    }
    pm_text_add(record, " value:");
    for (size_t b = 0; b < arg->bytes; b++)
        pm_text_add(record, "%02x", ((const unsigned char *)arg->value)[b]);
}

static void tell_device(const recording *r)
{
    pm_layer *layer = pm_layer_get();
    pm_text record = {0};
    char name[256] = "";

    if (layer->told_device || next()->clGetDeviceInfo(r->device, CL_DEVICE_NAME, sizeof name - 1,
                                                      name, NULL) != CL_SUCCESS)
        return;
    pm_text_add(&record, "device");
    pm_layer_word(&record, name);
    layer->told_device = pm_layer_record(&record);
}

/* The lock is held. */
static bool write_record(const recording *r, uint64_t number)
{
    const pm_layer_call *call = r->call;
    pm_text record = {0};

    tell_device(r);
    pm_layer_write_entry(call->entry);
    pm_text_add(&record, "launch %llu %u %llu", (unsigned long long)number, call->entry->id,
                (unsigned long long)r->ns);
    add_extent(&record, call->global, call->dimensions);
    add_extent(&record, r->local, call->dimensions);
    add_extent(&record, call->offset, call->dimensions);
    for (cl_uint i = 0; i < r->arg_count; i++)
        add_argument(&record, r, i);
    return pm_layer_record(&record);
}

static bool keep(const recording *r, uint64_t number)
{
    pm_layer_kept kept = {.number = number, .ns = r->ns, .entry = r->call->entry};

    kept.contents = calloc(2 * r->region_count + 1, sizeof *kept.contents);
    for (size_t i = 0; kept.contents && i < r->region_count; i++) {
        kept.contents[kept.contents_count++] = r->regions[i].before;
        if (r->regions[i].after != SIZE_MAX)
            kept.contents[kept.contents_count++] = r->regions[i].after;
    }
    if (kept.contents && pm_layer_keep(&kept))
        return true;
    free(kept.contents);
    return false;
}

/* Counts the launch; with what it needs if it can be recorded. */
static void record(const recording *r, pm_left_out reason)
{
    pm_layer *layer = pm_layer_get();
    uint64_t number;

    pm_layer_lock();
    number = layer->number++;
    pm_layer_learn(r->call->entry, r->call->items, r->ns);
    if (reason == PM_CAPTURED && !write_record(r, number))
        reason = PM_LEFT_UNREADABLE;
    pm_layer_count(r->call->entry, reason, true, r->ns);
    r->call->entry->too_large |= reason == PM_LEFT_BYTES;
    if (reason != PM_CAPTURED)
        leave_contents(r);
    else
        keep(r, number);
    pm_layer_unlock();
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Runs it and waits. */
static cl_int launch(recording *r)
{
    const double start = pm_now_s();
    cl_event event = NULL;
    cl_int code = pm_layer_pass_on(r->call, &event);

    if (code != CL_SUCCESS)
        return code;
    next()->clFinish(r->call->queue);
    if (!pm_layer_event_ns(event, &r->ns))
        r->ns = (uint64_t)((pm_now_s() - start) * 1e9);
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
    finish_all(r);
    *reason = snapshot_before(r);
    if (*reason == PM_CAPTURED) {
        *code = launch(r);
        if (*code == CL_SUCCESS) {
            record(r, snapshot_after(r));
            return true;
        }
    }
    pm_layer_lock();
    leave_contents(r);
    call->entry->too_large |= *reason == PM_LEFT_BYTES;
    pm_layer_unlock();
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
    launched = run(r, code, reason);
    pm_layer_lock();
    pm_layer_get()->spent += pm_now_s() - start - (double)r->ns * 1e-9;
    pm_layer_unlock();
    for (cl_uint i = 0; i < r->arg_count; i++)
        free(r->args[i].value);
    free(r);
    return launched;
}
