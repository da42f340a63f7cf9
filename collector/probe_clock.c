/* Latency of arithmetic: a chain of fp32 multiply-adds, each of which needs the one before. With
 * it, the clock that the device runs at under the probe. See probe.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <stdio.h>

#include "error.h"
#include "measure.h"
#include "probe.h"

/* A device that was idle takes some time until it runs at its highest clock. */
static const double WARM_UP_SECONDS = 0.3;

static pm_status warm_up(pm_probe *probe, pm_error *err)
{
    double start = pm_now_s();
    pm_status status = PM_OK;

    while (status == PM_OK && pm_now_s() - start < WARM_UP_SECONDS) {
        pm_probe_times times;

        status =
            pm_probe_run_job(&probe->bench, pm_probe_job(&probe->bench, NULL, ""), &times, err);
        if (status == PM_OK)
            pm_probe_times_free(&times);
    }
    return status;
}

/* The chain's cycles by the device's own counter, else by the clock that the driver tells. */
static pm_status set_latency(pm_probe *probe, const pm_probe_times *times, pm_error *err)
{
    pm_probe_value seconds, cycles;
    bool counted = isfinite(times->chain_cycles);

    if (!pm_probe_chain_seconds(times, &seconds))
        return pm_fail(
            err, PM_FAILED,
            "%s: its timer is too coarse: a longer chain of arithmetic took no more time",
            probe->row->device.name);
    cycles = seconds;
    cycles.median = counted ? times->chain_cycles : seconds.median * probe->facts.clock_mhz * 1e6;
    probe->bench.chain_cycles = cycles.median;
    probe->clock_mhz = cycles.median / seconds.median * 1e-6;
    return pm_probe_measured(probe, "alu_latency_cycles", cycles,
                             counted ? "chain of fp32 multiply-adds, by the cycle counter"
                                     : "chain of fp32 multiply-adds, by the highest clock",
                             err);
}

pm_status pm_probe_clock(pm_probe *probe, pm_error *err)
{
    pm_probe_times times;
    pm_status status = probe->row->device.is_cpu ? PM_OK : warm_up(probe, err);

    if (status == PM_OK)
        status =
            pm_probe_run_job(&probe->bench, pm_probe_job(&probe->bench, NULL, ""), &times, err);
    if (status != PM_OK)
        return status;
    status = set_latency(probe, &times, err);
    pm_probe_times_free(&times);
    return status;
}
