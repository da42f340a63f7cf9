/* State of a warp during a trace, and how its waits are counted. Only the files of warp.h use it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_WARP_STATE_H
#define PM_COLLECTOR_ENGINE_WARP_STATE_H

#include "collector/engine/block_accesses.h"
#include "collector/engine/simt_stack.h"
#include "collector/engine/warp.h"

/* Latencies in cycles from which a warp's execution time (span) is estimated. DEPENDENT: an
 * arithmetic instruction on which the next one depends. LOAD and MISS: waits for loads that hit and
 * that miss L1. SHARED: waits for loads from shared memory. The latencies are those of NVIDIA's
 * GPUs from Volta on (sources in model/units/work.c). The estimate is used only to see how much
 * longer some warps take than others, so the same numbers serve for all GPUs. */
enum { PM_DEPENDENT_CYCLES = 4, PM_LOAD_CYCLES = 35, PM_MISS_CYCLES = 215, PM_SHARED_CYCLES = 30 };

/* Instructions of a warp between two barriers on a CPU core, which executes the warp's work-items
 * one after the other or as lanes of vectors. length: number of instructions. depth: latency of the
 * instructions that must execute one after the other. times: number of work-items or vectors that
 * execute one after the other, found as the largest number of times that one basic block was
 * executed; 1 if all work-items are lanes of one vector. */
typedef struct {
    double length, depth;
    unsigned times;
    /* loads: number of waits for loads; misses: number of these waits in which a load misses the
     * core's cache */
    unsigned loads, misses;
} pm_warp_chain;

struct pm_warp {
    const pm_launch_rules *rules;
    uint8_t *frame, *private_memory;
    uint64_t home; /* GPU address of `private_memory` */
    /* true: the local ids in the frame are already those of the work-items from first_item on */
    bool has_ids;
    uint32_t first_item;
    pm_paths paths;
    uint64_t steps;
    /* estimated cycles that the warp alone would take, since the last pm_warp_take_span */
    uint64_t span;
    pm_warp_chain chain;
    uint32_t stretch;
    /* Kind of the compare-and-swap retry loop around the scheduling region in which the warp is. A
     * scheduling region is code that the compiler reorders as one sequence. */
    pm_again again;
    uint32_t trying; /* index of the compare-and-swap retry loop that the warp is in; 0: none */
    /* tried[kind]: true if the warp has entered a compare-and-swap retry loop of this kind
     * (pm_again: on shared or on global memory) */
    bool tried[PM_AGAIN_KINDS];
    /* waits for loads in the scheduling region (code that the compiler reorders as one sequence) in
     * which the warp is */
    pm_load_waits waits;
    /* true: in its last turn the warp has executed at least one basic block that need not be
     * executed again; false: it has only waited */
    bool progress;
    bool expired;      /* true: the time limit of the wait in the next basic block counts as over */
    unsigned expiries; /* number of consecutive waits that were ended by their time limit */
    /* number of waits for asynchronous copies since the last one that was counted */
    unsigned drained;
    /* At the warp's last counted wait for bulk copies: number of the copy that it waited for, and
     * number of copies that the work-group had issued. */
    uint32_t copy_awaited, copies_issued;
    pm_warp_state state;
    uint32_t barrier;
};

/* ---- warp_waits.c ---- */

/* Called when the warp leaves a scheduling region (code that the compiler reorders as one
 * sequence). Adds the region's waits for loads to the events, and clears the record of waits. */
void pm_warp_count_waits(pm_warp *warp, const pm_tally *tally);
/* Called at a wait for asynchronous copies. If a copy must be complete only after `drains` such
 * waits, the copies that started between them are in flight together. These copies are counted as
 * one wait for loads, at the last of the `drains` waits. */
void pm_warp_count_async_wait(pm_warp *warp, const pm_block *block, const pm_tally *tally);
/* Called after a basic block in which the warp may have found a phase of a barrier complete. Counts
 * a wait for loads if the warp must wait for bulk copies. */
void pm_warp_count_bulk_wait(pm_warp *warp, const pm_bulk_copies *bulk, const pm_tally *tally);

#endif
