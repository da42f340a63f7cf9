/* For a launch of which only some cells run: counts the sectors that a cell accesses again after
 * they were evicted from L2. A cell is the work-groups of one wave on one compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/l2/capacity_misses.h"

#include <stdlib.h>
#include <string.h>

#include "collector/engine/memory/coalescing.h"
#include "collector/engine/memory/memory_unit.h"

bool pm_revisit_init(pm_revisit *revisit, size_t regions)
{
    *revisit =
        (pm_revisit){.regions = regions, .by_region = calloc(regions, sizeof *revisit->by_region)};
    return revisit->by_region != NULL;
}

void pm_revisit_free(pm_revisit *revisit)
{
    if (revisit->ready)
        pm_cache_release(&revisit->part);
    free(revisit->by_region);
    *revisit = (pm_revisit){0};
}

pm_status pm_revisit_begin(pm_revisit *revisit, double bytes, unsigned line_bytes, unsigned ways,
                           pm_error *err)
{
    pm_status status;

    if (revisit->ready)
        pm_cache_release(&revisit->part);
    status = pm_cache_init(&revisit->part, (size_t)bytes, line_bytes, ways, err);
    revisit->ready = status == PM_OK;
    memset(revisit->by_region, 0, revisit->regions * sizeof *revisit->by_region);
    return status;
}

void pm_revisit_next_cell(pm_revisit *revisit)
{
    pm_cache_empty(&revisit->part);
}

uint32_t pm_revisit_touch(pm_revisit *revisit, uint64_t line, uint32_t sectors, bool pairs)
{
    uint32_t evicted;
    pm_cache_line *found = pm_cache_touch(&revisit->part, line, &evicted);
    const uint32_t missing =
        pm_l2_fetched(sectors & ~(uint32_t)found->valid, pairs) & ~(uint32_t)found->valid;

    found->valid |= (uint8_t)(sectors | missing);
    return missing;
}

void pm_revisit_expect(const pm_revisit *revisit, uint64_t line)
{
    pm_cache_expect(&revisit->part, line);
}

void pm_revisit_count(pm_revisit *revisit, size_t region, uint32_t sectors, bool read, bool written)
{
    pm_revisits *r = &revisit->by_region[region];
    const unsigned lost = pm_bit_count(sectors);

    r->read += read ? lost : 0;
    r->written += written ? lost : 0;
}

void pm_revisit_open(pm_revisit *revisit, size_t region, uint32_t asked, uint32_t fetched)
{
    pm_revisits *r = &revisit->by_region[region];

    r->asked += pm_bit_count(asked);
    r->fetched += pm_bit_count(fetched);
}
