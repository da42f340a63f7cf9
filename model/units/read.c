/* Reads the counters of a kernel from which the units model computes how long each functional unit
 * of the GPU works. The counters come from a regression problem or from datasets of several GPUs.
 * See units.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "model/units/parts.h"

/* Counters that replace the number of L1 wavefronts on older GPUs. If the GPU has an L1 cache, a
 * load is issued again for each cache line that it touches (lines). A GPU of compute capability
 * 1.x, which has neither L2 nor sectors, makes one access per segment of 32, 64 or 128 bytes
 * (segments). Source: CUDA C Programming Guide, global memory of compute capability 2.x and 1.x. */
static const char *const lines[PM_UNITS_LINES] = {"gld_tag", "gst_tag"};
static const char *const segments[PM_UNITS_SEGMENTS] = {"gld_32b", "gld_64b", "gld_128b",
                                                        "gst_32b", "gst_64b", "gst_128b"};

/* Indices of the counters that are read (pm_units_name): first the model's own counters, then the
 * counters that replace them (STAND_IN), then instructions of work-items (THREADS), lines and
 * segments. */
enum {
    STAND_IN = COUNTERS,
    THREADS = STAND_IN + COUNTERS,
    FIRST_LINE,
    FIRST_SEGMENT = FIRST_LINE + PM_UNITS_LINES,
    END = FIRST_SEGMENT + PM_UNITS_SEGMENTS
};
_Static_assert((int)END == (int)PM_UNITS_NAMES, "PM_UNITS_NAMES has the number of names");

const char *pm_units_name(size_t index)
{
    if (index < STAND_IN)
        return pm_units_counters[index].name;
    if (index < THREADS)
        return pm_units_counters[index - STAND_IN].stand_in;
    if (index == THREADS)
        return "thread_inst_executed";
    return index < FIRST_SEGMENT ? lines[index - FIRST_LINE] : segments[index - FIRST_SEGMENT];
}

static double sum_of(const double *value, size_t count)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++)
        sum += value[k];
    return sum;
}

/* Computes one of the model's counters from other counters. For older GPUs the trace engine does
 * not count it. Returns NAN if it cannot be computed. */
static double find_older(const double *value, const pm_profile *profile, size_t counter)
{
    const bool no_l2 = !(profile->l2_bytes_per_cycle > 0);
    double accesses;

    if (no_l2 && (counter == L2_READ || counter == L2_WRITE || counter == GLD_SECTOR))
        return 0;
    if (counter != GLOBAL_WAVEFRONT)
        return (double)NAN;
    accesses = sum_of(value + FIRST_LINE, PM_UNITS_LINES);
    return isnan(accesses) ? sum_of(value + FIRST_SEGMENT, PM_UNITS_SEGMENTS) : accesses;
}

/* On some GPUs, a load that touches several cache lines is issued again for each line (a replay),
 * and L1 may not cache the data. All sectors of such a load count as L1 misses here: each replay
 * requests its line from L2 in about 2 cycles, as on GPUs whose L1 misses are counted. GPUs without
 * replays pass these loads through the texture units, which request a line per cycle. */
static void add_replays(const pm_profile *profile, double *c)
{
    if (profile->replays && c[L1_MISS] == 0 && !(c[L1_HIT] > 0))
        c[L1_MISS] = c[GLD_SECTOR];
}

/* Returns the number of warp instructions divided by the number of instructions of all work-items;
 * NaN if one of them is unknown. */
static double warps_of(const double *value)
{
    return value[THREADS] <= 0 ? 0 : value[EXECUTED] / value[THREADS];
}

/* Estimates the number of waits for loads that miss L1, if it was not counted. Each load is assumed
 * to be waited for alone, with the miss rate of its sectors. */
static void estimate_misses(double *c)
{
    c[LOAD_WAIT_MISS] = c[GLD_SECTOR] > 0 ? c[L1_MISS] / c[GLD_SECTOR] * c[GLD_REQUEST] : 0;
}

bool pm_units_read(const double *value, const pm_profile *profile, double *c)
{
    const double warps = warps_of(value);
    bool no_misses = false;

    for (size_t k = 0; k < COUNTERS; k++) {
        const pm_units_counter *counter = &pm_units_counters[k];

        c[k] = value[k];
        if (isnan(c[k]) && counter->stand_in)
            c[k] = value[STAND_IN + k] * (counter->by_work_item ? warps : 1);
        if (isnan(c[k]))
            c[k] = find_older(value, profile, k);
        if (isnan(c[k])) {
            if (!counter->may_miss)
                return false;
            no_misses = no_misses || k == LOAD_WAIT_MISS;
            c[k] = 0;
        }
    }
    c[LAUNCHES] = fmax(c[LAUNCHES], 1);
    add_replays(profile, c);
    if (no_misses)
        estimate_misses(c);
    return true;
}

void pm_units_forget_waits(double *c)
{
    c[LOAD_WAIT] = c[GLD_REQUEST];
    c[DEPTH] = c[EXECUTED];
    c[SHARED_WAIT] = c[SHARED_LOAD];
    estimate_misses(c);
}
