/* Assigns a launch's work-groups to waves and compute units, and selects the sampled groups.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU assigns work-groups in ascending order, one to each compute unit in turn, until all units
 * are full: a wave. The groups of one wave on one compute unit are a cell, the sampling unit. L1,
 * which the groups of a cell have in common, is simulated within the cell. Neighbouring compute
 * units have cells of neighbouring groups. The first wave, in which caches are cold, is a stratum
 * of its own.
 */
#ifndef PM_COLLECTOR_ENGINE_SAMPLING_H
#define PM_COLLECTOR_ENGINE_SAMPLING_H

#include <stdint.h>

#include "machine/rules.h"

typedef struct {
    uint64_t wave;
    /* index of the compute unit among the plan's sampled compute units, from 0 to taken_units -
     * 1 */
    unsigned unit;
} pm_cell;

typedef struct {
    uint64_t groups; /* number of work-groups of the launch */
    unsigned units, resident;
    /* waves: number of waves (work-groups that run at the same time) of the launch. cells: number
     * of cells with at least one work-group (cell: groups of a wave on one compute unit). */
    uint64_t waves, cells;
    /* A wave is the work-groups that run at the same time. The first wave and every wave_step-th
     * wave from first_wave on are run, on `taken_units` compute units. The first half of these
     * compute units are neighbours, from number first_unit on (modulo `units`). The second half are
     * neighbours, too, and follow after a gap of `gap` units. If counts change from the first to
     * the last group of a wave, they differ between the halves, and the estimated variance includes
     * this change. */
    unsigned first_unit, taken_units, gap;
    uint64_t first_wave, wave_step;
    bool whole;
} pm_sampling_plan;

/* Returns the sampling plan (choice of the work-groups to run) that runs all work-groups of a
 * launch. */
pm_sampling_plan pm_sampling_whole(const pm_gpu *gpu, uint64_t groups, unsigned resident);
/* Chooses about `cells` cells of a launch to run as a sample. A cell is the work-groups that run at
 * the same time on one compute unit. More cells are chosen if the sample would otherwise have too
 * many or too few groups of the grid's last rows, which often have less work. groups: number of
 * work-groups in each dimension. */
pm_sampling_plan pm_sampling_sample(const pm_gpu *gpu, const uint64_t groups[3], unsigned resident,
                                    double cells, uint64_t seed);

/* Sets *group to the number, in the launch, of the i-th work-group (from 0) of a sampled cell
 * (work-groups of one wave on one compute unit). Returns false if the cell has no more groups. */
bool pm_sampling_group(const pm_sampling_plan *plan, pm_cell cell, uint64_t i, uint64_t *group);
uint64_t pm_sampling_cell_groups(const pm_sampling_plan *plan, pm_cell cell);
/* Returns the number of the next wave after `wave` (work-groups that run at the same time) that is
 * run as a part of the sample; plan->waves if there is none. */
uint64_t pm_sampling_next_wave(const pm_sampling_plan *plan, uint64_t wave);

#endif
