/* Estimates by how many bytes the addresses of a memory instruction differ from one work-group to
 * the next. Addresses are recorded in sampled cells; a cell is the work-groups of one wave on one
 * compute unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_GROUP_STRIDES_H
#define PM_COLLECTOR_ENGINE_GROUP_STRIDES_H

#include "base/error.h"
#include "collector/engine/l2/wave_replay.h"

enum { PM_SHIFT_GROUPS = 32, PM_SHIFT_EACH = 2 };

/* First address that a memory instruction accesses in each of some work-groups. These are the
 * work-groups of one cell (one wave on one compute unit). After pm_shift_join has combined several
 * cells, evenly spaced over the launch, the struct has PM_SHIFT_EACH work-groups of each of these
 * cells. */
typedef struct pm_site_starts {
    uint32_t group[PM_SHIFT_GROUPS];
    uint64_t address[PM_SHIFT_GROUPS];
    unsigned count;
    /* cells: number of sampled cells (work-groups of one wave on one compute unit) whose addresses
     * pm_shift_join has added. every: addresses are recorded of every `every`-th cell only (0: of
     * all cells). */
    unsigned cells, every;
} pm_site_starts;

/* Records the first address that a memory instruction accesses in a work-group. Further calls for
 * the same group have no effect. */
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

/* Adds to `to` the addresses that one memory instruction accessed in the next sampled cell
 * (work-groups of one wave on one compute unit). */
void pm_shift_join(pm_site_starts *to, const pm_site_starts *from);

/* Fits address = a + b_x X + b_y Y + b_z Z to the recorded groups, where X, Y and Z are the group
 * ids in the three dimensions. shift->by becomes b. shift->known becomes true if the fit is within
 * a sector for three quarters of the groups, and the recorded groups determine b in each dimension
 * with more than one group. groups: number of work-groups of the launch in each dimension. */
pm_status pm_shift_find(const pm_site_starts *starts, const uint64_t groups[3],
                        pm_site_shift *shift, pm_error *err);

#endif
