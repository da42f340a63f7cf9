/* The recorded requests to L2 of a wave's first cell. A cell is the work-groups of one wave on one
 * compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_L2_WAVE_REQUESTS_H
#define PM_COLLECTOR_ENGINE_L2_WAVE_REQUESTS_H

#include "collector/engine/l2/wave_replay.h"

enum { PM_WAVE_MOST_REQUESTS = 1 << 21 }; /* maximum number of requests that are recorded */

typedef struct {
    uint64_t line;
    uint32_t group;
    uint16_t site;
    uint8_t sectors, kind;
} pm_wave_request;

struct pm_wave {
    bool any;
    /* number of the cell (work-groups of one wave on one compute unit) whose requests are recorded
     */
    size_t cell;
    pm_wave_request *requests;
    size_t count, room;
};

#endif
