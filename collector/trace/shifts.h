/* By how much the addresses of a memory instruction move from one work-group to the next.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_SHIFTS_H
#define PM_COLLECTOR_TRACE_SHIFTS_H

#include "base/error.h"
#include "collector/trace/memory/wave.h"

enum { PM_SHIFT_GROUPS = 32, PM_SHIFT_EACH = 2 };

/* The first address that each of some groups has: of one cell, or some groups of each of some of
 * them, evenly spread. */
typedef struct pm_site_starts {
    uint32_t group[PM_SHIFT_GROUPS];
    uint64_t address[PM_SHIFT_GROUPS];
    unsigned count;
    unsigned cells, every; /* that were joined; of which each `every`-th was kept (0: all) */
} pm_site_starts;

/* The address of an access of a group, of which the first one counts. */
static inline void pm_shift_see(pm_site_starts *starts, uint32_t group, uint64_t address)
{
    for (unsigned i = starts->count; i-- > 0;)
        if (starts->group[i] == group)
            return;
    if (starts->count == PM_SHIFT_GROUPS)
        return;
    starts->group[starts->count] = group;
    starts->address[starts->count++] = address;
}

/* Adds what the next cell has. */
void pm_shift_join(pm_site_starts *to, const pm_site_starts *from);

/* Fits address = a + b_x X + b_y Y + b_z Z. shift->known: it holds, within a sector, for three
 * quarters of the groups, and they tell of each dimension that has more than one. groups: of the
 * launch, in each dimension. */
pm_status pm_shift_find(const pm_site_starts *starts, const uint64_t groups[3],
                        pm_site_shift *shift, pm_error *err);

#endif
