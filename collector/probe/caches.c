/* Measures the sizes of L1 and L2 if the driver does not report them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One work-item follows a chain of indices through buffers of growing size. When a load takes
 * longer, the buffer no longer fits into the cache.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "collector/probe/probe.h"

enum { L1_LEAST = 4 << 10, L1_MOST = 1 << 20, L2_MOST = 128 << 20, REFINED = 16 };
/* FITS: a buffer fits into a cache if a load from the buffer takes at most near + FITS * (far -
 * near) cycles. near is the cache's latency, and far the next level's latency. FASTER: a cache
 * exists if its latency is at most this fraction of the next level's latency. */
static const double FITS = 0.1, FASTER = 0.8;

/* Sets `sizes` to ascending buffer sizes in bytes, from `from` to `to`. Each size is `factor` times
 * the previous one, rounded down to whole cache lines. Returns the number of sizes. */
static size_t sizes_by_factor(size_t from, size_t to, double factor, size_t *sizes)
{
    double size = (double)from;
    size_t n = 0;

    while (size <= (double)to * 1.001 && n < PM_CHASE_MAX) {
        sizes[n++] = (size_t)(size / PM_CHASE_LINE) * PM_CHASE_LINE;
        size *= factor;
    }
    return n;
}

/* Returns how many of the n buffer sizes fit into a cache: all up to the largest one whose loads
 * are fast enough. A smaller size that seems not to fit, because its measurement was disturbed, is
 * included. near, far: latencies in cycles of the cache and of the next level. cycles[i]: measured
 * latency for size i. */
static size_t fitting(const pm_probe_value *cycles, size_t n, double near, double far)
{
    size_t fit = n;

    while (fit > 0 &&
           !(cycles[fit - 1].median > 0 && cycles[fit - 1].median <= near + FITS * (far - near)))
        fit--;
    return fit;
}

/* Finds the largest buffer size that fits into a cache, between `fits` and `too_large` bytes, in
 * steps of 1/REFINED of their difference. Sets *bytes to it. near, far: latencies in cycles of the
 * cache and of the next level. */
static void refine(pm_probe *probe, size_t fits, size_t too_large, double near, double far,
                   double *bytes)
{
    size_t sizes[REFINED], step = (too_large - fits) / REFINED / PM_CHASE_LINE * PM_CHASE_LINE;
    pm_probe_value cycles[REFINED];
    size_t fit;

    *bytes = (double)fits;
    if (step == 0)
        return;
    for (size_t i = 0; i < REFINED; i++)
        sizes[i] = fits + step * (i + 1);
    pm_probe_chase(probe, sizes, REFINED, true, NULL, cycles);
    fit = fitting(cycles, REFINED, near, far);
    if (fit > 0)
        *bytes = (double)sizes[fit - 1];
}

/* Measures the size of L1 by loads from global memory. like.c writes the size to devices.csv later,
 * when it is known whether L1 and local memory share one array. */
static void measure_l1(pm_probe *probe)
{
    size_t sizes[PM_CHASE_MAX], n, fit;
    pm_probe_value cycles[PM_CHASE_MAX];
    double near, far;

    n = sizes_by_factor(L1_LEAST, L1_MOST, sqrt(sqrt(2)) * sqrt(sqrt(sqrt(2))), sizes);
    pm_probe_chase(probe, sizes, n, true, NULL, cycles);
    near = cycles[0].median;
    far = cycles[n - 1].median;
    if (!(near > 0 && far > 0))
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "the size of L1: the device's timer is too coarse");
    if (near > FASTER * far) {
        probe->l1_bytes = 0;
        pm_probe_text(probe, "l1_global", PM_PROBE_MEASURED, "no",
                      "small buffers are followed no faster than large ones");
        return;
    }
    fit = fitting(cycles, n, near, far);
    if (fit == 0 || fit == n)
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "the size of L1: the device's timer is too coarse");
    refine(probe, sizes[fit - 1], sizes[fit], near, far, &probe->l1_bytes);
    pm_probe_text(probe, "l1_global", PM_PROBE_MEASURED, "yes",
                  "small buffers are followed faster than large ones");
}

/* Measures the size of the last cache before DRAM. Buffer sizes are measured one after the other
 * and not in one job (a workload that measures something), because the buffers are large. */
static void measure_l2(pm_probe *probe)
{
    size_t sizes[PM_CHASE_MAX], n, fit;
    pm_probe_value cycles[PM_CHASE_MAX];

    n = sizes_by_factor(probe->l1_bytes > 0 ? (size_t)probe->l1_bytes * 2 : L1_LEAST, L2_MOST,
                        sqrt(2), sizes);
    for (size_t i = 0; i < n; i++)
        pm_probe_chase(probe, &sizes[i], 1, true, NULL, &cycles[i]);
    fit = n > 0 && cycles[0].median > 0 && cycles[0].median <= FASTER * cycles[n - 1].median
              ? fitting(cycles, n, cycles[0].median, cycles[n - 1].median)
              : 0;
    probe->l2_bytes = fit > 0 ? (double)sizes[fit - 1] : 0;
    if (fit == 0)
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "the size of L2: no size from which on loads take longer was found up to %d MiB",
                 L2_MOST >> 20);
    pm_probe_number(probe, "l2_bytes", PM_PROBE_MEASURED, probe->l2_bytes,
                    "largest buffer that is followed as fast as small ones");
}

void pm_probe_caches(pm_probe *probe)
{
    /* L2's size as the driver reports it; set first, because it is needed even if measuring L1
     * fails */
    probe->l2_bytes = probe->facts.l2_bytes;
    if (!(probe->l1_bytes > 0))
        measure_l1(probe);
    if (!(probe->l2_bytes > 0))
        measure_l2(probe);
}
