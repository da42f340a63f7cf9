/* The OpenCL executor: runs workloads on any device of the OpenCL ICD loader, and measures the time
 * of each launch by events.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/executor.h"
#include "collector/opencl/opencl.h"
#include "compiler/language.h"

/* An OpenCL sub-buffer: the part of a workload's buffer from a byte offset to its end. */
typedef struct {
    size_t buffer, offset;
    cl_mem memory;
} buffer_part;

typedef struct {
    pm_executor base;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    pm_once once; /* remembers the notices that were logged, so that each is logged only once */
    /* The following members describe the loaded workload. */
    const pm_workload *workload;
    cl_program program;
    cl_mem *buffers;
    /* saved[buffer]: copy of the buffer's initial contents if they must be restored before each
     * pass over the launches (each launch once), else NULL */
    cl_mem *saved;
    buffer_part *parts;
    size_t part_count;
    cl_kernel *kernels;
    cl_event *events;
} opencl_executor;

static pm_status opencl_fail(const opencl_executor *self, pm_error *err, const char *call,
                             cl_int code)
{
    const pm_workload *w = self->workload;

    return pm_fail(err, PM_FAILED, "%s%s%s%s%s%s%s: %s on %s: %s (%d)", w ? w->program : "",
                   w ? " " : "", w ? w->variant : "", w ? " " : "", w ? w->size : "", w ? " " : "",
                   "OpenCL", call, self->base.device.name, pm_opencl_error_name(code), code);
}

static void opencl_unload(pm_executor *executor)
{
    opencl_executor *self = (opencl_executor *)executor;

    if (!self->workload)
        return;
    for (size_t i = 0; i < self->part_count; i++)
        clReleaseMemObject(self->parts[i].memory);
    for (size_t i = 0; self->buffers && i < self->workload->buffer_count; i++)
        if (self->buffers[i])
            clReleaseMemObject(self->buffers[i]);
    for (size_t i = 0; self->saved && i < self->workload->buffer_count; i++)
        if (self->saved[i])
            clReleaseMemObject(self->saved[i]);
    for (size_t i = 0; self->kernels && i < self->workload->launch_count; i++)
        if (self->kernels[i])
            clReleaseKernel(self->kernels[i]);
    if (self->program)
        clReleaseProgram(self->program);
    free(self->buffers);
    free(self->saved);
    free(self->parts);
    free(self->kernels);
    free(self->events);
    self->buffers = self->saved = NULL;
    self->parts = NULL;
    self->part_count = 0;
    self->kernels = NULL;
    self->events = NULL;
    self->program = NULL;
    self->workload = NULL;
}

static pm_status build_program(opencl_executor *self, pm_error *err)
{
    const pm_opencl_building building = {.context = self->context,
                                         .id = self->device,
                                         .device = &self->base.device,
                                         .workload = self->workload,
                                         .once = &self->once,
                                         .log = &self->base.log};

    return pm_opencl_build(&building, &self->program, err);
}

static pm_status fill_buffer(opencl_executor *self, cl_mem memory, size_t i, pm_error *err)
{
    const pm_buffer *buffer = &self->workload->buffers[i];
    const unsigned char start = buffer->flags & PM_BUFFER_POISON ? 0xff : 0;
    cl_int code;

    if (pm_workload_write(self->workload, i, err) != PM_OK)
        return err->status;
    if (buffer->initial)
        code = clEnqueueWriteBuffer(self->queue, memory, CL_TRUE, 0, buffer->bytes, buffer->initial,
                                    0, NULL, NULL);
    else
        code = clEnqueueFillBuffer(self->queue, memory, &start, 1, 0, buffer->bytes, 0, NULL, NULL);
    return code == CL_SUCCESS ? PM_OK : opencl_fail(self, err, "filling a buffer", code);
}

