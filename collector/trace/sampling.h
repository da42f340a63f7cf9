/* Which work-groups of a launch are run where, and which are run at all.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A GPU deals work-groups out in order, one to each compute unit in turn, until all are full: a
 * wave. What one compute unit holds of a wave is a cell, the unit of sampling: within it everything
 * that work-groups share (L1) is simulated, and cells of neighbouring compute units hold
 * neighbouring groups. The first wave, in which caches are cold, is a stratum of its own.
 */
#ifndef PM_COLLECTOR_TRACE_SAMPLING_H
#define PM_COLLECTOR_TRACE_SAMPLING_H

#include <stdint.h>

#include "gpu/rules.h"

typedef struct {
    uint64_t wave;
    unsigned unit; /* compute unit, counted from the plan's first_unit on, over the gap and round */
} pm_cell;

typedef struct {
    uint64_t groups; /* of the launch */
    unsigned units, resident;
    uint64_t waves, cells; /* of the launch; empty cells do not count */
    /* What is run: of the first wave and of every wave_step-th wave from first_wave on
     * `taken_units` units, half of them neighbours from first_unit on and half of them `gap` units
     * further round: what changes along a wave shows in how far the halves differ. */
    unsigned first_unit, taken_units, gap;
    uint64_t first_wave, wave_step;
    bool whole;
} pm_sampling_plan;

/* All of a launch. */
pm_sampling_plan pm_sampling_whole(const pm_gpu *gpu, uint64_t groups, unsigned resident);
/* About `cells` cells of it; of a launch of few rows of groups more, where these would not stand
 * for all rows. groups: in each dimension. */
pm_sampling_plan pm_sampling_sample(const pm_gpu *gpu, const uint64_t groups[3], unsigned resident,
                                    double cells, uint64_t seed);

/* Group number `i` (from 0) of a cell; false: it has no more. */
bool pm_sampling_group(const pm_sampling_plan *plan, pm_cell cell, uint64_t i, uint64_t *group);
uint64_t pm_sampling_cell_groups(const pm_sampling_plan *plan, pm_cell cell);
/* The wave after this that is run; plan->waves if there is none. */
uint64_t pm_sampling_next_wave(const pm_sampling_plan *plan, uint64_t wave);

#endif
