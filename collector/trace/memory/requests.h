/* What a compute unit asks of L2, in the order in which it asks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_MEMORY_REQUESTS_H
#define PM_COLLECTOR_TRACE_MEMORY_REQUESTS_H

#include "collector/trace/memory/memory_unit.h"

/* The shifts are the logarithms of bytes: of the lines and sectors that are asked for, and of those
 * of L2, which the requests are in. Set to 0 otherwise to start with. */
typedef struct {
    unsigned line_shift, sector_shift, l2_line_shift, l2_sector_shift;
    pm_l2_request *requests;
    size_t count, room;
} pm_requests;

void pm_requests_free(pm_requests *asked);
/* Room for so many more sectors. false: out of memory. */
bool pm_requests_reserve(pm_requests *asked, size_t more);
/* pm_requests_ask where the lines of L2 are others. */
void pm_requests_split(pm_requests *asked, uint64_t line, uint32_t sectors, uint8_t write);

/* Adds sectors of a line; write as in pm_l2_request. There is room. */
static inline void pm_requests_ask(pm_requests *asked, uint64_t line, uint32_t sectors,
                                   uint8_t write)
{
    if (asked->line_shift == asked->l2_line_shift && asked->sector_shift == asked->l2_sector_shift)
        asked->requests[asked->count++] =
            (pm_l2_request){.line = line, .sectors = sectors, .write = write};
    else
        pm_requests_split(asked, line, sectors, write);
}

#endif
