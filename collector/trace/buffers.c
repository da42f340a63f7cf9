/* A workload's buffers in the trace engine's memory. See buffers.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "buffers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/error.h"

enum {
    ALIGNMENT = 512, /* of a GPU's allocations */
    GAP = 4096,      /* between buffers, so that a small overrun meets nothing */
    IN_PLACE = 65536 /* smaller ones are cheaper to copy */
};
/* The engine is to stay within a gigabyte. */
static const size_t MOST_BYTES = (size_t)1 << 30;
/* Any address will do, as long as it is the same in each run. */
static const uint64_t FIRST_ADDRESS = 0x7f0000000000;

static size_t arena_size(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + GAP;
}

static bool use_in_place(const pm_buffer *buffer, bool allowed)
{
    return allowed && buffer->initial && buffer->bytes >= IN_PLACE &&
           !(buffer->flags & (PM_BUFFER_OUTPUT | PM_BUFFER_RESTORE));
}

static pm_status measure(const pm_workload *workload, const bool *in_place, pm_buffers *b,
                         pm_error *err)
{
    size_t copied = 0;

    b->arena_bytes = GAP;
    for (size_t i = 0; i < b->count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];

        if (buffer->bytes > MOST_BYTES)
            return pm_fail(err, PM_BAD_INPUT,
                           "%s: buffer %s has %zu bytes; tracing takes buffers of up to %zu: trace "
                           "a smaller size",
                           workload->program, buffer->name, buffer->bytes, MOST_BYTES);
        b->buffers[i].in_place = use_in_place(buffer, in_place[i]);
        b->arena_bytes += arena_size(buffer->bytes);
        copied += b->buffers[i].in_place ? 0 : buffer->bytes;
    }
    if (copied > MOST_BYTES)
        return pm_fail(err, PM_BAD_INPUT,
                       "%s: its buffers have %zu bytes together; tracing takes up to %zu: trace a "
                       "smaller size",
                       workload->program, copied, MOST_BYTES);
    return PM_OK;
}

pm_status pm_buffers_create(const pm_workload *workload, const bool *in_place, pm_buffers *b,
                            pm_error *err)
{
    size_t at = GAP;

    *b = (pm_buffers){.count = workload->buffer_count, .arena_address = FIRST_ADDRESS};
    b->buffers = calloc(b->count + 1, sizeof *b->buffers);
    b->regions = calloc(b->count + 1, sizeof *b->regions);
    b->names = calloc(b->count + 1, sizeof *b->names);
    if (!b->buffers || !b->regions || !b->names) {
        pm_buffers_free(b);
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    }
    if (measure(workload, in_place, b, err) != PM_OK) {
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
    for (size_t i = 0; i < b->count; i++) {
        pm_buffer *buffer = &workload->buffers[i];

        b->buffers[i].host = b->buffers[i].in_place ? buffer->initial : b->arena + at;
        b->regions[i] = (pm_region){.base = b->arena_address + at, .bytes = buffer->bytes};
        b->names[i] = buffer->name;
        at += arena_size(buffer->bytes);
    }
    pm_buffers_reset(workload, b, true);
    return PM_OK;
}

void pm_buffers_free(pm_buffers *b)
{
    if (b->arena)
        munmap(b->arena, b->arena_bytes);
    free(b->buffers);
    free(b->regions);
    free(b->names);
    *b = (pm_buffers){0};
}

void pm_buffers_reset(const pm_workload *workload, pm_buffers *b, bool all)
{
    for (size_t i = 0; i < b->count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];

        if (b->buffers[i].in_place || (!all && !(buffer->flags & PM_BUFFER_RESTORE)))
            continue;
        if (buffer->initial)
            memcpy(b->buffers[i].host, buffer->initial, buffer->bytes);
        else if (!all) /* fresh pages are zeros */
            memset(b->buffers[i].host, 0, buffer->bytes);
    }
}
