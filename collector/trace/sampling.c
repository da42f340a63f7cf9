/* Which work-groups of a launch are run. See sampling.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/sampling.h"

#include "base/scramble.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

pm_sampling_plan pm_sampling_whole(const pm_gpu *gpu, uint64_t groups, unsigned resident)
{
    pm_sampling_plan plan = {.groups = groups,
                             .units = gpu->compute_units,
                             .resident = resident,
                             .first_wave = 1,
                             .wave_step = 1,
                             .whole = true};
    uint64_t wave = (uint64_t)plan.units * resident;

    plan.waves = (groups + wave - 1) / wave;
    plan.cells =
        (plan.waves - 1) * plan.units + smaller(plan.units, groups - (plan.waves - 1) * wave);
    plan.taken_units = (unsigned)smaller(plan.units, groups);
    return plan;
}

/* Units to start from. If the last wave is all that there is after the first, some of those that
 * are run, two where there are two, have to have groups in it. */
static unsigned starts(const pm_sampling_plan *plan)
{
    uint64_t wave = (uint64_t)plan->units * plan->resident;
    uint64_t last = smaller(plan->units, plan->groups - (plan->waves - 1) * wave);

    if (plan->waves != 2 || last == plan->units)
        return plan->taken_units;
    return last > 1 ? (unsigned)last - 1 : 1;
}

/* So that the halves of `units` units stand opposite each other, where both find room. In a last
 * wave that is all there is after the first some units have no groups: then they stay neighbours.
 */
static unsigned gap_for(const pm_sampling_plan *plan, unsigned units)
{
    unsigned room = plan->taken_units;

    return units < room && starts(plan) == room ? (room - units) / 2 : 0;
}

pm_sampling_plan pm_sampling_sample(const pm_gpu *gpu, uint64_t groups, unsigned resident,
                                    double cells, uint64_t seed)
{
    pm_sampling_plan plan = pm_sampling_whole(gpu, groups, resident);
    uint64_t wanted = cells < 2 ? 2 : cells < 1e15 ? (uint64_t)cells : (uint64_t)1e15;
    uint64_t rest = plan.waves - 1, waves;
    unsigned units;

    plan.first_unit = (unsigned)(pm_scramble(seed) % starts(&plan));
    if (wanted >= plan.cells)
        return plan;
    plan.whole = false;
    /* At least two units, so that a wave has a variance; as many waves as that allows. */
    units = (unsigned)smaller((wanted + plan.waves - 1) / plan.waves, plan.taken_units);
    units = units < 2 ? 2 : units;
    if (units > plan.taken_units && plan.taken_units > 0)
        units = plan.taken_units;
    waves = wanted / units;
    waves = waves > 1 ? smaller(waves - 1, rest) : 0; /* besides the first */
    plan.gap = gap_for(&plan, units);
    plan.taken_units = units;
    if (waves == 0 && rest > 0)
        waves = 1;
    if (waves > 0) {
        plan.wave_step = (rest + waves / 2) / waves;
        waves = (rest - 1) / plan.wave_step + 1;
        plan.first_wave = 1 + (rest - 1 - (waves - 1) * plan.wave_step) / 2;
    }
    return plan;
}

static uint64_t unit_of(const pm_sampling_plan *plan, unsigned unit)
{
    uint64_t at = plan->first_unit + unit;

    if (unit >= (plan->taken_units + 1) / 2)
        at += plan->gap;
    return at % smaller(plan->units, plan->groups);
}

bool pm_sampling_group(const pm_sampling_plan *plan, pm_cell cell, uint64_t i, uint64_t *group)
{
    if (i >= plan->resident)
        return false;
    *group = (cell.wave * plan->resident + i) * plan->units + unit_of(plan, cell.unit);
    return *group < plan->groups;
}

uint64_t pm_sampling_cell_groups(const pm_sampling_plan *plan, pm_cell cell)
{
    uint64_t n = 0, group;

    while (pm_sampling_group(plan, cell, n, &group))
        n++;
    return n;
}

uint64_t pm_sampling_next_wave(const pm_sampling_plan *plan, uint64_t wave)
{
    uint64_t next = wave == 0 ? plan->first_wave : wave + plan->wave_step;

    return next < plan->waves ? next : plan->waves;
}
