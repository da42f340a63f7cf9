/* Copies the contents of an OpenCL buffer of the captured program to the files of the records. See
 * layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "capture/layer/layer.h"

typedef struct {
    cl_command_queue queue;
    const pm_rec_region *region;
    /* copy of the buffer that the host can read, if the buffer itself must not be read by the host;
     * else NULL */
    cl_mem beside;
} reader;

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

static bool read_chunk(void *user, size_t offset, size_t bytes, void *to)
{
    const reader *r = user;
    cl_mem from = (cl_mem)(uintptr_t)r->region->handle;

    offset += r->region->start;
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

size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_rec_region *region,
                         pm_left_out *reason)
{
    const size_t chunk = region->bytes < PM_REC_CHUNK ? region->bytes : PM_REC_CHUNK;
    reader r = {.queue = queue, .region = region};
    size_t index = SIZE_MAX;
    cl_int code = CL_SUCCESS;

    *reason = PM_LEFT_UNREADABLE;
    if (region->hidden)
        r.beside = next()->clCreateBuffer(context, CL_MEM_READ_WRITE, chunk, NULL, &code);
    if (code == CL_SUCCESS)
        index = pm_rec_snapshot(read_chunk, &r, region->bytes, reason);
    if (r.beside)
        next()->clReleaseMemObject(r.beside);
    return index;
}
