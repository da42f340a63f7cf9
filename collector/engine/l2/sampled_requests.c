/* Records the L2 requests of a launch of which only a sample of the work-groups runs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scattered requests each miss the host CPU's cache when they change the footprint. The requests
 * are therefore recorded in steps. A step first simulates the L2 fraction of the running cell for
 * all its requests and prefetches the footprint records that will change. Then it changes them. The
 * result is the same as if the requests were recorded one after the other.
 */
#include "collector/engine/l2/sampled_requests.h"

#include "collector/engine/memory/coalescing.h"

enum { STEP = 32 }; /* number of requests that are recorded together */

/* Returns the sectors that L2 fetches for a request, under the assumption that L2 never evicted a
 * sector. news: which sectors of the line the request touches for the first time. pairs: true if L2
 * fetches aligned pairs of sectors. */
static uint32_t first_fetched(pm_footprint_news news, bool pairs)
{
    return pm_l2_fetched(news.first & ~pm_l2_fetched(news.before, pairs), pairs);
}

/* Records the sectors of a request. missing: the sectors that the running cell's fraction of L2
 * fetches for the request. A cell is the work-groups of one wave on one compute unit. false if out
 * of memory. */
static bool record(const pm_sampled_sectors *to, size_t cell, const pm_l2_request *request,
                   uint32_t missing)
{
    const bool read = request->write != PM_L2_WRITE, written = request->write != PM_L2_READ;
    const bool selected = pm_line_sample_selects(to->lines, request->line);
    const bool paired = to->pairs && request->write == PM_L2_READ;
    pm_footprint_news news;
    size_t region;

    if (!pm_footprint_touch(to->footprint, cell, request->line, request->sectors, read, written,
                            &news))
        return false;
    if (!paired && !(news.first | news.first_written | (missing & news.again)) && !selected)
        return true;
    region = to->region(to->context, request->line);
    pm_reuse_touch(to->reuse, region, news, read ? first_fetched(news, paired) : 0);
    if (paired)
        pm_revisit_open(to->revisit, region, missing & request->sectors, missing);
    if (missing & news.again)
        pm_revisit_count(to->revisit, region, missing & news.again, read, written);
    if (selected)
        pm_line_sample_touch(to->lines, request->line, region, pm_reuse_cell(to->reuse),
                             pm_reuse_position(to->reuse));
    return true;
}

/* Records at most STEP requests of the running cell (work-groups of one wave on one compute unit).
 * If the cell's fraction of L2 still has all sectors of a read, the cell has accessed these sectors
 * before, and the read does not change the footprint (record of touched sectors). false if out of
 * memory. */
static bool record_step(const pm_sampled_sectors *to, size_t cell, const pm_l2_request *requests,
                        size_t count)
{
    uint32_t missing[STEP];
    uint8_t changing[STEP]; /* indices in `requests` of the requests that change the footprint */
    size_t changes = 0;
    uint64_t sectors = 0;

    for (size_t i = 0; i < count; i++) {
        const pm_l2_request *r = &requests[i];

        sectors += pm_bit_count(r->sectors);

        missing[i] =
            pm_revisit_touch(to->revisit, r->line, r->sectors, to->pairs && r->write == PM_L2_READ);
        if (!missing[i] && r->write == PM_L2_READ)
            continue;
        pm_footprint_expect(to->footprint, r->line);
        changing[changes++] = (uint8_t)i;
    }
    for (size_t i = 0; i < changes; i++) {
        pm_l2_access_rows(to->rows, to->line_bytes, &requests[changing[i]], missing[changing[i]],
                          to->dram);
        if (!record(to, cell, &requests[changing[i]], missing[changing[i]]))
            return false;
    }
    pm_reuse_advance(to->reuse, sectors);
    return true;
}

bool pm_sampled_requests(const pm_sampled_sectors *sectors, size_t cell,
                         const pm_l2_request *requests, size_t count)
{
    for (size_t at = 0; at < count; at += STEP) {
        const size_t left = count - at;

        for (size_t i = at + STEP; i < at + 2 * STEP && i < count; i++)
            pm_revisit_expect(sectors->revisit, requests[i].line);
        if (!record_step(sectors, cell, &requests[at], left < STEP ? left : STEP))
            return false;
    }
    return true;
}
