/* Chooses the work-group size of a launch that does not specify one. See workload.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/workload.h"

enum { MOST_ITEMS = 256, MOST_FIRST = 32 };

void pm_workload_usual_group(unsigned dimensions, const size_t *global, size_t *local)
{
    size_t left = MOST_ITEMS;

    for (unsigned d = 0; d < dimensions; d++) {
        size_t most = dimensions > 1 && d == 0 ? MOST_FIRST : left;

        while (global[d] % most != 0)
            most--;
        local[d] = most;
        left /= most;
    }
}
