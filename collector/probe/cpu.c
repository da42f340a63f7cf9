/* Finds the properties of the CPU of this machine, and writes them to its row in devices.csv.
 * docs/devices.md describes the columns.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The number of usable cores, the caches and the vector width are queried from the system. The
 * clock of a core and the cost of a kernel launch are measured.
 */
#include <math.h>
#include <sched.h>
#include <stdio.h>

#include "base/error.h"
#include "collector/opencl/opencl.h"
#include "collector/probe/probe.h"
#include "collector/probe/sysfs.h"

/* SECTOR: bytes of a memory sector, half of a cache line of 64 bytes. WIDEST: floats of the widest
 * vector that LLVM uses. LLVM prefers vectors of eight floats even if a CPU has wider ones
 * ("prefer-vector-width"=256). */
enum { SECTOR = 32, WIDEST = 8 };

static const char SYSFS[] = "/sys/devices/system/cpu, cache";

/* Sets the number of cores in the CPU's row: the number that OpenCL reports, but at most the number
 * of cores that this process may use. */
static void set_cores(pm_probe *probe, const cpu_set_t *allowed)
{
    const double quota = pm_sysfs_quota("/sys/fs/cgroup", "/proc/self/cgroup");
    unsigned cores = probe->facts.compute_units;
    const char *how = "the OpenCL driver";

    if (CPU_COUNT(allowed) > 0 && (unsigned)CPU_COUNT(allowed) < cores) {
        cores = (unsigned)CPU_COUNT(allowed);
        how = "the CPUs that this process may use (sched_getaffinity)";
    }
    if (quota > 0 && quota < cores) {
        cores = quota < 1 ? 1 : (unsigned)quota;
        how = "the CPU time that the control group allows (cpu.max)";
    }
    probe->facts.compute_units = cores;
    pm_probe_number(probe, "compute_units", PM_PROBE_ASKED, cores, how);
}

static void set_number(pm_probe *probe, const char *column, double value, const char *how)
{
    if (value > 0)
        pm_probe_number(probe, column, PM_PROBE_ASKED, value, how);
}

/* Sets the size of L1 in the CPU's row: the size of the largest cache that belongs to one core,
 * divided by the core's hardware threads. */
static void set_own_cache(pm_probe *probe, const pm_sysfs_cache *own)
{
    char how[128];

    probe->l1_bytes = floor((double)own->bytes / own->sharers);
    snprintf(how, sizeof how, "%s: level %u, %u hardware threads in use share %zu KiB", SYSFS,
             own->level, own->sharers, own->bytes >> 10);
    set_number(probe, "l1_bytes", probe->l1_bytes, how);
    set_number(probe, "l1_ways", own->ways, SYSFS);
    set_number(probe, "l1_line", own->line, SYSFS);
}

/* Sets the size of L2 in the CPU's row: the total size of the caches of the last level. A CPU may
 * have several caches of this level, one for each group of cores, and each cache holds a part of
 * the data. */
static void set_shared_cache(pm_probe *probe, const pm_sysfs_cache *shared)
{
    char how[128];

    probe->facts.l2_bytes = (double)shared->bytes * shared->instances;
    snprintf(how, sizeof how, "%s: level %u, %u of %zu KiB", SYSFS, shared->level,
             shared->instances, shared->bytes >> 10);
    set_number(probe, "l2_bytes", probe->facts.l2_bytes, how);
    set_number(probe, "l2_ways", shared->ways, SYSFS);
    set_number(probe, "l2_line", shared->line, SYSFS);
}

static void set_caches(pm_probe *probe, const cpu_set_t *allowed)
{
    pm_sysfs_caches caches;

    if (!pm_sysfs_caches_find("/sys/devices/system/cpu", allowed, &caches)) {
        pm_notice(&probe->log, "%s: nothing is told of caches; they are measured", SYSFS);
        return;
    }
    if (caches.own.bytes > 0)
        set_own_cache(probe, &caches.own);
    if (caches.shared.bytes > 0)
        set_shared_cache(probe, &caches.shared);
    probe->l2_bytes = probe->facts.l2_bytes;
}

