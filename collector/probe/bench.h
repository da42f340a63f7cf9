/* Runs a kernel of the probe together with a chain of dependent multiply-adds.
 *
 * The chain's length in cycles is known. A time is therefore converted to cycles by a comparison
 * with the chain's time. These are cycles of the clock at which the device actually ran, whatever
 * clock the driver reports.
 *
 * A job is a workload with pairs of launches of the same kernel, one with few steps and one with
 * many. The difference is the time of the additional steps, without the cost of a launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_PROBE_BENCH_H
#define PM_COLLECTOR_PROBE_BENCH_H

#include "base/memory.h"
#include "collector/executor.h"

/* PM_PROBE_PASSES: number of times that the launches of a job (a workload that measures something)
 * are repeated. PM_PROBE_UNIT_GROUPS: work-groups per compute unit that fill the device. */
enum { PM_PROBE_PASSES = 9, PM_PROBE_UNIT_GROUPS = 4 };

typedef struct {
    const pm_device *device;
    pm_executor *executor;
    size_t group; /* number of work-items of a work-group in measurements, a power of two */
    /* clock cycles of one multiply-add of kernel `chain`; 0: not measured yet */
    double chain_cycles;
    /* memory of the current measurement; running out of memory ends only that measurement */
    pm_memory memory;
} pm_probe_bench;

/* A measured value: median over repeated passes over the launches, and the median absolute
 * deviation relative to it. */
typedef struct {
    double median, spread;
} pm_probe_value;

/* Times of a job (a workload that measures something): seconds of each launch in each pass, and
 * cycles of the chain of multiply-adds in the last pass. */
typedef struct {
    size_t launches; /* number of the job's launches; the last two are of kernel `chain` */
    /* seconds[pass * launches + launch]: seconds of each launch of the job (a workload that
     * measures something) in each of its PM_PROBE_PASSES repetitions */
    double *seconds;
    /* Clock cycles of one multiply-add of kernel `chain`. NaN: the device has no cycle counter. */
    double chain_cycles;
    /* true: the time of a launch is that in the fastest of the repeated passes over the launches,
     * which was least disturbed, instead of the median over the passes. This is so for a CPU, which
     * runs other programs at the same time. */
    bool fastest;
} pm_probe_times;

/* Creates a job (a workload that measures something) without launches. Its source is
 * kernels/probe/FILE, followed by the kernel `chain`, whose dependent multiply-adds measure the
 * clock. file NULL: the source is `chain` alone. options: build options in addition to the usual
 * ones. Returns NULL if out of memory. */
pm_workload *pm_probe_job(const pm_probe_bench *bench, const char *file, const char *options);

/* Runs the launches of a job (a workload that measures something) PM_PROBE_PASSES times after a
 * warm-up, and frees the job. */
pm_probe_times pm_probe_run_job(pm_probe_bench *bench, pm_workload *job);

/* Sets *seconds to the time of one step (one iteration of the measured loop). Launch `many` has
 * `steps` more steps than launch `few`. Returns false if `many` took no more time than `few`, so
 * that nothing was measured. */
bool pm_probe_step_seconds(const pm_probe_times *times, size_t few, size_t many, double steps,
                           pm_probe_value *seconds);
/* Sets *cycles to the clock cycles of one step (one iteration of the measured loop). Seconds are
 * converted to cycles by the time of kernel `chain` in the same pass over the job's launches, whose
 * cycles are known. */
bool pm_probe_step_cycles(const pm_probe_bench *bench, const pm_probe_times *times, size_t few,
                          size_t many, double steps, pm_probe_value *cycles);
/* Runs a job (a workload that measures something) whose second launch has `steps` more steps than
 * the first, and frees it. Returns the cycles of a step. The error message names the job by `what`
 * if the second launch took no more time. */
pm_probe_value pm_probe_run_two(pm_probe_bench *bench, pm_workload *job, double steps,
                                const char *what);
/* Runs a job (a workload that measures something) whose second launch has `steps` more steps than
 * the first, and frees it. Returns the steps per clock cycle. The error message names the job by
 * `what` if the second launch took no more time. */
pm_probe_value pm_probe_run_rate(pm_probe_bench *bench, pm_workload *job, double steps,
                                 const char *what);
/* Sets *seconds to the time of one multiply-add in kernel `chain`, whose multiply-adds depend on
 * each other. */
bool pm_probe_chain_seconds(const pm_probe_times *times, pm_probe_value *seconds);

/* Returns the median of n values and their relative median absolute deviation. Sorts the values. */
pm_probe_value pm_probe_summary(double *values, size_t n);
/* Returns the seconds of a launch: on a CPU those in the fastest of the repeated passes over the
 * launches, otherwise the median over the passes. */
pm_probe_value pm_probe_launch_seconds(pm_probe_bench *bench, const pm_probe_times *times,
                                       size_t launch);

#endif
