/* Checks and counts the memory accesses of a block that a warp has executed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BLOCK_ACCESSES_H
#define PM_COLLECTOR_ENGINE_BLOCK_ACCESSES_H

#include "collector/engine/memory/address_pattern.h"
#include "collector/engine/warp.h"

/* A memory instruction as counted accesses need it. It is prepared once for a compute unit, because
 * only some members of an access differ between executions. */
typedef struct pm_access_plan {
    /* `mask`, `group`, `home` and `pattern` are those of the last execution; the other members do
     * not change */
    pm_warp_access access;
    pm_pattern *pattern;
    unsigned bytes;        /* bytes of a work-item's own access */
    unsigned joined;       /* bytes with the adjacent accesses that are one access with this one */
    bool is_joined;        /* part of another site's wide access: only its executions are counted */
    bool waits;            /* a warp waits for its result */
    bool by_pattern;       /* shared memory: pattern and place determine all costs */
    uint64_t place_mask;   /* bits of an address that are its place, see pm_pattern_find */
    pm_event shared_event; /* event that counts the instruction if by_pattern is set */
} pm_access_plan;

/* Prepares the plans of all memory instructions of a kernel: plans[s] for site s. patterns: one for
 * each site. addresses: as in pm_scratch. */
void pm_access_plans_prepare(pm_access_plan *plans, const pm_launch_rules *rules,
                             const pm_memory_unit *unit, pm_pattern *patterns, uint64_t *addresses);

/* The work-items of a warp that execute a block. */
typedef struct {
    uint64_t mask;
    uint32_t group; /* number of the warp's work-group */
    uint64_t home;  /* as in pm_warp_access */
} pm_executing;

/* Checks and counts the accesses of a block. tally->unit must not be NULL. Adds the loads that the
 * warp waits for to `waits`. */
pm_status pm_block_count_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_tally *tally,
                                  const pm_scratch *scratch, pm_load_waits *waits, pm_error *err);
/* Checks the accesses of a block that runs without counting. */
pm_status pm_block_check_accesses(const pm_launch_rules *rules, const pm_block *block,
                                  const pm_executing *who, const pm_scratch *scratch,
                                  pm_error *err);

/* Returns the number of work-items for which one instruction of a block executes on a CPU: the
 * lanes of its vectors, or 1 if the compiler cannot vectorise the block (block->serial). */
static inline unsigned pm_block_lanes(const pm_launch_rules *rules, const pm_block *block)
{
    return block->serial ? 1 : rules->warp_width;
}

#endif