static void set_width(pm_probe *probe)
{
    cl_platform_id platform;
    cl_device_id id;
    cl_uint floats = 0;
    pm_error why = {0};

    if (pm_opencl_device(&probe->row->device, &platform, &id, &why) != PM_OK ||
        clGetDeviceInfo(id, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, sizeof floats, &floats, NULL) !=
            CL_SUCCESS ||
        floats < 2 || (floats & (floats - 1)) != 0)
        return;
    probe->facts.warp = floats < WIDEST ? floats : WIDEST;
    pm_probe_number(probe, "warp_width", PM_PROBE_ASKED, probe->facts.warp,
                    "the OpenCL driver: native vector width of float, 8 at most");
}

static const char *architecture_here(void)
{
#if defined __x86_64__ || defined __i386__
    return "x86";
#elif defined __aarch64__ || defined __arm__
    return "arm";
#else
    return "";
#endif
}

void pm_probe_cpu(pm_probe *probe)
{
    cpu_set_t allowed;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        CPU_ZERO(&allowed);
    set_cores(probe, &allowed);
    set_width(probe);
    set_caches(probe, &allowed);
    pm_probe_text(probe, "architecture", PM_PROBE_ASKED, architecture_here(), "this program");
    pm_probe_text(probe, "coalescing", PM_PROBE_ASKED, "items", "it is a CPU");
    pm_probe_text(probe, "l1_global", PM_PROBE_ASKED, "yes", "it is a CPU");
    set_number(probe, "l1_sector", SECTOR, "half a line");
    set_number(probe, "l2_sector", SECTOR, "half a line");
    set_number(probe, "shared_bytes", (double)probe->row->device.local_memory_bytes,
               "the OpenCL driver: of a work-group");
}

/* ---- the clock ------------------------------------------------------------------------------- */

/* STEP_CYCLES: cycles of one step of the measured loop, a dependent addition and exclusive or. Each
 * takes one cycle on every CPU core (Fog, Instruction tables; Arm, Neoverse N1 and V1 Software
 * Optimization Guides). FEW, MANY: numbers of steps in the two launches. */
enum { STEP_CYCLES = 2, FEW = 1 << 10, MANY = 1 << 19 };

void pm_probe_core_clock(pm_probe *probe)
{
    static const uint32_t start[] = {1, 0x9e3779b9, 0x2545f491, 0};
    pm_workload *job = pm_probe_job(&probe->bench, "probe/adds.cl", "");
    uint32_t *value = pm_workload_contents(job, sizeof start);
    size_t buffer;
    pm_probe_times times;
    pm_probe_value seconds;

    for (size_t i = 0; value && i < sizeof start / sizeof *start; i++)
        value[i] = start[i];
    buffer = pm_workload_buffer(job, "value", sizeof start, value, PM_BUFFER_IN);
    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "adds", 1, (size_t[]){1}, (size_t[]){1});
        pm_workload_arg_buffer(job, buffer);
        pm_workload_arg_int(job, i == 0 ? FEW : MANY);
    }
    times = pm_probe_run_job(&probe->bench, job);
    if (!pm_probe_step_seconds(&times, 0, 1, MANY - FEW, &seconds))
        pm_leave(&probe->bench.memory, PM_FAILED,
                 "the clock of a core: a longer chain of additions took no more time");
    seconds.median = STEP_CYCLES / seconds.median * 1e-6;
    probe->facts.clock_mhz = seconds.median;
    pm_probe_measured(probe, "clock_mhz", seconds, "chain of integer additions, one a cycle");
}

/* ---- a launch -------------------------------------------------------------------------------- */

void pm_probe_cpu_launch(pm_probe *probe)
{
    pm_workload *job = pm_probe_job(&probe->bench, "probe/empty.cl", "");
    pm_probe_times times;
    pm_probe_value seconds;

    pm_workload_launch(job, "empty", 1, (size_t[]){1}, (size_t[]){1});
    times = pm_probe_run_job(&probe->bench, job);
    seconds = pm_probe_launch_seconds(&probe->bench, &times, 0);
    if (!(seconds.median > 0))
        pm_leave(&probe->bench.memory, PM_FAILED, "an empty kernel: it took no time by its event");
    seconds.median *= 1e6;
    pm_probe_measured(probe, "launch_us", seconds, "an empty kernel, by its event");
}
