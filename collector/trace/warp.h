/* A warp: work-items that go through a kernel's blocks together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Work-items that part at a branch run one side after the other and meet again at the branch's
 * immediate post-dominator, by a stack of (block, mask, where to meet) as in Fung et al., "Dynamic
 * Warp Formation and Scheduling for Efficient GPU Control Flow" (MICRO 2007), section 2.2.
 */
#ifndef PM_COLLECTOR_TRACE_WARP_H
#define PM_COLLECTOR_TRACE_WARP_H

#include "collector/trace/contest.h"
#include "collector/trace/memory/l2.h"
#include "collector/trace/memory/memory_unit.h"
#include "collector/trace/program.h"
#include "program/workload.h"

/* Where the accesses of a site may go; an access elsewhere is the kernel's mistake. */
typedef struct {
    uint64_t base, bytes; /* as in the addresses that the block notes */
    bool known;           /* else any buffer will do */
} pm_bounds;

/* What a kernel's run has told of one memory instruction. */
typedef struct {
    uint64_t executions; /* by warps, with at least one work-item taking part */
    uint64_t work_items, transactions;
    uint64_t near; /* work-items within 128 bytes from the first, itself included */
    bool same;     /* another work-item had the first one's address */
} pm_site_count;

/* What it has told of one block. */
typedef struct {
    uint64_t warps;      /* executions by warps, those with all work-items off included */
    uint64_t work_items; /* executions by work-items */
} pm_block_count;

/* Where a run's counts go. */
typedef struct {
    pm_memory_unit *unit; /* NULL: run, count nothing */
    pm_code_kind code;    /* kind of code to run; it must be compiled */
    pm_events *events;    /* PM_AGAIN_KINDS: of blocks by what their loops are */
    /* By kind of loop; those of a kind that the kernel has. Shared: of the group that runs. */
    pm_contest *contests[PM_AGAIN_KINDS];
    pm_attempts *in_shared; /* of the groups that have ended */
    pm_site_count *sites;
    pm_block_count *blocks;
    struct pm_site_starts *starts; /* a member a site; NULL: nobody asks */
    bool loops;                    /* a CPU's: an operation of a vector is one instruction */
} pm_tally;

/* What all warps of a launch share. */
typedef struct {
    const pm_kernel_code *code;
    const pm_bounds *bounds;         /* of each site */
    const pm_memory_region *regions; /* all buffers, for sites whose bounds are not known */
    size_t region_count;
    uint64_t null_address;    /* what a null pointer is among their addresses */
    const pm_buffer *buffers; /* those of the regions, for messages */
    uint64_t *reach; /* by region: bytes from its start to the end of the last access; NULL: nobody
                      * asks. One thread at a time */
    unsigned warp_width;
    /* Of a CPU's core, which runs loops over work-items: instructions that it has under way. 0: it
     * is a GPU. */
    unsigned loop_window;
    uint64_t full_mask; /* a bit for each work-item of a warp */
    uint64_t step_limit;
    const char *source_path; /* for messages */
} pm_launch_rules;

typedef enum { PM_WARP_READY, PM_WARP_AT_BARRIER, PM_WARP_DONE } pm_warp_state;

typedef struct pm_warp pm_warp;

/* place: of those that are resident on a compute unit. frame and private_memory are the warp's own,
 * see pm_kernel_code. */
pm_warp *pm_warp_create(const pm_launch_rules *rules, size_t place, pm_error *err);
void pm_warp_free(pm_warp *warp);

/* Puts work-items first .. first + count - 1 of a group of that size at the kernel's start. */
void pm_warp_start(pm_warp *warp, const uint32_t local_size[3], uint32_t first, uint32_t count);
pm_warp_state pm_warp_state_of(const pm_warp *warp);
/* Block that ends in the barrier where the warp waits. */
uint32_t pm_warp_barrier(const pm_warp *warp);
void pm_warp_pass_barrier(pm_warp *warp);
/* Cycles that it would have needed alone since it was last asked, or started. */
uint64_t pm_warp_take_span(pm_warp *warp);

/* Room for what a block hands back: most_sites rows of warp-width addresses and most_successors
 * masks; and the pattern of each site's last access. */
typedef struct {
    uint64_t *addresses, *next;
    struct pm_pattern *patterns;
} pm_scratch;

/* Runs blocks until one with an access to global memory has run, or the warp waits or ends. */
pm_status pm_warp_run(pm_warp *warp, const pm_group_context *group, const pm_tally *tally,
                      const pm_scratch *scratch, pm_error *err);

/* ---- bounds.c: accesses outside of what they may touch -------------------------------------- */

/* PM_BAD_INPUT, naming instruction, address and buffer, if an access of site `number` is outside of
 * its bounds or not a multiple of its size. access->pattern, where it is
 * known, has where its addresses lie. */
pm_status pm_bounds_check(const pm_launch_rules *rules, uint32_t number,
                          const pm_warp_access *access, pm_error *err);

#endif
