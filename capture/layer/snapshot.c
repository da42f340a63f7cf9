/* Reads what a buffer holds and stores it. See layer.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * It is read once for its hash, and a second time to be written if the store does not have it: most
 * buffers are as they were.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture/layer/layer.h"

enum { CHUNK = 8 << 20 };

typedef struct {
    cl_command_queue queue;
    const pm_layer_region *region;
    cl_mem beside; /* what a buffer is copied to that the host may not read; NULL: it may */
    unsigned char *chunk;
    size_t chunk_bytes;
} reader;

static const pm_layer_dispatch *next(void)
{
    return &pm_layer_get()->next;
}

static bool read_chunk(const reader *r, size_t offset, size_t bytes)
{
    cl_mem from = r->region->handle;

    offset += r->region->start;
    if (r->beside) {
        if (next()->clEnqueueCopyBuffer(r->queue, from, r->beside, offset, 0, bytes, 0, NULL,
                                        NULL) != CL_SUCCESS ||
            next()->clFinish(r->queue) != CL_SUCCESS)
            return false;
        from = r->beside;
        offset = 0;
    }
    return next()->clEnqueueReadBuffer(r->queue, from, CL_TRUE, offset, bytes, r->chunk, 0, NULL,
                                       NULL) == CL_SUCCESS;
}

static bool write_chunk(int file, const unsigned char *at, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, at, bytes);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* All of it, through the hash and into the file (-1: none). */
static bool read_all(const reader *r, pm_layer_hash *hash, int file)
{
    pm_layer_hash_begin(hash);
    for (size_t offset = 0; offset < r->region->bytes; offset += r->chunk_bytes) {
        const size_t left = r->region->bytes - offset;
        const size_t bytes = left < r->chunk_bytes ? left : r->chunk_bytes;

        if (!read_chunk(r, offset, bytes))
            return false;
        pm_layer_hash_add(hash, r->chunk, bytes);
        if (file >= 0 && !write_chunk(file, r->chunk, bytes))
            return false;
    }
    return true;
}

/* Another thread of the program may have changed the buffer since it was hashed: its name is the
 * hash of what was written. */
static size_t store(const reader *r)
{
    char path[PATH_MAX], id[40];
    size_t index = SIZE_MAX;
    pm_layer_hash hash;
    bool written;
    int file;

    pm_layer_lock();
    file = pm_layer_contents_open(path, sizeof path);
    pm_layer_unlock();
    if (file < 0)
        return SIZE_MAX;
    written = read_all(r, &hash, file);
    written = close(file) == 0 && written;
    pm_layer_hash_end(&hash, id);
    pm_layer_lock();
    if (written && *id != '=' && pm_layer_contents_name(path, id))
        index = pm_layer_contents_put(id, r->region->bytes);
    else
        unlink(path);
    pm_layer_unlock();
    return index;
}

static size_t use_or_store(const reader *r, pm_left_out *reason)
{
    pm_layer *layer = pm_layer_get();
    pm_layer_hash hash;
    size_t index;
    char id[40];

    *reason = PM_LEFT_UNREADABLE;
    if (!read_all(r, &hash, -1))
        return SIZE_MAX;
    pm_layer_hash_end(&hash, id);
    pm_layer_lock();
    index = pm_layer_contents_use(id);
    if (index == SIZE_MAX && layer->contents_bytes + r->region->bytes > layer->choice.most_bytes)
        *reason = PM_LEFT_BYTES;
    pm_layer_unlock();
    return index == SIZE_MAX && *reason != PM_LEFT_BYTES ? store(r) : index;
}

size_t pm_layer_snapshot(cl_command_queue queue, cl_context context, const pm_layer_region *region,
                         pm_left_out *reason)
{
    reader r = {.queue = queue, .region = region};
    size_t index = SIZE_MAX;
    cl_int code = CL_SUCCESS;

    *reason = PM_LEFT_UNREADABLE;
    r.chunk_bytes = region->bytes < CHUNK ? region->bytes : CHUNK;
    r.chunk = malloc(r.chunk_bytes + 1);
    if (r.chunk && region->hidden)
        r.beside = next()->clCreateBuffer(context, CL_MEM_READ_WRITE, r.chunk_bytes, NULL, &code);
    if (r.chunk && code == CL_SUCCESS)
        index = use_or_store(&r, reason);
    if (r.beside)
        next()->clReleaseMemObject(r.beside);
    free(r.chunk);
    return index;
}
