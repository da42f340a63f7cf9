/* Queues a compute unit's requests to L2.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/memory/request_queue.h"

#include <stdlib.h>

void pm_requests_free(pm_requests *asked)
{
    free(asked->requests);
    asked->requests = NULL;
    asked->count = asked->room = 0;
}

bool pm_requests_reserve(pm_requests *asked, size_t more)
{
    if (asked->room - asked->count >= more)
        return true;
    const size_t room = 2 * asked->room + more;
    pm_l2_request *requests = realloc(asked->requests, room * sizeof *requests);
    if (!requests)
        return false;
    asked->requests = requests;
    asked->room = room;
    return true;
}

void pm_requests_split(pm_requests *asked, uint64_t line, uint32_t sectors, uint8_t write)
{
    const size_t start = asked->count;

    for (; sectors; sectors &= sectors - 1) {
        const uint64_t at =
            (line << asked->line_shift) + ((uint64_t)__builtin_ctz(sectors) << asked->sector_shift);
        const uint64_t l2_line = at >> asked->l2_line_shift;
        const uint64_t within = at & ((1U << asked->l2_line_shift) - 1);
        const uint32_t bit = 1U << (within >> asked->l2_sector_shift);

        if (asked->count > start && asked->requests[asked->count - 1].line == l2_line)
            asked->requests[asked->count - 1].sectors |= bit;
        else
            asked->requests[asked->count++] =
                (pm_l2_request){.line = l2_line, .sectors = bit, .write = write};
        asked->requests[asked->count - 1].whole |= (uint8_t)bit;
    }
}
