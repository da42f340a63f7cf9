/* Creates a workload's buffers in the trace engine's memory, and restores their contents.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/bind_launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/error.h"

enum {
    PAGE = 4096, /* alignment of buffers in bytes, at least the alignment of a GPU's allocations */
    /* unused bytes between buffers, so that an access slightly beyond a buffer's end hits no other
     * buffer */
    GAP = PAGE
};
/* Size in bytes above which a buffer is not filled by memset: pages are discarded instead of filled
 * with zeros, and PM_BUFFER_POISON has no effect. */
static const size_t LARGE_BYTES = (size_t)1 << 30;
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

        if (buffer->bytes > PM_TRACE_MOST_TOGETHER ||
            b->arena_bytes > PM_TRACE_MOST_TOGETHER - buffer->bytes)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: its buffers have more than %zu bytes together, which is more than "
                           "any GPU has",
                           workload->program, PM_TRACE_MOST_TOGETHER);
        b->arena_bytes += arena_size(buffer->bytes);
    }
    return PM_OK;
}

/* Raises the limit of this process's memory by `bytes`, or lowers it again if `lower`. The whole
 * arena counts against the limit, although only touched pages of it need memory. */
static void raise_limit(size_t bytes, bool lower)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return;
    limit.rlim_cur = lower ? limit.rlim_cur - bytes : limit.rlim_cur + bytes;
    setrlimit(RLIMIT_DATA, &limit);
}

static pm_status map_arena(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    if (measure(workload, b, err) != PM_OK)
        return err->status;
    raise_limit(b->arena_bytes, false);
    b->limit_bytes = b->arena_bytes;
    b->arena = mmap(NULL, b->arena_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (b->arena == MAP_FAILED) {
        b->arena = NULL;
        return pm_fail(err, PM_FAILED, "%s: %zu bytes for its buffers: %s", workload->program,
                       b->arena_bytes, strerror(errno));
    }
    /* A sampled run touches few scattered pages. With huge pages, these few accesses would allocate
     * the whole buffer. */
    madvise(b->arena, b->arena_bytes, MADV_NOHUGEPAGE);
    return PM_OK;
}

/* Watches the pages of buffers whose contents are given by rules of the workload file. The thread
 * of pm_touched_pages then computes a page's contents when the page is first touched. */
static pm_status watch_pages(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    size_t count = 0;
    pm_status status;

    for (size_t i = 0; i < b->count; i++)
        count += workload->buffers[i].rules != NULL;
    if (count == 0)
        return PM_OK;
    status = pm_touched_pages_create(count, &b->pages, err);
    for (size_t i = 0; status == PM_OK && i < b->count; i++)
        if (workload->buffers[i].rules)
            status = pm_touched_pages_watch(b->pages, &workload->buffers[i], b->host[i], err);
    return status;
}

static pm_status make_all(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    size_t at = GAP;

    if (!b->host || !b->regions)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    if (map_arena(workload, b, err) != PM_OK)
        return err->status;
    for (size_t i = 0; i < b->count; i++) {
        b->host[i] = b->arena + at;
        b->regions[i] = (pm_memory_region){b->arena_address + at, workload->buffers[i].bytes};
        at += arena_size(workload->buffers[i].bytes);
    }
    if (watch_pages(workload, b, err) != PM_OK)
        return err->status;
    return pm_buffers_reset(workload, b, true, err);
}

pm_status pm_buffers_create(const pm_workload *workload, pm_buffers *b, pm_error *err)
{
    *b = (pm_buffers){.count = workload->buffer_count, .arena_address = FIRST_ADDRESS};
    b->host = calloc(b->count + 1, sizeof *b->host);
    b->regions = calloc(b->count + 1, sizeof *b->regions);
    if (make_all(workload, b, err) == PM_OK)
        return PM_OK;
    pm_buffers_free(b);
    return err->status;
}

void pm_buffers_free(pm_buffers *b)
{
    pm_touched_pages_free(b->pages);
    if (b->arena)
        munmap(b->arena, b->arena_bytes);
    if (b->limit_bytes > 0)
        raise_limit(b->limit_bytes, true);
    free(b->host);
    free(b->regions);
    *b = (pm_buffers){0};
}

/* Maps a buffer's initial contents from the file again. This discards all data that launches have
 * written to the buffer. */
static pm_status map_again(const pm_buffer *buffer, uint8_t *host, int file, pm_error *err)
{
    if (mmap(host, buffer->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED,
             file, 0) == MAP_FAILED)
        return pm_fail(err, PM_FAILED, "mapping buffer %s: %s", buffer->name, strerror(errno));
    /* The workload has another mapping of the same file. Frees the memory of its pages, too; they
     * are read from the file again when they are needed. */
    madvise(buffer->initial, buffer->bytes, MADV_DONTNEED);
    return PM_OK;
}

void pm_buffers_put_pointers(const pm_buffers *b, const pm_pointers *pointers, uint8_t *bytes)
{
    for (size_t i = 0; i < pointers->count; i++) {
        const pm_pointer *pointer = &pointers->items[i];
        const uint8_t *address = b->host[pointer->buffer] + pointer->offset;

        memcpy(bytes + pointer->at, &address, sizeof address);
    }
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
        /* Discard the buffer's pages. New pages contain zeros, or contents that are computed when
         * the pages are touched. For a small buffer, writing zeros is faster than new pages. */
        else if (!buffer->initial && (all || buffer->rules || buffer->bytes > LARGE_BYTES))
            madvise(b->host[i], buffer->bytes, MADV_DONTNEED);
        else if (!buffer->initial)
            memset(b->host[i], 0, buffer->bytes);
        pm_buffers_put_pointers(b, &buffer->pointers, b->host[i]);
    }
    return PM_OK;
}

void pm_buffers_poison(const pm_workload *workload, pm_buffers *b)
{
    for (size_t i = 0; i < b->count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];

        if (buffer->initial || !(buffer->flags & PM_BUFFER_POISON) || buffer->bytes > LARGE_BYTES)
            continue;
        memset(b->host[i], 0xff, buffer->bytes);
        pm_buffers_put_pointers(b, &buffer->pointers, b->host[i]);
    }
}
