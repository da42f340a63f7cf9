/* Measures the latency of a floating-point multiply-add, and the clock of the probed device.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel executes a chain of 32-bit floating-point multiply-adds, each of which needs the
 * result of the previous one.
 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "collector/measure.h"
#include "collector/probe/probe.h"

/* Seconds for which the device is kept busy before measurements, so that it reaches its highest
 * clock. */
static const double WARM_UP_SECONDS = 0.3;

static pm_probe_times run_chain(pm_probe *probe)
{
    return pm_probe_run_job(&probe->bench, pm_probe_job(&probe->bench, NULL, ""));
}

/* Sets the cycles of one multiply-add of kernel `chain`: from the device's cycle counter, or, if it
 * has none, from the measured time and the clock that the driver reports. */
static void set_latency(pm_probe *probe, const pm_probe_times *times)
{
    pm_probe_value seconds, cycles;
    bool counted = isfinite(times->chain_cycles);

    if (!pm_probe_chain_seconds(times, &seconds))
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "%s: its timer is too coarse: a longer chain of arithmetic took no more time",
                 probe->row->device.name);
    cycles = seconds;
    cycles.median = counted ? times->chain_cycles : seconds.median * probe->facts.clock_mhz * 1e6;
    probe->bench.chain_cycles = cycles.median;
    probe->clock_mhz = cycles.median / seconds.median * 1e-6;
    pm_probe_measured(probe, "alu_latency_cycles", cycles,
                      counted ? "chain of fp32 multiply-adds, by the cycle counter"
                              : "chain of fp32 multiply-adds, by the highest clock");
}

void pm_probe_clock(pm_probe *probe)
{
    double start = pm_now_s();
    pm_probe_times times;

    while (!probe->row->device.is_cpu && pm_now_s() - start < WARM_UP_SECONDS)
        run_chain(probe);
    times = run_chain(probe);
    set_latency(probe, &times);
}
