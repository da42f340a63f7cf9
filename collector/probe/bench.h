/* Runs a kernel of the probe beside a chain of dependent multiply-adds, whose length in cycles is
 * known: so a time becomes a number of cycles of the clock that the device ran at, whatever the
 * driver says of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job is a Workload of pairs of launches of the same kernel, with few steps and with many: the
 * difference is what the further steps take, without what a launch costs.
 */
#ifndef PM_COLLECTOR_PROBE_BENCH_H
#define PM_COLLECTOR_PROBE_BENCH_H

#include "base/memory.h"
#include "collector/executor.h"

/* Groups for each compute unit where it is to be full. */
enum { PM_PROBE_PASSES = 9, PM_PROBE_UNIT_GROUPS = 4 };

typedef struct {
    const pm_device *device;
    pm_executor *executor;
    size_t group;        /* work-items of a full work-group, a power of two */
    double chain_cycles; /* from one multiply-add of the chain to the next; 0: not known yet */
    pm_memory memory;    /* of the kind that is being measured: what fails ends it */
} pm_probe_bench;

/* The median over the passes, and their median absolute deviation as a share of it. */
typedef struct {
    double median, spread;
} pm_probe_value;

/* Seconds of each launch of each pass, and what the chain's counter of cycles says of the last. */
typedef struct {
    size_t launches;     /* of a pass; the last two are the chain's */
    double *seconds;     /* PM_PROBE_PASSES x launches */
    double chain_cycles; /* of one multiply-add; NaN where the device has no counter to read */
    /* Of a CPU, which runs other programs too: the fastest pass of each launch counts, which was
     * disturbed least, and not the median of all. */
    bool fastest;
} pm_probe_times;

/* An empty job: kernels/probe/file and the chain's source, compiled with those options. file may be
 * NULL, for the chain alone. NULL: out of memory. */
pm_workload *pm_probe_job(const pm_probe_bench *bench, const char *file, const char *options);

/* Runs the job, which it frees, PM_PROBE_PASSES times after a warm-up. */
pm_probe_times pm_probe_run_job(pm_probe_bench *bench, pm_workload *job);

/* Seconds of a step: launch `many` took `steps` more of them than launch `few`. false: it took no
 * more time, so nothing was measured. */
bool pm_probe_step_seconds(const pm_probe_times *times, size_t few, size_t many, double steps,
                           pm_probe_value *seconds);
/* The same in cycles of the clock that the device ran at in each pass, by the chain. */
bool pm_probe_step_cycles(const pm_probe_bench *bench, const pm_probe_times *times, size_t few,
                          size_t many, double steps, pm_probe_value *cycles);
/* Runs a job (and frees it) whose second launch takes so many steps more than its first: cycles of
 * a step. what: for the message where it took no more time. */
pm_probe_value pm_probe_run_two(pm_probe_bench *bench, pm_workload *job, double steps,
                                const char *what);
/* Steps of such a job in a cycle. */
pm_probe_value pm_probe_run_rate(pm_probe_bench *bench, pm_workload *job, double steps,
                                 const char *what);
/* Seconds from one multiply-add of the chain to the next. */
bool pm_probe_chain_seconds(const pm_probe_times *times, pm_probe_value *seconds);

/* Median of n values, which are sorted on the way, and their spread. */
pm_probe_value pm_probe_summary(double *values, size_t n);
/* Seconds of a launch: the fastest pass of a CPU's, the median of others. */
pm_probe_value pm_probe_launch_seconds(pm_probe_bench *bench, const pm_probe_times *times,
                                       size_t launch);

#endif
