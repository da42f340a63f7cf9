/* Times CUDA kernels by the GPU's own timestamps, which CUPTI's activity records have. See cuda.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Unlike CUDA events, these timestamps exclude the time in which the GPU waits for the host, for
 * example while the driver loads the kernel before its first launch.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "capture/cuda/cuda.h"

static const double READ_EACH_S = 0.05; /* least time between two calls that read records */

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8 };

/* Callback by which CUPTI asks for memory in which it writes activity records. *most_records 0: as
 * many as fit. */
static void request_buffer(uint8_t **buffer, size_t *bytes, size_t *most_records)
{
    *buffer = aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES);
    *bytes = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0; /* as many as fit */
}

static uint64_t items_of(const pm_cupti_kernel_record *record)
{
    uint64_t items = 1;

    for (int d = 0; d < 3; d++)
        items *= (uint64_t)record->grid[d] * (uint64_t)record->block[d];
    return items;
}

/* Callback by which CUPTI returns a buffer with activity records of kernels that have ended. valid:
 * bytes of the buffer that contain records. */
static void read_buffer(pm_cu_context context, uint32_t stream, uint8_t *buffer, size_t bytes,
                        size_t valid)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();
    void *at = NULL;

    (void)context;
    (void)stream;
    (void)bytes;
    pm_rec_lock();
    while (buffer && cuda->next_record(buffer, valid, &at) == 0) {
        const pm_cupti_kernel_record *record = at;

        if ((record->kind == PM_CUPTI_KERNEL || record->kind == PM_CUPTI_CONCURRENT_KERNEL) &&
            record->name && record->start > 0 && record->end >= record->start)
            pm_cuda_kernel_ended(record->name, items_of(record), record->end - record->start);
    }
    pm_rec_unlock();
    free(buffer);
}

void pm_cuda_activity_open(void)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();

    cuda->has_activity = cuda->register_buffers && cuda->enable_activity && cuda->flush_activity &&
                         cuda->next_record &&
                         cuda->register_buffers(request_buffer, read_buffer) == 0 &&
                         cuda->enable_activity(PM_CUPTI_CONCURRENT_KERNEL) == 0;
}

void pm_cuda_activity_read(bool all)
{
    const pm_cuda_layer *cuda = pm_cuda_layer_get();

    if (cuda->has_activity)
        cuda->flush_activity(all ? PM_CUPTI_FLUSH_FORCED : 0);
}

void pm_cuda_activity_wait(void)
{
    pm_cuda_layer *cuda = pm_cuda_layer_get();
    const double now = pm_now_s();
    bool due;

    pm_rec_lock();
    due = cuda->open_captures == 0 && now >= cuda->next_read;
    if (due)
        cuda->next_read = now + READ_EACH_S;
    pm_rec_unlock();
    if (due)
        pm_cuda_activity_read(false);
}
