/* Checks the memory accesses of a basic block that a warp has executed against their bounds, and
 * counts them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BLOCK_ACCESSES_H
#define PM_COLLECTOR_ENGINE_BLOCK_ACCESSES_H

#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/warp.h"

/* Data of a memory instruction, with which its accesses are checked and counted. The data are
 * prepared once for a compute unit, because only some members of `access` differ from one execution
 * of the instruction to the next. */
typedef struct pm_access_plan {
    /* The access of a warp. Its `mask`, `group` (work-group), `home` (address of the warp's private
     * memory) and `pattern` are those of the instruction's last execution. The other members do not
     * change. */
    pm_warp_access access;
    pm_pattern *pattern;
    unsigned bytes; /* bytes that one work-item accesses by this instruction alone */
    /* bytes per work-item of the wide access that the GPU makes of this access and adjacent ones; 0
     * if is_joined */
    unsigned joined;
    /* true: this access is part of another memory instruction's wide access; of this access, only
     * the number of executions is counted */
    bool is_joined;
    bool async; /* true: the load of an asynchronous copy */
    bool bulk;  /* true: a bulk copy, whose addresses are pm_bulk_copies.spans */
    bool waits; /* true: a warp waits for the instruction's result */
    /* true: the access is to shared memory. Its costs depend only on its address pattern (distances
     * between the work-items' addresses) and on the offset of the first address in a row of banks
     * (one word of each bank) */
    bool by_pattern;
    /* `address & place_mask` is the offset in bytes of an address in a row of banks of shared
     * memory, which has one word of each bank */
    uint64_t place_mask;
    pm_event shared_event; /* event that counts the instruction if by_pattern is set */
} pm_access_plan;

/* Prepares plans[s] (data for checking and counting) for each memory instruction s of the kernel.
 * patterns[s]: address pattern of instruction s, empty at first. addresses: scratch space as in
 * pm_scratch. */
void pm_access_plans_prepare(pm_access_plan *plans, const pm_launch_rules *rules,
                             const pm_memory_unit *unit, pm_pattern *patterns, uint64_t *addresses);

/* Which work-items of a warp execute a basic block (mask), and the work-group that the warp
 * belongs to. */
typedef struct {
    uint64_t mask;
    uint32_t group; /* number of the warp's work-group */
    /* bulk copies of the work-group; not used if `mask` is 0 */
    const pm_bulk_copies *bulk;
    uint64_t home; /* GPU address of the warp's private memory */
} pm_executing;

/* Checks the accesses of a basic block that a warp has executed against their bounds, and counts
 * them. tally->unit must not be NULL. Adds the loads that the warp waits for to `waits`. */
pm_status pm_block_count_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_tally *tally,
                                  const pm_scratch *scratch, pm_load_waits *waits, pm_error *err);
/* Checks the accesses of a basic block that a warp has executed against their bounds, without
 * counting them. */
pm_status pm_block_check_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_tally *tally,
                                  const pm_scratch *scratch, pm_error *err);

/* Returns the number of work-items for which one instruction of a basic block executes on a CPU.
 * The result is the number of lanes of a vector, or 1 if the compiler cannot vectorise the basic
 * block (block->serial). */
static inline unsigned pm_block_lanes(const pm_launch_rules *rules, const pm_block *block)
{
    return block->serial ? 1 : rules->warp_width;
}

#endif
