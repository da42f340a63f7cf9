/* Runs a kernel of the probe together with a chain of dependent multiply-adds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain's length in cycles is known. It converts a time to cycles of the clock at which the
 * device actually ran, whatever clock the driver reports.
 *
 * A job is a workload with pairs of launches of the same kernel, one with few steps and one with
 * many. The difference is the time of the additional steps, without the cost of a launch.
 */
#ifndef PM_COLLECTOR_PROBE_BENCH_H
#define PM_COLLECTOR_PROBE_BENCH_H

#include "base/memory.h"
#include "collector/executor.h"

/* PM_PROBE_UNIT_GROUPS: work-groups per compute unit that fill the device. */
enum { PM_PROBE_PASSES = 9, PM_PROBE_UNIT_GROUPS = 4 };

typedef struct {
    const pm_device *device;
    pm_executor *executor;
    size_t group;        /* number of work-items of a work-group in measurements, a power of two */
    double chain_cycles; /* cycles of one multiply-add of the chain; 0: not known yet */
    /* memory of the current measurement; running out of memory ends only that measurement */
    pm_memory memory;
} pm_probe_bench;

/* Median over the passes, and their relative median absolute deviation. */
typedef struct {
    double median, spread;
} pm_probe_value;

/* Times of a job (a workload that measures something): seconds of each launch in each pass, and
 * cycles of the chain of multiply-adds in the last pass. */
typedef struct {
    size_t launches; /* launches per pass; the last two are of kernel `chain` */
    double *seconds; /* PM_PROBE_PASSES x launches */
    /* Cycles of one multiply-add of the chain. NaN: the device has no cycle counter. */
    double chain_cycles;
    /* Use each launch's time in its fastest pass, which was least disturbed, instead of the median
     * over the passes. Set for a CPU, which runs other programs at the same time. */
    bool fastest;
} pm_probe_times;

/* Creates a job without launches. Its source is kernels/probe/FILE, followed by the kernel `chain`,
 * whose dependent multiply-adds measure the clock. file NULL: the source is `chain` alone. options:
 * build options in addition to the usual ones. Returns NULL if out of memory. */
pm_workload *pm_probe_job(const pm_probe_bench *bench, const char *file, const char *options);

/* Runs the job PM_PROBE_PASSES times after a warm-up, and frees it. */
pm_probe_times pm_probe_run_job(pm_probe_bench *bench, pm_workload *job);

/* Sets *seconds to the time of one step (one iteration of the measured loop). Launch `many` has
 * `steps` more steps than launch `few`. false if it took no more time, so that nothing was
 * measured. */
bool pm_probe_step_seconds(const pm_probe_times *times, size_t few, size_t many, double steps,
                           pm_probe_value *seconds);
/* Sets *cycles to the clock cycles of one step, as pm_probe_step_seconds does in seconds. The time
 * of kernel `chain` gives the clock of each pass. */
bool pm_probe_step_cycles(const pm_probe_bench *bench, const pm_probe_times *times, size_t few,
                          size_t many, double steps, pm_probe_value *cycles);
/* Runs a job whose second launch has `steps` more steps than the first, and frees it. Returns
 * the cycles of a step. what: name for the error if the second launch took no more time. */
pm_probe_value pm_probe_run_two(pm_probe_bench *bench, pm_workload *job, double steps,
                                const char *what);
/* Runs a job of two launches as pm_probe_run_two does, and returns the steps per cycle. */
pm_probe_value pm_probe_run_rate(pm_probe_bench *bench, pm_workload *job, double steps,
                                 const char *what);
/* Sets *seconds to the time of one multiply-add in kernel `chain`, whose multiply-adds depend on
 * each other. */
bool pm_probe_chain_seconds(const pm_probe_times *times, pm_probe_value *seconds);

/* Returns the median of n values and their relative median absolute deviation. Sorts the values. */
pm_probe_value pm_probe_summary(double *values, size_t n);
/* Returns the seconds of a launch: of its fastest pass on a CPU, otherwise the median over the
 * passes. */
pm_probe_value pm_probe_launch_seconds(pm_probe_bench *bench, const pm_probe_times *times,
                                       size_t launch);

#endif
