/* Records the L2 requests of a launch of which only a sample of the work-groups runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_L2_SAMPLED_REQUESTS_H
#define PM_COLLECTOR_ENGINE_L2_SAMPLED_REQUESTS_H

#include "collector/engine/l2/capacity_misses.h"
#include "collector/engine/l2/dram_rows.h"
#include "collector/engine/l2/footprint.h"
#include "collector/engine/l2/line_sample.h"
#include "collector/engine/l2/reuse.h"
#include "collector/engine/memory/memory_unit.h"

/* Recorders of the sectors of a sampled launch. The members are not owned. */
typedef struct {
    pm_footprint *footprint; /* sectors that the launch touches */
    /* numbers of sectors that a cell (work-groups of one wave on one compute unit) accesses again
     * after they were evicted from its fraction of L2 */
    pm_revisit *revisit;
    /* number of distinct sectors as a function of the number of requests */
    pm_reuse *reuse;
    /* record of when cells (work-groups of one wave on one compute unit) access the same lines, for
     * lines that a hash selects */
    pm_line_sample *lines;
    pm_dram_rows *rows;     /* open rows of the DRAM */
    pm_dram_accesses *dram; /* [0]: accesses for loads; [1]: for stores and atomics */
    unsigned line_bytes;    /* bytes of a line of L2 */
    /* returns the index of the memory region (buffer) that contains a line */
    size_t (*region)(const void *context, uint64_t line);
    const void *context;
    bool pairs; /* true: a load that misses fetches an aligned pair of sectors */
} pm_sampled_sectors;

/* Records requests of one cell (work-groups of one wave on one compute unit) in their order. false
 * if out of memory. */
bool pm_sampled_requests(const pm_sampled_sectors *sectors, size_t cell,
                         const pm_l2_request *requests, size_t count);

#endif
