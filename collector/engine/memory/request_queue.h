/* The queue of a compute unit's requests to L2, in order of issue.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_MEMORY_REQUEST_QUEUE_H
#define PM_COLLECTOR_ENGINE_MEMORY_REQUEST_QUEUE_H

#include "collector/engine/memory/memory_unit.h"

/* A queue of requests. Its shifts are binary logarithms of bytes. line_shift and sector_shift: of
 * the lines and sectors of the compute unit. l2_line_shift and l2_sector_shift: of L2's lines and
 * sectors, in which the requests are stored. Zero-initialise the other members. */
typedef struct {
    unsigned line_shift, sector_shift, l2_line_shift, l2_sector_shift;
    pm_l2_request *requests;
    size_t count, room;
} pm_requests;

void pm_requests_free(pm_requests *asked);
/* Reserves memory in the queue for requests of `more` further sectors. false if out of memory. */
bool pm_requests_reserve(pm_requests *asked, size_t more);
/* Appends a request for sectors of a line, like pm_requests_ask. Use it if the compute unit's lines
 * or sectors have another size than L2's: it converts the request to L2's lines and sectors, and is
 * slower. */
void pm_requests_split(pm_requests *asked, uint64_t line, uint32_t sectors, uint8_t write);

/* Appends a request for sectors of a line. write: PM_L2_READ, PM_L2_WRITE or PM_L2_ATOMIC.
 * pm_requests_reserve must have reserved memory for the request. */
static inline void pm_requests_ask(pm_requests *asked, uint64_t line, uint32_t sectors,
                                   uint8_t write)
{
    if (asked->line_shift == asked->l2_line_shift && asked->sector_shift == asked->l2_sector_shift)
        asked->requests[asked->count++] = (pm_l2_request){
            .line = line, .sectors = sectors, .write = write, .whole = (uint8_t)sectors};
    else
        pm_requests_split(asked, line, sectors, write);
}

#endif
