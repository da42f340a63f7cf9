/* Creates a workload's buffers in the trace engine's memory, and restores their contents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/bind_launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

enum {
    PAGE = 4096, /* alignment of buffers in bytes, at least that of a GPU's allocations */
    /* unused bytes between buffers, so that an access slightly beyond a buffer's end hits no other
     * buffer */
    GAP = PAGE
};
/* GPU address of the first buffer. The number is arbitrary, but the same in each run, so that
 * results are reproducible. */
static const uint64_t FIRST_ADDRESS = 0x7f0000000000;

static size_t arena_size(size_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE + GAP;
}

static pm_status measure(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    b->arena_bytes = GAP;
    for (size_t i = 0; i < b->count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];

        if (buffer->bytes > PM_TRACE_MOST_BYTES)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: buffer %s has %zu bytes; tracing takes buffers of up to %zu: trace "
                           "a smaller size",
                           workload->program, buffer->name, buffer->bytes, PM_TRACE_MOST_BYTES);
        b->arena_bytes += arena_size(buffer->bytes);
        if (b->arena_bytes > PM_TRACE_MOST_TOGETHER)
            return pm_fail(
                err, PM_BAD_INPUT,
                "%s: its buffers have more than %zu bytes together; trace a smaller size",
                workload->program, PM_TRACE_MOST_TOGETHER);
    }
    return PM_OK;
}

pm_status pm_buffers_create(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    size_t at = GAP;

    *b = (pm_buffers){.count = workload->buffer_count, .arena_address = FIRST_ADDRESS};
    b->host = calloc(b->count + 1, sizeof *b->host);
    b->regions = calloc(b->count + 1, sizeof *b->regions);
    if (!b->host || !b->regions) {
        pm_buffers_free(b);
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    }
    if (measure(workload, b, err) != PM_OK) {
        pm_buffers_free(b);
        return err->status;
    }
    b->arena = mmap(NULL, b->arena_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b->arena == MAP_FAILED) {
        b->arena = NULL;
        pm_fail(err, PM_FAILED, "%s: %zu bytes for its buffers: %s", workload->program,
                b->arena_bytes, strerror(errno));
        pm_buffers_free(b);
        return PM_FAILED;
    }
    /* A sampled run touches few scattered pages. With huge pages these would allocate the whole
     * buffer. */
    madvise(b->arena, b->arena_bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < b->count; i++) {
        b->host[i] = b->arena + at;
        b->regions[i] = (pm_memory_region){b->arena_address + at, workload->buffers[i].bytes};
        at += arena_size(workload->buffers[i].bytes);
    }
    if (pm_buffers_reset(workload, b, true, err) == PM_OK)
        return PM_OK;
    pm_buffers_free(b);
    return PM_FAILED;
}

void pm_buffers_free(pm_buffers *b)
{
    if (b->arena)
        munmap(b->arena, b->arena_bytes);
    free(b->host);
    free(b->regions);
    *b = (pm_buffers){0};
}

/* Maps a buffer's initial contents from its file again, so that data written to the buffer is
 * discarded. */
static pm_status map_again(const pm_buffer *buffer, uint8_t *host, int file, pm_error *err)
{
    if (mmap(host, buffer->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED,
             file, 0) == MAP_FAILED)
        return pm_fail(err, PM_FAILED, "mapping buffer %s: %s", buffer->name, strerror(errno));
    /* Frees the memory of the workload's mapping of the same file, too. Pages are read from the
     * file again when they are needed. */
    madvise(buffer->initial, buffer->bytes, MADV_DONTNEED);
    return PM_OK;
}

pm_status pm_buffers_reset(const pm_workload *workload, pm_buffers *b, bool all, pm_error *err)
{
    for (size_t i = 0; i < b->count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];
        int file = pm_workload_contents_file(workload, buffer->initial);

        if (!all && !(buffer->flags & PM_BUFFER_RESTORE))
            continue;
        if (file >= 0 && map_again(buffer, b->host[i], file, err) != PM_OK)
            return PM_FAILED;
        if (file < 0 && buffer->initial)
            memcpy(b->host[i], buffer->initial, buffer->bytes);
        else if (!buffer->initial && all) /* fresh pages contain zeros */
            madvise(b->host[i], buffer->bytes, MADV_DONTNEED);
        else if (!buffer->initial)
            memset(b->host[i], 0, buffer->bytes);
    }
    return PM_OK;
}

void pm_buffers_poison(const pm_workload *workload, pm_buffers *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (!workload->buffers[i].initial && workload->buffers[i].flags & PM_BUFFER_POISON)
            memset(b->host[i], 0xff, workload->buffers[i].bytes);
}
