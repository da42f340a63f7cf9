/* Method nakai, section 5: weights by class, coalesced threads and executions. See nakai.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The classes are the trace's (collector/trace/access_table.c). The paper's n counts the first
 * work-item too: with structs of 12 bytes the first one and the ten behind it lie in 128 bytes, and
 * figure 12 says 11; where all 32 have one address it says 32. That is what coalesced_threads is.
 */
#include <string.h>

#include "layout/nakai/nakai.h"

static const double W1 = 1, W2 = -1;

double pm_nakai_weight(const char *access_class, double coalesced_threads, unsigned warp_width)
{
    if (strcmp(access_class, "UnCoalesc") == 0 || strcmp(access_class, "ShareCoalesc") == 0)
        return W1;
    if (strcmp(access_class, "Coalesc") == 0)
        return W2 * coalesced_threads / warp_width;
    return 0;
}

double pm_nakai_weigh(pm_nakai_row *rows, size_t count, unsigned warp_width)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        pm_nakai_row *row = &rows[i];

        row->weight = pm_nakai_weight(row->access_class, row->coalesced_threads, warp_width);
        row->corrected = row->weight * row->executions;
        sum += row->corrected;
    }
    return sum;
}
