/* Follows the OpenCL calls by which the captured program creates and releases buffers, images and
 * queues. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>
#include <string.h>

#include "capture/layer/layer.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

static void note_mem(cl_mem handle, pm_layer_mem_kind kind, cl_mem_flags flags, size_t bytes)
{
    pm_layer *layer = pm_layer_get();
    pm_layer_mem *mem;

    if (!handle)
        return;
    pm_rec_lock();
    mem = pm_rec_put(&layer->mems, handle, sizeof *mem, NULL);
    if (mem) {
        mem->kind = kind;
        mem->id = ++pm_recording_get()->next_id;
        mem->bytes = bytes;
        mem->hidden = (flags & (CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_WRITE_ONLY)) != 0;
    }
    pm_rec_unlock();
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes,
                                        void *host, cl_int *code)
{
    cl_mem mem = next()->clCreateBuffer(context, flags, bytes, host, code);

    note_mem(mem, PM_MEM_BUFFER, flags, bytes);
    return mem;
}

static cl_mem CL_API_CALL create_buffer_with(cl_context context,
                                             const cl_mem_properties *properties,
                                             cl_mem_flags flags, size_t bytes, void *host,
                                             cl_int *code)
{
    cl_mem mem =
        next()->clCreateBufferWithProperties(context, properties, flags, bytes, host, code);

    note_mem(mem, PM_MEM_BUFFER, flags, bytes);
    return mem;
}

/* Creates a sub-buffer, and stores it as a range of its parent buffer. */
static cl_mem CL_API_CALL create_sub_buffer(cl_mem buffer, cl_mem_flags flags,
                                            cl_buffer_create_type type, const void *info,
                                            cl_int *code)
{
    cl_mem mem = next()->clCreateSubBuffer(buffer, flags, type, info, code);
    const cl_buffer_region *region = info;
    pm_layer *layer = pm_layer_get();
    pm_layer_mem *part, *whole;

    if (!mem || type != CL_BUFFER_CREATE_TYPE_REGION)
        return mem;
    note_mem(mem, PM_MEM_BUFFER, flags, region->size);
    pm_rec_lock();
    part = pm_rec_find(&layer->mems, mem);
    whole = pm_rec_find(&layer->mems, buffer);
    if (part && whole) {
        part->part = true;
        part->id = whole->id;
        part->offset = whole->offset + region->origin;
        part->hidden |= whole->hidden;
    }
    pm_rec_unlock();
    return mem;
}

static cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags,
                                       const cl_image_format *format, const cl_image_desc *desc,
                                       void *host, cl_int *code)
{
    cl_mem mem = next()->clCreateImage(context, flags, format, desc, host, code);

    note_mem(mem, PM_MEM_IMAGE, flags, 0);
    return mem;
}

static cl_mem CL_API_CALL create_image_with(cl_context context, const cl_mem_properties *properties,
                                            cl_mem_flags flags, const cl_image_format *format,
                                            const cl_image_desc *desc, void *host, cl_int *code)
{
    cl_mem mem =
        next()->clCreateImageWithProperties(context, properties, flags, format, desc, host, code);

    note_mem(mem, PM_MEM_IMAGE, flags, 0);
    return mem;
}

static cl_mem CL_API_CALL create_image_2d(cl_context context, cl_mem_flags flags,
                                          const cl_image_format *format, size_t width,
                                          size_t height, size_t pitch, void *host, cl_int *code)
{
    cl_mem mem = next()->clCreateImage2D(context, flags, format, width, height, pitch, host, code);

    note_mem(mem, PM_MEM_IMAGE, flags, 0);
    return mem;
}

static cl_mem CL_API_CALL create_image_3d(cl_context context, cl_mem_flags flags,
                                          const cl_image_format *format, size_t width,
                                          size_t height, size_t depth, size_t row, size_t slice,
                                          void *host, cl_int *code)
{
    cl_mem mem = next()->clCreateImage3D(context, flags, format, width, height, depth, row, slice,
                                         host, code);

    note_mem(mem, PM_MEM_IMAGE, flags, 0);
    return mem;
}

static cl_mem CL_API_CALL create_pipe(cl_context context, cl_mem_flags flags, cl_uint size,
                                      cl_uint packets, const cl_pipe_properties *properties,
                                      cl_int *code)
{
    cl_mem mem = next()->clCreatePipe(context, flags, size, packets, properties, code);

    note_mem(mem, PM_MEM_PIPE, flags, 0);
    return mem;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void note_queue(cl_command_queue handle, cl_context context, bool timed, bool hide)
{
    pm_layer *layer = pm_layer_get();
    pm_layer_queue *queue;

    if (!handle)
        return;
    pm_rec_lock();
    queue = pm_rec_put(&layer->queues, handle, sizeof *queue, NULL);
    if (queue) {
        queue->context = context;
        queue->references = 1;
        queue->timed = timed;
        queue->hide_timing = hide;
    }
    pm_rec_unlock();
}

/* Creates a queue. Turns on profiling if the device supports it, because launches are timed by
 * their events. */
static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                                 cl_command_queue_properties properties,
                                                 cl_int *code)
{
    const bool asked = (properties & CL_QUEUE_PROFILING_ENABLE) != 0;
    cl_command_queue queue =
        next()->clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, code);

    if (queue || asked) {
        note_queue(queue, context, true, !asked);
        return queue;
    }
    queue = next()->clCreateCommandQueue(context, device, properties, code);
    note_queue(queue, context, false, false);
    return queue;
}

