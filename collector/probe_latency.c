/* Latencies of loads from global memory that L1, L2 and DRAM answer: one work-item follows indices
 * through a buffer of a size that the cache before does not hold. See probe.h and probe_chase.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "error.h"
#include "probe_chase.h"

enum { LEAST_L1 = 4 << 10, LEAST_DRAM = 64 << 20, MOST_DRAM = 1 << 29 };

static size_t lines(double bytes)
{
    return (size_t)(bytes / PM_CHASE_LINE) * PM_CHASE_LINE;
}

/* A quarter of L1, and a third of L2, which is whole on each side of one that has two. */
static pm_status measure_caches(pm_probe *probe, pm_error *err)
{
    size_t sizes[2];
    pm_probe_value cycles[2];
    char what[96];
    pm_status status;

    sizes[0] = lines(probe->l1_bytes / 4 > LEAST_L1 ? probe->l1_bytes / 4 : LEAST_L1);
    sizes[1] = lines(probe->l2_bytes / 3);
    if ((double)sizes[1] < 2 * probe->l1_bytes || sizes[1] < sizes[0])
        return pm_fail(err, PM_FAILED, "latencies of the caches: L2 is not larger than L1");
    status = pm_probe_chase(probe, sizes, 2, true, NULL, cycles, err);
    if (status != PM_OK)
        return status;
    if (probe->l1_bytes > 0 && cycles[0].median > 0) {
        snprintf(what, sizeof what, "one work-item follows indices through %zu KiB",
                 sizes[0] >> 10);
        status = pm_probe_measured(probe, "load_l1_cycles", cycles[0], what, err);
    }
    if (status == PM_OK && cycles[1].median > 0) {
        snprintf(what, sizeof what, "one work-item follows indices through %zu KiB",
                 sizes[1] >> 10);
        status = pm_probe_measured(probe, "load_l2_cycles", cycles[1], what, err);
    }
    return status;
}

/* DRAM has a clock of its own: its time is told in cycles of the highest clock. */
static pm_status measure_dram(pm_probe *probe, pm_error *err)
{
    double most = (double)probe->row->device.memory_bytes / 16, wanted = 8 * probe->l2_bytes;
    size_t bytes;
    pm_probe_value seconds;
    char what[96];
    pm_status status;

    if (wanted < LEAST_DRAM)
        wanted = LEAST_DRAM;
    if (most > MOST_DRAM)
        most = MOST_DRAM;
    bytes = lines(wanted < most ? wanted : most);
    status = pm_probe_chase(probe, &bytes, 1, false, &seconds, NULL, err);
    if (status != PM_OK)
        return status;
    if (!(seconds.median > 0))
        return pm_fail(err, PM_FAILED, "latency of DRAM: more loads took no more time");
    seconds.median *= probe->facts.clock_mhz * 1e6;
    snprintf(what, sizeof what, "one work-item follows indices through %zu MiB", bytes >> 20);
    return pm_probe_measured(probe, "load_dram_cycles", seconds, what, err);
}

pm_status pm_probe_latency(pm_probe *probe, pm_error *err)
{
    pm_error why = {0};

    if (measure_caches(probe, &why) != PM_OK)
        pm_notice(&probe->log, "%s", why.text);
    return measure_dram(probe, err);
}
