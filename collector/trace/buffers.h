/* A workload's buffers in the trace engine's memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BUFFERS_H
#define PM_COLLECTOR_TRACE_BUFFERS_H

#include "collector/workload.h"
#include "l2.h"

typedef struct {
    uint8_t *host;
    bool in_place; /* host is the workload's own copy, which no kernel writes */
} pm_trace_buffer;

typedef struct {
    size_t count;
    pm_trace_buffer *buffers;
    pm_region *regions; /* where they are for the GPU */
    const char **names;
    uint8_t *arena; /* all that are not in place */
    size_t arena_bytes;
    uint64_t arena_address; /* what the arena's start is for the GPU */
} pm_buffers;

/* in_place[i]: no kernel writes buffer i, and each access to it is known to be one. Pages of the
 * arena take memory when they are touched. Buffers that are too large together are PM_BAD_INPUT. */
pm_status pm_buffers_create(const pm_workload *workload, const bool *in_place, pm_buffers *buffers,
                            pm_error *err);
void pm_buffers_free(pm_buffers *buffers);

/* Initial contents again: of all buffers, or of those that each pass needs restored. */
void pm_buffers_reset(const pm_workload *workload, pm_buffers *buffers, bool all);

#endif
