/* Copies the contents of an OpenCL buffer, or of shared virtual memory (SVM), of the captured
 * program to the files of the records. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/layer/layer.h"

typedef struct {
    cl_command_queue queue;
    const pm_rec_region *region;
    /* launch to which the shared virtual memory is added that pointers in the contents lead to;
     * NULL: pointers are not searched */
    pm_rec_launch *launch;
    pm_left_out reason;
    /* copy of the buffer that the host can read, if the buffer itself must not be read by the host;
     * else NULL */
    cl_mem beside;
} reader;

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

/* Copies bytes from byte `offset` of the buffer, or from the address `offset`, to the host. */
static bool copy(const reader *r, size_t offset, size_t bytes, void *to)
{
    cl_mem from = (cl_mem)(uintptr_t)r->region->handle;

    if (!from)
        return next()->clEnqueueSVMMemcpy(r->queue, CL_TRUE, to, (const void *)offset, bytes, 0,
                                          NULL, NULL) == CL_SUCCESS;
    if (r->beside) {
        if (next()->clEnqueueCopyBuffer(r->queue, from, r->beside, offset, 0, bytes, 0, NULL,
                                        NULL) != CL_SUCCESS ||
            next()->clFinish(r->queue) != CL_SUCCESS)
            return false;
        from = r->beside;
        offset = 0;
    }
    return next()->clEnqueueReadBuffer(r->queue, from, CL_TRUE, offset, bytes, to, 0, NULL, NULL) ==
           CL_SUCCESS;
}

static bool read_chunk(void *user, size_t offset, size_t bytes, void *to)
{
    reader *r = user;

    if (!copy(r, r->region->start + offset, bytes, to))
        return false;
    if (r->launch)
        r->reason = pm_layer_add_inner_svm(r->launch, to, bytes);
    return r->reason == PM_CAPTURED;
}

size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_rec_region *region,
                         pm_rec_launch *launch, pm_left_out *reason)
{
    const size_t chunk = region->bytes < PM_REC_CHUNK ? region->bytes : PM_REC_CHUNK;
    reader r = {.queue = queue, .region = region, .launch = launch};
    size_t index = SIZE_MAX;
    cl_int code = CL_SUCCESS;

    *reason = PM_LEFT_UNREADABLE;
    if (region->hidden)
        r.beside = next()->clCreateBuffer(context, CL_MEM_READ_WRITE, chunk, NULL, &code);
    if (code == CL_SUCCESS)
        index = pm_rec_snapshot(read_chunk, &r, region->bytes, reason);
    if (r.reason != PM_CAPTURED)
        *reason = r.reason;
    if (r.beside)
        next()->clReleaseMemObject(r.beside);
    return index;
}
