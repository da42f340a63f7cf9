/* A warp: work-items that execute a kernel's basic blocks in lockstep.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items that diverge at a branch execute one path after the other and reconverge at the
 * branch's immediate post-dominator. The warp has a stack of (block, mask, reconvergence point) as
 * in Fung et al., "Dynamic Warp Formation and Scheduling for Efficient GPU Control Flow" (MICRO
 * 2007), section 2.2.
 */
#ifndef PM_COLLECTOR_ENGINE_WARP_H
#define PM_COLLECTOR_ENGINE_WARP_H

#include "collector/engine/atomic_retries.h"
#include "collector/engine/l2/l2.h"
#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/memory/memory_unit.h"
#include "collector/engine/program.h"
#include "collector/engine/sass/sass.h"
#include "program/workload.h"

/* Address range that a memory instruction may access. An access outside of it is an error of the
 * kernel. */
typedef struct {
    /* first address of the range (in the form of pm_warp_access.address), and its size in bytes */
    uint64_t base, bytes;
    bool known; /* false: any buffer may be accessed */
} pm_bounds;

/* Counts of one memory instruction in the work-groups that ran. */
typedef struct {
    uint64_t executions; /* executions by warps with at least one participating work-item */
    uint64_t work_items, transactions;
    /* number of work-items whose address is less than 128 bytes after the first work-item's, itself
     * included; summed over the executions */
    uint64_t near;
    /* true: in some execution, another work-item had the same address as the first one */
    bool same;
} pm_site_count;

/* Counts of one basic block of a kernel in the work-groups that ran. */
typedef struct {
    /* number of executions by warps, including those in which all work-items are predicated off */
    uint64_t warps;
    uint64_t work_items; /* executions by work-items */
    /* executions by warps whose work-items continued at different successors after the block */
    uint64_t parted;
    /* executions by warps in which all work-items are predicated off */
    uint64_t skipped;
} pm_block_count;

/* Counters to which the events of each work-group are added while it runs. */
typedef struct {
    /* memory pipeline that counts accesses; NULL: the work-groups run without counting */
    pm_memory_unit *unit;
    /* kind of code to run (complete, or a slice that computes only addresses and branches); it must
     * be compiled */
    pm_code_kind code;
    /* events[kind]: events of the basic blocks that are in a compare-and-swap retry loop of this
     * kind (pm_again: on shared memory, on global memory, or none) */
    pm_events *events;
    /* contests[kind]: record of attempts in compare-and-swap retry loops of this kind (pm_again: on
     * shared or on global memory). NULL: the kernel has no such loop. The record for loops on
     * shared memory belongs to the work-group that is running. */
    pm_contest *contests[PM_AGAIN_KINDS];
    /* attempts in compare-and-swap retry loops on shared memory, summed over the work-groups that
     * have ended */
    pm_attempts *in_shared;
    pm_site_count *sites;
    pm_block_count *blocks;
    /* starts[site]: first address that each work-group accesses by the memory instruction with
     * index `site`; NULL: not recorded */
    struct pm_site_starts *starts;
    bool loops; /* true: the device is a CPU, where a vector operation counts as one instruction */
} pm_tally;

/* Data of a launch that are equal for all of its warps, such as the compiled kernel and its
 * machine code. */
typedef struct {
    const pm_kernel_code *code;
    const pm_sass *sass; /* the kernel's machine code; NULL: not known */
    /* bounds[site]: address range that the memory instruction with index `site` may access */
    const pm_bounds *bounds;
    /* all buffers of the workload, for memory instructions that may access any buffer */
    const pm_memory_region *regions;
    size_t region_count;
    uint64_t null_address;    /* address that is recorded for an access by a null pointer */
    const pm_buffer *buffers; /* the buffers of `regions`, for messages */
    /* reach[region]: bytes from the start of the buffer to the end of the last access in it. NULL:
     * not recorded. Only one thread may run at a time while it is set. */
    uint64_t *reach;
    /* Record of the bytes that are read and written. NULL: not recorded. Only one thread may run at
     * a time while it is set. */
    struct pm_used_pages *used;
    /* Largest number of basic blocks that a warp has executed so far. NULL: not recorded. Only one
     * thread may run at a time while it is set. */
    uint64_t *longest;
    unsigned warp_width;
    /* Maximum number of instructions in flight on a CPU core, which runs loops over work-items. 0:
     * the device is a GPU. */
    unsigned loop_window;
    uint64_t full_mask; /* mask with a bit for each work-item of a full warp */
    uint64_t step_limit;
    const char *source_path; /* for messages */
} pm_launch_rules;

typedef enum {
    PM_WARP_READY,
    /* the warp waits in a basic block with a condition (pm_block.waits_for) that does not hold */
    PM_WARP_STUCK,
    PM_WARP_AT_BARRIER,
    PM_WARP_DONE
} pm_warp_state;

typedef struct pm_warp pm_warp;

