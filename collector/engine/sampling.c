/* Selects the work-groups of a launch that run.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/sampling.h"

#include <math.h>

#include "base/scramble.h"

/* Limits of balance_rows, which adjusts how many of the sampled work-groups are in the last rows of
 * the grid. The values are judgement, not measurements. OFTEN: the choice is adjusted only if at
 * least this fraction of the launch's work-groups is in last rows. NEAR: accepted difference
 * between this fraction in the sample and in the launch. MOST_MORE: number of waves (groups that
 * run at the same time) that may be added to the sample. PHASES: number of different first waves
 * that are tried. */
static const double OFTEN = 0.1, NEAR = 0.1;
enum { MOST_MORE = 5, PHASES = 8 };

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

/* Returns the number of compute units from which the sampled range of neighbouring units may start.
 * If the launch has two waves and the second is not full, the range must contain two units with
 * work-groups in the second wave, or one if only one unit has. The result is then smaller than the
 * number of compute units. */
static unsigned starts(const pm_sampling_plan *plan)
{
    uint64_t wave = (uint64_t)plan->units * plan->resident;
    uint64_t last = smaller(plan->units, plan->groups - (plan->waves - 1) * wave);

    if (plan->waves != 2 || last == plan->units)
        return plan->taken_units;
    return last > 1 ? (unsigned)last - 1 : 1;
}

/* The sampled compute units are two blocks of neighbouring units, of units / 2 each. Returns the
 * number of units that lie between the blocks. It is chosen so that the blocks are half of the GPU
 * apart, because work may change with the number of the work-group within a wave (the groups that
 * run at the same time). Returns 0 if the GPU does not have enough units, or if there are only two
 * waves and some units have no groups in the second. */
static unsigned gap_for(const pm_sampling_plan *plan, unsigned units)
{
    unsigned room = plan->taken_units;

    return units < room && starts(plan) == room ? (room - units) / 2 : 0;
}

/* Sets which waves are run as a sample: the first one, and about `waves` evenly spaced later ones.
 * A wave is the work-groups that run at the same time. */
static void take_waves(pm_sampling_plan *plan, uint64_t waves)
{
    const uint64_t rest = plan->waves - 1;

    if (waves == 0)
        return;
    plan->wave_step = (rest + waves / 2) / waves;
    waves = (rest - 1) / plan->wave_step + 1;
    plan->first_wave = 1 + (rest - 1 - (waves - 1) * plan->wave_step) / 2;
}

/* ---- rows ----------------------------------------------------------------------------------- */

/* Returns whether a work-group is in the last row or plane of the grid. Some work-items of such
 * groups often lie beyond the end of the data and do nothing. */
static bool is_in_last_row(const uint64_t groups[3], uint64_t group)
{
    return (groups[1] > 1 && group / groups[0] % groups[1] == groups[1] - 1) ||
           (groups[2] > 1 && group / groups[0] / groups[1] == groups[2] - 1);
}

/* Returns the fraction of the work-groups after the first wave that are in the last row of the
 * grid, in the last row of a plane, or in the last plane. */
static double last_share(const pm_sampling_plan *plan, const uint64_t groups[3])
{
    const uint64_t wave = (uint64_t)plan->units * plan->resident;
    const uint64_t rows = groups[1] > 1 ? groups[1] - 1 : 1,
                   planes = groups[2] > 1 ? groups[2] - 1 : 1;
    uint64_t last = plan->groups - groups[0] * rows * planes;

    for (uint64_t group = 0; group < wave; group++)
        last -= is_in_last_row(groups, group);
    return (double)last / (double)(plan->groups - wave);
}

/* Returns the fraction of the sampled work-groups after the first wave that are in the last row of
 * the grid, in the last row of a plane, or in the last plane. */
static double taken_share(const pm_sampling_plan *plan, const uint64_t groups[3])
{
    uint64_t last = 0, all = 0, group;

    for (uint64_t wave = plan->first_wave; wave < plan->waves;
         wave = pm_sampling_next_wave(plan, wave))
        for (unsigned unit = 0; unit < plan->taken_units; unit++)
            for (uint64_t i = 0; pm_sampling_group(plan, (pm_cell){wave, unit}, i, &group); i++) {
                last += is_in_last_row(groups, group);
                all++;
            }
    return all > 0 ? (double)last / (double)all : 0;
}

