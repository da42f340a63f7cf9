/* Measures the bandwidths of DRAM and L2, by the kernels of kernels/probe/read.cl and
 * kernels/copy/copy.cl.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * DRAM is measured by copying a buffer and by reading it. L2 is measured by reading a buffer that
 * fits into L2 and not into L1.
 */
#include <stdio.h>

#include "base/error.h"
#include "collector/probe/probe.h"

enum {
    VECTOR = 16,
    ROUND_VECTORS = 8,
    COPY_GROUP = 256,
    LEAST_CACHE = 1 << 20,
    LEAST = 64 << 20,
    MOST = 512 << 20
};

/* Returns the largest power of two that is at most `bytes`. */
static size_t power_below(double bytes)
{
    size_t power = 1;

    while ((double)power * 2 <= bytes)
        power *= 2;
    return power;
}

/* Returns the size in bytes of a buffer that fits into no cache. The size is at most a sixteenth of
 * the device's memory. */
static size_t large_buffer(const pm_probe *probe)
{
    double most = (double)probe->row->device.memory_bytes / 16, wanted = 16 * probe->l2_bytes;

    /* use a smaller buffer for a CPU, because filling it takes time */
    if (probe->row->device.is_cpu)
        wanted /= 4;
    if (wanted < LEAST)
        wanted = LEAST;
    if (wanted > MOST)
        wanted = MOST;
    return power_below(wanted < most ? wanted : most);
}

/* Returns the number of bytes that DRAM transfers for each copied byte: 2, one read and one
 * written. A CPU's DRAM transfers 3, because a store first reads the cache line. */
static double moved(const pm_probe *probe)
{
    return probe->row->device.is_cpu ? 3 : 2;
}

/* Measures the bandwidth of a copy of `bytes` bytes, in GB/s. */
static pm_probe_value measure_copy(pm_probe *probe, size_t bytes)
{
    static const char options[] = "-DTYPE=float4 -DGROUP=256";
    size_t global = bytes / VECTOR, local = COPY_GROUP;
    pm_workload *job = pm_probe_job(&probe->bench, "copy/copy.cl", options);
    size_t from = pm_workload_buffer(job, "a", bytes, NULL, PM_BUFFER_IN);
    size_t to = pm_workload_buffer(job, "b", bytes, NULL, PM_BUFFER_IN);
    pm_probe_times times;
    pm_probe_value copy;

    pm_workload_launch(job, "copy", 1, &global, &local);
    pm_workload_arg_buffer(job, from);
    pm_workload_arg_buffer(job, to);
    times = pm_probe_run_job(&probe->bench, job);
    copy = pm_probe_launch_seconds(&probe->bench, &times, 0);
    copy.median = moved(probe) * 1e-9 * (double)bytes / copy.median;
    return copy;
}

/* Makes a job (a workload that measures something) of two launches, which read a buffer repeatedly.
 * buffer: its size in bytes, a power of two. rounds: number of times that the second launch reads
 * the whole buffer; the first launch reads it about a quarter as often. *bytes becomes the number
 * of bytes that the second launch reads more than the first. Each work-group starts at another
 * position of the buffer. */
static pm_workload *read_job(const pm_probe *probe, size_t buffer, double rounds, double *bytes)
{
    pm_workload *job = pm_probe_job(&probe->bench, "probe/read.cl", "");
    size_t groups = (size_t)PM_PROBE_UNIT_GROUPS * probe->facts.compute_units;
    size_t global = groups * probe->bench.group, vectors = buffer / VECTOR;
    double round = (double)global * ROUND_VECTORS * VECTOR;
    /* distance in vectors between the positions at which consecutive work-groups start to read; a
     * multiple of a cache line */
    size_t apart = vectors / groups / ROUND_VECTORS * ROUND_VECTORS;
    int many = (int)(rounds * (double)buffer / round) + 2, few = many / 4;
    size_t in = pm_workload_buffer(job, "in", buffer, NULL, PM_BUFFER_POISON);
    size_t out = pm_workload_buffer(job, "out", global * sizeof(uint32_t), NULL, PM_BUFFER_IN);

    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "read", 1, &global, &probe->bench.group);
        pm_workload_arg_buffer(job, in);
        pm_workload_arg_buffer(job, out);
        pm_workload_arg_int(job, (int)(vectors - 1));
        pm_workload_arg_int(job, (int)apart);
        pm_workload_arg_int(job, i == 0 ? few : many);
    }
    *bytes = (many - few) * round;
    return job;
}