/* Creates a warp. place: index of its slot among the warps that reside on a compute unit. The warp
 * owns its frame (memory for values that several basic blocks use) and its private memory. */
pm_warp *pm_warp_create(const pm_launch_rules *rules, size_t place, pm_error *err);
void pm_warp_free(pm_warp *warp);

/* Starts the warp at the kernel's entry, with the work-items `first` to `first` + `count` - 1 of a
 * work-group of size `local_size`. */
void pm_warp_start(pm_warp *warp, const uint32_t local_size[3], uint32_t first, uint32_t count);
pm_warp_state pm_warp_state_of(const pm_warp *warp);
/* Returns the index of the basic block that the warp executes next. */
uint32_t pm_warp_block(const pm_warp *warp);
/* Makes a stuck warp ready, so that it tests again the condition for which it waits. */
void pm_warp_try_again(pm_warp *warp);
/* Returns whether the warp executed at least one basic block in its last turn that need not be
 * executed again. A basic block that waits for a condition must be executed again if the condition
 * does not hold. */
bool pm_warp_made_progress(const pm_warp *warp);
/* Ends the wait of a stuck warp as if its time limit were over. Returns false if the wait has no
 * limit, or if the warp has waited so often without success that it waits for ever. */
bool pm_warp_end_wait(pm_warp *warp);
/* Returns the index of the basic block that ends in the barrier at which the warp waits. */
uint32_t pm_warp_barrier(const pm_warp *warp);
void pm_warp_pass_barrier(pm_warp *warp);
/* Returns the estimated cycles that the warp would have taken if it ran alone, since the last call
 * or since pm_warp_start. */
uint64_t pm_warp_take_span(pm_warp *warp);

/* Working memory for the execution of basic blocks. addresses: a row for each memory instruction of
 * a block, with the address of each work-item. next: masks of the work-items that continue at each
 * successor. patterns: for each memory instruction of the kernel, the pattern of its last
 * addresses. plans: for each memory instruction, the data for checking and counting its accesses
 * (block_accesses.h). */
typedef struct {
    uint64_t *addresses, *next;
    pm_pattern *patterns;
    struct pm_access_plan *plans;
} pm_scratch;

/* Waits for loads in one scheduling region (code that the compiler reorders as one sequence). The
 * waits of a region are numbered. Bit i of each member belongs to wait number i, bit 63 to all
 * waits from number 63 on. all: set if the wait occurred. missed: set if one of its loads missed
 * L1. */
typedef struct {
    uint64_t all, missed;
} pm_waits;

/* Waits for loads from global memory, private memory (`own`) and shared memory, in the current
 * scheduling region (code that the compiler reorders as one sequence). */
typedef struct {
    pm_waits global, own, shared;
    pm_waits async; /* bit 0 of `all`: asynchronous copies have started since the last wait for
                       copies; of `missed`: one of them missed L1 */
} pm_load_waits;

/* Executes basic blocks until a block with an access to global memory has executed, or the warp
 * waits at a barrier or ends. */
pm_status pm_warp_run(pm_warp *warp, const pm_group_context *group, const pm_tally *tally,
                      const pm_scratch *scratch, pm_error *err);

/* ---- check_bounds.c: checks accesses against their bounds
 * ---------------------------------------- */

/* Returns PM_BAD_INPUT if an access of the kernel's memory instruction `number` is outside of its
 * buffer or is not aligned to its size. The error names the instruction, the address and the
 * buffer. access->pattern, if not NULL, must describe the addresses. */
pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number,
                          const pm_warp_access *access, pm_error *err);

/* Like pm_bounds_check, for a contiguous piece of memory that a bulk copy accesses. */
pm_status pm_bounds_check_span(const pm_launch_rules *rules, uint32_t number, uint64_t address,
                               uint64_t bytes, pm_error *err);

/* Returns whether all addresses in a span are inside the bounds and aligned. size: bytes of an
 * access, a power of two, at most bounds->bytes. */
static inline bool pm_span_is_inside(const pm_span *span, const pm_bounds *bounds, uint64_t size)
{
    const uint64_t last = bounds->bytes - size, offset = span->first - bounds->base;

    /* Signed differences suffice because buffers are smaller than 2^63 bytes. */
    return offset <= last && span->least >= -(int64_t)offset &&
           span->most <= (int64_t)(last - offset) && ((span->first | span->low) & (size - 1)) == 0;
}

/* Returns true only if an access with these addresses is certainly valid, so that pm_bounds_check
 * need not be called. false: call pm_bounds_check. */
static inline bool pm_bounds_hold(const pm_launch_rules *rules, uint32_t number,
                                  const pm_span *span, uint64_t size)
{
    const pm_bounds *bounds = &rules->bounds[number];

    return bounds->known && bounds->bytes >= size && !rules->reach && !rules->used &&
           pm_span_is_inside(span, bounds, size);
}

#endif