static uint64_t waves_taken(const pm_sampling_plan *plan)
{
    return (plan->waves - 1 - plan->first_wave) / plan->wave_step + 1;
}

/* State of a search for the sampling plan whose fraction of work-groups in last rows of the grid is
 * nearest to `share`, the fraction in the whole launch. */
typedef struct {
    const uint64_t *groups;
    double share;
    pm_sampling_plan best;
    /* absolute difference between two fractions of work-groups in last rows of the grid: the
     * fraction in the best sample so far, and the fraction `share` in the launch */
    double apart;
} balancing;

static void consider(balancing *b, const pm_sampling_plan *plan)
{
    const double apart = fabs(taken_share(plan, b->groups) - b->share);

    if (apart < b->apart) {
        b->best = *plan;
        b->apart = apart;
    }
}

/* Compares a sampling plan (choice of the waves and compute units to run) with the best plan so
 * far. Also compares PHASES - 1 copies of the plan whose first sampled wave is later by less than
 * the step between sampled waves. A wave is the work-groups that run at the same time. */
static void consider_phases(balancing *b, pm_sampling_plan plan)
{
    const uint64_t centred = plan.first_wave - 1, step = plan.wave_step;

    consider(b, &plan);
    for (uint64_t k = 1; k < PHASES && b->apart > NEAR; k++) {
        plan.first_wave = 1 + (centred + k * step / PHASES) % step;
        if (plan.first_wave < plan.waves)
            consider(b, &plan);
    }
}

/* Changes which waves (work-groups that run at the same time) are sampled, until the fraction of
 * groups in last rows of the grid is near the launch's fraction. Groups in last rows often have
 * much less work, and a sample may have too many or too few of them. This happens if few waves are
 * sampled, or if the step between sampled waves is a multiple of a row. The function tries other
 * first waves, more waves and another step. */
static void balance_rows(pm_sampling_plan *plan, const uint64_t groups[3])
{
    balancing b = {groups, plan->waves > 1 ? last_share(plan, groups) : 0, *plan, (double)INFINITY};
    uint64_t least;
    pm_sampling_plan other;

    if (b.share < OFTEN)
        return;
    consider(&b, plan);
    least = waves_taken(plan);
    for (uint64_t waves = least;
         waves <= least + MOST_MORE && waves < plan->waves && b.apart > NEAR; waves++) {
        other = b.best;
        take_waves(&other, waves);
        if (waves_taken(&other) > least + MOST_MORE)
            break;
        consider_phases(&b, other);
    }
    if (least > MOST_MORE && b.apart > NEAR) {
        other = b.best;
        other.wave_step++;
        consider_phases(&b, other);
    }
    *plan = b.best;
}

pm_sampling_plan pm_sampling_sample(const pm_gpu *gpu, const uint64_t groups[3], unsigned resident,
                                    double cells, uint64_t seed)
{
    pm_sampling_plan plan = pm_sampling_whole(gpu, groups[0] * groups[1] * groups[2], resident);
    uint64_t wanted = cells < 2 ? 2 : cells < 1e15 ? (uint64_t)cells : (uint64_t)1e15;
    uint64_t rest = plan.waves - 1, waves;
    unsigned units;

    plan.first_unit = (unsigned)(pm_scramble(seed) % starts(&plan));
    if (wanted >= plan.cells)
        return plan;
    plan.whole = false;
    /* A wave is the work-groups that run at the same time. Two or more compute units must run,
     * because a wave with one sampled unit has no variance. The number of waves to sample is then
     * the wanted number of cells (groups of one wave on one unit) divided by the number of units.
     */
    units = (unsigned)smaller((wanted + plan.waves - 1) / plan.waves, plan.taken_units);
    units = units < 2 ? 2 : units;
    if (units > plan.taken_units && plan.taken_units > 0)
        units = plan.taken_units;
    waves = wanted / units;
    /* number of waves to sample after the first wave */
    waves = waves > 1 ? smaller(waves - 1, rest) : 0;
    plan.gap = gap_for(&plan, units);
    plan.taken_units = units;
    if (waves == 0 && rest > 0)
        waves = 1;
    take_waves(&plan, waves);
    balance_rows(&plan, groups);
    return plan;
}

/* ---- cells ---------------------------------------------------------------------------------- */

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