static pm_probe_value measure_read(pm_probe *probe)
{
    pm_probe_value seconds;
    double bytes;
    pm_workload *job = read_job(probe, large_buffer(probe), 1, &bytes);
    pm_probe_times times = pm_probe_run_job(&probe->bench, job);

    if (!pm_probe_step_seconds(&times, 0, 1, bytes, &seconds))
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "bandwidth of DRAM: more reading took no more time");
    return (pm_probe_value){.median = 1e-9 / seconds.median, .spread = seconds.spread};
}

/* Measures the bandwidth of a CPU's shared cache by a copy. Reading alone would be slower, because
 * PoCL compiles the reading kernel to a loop that waits for its own additions. */
static void measure_cpu_l2(pm_probe *probe)
{
    const size_t bytes = power_below(probe->l2_bytes / 4);
    pm_probe_value rate;
    char what[96];

    if ((double)bytes < probe->l1_bytes * probe->facts.compute_units || bytes < LEAST_CACHE)
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "bandwidth of the shared cache: it is not larger than what cores have themselves");
    rate = measure_copy(probe, bytes);
    rate.median *= 1e9 / (probe->facts.clock_mhz * 1e6);
    snprintf(what, sizeof what, "a copy of float4, %zu KiB; a store reads its line first",
             bytes >> 10);
    pm_probe_measured(probe, "l2_bytes_per_cycle", rate, what);
}

static void measure_l2(pm_probe *probe)
{
    size_t buffer = power_below(probe->l2_bytes / 4);
    pm_probe_value rate;
    double bytes;
    char what[96];
    pm_workload *job;

    if ((double)buffer < 2 * probe->l1_bytes || buffer < VECTOR * probe->facts.compute_units)
        pm_leave(&probe->bench.memory, PM_FAILED, "bandwidth of L2: it is not larger than L1");
    job = read_job(probe, buffer, 64, &bytes);
    rate = pm_probe_run_rate(&probe->bench, job, bytes, "reading from L2");
    snprintf(what, sizeof what, "all compute units read %zu KiB over and over", buffer >> 10);
    pm_probe_measured(probe, "l2_bytes_per_cycle", rate, what);
}

static void measure_dram(pm_probe *probe)
{
    pm_probe_value copy = measure_copy(probe, large_buffer(probe)), read = measure_read(probe);
    double peak = probe->facts.dram_gb_s;
    char what[128];

    if (!(peak > 0)) {
        const pm_probe_value *best = copy.median > read.median ? &copy : &read;

        peak = best->median;
        snprintf(what, sizeof what,
                 "the better of a copy (%.4g GB/s) and of reading (%.4g), as no driver "
                 "tells the peak",
                 copy.median, read.median);
        pm_probe_measured(probe, "dram_gb_s", *best, what);
    }
    copy.median /= peak;
    snprintf(what, sizeof what, "a copy of float4, %zu MiB; reading alone reaches %.3g",
             large_buffer(probe) >> 20, read.median / peak);
    pm_probe_measured(probe, "dram_copy_share", copy, what);
}

/* Measures the bandwidth of a CPU's DRAM by a copy. No driver reports the peak bandwidth, and other
 * virtual machines on the host may use a part of it. */
static void measure_cpu_dram(pm_probe *probe)
{
    const size_t bytes = large_buffer(probe);
    const pm_probe_value copy = measure_copy(probe, bytes);
    char what[96];

    snprintf(what, sizeof what, "a copy of float4, %zu MiB; a store reads its line first",
             bytes >> 20);
    pm_probe_measured(probe, "dram_gb_s", copy, what);
    pm_probe_number(probe, "dram_copy_share", PM_PROBE_MEASURED, 1, "dram_gb_s is that of a copy");
}

void pm_probe_bandwidth(pm_probe *probe)
{
    const bool cpu = probe->row->device.is_cpu;
    pm_error why = {0};

    if (pm_probe_try(probe, cpu ? measure_cpu_l2 : measure_l2, &why) != PM_OK)
        pm_notice(&probe->log, "%s", why.text);
    if (cpu)
        measure_cpu_dram(probe);
    else
        measure_dram(probe);
}
