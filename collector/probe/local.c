/* Measures local memory (CUDA: shared memory): the latency of a load, and the numbers of loads and
 * wavefronts per cycle and compute unit. The kernels are in kernels/probe/local.cl.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>

#include "base/error.h"
#include "collector/probe/probe.h"

enum { LOADS = 16, FEW = 8, MANY = 136, CHASE_FEW = 1 << 10, CHASE_MANY = 1 << 14 };
enum { WAVEFRONT_BYTES = 128, WIDE_BYTES = 16, LEAST_GROUP = 128 };

static const char LOADS_WORDS[] = "loads from local memory";

static pm_workload *local_job(const pm_probe *probe, bool wide)
{
    char options[48];

    snprintf(options, sizeof options, "-DGROUP=%zu %s", probe->bench.group, wide ? "-DWIDE" : "");
    return pm_probe_job(&probe->bench, "probe/local.cl", options);
}

static void measure_latency(pm_probe *probe)
{
    pm_workload *job = local_job(probe, false);
    size_t state = pm_workload_buffer(job, "state", sizeof(uint32_t), NULL, PM_BUFFER_IN);
    pm_probe_value cycles;

    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "local_chase", 1, (size_t[]){1}, (size_t[]){1});
        pm_workload_arg_buffer(job, state);
        pm_workload_arg_int(job, i == 0 ? CHASE_FEW : CHASE_MANY);
    }
    cycles = pm_probe_run_two(&probe->bench, job, CHASE_MANY - CHASE_FEW, LOADS_WORDS);
    pm_probe_measured(probe, "shared_load_cycles", cycles,
                      "one work-item follows indices in local memory");
}

/* Measures the rate of loads from local memory, in warp instructions per cycle and compute unit.
 * wide: true if each work-item loads 16 bytes instead of 4. */
static pm_probe_value measure_loads(pm_probe *probe, bool wide)
{
    pm_workload *job = local_job(probe, wide);
    size_t groups = (size_t)PM_PROBE_UNIT_GROUPS * probe->facts.compute_units;
    size_t global = groups * probe->bench.group;
    size_t zero = pm_workload_buffer(job, "zero", 8 * sizeof(uint32_t), NULL, PM_BUFFER_IN);
    size_t out = pm_workload_buffer(job, "out", global * sizeof(uint32_t), NULL, PM_BUFFER_IN);
    double warps = (double)PM_PROBE_UNIT_GROUPS * (double)probe->bench.group / probe->facts.warp;

    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "local_loads", 1, &global, &probe->bench.group);
        pm_workload_arg_buffer(job, zero);
        pm_workload_arg_buffer(job, out);
        pm_workload_arg_int(job, i == 0 ? FEW : MANY);
    }
    return pm_probe_run_rate(&probe->bench, job, (MANY - FEW) * (double)LOADS * warps, LOADS_WORDS);
}

void pm_probe_local(pm_probe *probe)
{
    pm_probe_value loads, wide;

    measure_latency(probe);
    if (probe->facts.warp == 0 || probe->bench.group < LEAST_GROUP)
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "rates of local memory: work-groups of %d and a known width of a warp are "
                 "needed",
                 LEAST_GROUP);
    loads = measure_loads(probe, false);
    pm_probe_measured(probe, "lsu_per_cycle", loads,
                      "loads of 4 bytes a work-item from local memory");
    wide = measure_loads(probe, true);
    wide.median *= probe->facts.warp * (double)WIDE_BYTES / WAVEFRONT_BYTES;
    pm_probe_measured(probe, "l1_wavefronts_per_cycle", wide,
                      "128 bytes each, of loads of 16 bytes a work-item from local memory");
}