enum { MOST_PROPERTIES = 32 };

/* Copies the list of queue properties and adds profiling. False if the list is too long or already
 * has profiling. */
static bool with_profiling(const cl_queue_properties *list,
                           cl_queue_properties longer[MOST_PROPERTIES])
{
    size_t n = 0;
    bool there = false;

    for (; list && list[n]; n += 2) {
        if (n + 4 >= MOST_PROPERTIES)
            return false;
        longer[n] = list[n];
        longer[n + 1] = list[n + 1];
        if (list[n] != CL_QUEUE_PROPERTIES)
            continue;
        if (list[n + 1] & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE))
            return false;
        longer[n + 1] |= CL_QUEUE_PROFILING_ENABLE;
        there = true;
    }
    if (!there) {
        longer[n++] = CL_QUEUE_PROPERTIES;
        longer[n++] = CL_QUEUE_PROFILING_ENABLE;
    }
    longer[n] = 0;
    return true;
}

static bool is_profiled(cl_command_queue queue)
{
    cl_command_queue_properties properties = 0;

    return queue &&
           next()->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties,
                                         NULL) == CL_SUCCESS &&
           (properties & CL_QUEUE_PROFILING_ENABLE);
}

static cl_command_queue CL_API_CALL create_queue_with(cl_context context, cl_device_id device,
                                                      const cl_queue_properties *properties,
                                                      cl_int *code)
{
    cl_queue_properties longer[MOST_PROPERTIES];
    cl_command_queue queue = NULL;

    if (with_profiling(properties, longer))
        queue = next()->clCreateCommandQueueWithProperties(context, device, longer, code);
    if (queue) {
        note_queue(queue, context, true, true);
        return queue;
    }
    queue = next()->clCreateCommandQueueWithProperties(context, device, properties, code);
    note_queue(queue, context, is_profiled(queue), false);
    return queue;
}

/* Answers queries about a queue. Hides profiling from the program if the program did not ask for
 * it. */
static cl_int CL_API_CALL queue_info(cl_command_queue handle, cl_command_queue_info name,
                                     size_t size, void *value, size_t *size_ret)
{
    cl_int code = next()->clGetCommandQueueInfo(handle, name, size, value, size_ret);
    const pm_layer_queue *queue;

    if (code != CL_SUCCESS || name != CL_QUEUE_PROPERTIES || !value)
        return code;
    pm_rec_lock();
    queue = pm_rec_find(&pm_layer_get()->queues, handle);
    if (queue && queue->hide_timing)
        *(cl_command_queue_properties *)value &=
            ~(cl_command_queue_properties)CL_QUEUE_PROFILING_ENABLE;
    pm_rec_unlock();
    return code;
}

static cl_int CL_API_CALL retain_queue(cl_command_queue handle)
{
    pm_layer_queue *queue;

    pm_rec_lock();
    queue = pm_rec_find(&pm_layer_get()->queues, handle);
    if (queue)
        queue->references++;
    pm_rec_unlock();
    return next()->clRetainCommandQueue(handle);
}

static cl_int CL_API_CALL release_queue(cl_command_queue handle)
{
    pm_layer_queue *queue;
    bool last;

    pm_rec_lock();
    queue = pm_rec_find(&pm_layer_get()->queues, handle);
    last = queue && queue->references > 0 && --queue->references == 0;
    if (last)
        pm_layer_harvest(SIZE_MAX);
    pm_rec_unlock();
    return next()->clReleaseCommandQueue(handle);
}

void pm_layer_fill_objects(pm_layer_dispatch *own)
{
    own->clCreateBuffer = create_buffer;
    own->clCreateBufferWithProperties = create_buffer_with;
    own->clCreateSubBuffer = create_sub_buffer;
    own->clCreateImage = create_image;
    own->clCreateImageWithProperties = create_image_with;
    own->clCreateImage2D = create_image_2d;
    own->clCreateImage3D = create_image_3d;
    own->clCreatePipe = create_pipe;
    own->clCreateCommandQueue = create_queue;
    own->clCreateCommandQueueWithProperties = create_queue_with;
    own->clGetCommandQueueInfo = queue_info;
    own->clRetainCommandQueue = retain_queue;
    own->clReleaseCommandQueue = release_queue;
}
