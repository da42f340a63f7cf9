/* Prepares a launch of a workload for running compiled code: buffers, arguments, bounds of
 * accesses, shared memory.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BIND_LAUNCH_H
#define PM_COLLECTOR_ENGINE_BIND_LAUNCH_H

#include "collector/engine/compute_unit.h"
#include "collector/engine/l2/l2.h"
#include "program/resources.h"
#include "program/workload.h"

/* ---- touched_pages.c: contents that are computed when a page is first touched ------------------
 */

/* A thread that computes the contents of buffers page by page, when a page is first touched. */
typedef struct pm_touched_pages pm_touched_pages;

/* Starts the thread. count: largest number of buffers whose pages the thread will compute.
 * PM_FAILED if the system has no userfaultfd. */
pm_status pm_touched_pages_create(size_t count, pm_touched_pages **pages, pm_error *err);
void pm_touched_pages_free(pm_touched_pages *self);
/* Begins to compute a buffer's contents when its pages are first touched. host: start of the
 * buffer's memory, at the start of a page; its pages must not exist yet. The buffer must outlive
 * `self`. If madvise drops a page, its contents are computed again at the next touch. */
pm_status pm_touched_pages_watch(pm_touched_pages *self, const pm_buffer *buffer, uint8_t *host,
                                 pm_error *err);
/* Returns PM_BAD_INPUT if the contents of a page that was touched could not be computed, otherwise
 * PM_OK. */
pm_status pm_touched_pages_check(pm_touched_pages *self, pm_error *err);

/* ---- buffers.c: a workload's buffers in the engine's memory ------------------------------- */

typedef struct {
    size_t count;
    uint8_t **host;            /* host address of each buffer */
    pm_memory_region *regions; /* GPU address and size of each buffer */
    uint8_t *arena;            /* memory that contains all buffers, with gaps between them */
    size_t arena_bytes;
    uint64_t arena_address; /* GPU address of the start of the arena */
    /* thread that computes contents of buffers when pages are first touched; NULL: no buffer of the
     * workload needs it */
    pm_touched_pages *pages;
    size_t limit_bytes; /* number of bytes by which the memory limit of this process was raised for
                           the buffers */
} pm_buffers;

/* Creates all buffers of a workload in host memory. A buffer whose initial contents come from a
 * file (pm_workload_contents) is mapped from that file copy-on-write. Pages of other buffers are
 * allocated when they are first touched. PM_BAD_INPUT if the buffers are too large together. */
pm_status pm_buffers_create(const pm_workload *workload, pm_buffers *buffers, pm_error *err);
void pm_buffers_free(pm_buffers *buffers);

/* Restores the initial contents of buffers: of all buffers if `all` is true, otherwise only of the
 * buffers that must have their initial contents whenever the workload's launches are repeated. */
pm_status pm_buffers_reset(const pm_workload *workload, pm_buffers *buffers, bool all,
                           pm_error *err);
/* Writes into `bytes`, the contents of a buffer or of a struct argument, the addresses of the
 * buffers to which its pointers point. */
void pm_buffers_put_pointers(const pm_buffers *buffers, const pm_pointers *pointers,
                             uint8_t *bytes);
/* Fills buffers with 0xff bytes if they have PM_BUFFER_POISON and no initial contents, except
 * buffers of more than 1 GiB. Call this function only before a run of all work-groups, because a
 * sampled run does not write all outputs. */
void pm_buffers_poison(const pm_workload *workload, pm_buffers *buffers);

/* ---- bind_launch.c
 * --------------------------------------------------------------------------------- */

typedef struct {
    pm_launch_run run;
    pm_kernel_resources taken;
    unsigned resident; /* work-groups that reside on one compute unit at a time */
    /* Bytes of shared memory that a work-group takes on the GPU, including gaps for alignment. */
    size_t shared_bytes;
    uint8_t *values; /* values of the kernel's arguments; owned; run.context.values points to it */
    /* address range that each memory instruction may access; owned; run.rules.bounds points to
     * it */
    pm_bounds *bounds;
} pm_bound_launch;

/* Returns the code of a kernel. NULL: the program has no kernel of this name. */
const pm_kernel_code *pm_find_kernel(const pm_trace_program *program, const char *name);
/* Finds the compiled code of the kernel of the workload's launch `number`. PM_BAD_INPUT if the
 * kernel's parameters do not match the launch's arguments. */
pm_status pm_bind_kernel(const pm_trace_program *program, const pm_workload *workload,
                         size_t number, const pm_kernel_code **code, pm_error *err);

/* Binds the workload's launch `number` to `code`, the result of pm_bind_kernel. step_limit: maximum
 * number of basic blocks that a warp may execute. All arguments must outlive the bound launch. */
pm_status pm_bind_launch(const pm_kernel_code *code, const pm_workload *workload, size_t number,
                         const pm_buffers *buffers, const pm_gpu *gpu, uint64_t step_limit,
                         pm_bound_launch *bound, pm_error *err);
/* Replaces the resources that were estimated from the kernel's code by `taken`, the resources that
 * the GPU's own compiler reports. */
void pm_bind_resources(const pm_launch *launch, const pm_gpu *gpu, const pm_kernel_resources *taken,
                       pm_bound_launch *bound);
void pm_bound_launch_free(pm_bound_launch *bound);

#endif
