/* Measures the latencies of loads from L1, L2 and DRAM.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One work-item follows a chain of indices through a buffer. The buffer fits into the measured
 * level and is too large for the smaller caches.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "collector/probe/probe.h"

enum { LEAST_L1 = 4 << 10, LEAST_DRAM = 64 << 20, MOST_DRAM = 1 << 29 };

static size_t lines(double bytes)
{
    return (size_t)(bytes / PM_CHASE_LINE) * PM_CHASE_LINE;
}

/* Measures the latency of L1 with a buffer of a quarter of L1's size, and the latency of L2 with a
 * buffer of a third of L2's size. If L2 consists of two partitions, a buffer of a third of L2's
 * size fits into one partition. Disturbances can only make a latency longer, so a latency that
 * exceeds the next level's is replaced by the next level's. */
static void measure_caches(pm_probe *probe)
{
    static const char *const columns[] = {"load_l1_cycles", "load_l2_cycles"};
    size_t sizes[2];
    pm_probe_value cycles[2];
    double most = probe->dram_cycles > 0 ? probe->dram_cycles : (double)INFINITY;
    char what[96];

    sizes[0] = lines(probe->l1_bytes / 4 > LEAST_L1 ? probe->l1_bytes / 4 : LEAST_L1);
    sizes[1] = lines(probe->l2_bytes / 3);
    if ((double)sizes[1] < 2 * probe->l1_bytes || sizes[1] < sizes[0])
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "latencies of the caches: L2 is not larger than L1");
    pm_probe_chase(probe, sizes, 2, true, NULL, cycles);
    for (int i = 1; i >= (probe->l1_bytes > 0 ? 0 : 1); i--) {
        if (cycles[i].median > most)
            cycles[i].median = most;
        else if (cycles[i].median > 0)
            most = cycles[i].median;
        snprintf(what, sizeof what, "one work-item follows indices through %zu KiB",
                 sizes[i] >> 10);
        if (cycles[i].median > 0)
            pm_probe_measured(probe, columns[i], cycles[i], what);
    }
}

/* Measures the latency of DRAM. DRAM has a clock of its own, so the measured time is converted to
 * cycles at the device's highest clock. */
static void measure_dram(pm_probe *probe)
{
    double most = (double)probe->row->device.memory_bytes / 16, wanted = 8 * probe->l2_bytes;
    size_t bytes;
    pm_probe_value seconds;
    char what[96];

    if (wanted < LEAST_DRAM)
        wanted = LEAST_DRAM;
    if (most > MOST_DRAM)
        most = MOST_DRAM;
    bytes = lines(wanted < most ? wanted : most);
    pm_probe_chase(probe, &bytes, 1, false, &seconds, NULL);
    if (!(seconds.median > 0))
        pm_leave(&probe->bench.memory, PM_FAILED, "latency of DRAM: more loads took no more time");
    seconds.median *= probe->facts.clock_mhz * 1e6;
    snprintf(what, sizeof what, "one work-item follows indices through %zu MiB", bytes >> 20);
    pm_probe_measured(probe, "load_dram_cycles", seconds, what);
    probe->dram_cycles = seconds.median;
}

void pm_probe_latency(pm_probe *probe)
{
    pm_error of_dram = {0}, why = {0};
    const pm_status status = pm_probe_try(probe, measure_dram, &of_dram);

    if (pm_probe_try(probe, measure_caches, &why) != PM_OK)
        pm_notice(&probe->log, "%s", why.text);
    if (status != PM_OK)
        pm_leave(&probe->bench.memory, status, "%s", of_dram.text);
}
