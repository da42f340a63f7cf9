/* What a cell of a sampled launch comes back to after others have taken its place in L2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells that run at the same time, one on each compute unit, share L2: each is given its part
 * of it, and what it does not find there again was lost.
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_REVISIT_H
#define PM_COLLECTOR_TRACE_MEMORY_REVISIT_H

#include "collector/trace/memory/cache.h"

typedef struct {
    uint64_t read, written; /* sectors that were there before and are fetched, or written, again */
} pm_revisits;

typedef struct {
    pm_cache part;
    bool ready;
    pm_revisits *by_region;
    size_t regions;
} pm_revisit;

/* regions: those that sectors are told apart by. false: no memory. */
bool pm_revisit_init(pm_revisit *revisit, size_t regions);
void pm_revisit_free(pm_revisit *revisit);

/* A launch of which one cell has `bytes` of L2 to itself. */
pm_status pm_revisit_begin(pm_revisit *revisit, double bytes, unsigned line_bytes, unsigned ways,
                           pm_error *err);
/* The next cell finds nothing of the last one's. */
void pm_revisit_next_cell(pm_revisit *revisit);
/* A request for sectors of a line, of which the cell had asked for `before` already. */
void pm_revisit_touch(pm_revisit *revisit, size_t region, uint64_t line, uint32_t sectors,
                      uint32_t before, bool read, bool written);

#endif