static pm_status make_buffer(opencl_executor *self, size_t i, pm_error *err)
{
    const pm_buffer *buffer = &self->workload->buffers[i];
    cl_int code;

    self->buffers[i] = clCreateBuffer(self->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(self, err, "clCreateBuffer", code);
    if (fill_buffer(self, self->buffers[i], i, err) != PM_OK)
        return PM_FAILED;
    if (!(buffer->flags & PM_BUFFER_RESTORE))
        return PM_OK;
    self->saved[i] = clCreateBuffer(self->context, CL_MEM_READ_WRITE, buffer->bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(self, err, "clCreateBuffer", code);
    return fill_buffer(self, self->saved[i], i, err);
}

/* Fails if a buffer argument's offset is not a multiple of the device's alignment, because OpenCL
 * then cannot create a sub-buffer. */
static pm_status check_part(const opencl_executor *self, const pm_launch *launch, const pm_arg *arg,
                            pm_error *err)
{
    const pm_workload *w = self->workload;
    cl_uint bits = 8;
    cl_int code =
        clGetDeviceInfo(self->device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL);
    size_t align = bits >= 8 ? bits / 8 : 1;

    if (code != CL_SUCCESS)
        return opencl_fail(self, err, "CL_DEVICE_MEM_BASE_ADDR_ALIGN", code);
    if (arg->offset % align == 0)
        return PM_OK;
    return pm_fail(err, PM_FAILED,
                   "%s %s %s: kernel %s gets buffer %s from byte %zu on, but on %s a part of a "
                   "buffer starts at a multiple of %zu bytes; pass the offset as a number, and let "
                   "the kernel add it",
                   w->program, w->variant, w->size, launch->kernel, w->buffers[arg->buffer].name,
                   arg->offset, self->base.device.name, align);
}

/* Finds OpenCL's memory object for a buffer argument. The object is the whole buffer if the
 * argument's offset is 0, otherwise a sub-buffer that begins at the offset. Arguments with the same
 * buffer and offset get the same object. */
static pm_status find_memory(opencl_executor *self, const pm_launch *launch, const pm_arg *arg,
                             cl_mem *memory, pm_error *err)
{
    const cl_buffer_region region = {arg->offset,
                                     self->workload->buffers[arg->buffer].bytes - arg->offset};
    buffer_part *grown;
    cl_int code;

    *memory = self->buffers[arg->buffer];
    if (arg->offset == 0)
        return PM_OK;
    for (size_t i = 0; i < self->part_count; i++)
        if (self->parts[i].buffer == arg->buffer && self->parts[i].offset == arg->offset) {
            *memory = self->parts[i].memory;
            return PM_OK;
        }
    if (check_part(self, launch, arg, err) != PM_OK)
        return PM_FAILED;
    grown = realloc(self->parts, (self->part_count + 1) * sizeof *grown);
    if (!grown)
        return pm_fail(err, PM_FAILED, "%s: out of memory", self->workload->program);
    self->parts = grown;
    *memory = clCreateSubBuffer(self->buffers[arg->buffer], CL_MEM_READ_WRITE,
                                CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(self, err, "clCreateSubBuffer", code);
    grown[self->part_count++] = (buffer_part){arg->buffer, arg->offset, *memory};
    return PM_OK;
}

static pm_status make_kernel(opencl_executor *self, size_t i, pm_error *err)
{
    const pm_launch *launch = &self->workload->launches[i];
    cl_int code;

    self->kernels[i] = clCreateKernel(self->program, launch->kernel, &code);
    if (code != CL_SUCCESS)
        return opencl_fail(self, err, launch->kernel, code);
    for (size_t a = 0; a < launch->arg_count; a++) {
        const pm_arg *arg = &launch->args[a];
        const void *value = pm_arg_value(arg);
        size_t bytes = arg->bytes;
        cl_mem memory = NULL;

        if (arg->kind == PM_ARG_BUFFER && find_memory(self, launch, arg, &memory, err) != PM_OK)
            return PM_FAILED;
        if (arg->kind == PM_ARG_BUFFER || arg->kind == PM_ARG_NULL) {
            value = &memory;
            bytes = sizeof memory;
        } else if (arg->kind == PM_ARG_LOCAL) {
            value = NULL;
        }
        code = clSetKernelArg(self->kernels[i], (cl_uint)a, bytes, value);
        if (code != CL_SUCCESS)
            return opencl_fail(self, err, "clSetKernelArg", code);
    }
    return PM_OK;
}

/* Returns whether a buffer or a struct argument of the workload has pointers in it. */
static bool has_pointers(const pm_workload *workload)
{
    for (size_t i = 0; i < workload->buffer_count; i++)
        if (workload->buffers[i].pointers.count > 0)
            return true;
    for (size_t l = 0; l < workload->launch_count; l++)
        for (size_t a = 0; a < workload->launches[l].arg_count; a++)
            if (workload->launches[l].args[a].pointers.count > 0)
                return true;
    return false;
}

static pm_status opencl_load(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    opencl_executor *self = (opencl_executor *)executor;
    pm_status status;

    opencl_unload(executor);
    self->workload = workload;
    self->buffers = calloc(workload->buffer_count + 1, sizeof *self->buffers);
    self->saved = calloc(workload->buffer_count + 1, sizeof *self->saved);
    self->kernels = calloc(workload->launch_count, sizeof *self->kernels);
    self->events = calloc(workload->launch_count, sizeof *self->events);
    if (has_pointers(workload))
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: pointers in buffers or in struct arguments cannot be given to an "
                         "OpenCL device, whose buffers have no addresses: collect --device none "
                         "--counters trace counts it",
                         workload->program);
    else if (pm_language_of(workload->source_path) == PM_LANGUAGE_PTX)
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: kernels in PTX run on GPUs of NVIDIA alone, and not on %s: collect "
                         "--device none --counters trace counts them",
                         workload->source_path, executor->device.name);
    else if (pm_language_of(workload->source_path) == PM_LANGUAGE_CUDA)
        status = pm_fail(err, PM_BAD_INPUT,
                         "%s: CUDA sources run on GPUs of NVIDIA alone, and not on %s: collect "
                         "--device none --counters trace counts them",
                         workload->source_path, executor->device.name);
    else if (!self->buffers || !self->saved || !self->kernels || !self->events)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    else
        status = build_program(self, err);
    for (size_t i = 0; status == PM_OK && i < workload->buffer_count; i++)
        status = make_buffer(self, i, err);
    for (size_t i = 0; status == PM_OK && i < workload->launch_count; i++)
        status = make_kernel(self, i, err);
    if (status == PM_OK) {
        cl_int code = clFinish(self->queue);

        if (code != CL_SUCCESS)
            status = opencl_fail(self, err, "clFinish", code);
    }
    if (status != PM_OK)
        opencl_unload(executor);
    return status;
}

static pm_status restore_buffers(opencl_executor *self, pm_error *err)
{
    for (size_t i = 0; i < self->workload->buffer_count; i++) {
        cl_int code;

        if (!self->saved[i])
            continue;
        code = clEnqueueCopyBuffer(self->queue, self->saved[i], self->buffers[i], 0, 0,
                                   self->workload->buffers[i].bytes, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return opencl_fail(self, err, "clEnqueueCopyBuffer", code);
    }
    return PM_OK;
}

/* Sets *seconds to the time between a launch's start and end on the device, from its event. */
static pm_status launch_seconds(opencl_executor *self, size_t i, double *seconds, pm_error *err)
{
    cl_ulong start = 0, end = 0;
    cl_int code = clGetEventProfilingInfo(self->events[i], CL_PROFILING_COMMAND_START, sizeof start,
                                          &start, NULL);

    if (code == CL_SUCCESS)
        code = clGetEventProfilingInfo(self->events[i], CL_PROFILING_COMMAND_END, sizeof end, &end,
                                       NULL);
    if (code != CL_SUCCESS)
        return opencl_fail(self, err, "clGetEventProfilingInfo", code);
    *seconds = end > start ? (double)(end - start) * 1e-9 : 0;
    return PM_OK;
}

static void release_events(opencl_executor *self)
{
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        if (self->events[i])
            clReleaseEvent(self->events[i]);
        self->events[i] = NULL;
    }
}

/* Enqueues all launches of the loaded workload. timed: true if an event is recorded for each
 * launch. */
static pm_status enqueue_launches(opencl_executor *self, bool timed, pm_error *err)
{
    for (size_t i = 0; i < self->workload->launch_count; i++) {
        const pm_launch *launch = &self->workload->launches[i];
        cl_int code = clEnqueueNDRangeKernel(self->queue, self->kernels[i], launch->dimensions,
                                             launch->offset, launch->global, launch->local, 0, NULL,
                                             timed ? &self->events[i] : NULL);

        if (code != CL_SUCCESS)
            return opencl_fail(self, err, launch->kernel, code);
    }
    return PM_OK;
}

static pm_status opencl_run(pm_executor *executor, double *seconds, pm_error *err)
{
    opencl_executor *self = (opencl_executor *)executor;
    pm_status status = restore_buffers(self, err);
    cl_int code;

    if (status == PM_OK)
        status = enqueue_launches(self, true, err);
    code = clFinish(self->queue);
    if (status == PM_OK && code != CL_SUCCESS)
        status = opencl_fail(self, err, "clFinish", code);
    for (size_t i = 0; status == PM_OK && seconds && i < self->workload->launch_count; i++)
        status = launch_seconds(self, i, &seconds[i], err);
    release_events(self);
    return status;
}

static pm_status opencl_repeat(pm_executor *executor, size_t passes, pm_error *err)
{
    opencl_executor *self = (opencl_executor *)executor;
    pm_status status = PM_OK;
    cl_int code;

    for (size_t pass = 0; status == PM_OK && pass < passes; pass++)
        status = enqueue_launches(self, false, err);
    code = clFinish(self->queue);
    if (status == PM_OK && code != CL_SUCCESS)
        status = opencl_fail(self, err, "clFinish", code);
    return status;
}

static pm_status opencl_read(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    opencl_executor *self = (opencl_executor *)executor;
    cl_int code = clEnqueueReadBuffer(self->queue, self->buffers[buffer], CL_TRUE, 0,
                                      self->workload->buffers[buffer].bytes, dst, 0, NULL, NULL);

    return code == CL_SUCCESS ? PM_OK : opencl_fail(self, err, "clEnqueueReadBuffer", code);
}

static void opencl_close(pm_executor *executor)
{
    opencl_executor *self = (opencl_executor *)executor;

    if (!self)
        return;
    opencl_unload(executor);
    if (self->queue)
        clReleaseCommandQueue(self->queue);
    if (self->context)
        clReleaseContext(self->context);
    pm_once_clear(&self->once);
    free(self);
}

static pm_status opencl_code(pm_executor *executor, pm_device_code *code, pm_error *err)
{
    size_t size;

    code->compiled = NULL;
    return pm_executor_opencl_binary(executor, &code->ptx, &size, err);
}

static const pm_executor_class opencl_class = {
    .name = "opencl",
    .load = opencl_load,
    .run = opencl_run,
    .repeat = opencl_repeat,
    .read = opencl_read,
    .code = opencl_code,
    .unload = opencl_unload,
    .close = opencl_close,
};

pm_status pm_executor_opencl_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err)
{
    opencl_executor *self = calloc(1, sizeof *self);
    cl_platform_id platform;
    cl_int code;

    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the OpenCL executor");
    self->base = (pm_executor){.type = &opencl_class, .device = *device};
    if (log)
        self->base.log = *log;
    if (pm_opencl_device(device, &platform, &self->device, err) != PM_OK) {
        free(self);
        return PM_FAILED;
    }
    self->context = clCreateContext(NULL, 1, &self->device, NULL, NULL, &code);
    if (code == CL_SUCCESS)
        self->queue =
            clCreateCommandQueue(self->context, self->device, CL_QUEUE_PROFILING_ENABLE, &code);
    if (code != CL_SUCCESS) {
        pm_status status = opencl_fail(self, err, "creating a context and queue", code);

        opencl_close(&self->base);
        return status;
    }
    *out = &self->base;
    return PM_OK;
}

pm_status pm_executor_opencl_binary(pm_executor *opencl, char **text, size_t *size, pm_error *err)
{
    opencl_executor *self = (opencl_executor *)opencl;
    const char *call;
    cl_int code;

    if (!self->program)
        return pm_fail(err, PM_FAILED, "no program is loaded to take a binary from");
    code = pm_opencl_binary(self->program, text, size, &call);
    return code == CL_SUCCESS ? PM_OK : opencl_fail(self, err, call, code);
}
