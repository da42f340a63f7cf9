/* Runs the kernels with which the probe measures properties of a device (such as the latency of a
 * load), and computes the time of one step: one execution of the measured operation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/probe/bench.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { CHAIN_FEW = 1 << 10, CHAIN_MANY = 1 << 17, WARM_UP_PASSES = 2 };

/* Sets the source of a job (the workload that a measurement runs): kernel `chain`, whose dependent
 * multiply-adds measure the clock, followed by the source `file`. An error is stored in the job. */
static void add_sources(pm_workload *job, const char *file)
{
    char *chain, *both;

    pm_workload_source(job, "probe/chain.cl");
    if (!file || job->error.status != PM_OK)
        return;
    chain = job->source;
    job->source = NULL;
    pm_workload_source(job, file);
    if (job->source && asprintf(&both, "%s\n%s", chain, job->source) >= 0) {
        free(job->source);
        job->source = both;
    } else if (job->error.status == PM_OK) {
        pm_fail(&job->error, PM_FAILED, "out of memory for %s", file);
    }
    free(chain);
}

pm_workload *pm_probe_job(const pm_probe_bench *bench, const char *file, const char *options)
{
    pm_workload *job = pm_workload_create("probe", file ? file : "chain", "1");

    if (!job)
        return NULL;
    add_sources(job, file);
    pm_workload_options(job, "-cl-std=CL1.2 -cl-denorms-are-zero %s %s",
                        strstr(bench->device->platform, "NVIDIA") ? "-DCYCLES" : "", options);
    return job;
}

/* Adds the launches of kernel `chain` (dependent multiply-adds that measure the clock) to a job
 * (the workload that a measurement runs), as its last launches. The last buffer of the job receives
 * their cycles. */
static size_t add_chain(pm_workload *job)
{
    static const float start[] = {1, 0.999f, 0.001f, 0};
    float *value = pm_workload_contents(job, sizeof start);
    size_t chain, cycles;

    if (value)
        memcpy(value, start, sizeof start);
    chain = pm_workload_buffer(job, "value", sizeof start, value, PM_BUFFER_IN);
    cycles = pm_workload_buffer(job, "cycles", 2 * sizeof(uint64_t), NULL, PM_BUFFER_OUTPUT);
    for (int i = 0; i < 2; i++) {
        pm_workload_launch(job, "chain", 1, (size_t[]){1}, (size_t[]){1});
        pm_workload_arg_buffer(job, chain);
        pm_workload_arg_buffer(job, cycles);
        pm_workload_arg_int(job, i);
        pm_workload_arg_int(job, i == 0 ? CHAIN_FEW : CHAIN_MANY);
    }
    return cycles;
}

static pm_status run_passes(const pm_probe_bench *bench, const pm_workload *job, size_t cycles,
                            pm_probe_times *times, pm_error *err)
{
    pm_executor *executor = bench->executor;
    pm_status status = executor->type->load(executor, job, err);
    uint64_t counts[2];

    for (int i = 0; status == PM_OK && i < WARM_UP_PASSES; i++)
        status = executor->type->run(executor, NULL, err);
    for (size_t i = 0; status == PM_OK && i < PM_PROBE_PASSES; i++)
        status = executor->type->run(executor, times->seconds + i * times->launches, err);
    if (status == PM_OK)
        status = executor->type->read(executor, cycles, counts, err);
    if (status == PM_OK)
        times->chain_cycles = counts[1] > counts[0]
                                  ? (double)(counts[1] - counts[0]) / (CHAIN_MANY - CHAIN_FEW)
                                  : NAN;
    executor->type->unload(executor);
    return status;
}

pm_probe_times pm_probe_run_job(pm_probe_bench *bench, pm_workload *job)
{
    pm_error *err = bench->memory.err;
    pm_probe_times times = {0};
    size_t cycles;
    pm_status status;

    if (!job)
        pm_leave(&bench->memory, PM_FAILED, "out of memory for a kernel of the probe");
    cycles = add_chain(job);
    times.launches = job->launch_count;
    times.fastest = bench->device->is_cpu;
    times.seconds = pm_take(&bench->memory, PM_PROBE_PASSES * times.launches, sizeof(double));
    job = pm_workload_finish(job, err);
    status = job ? run_passes(bench, job, cycles, &times, err) : PM_FAILED;
    pm_workload_free(job);
    pm_require(&bench->memory, status);
    return times;
}

pm_probe_value pm_probe_summary(double *values, size_t n)
{
    pm_probe_value summary = {0};

    gsl_sort(values, 1, n);
    summary.median = gsl_stats_median_from_sorted_data(values, 1, n);
    for (size_t i = 0; i < n; i++)
        values[i] = fabs(values[i] - summary.median);
    gsl_sort(values, 1, n);
    summary.spread = gsl_stats_median_from_sorted_data(values, 1, n) / fabs(summary.median);
    return summary;
}

/* Returns by how many seconds launch `many` takes longer than launch `few` in one pass over the
 * job's launches. A job is a workload that measures something. */
static double longer(const pm_probe_times *times, size_t pass, size_t few, size_t many)
{
    const double *seconds = times->seconds + pass * times->launches;

    return seconds[many] - seconds[few];
}

static double fastest(const pm_probe_times *times, size_t launch)
{
    double least = times->seconds[launch];

    for (size_t i = 1; i < PM_PROBE_PASSES; i++)
        least = fmin(least, times->seconds[i * times->launches + launch]);
    return least;
}

pm_probe_value pm_probe_launch_seconds(pm_probe_bench *bench, const pm_probe_times *times,
                                       size_t launch)
{
    double *each = pm_take(&bench->memory, PM_PROBE_PASSES, sizeof *each);
    pm_probe_value seconds;

    for (size_t i = 0; i < PM_PROBE_PASSES; i++)
        each[i] = times->seconds[i * times->launches + launch];
    seconds = pm_probe_summary(each, PM_PROBE_PASSES);
    if (times->fastest)
        seconds.median = fastest(times, launch);
    return seconds;
}

bool pm_probe_step_seconds(const pm_probe_times *times, size_t few, size_t many, double steps,
                           pm_probe_value *seconds)
{
    double each[PM_PROBE_PASSES];

    for (size_t i = 0; i < PM_PROBE_PASSES; i++)
        each[i] = longer(times, i, few, many) / steps;
    *seconds = pm_probe_summary(each, PM_PROBE_PASSES);
    if (times->fastest)
        seconds->median = (fastest(times, many) - fastest(times, few)) / steps;
    return seconds->median > 0;
}

bool pm_probe_chain_seconds(const pm_probe_times *times, pm_probe_value *seconds)
{
    return pm_probe_step_seconds(times, times->launches - 2, times->launches - 1,
                                 CHAIN_MANY - CHAIN_FEW, seconds);
}

bool pm_probe_step_cycles(const pm_probe_bench *bench, const pm_probe_times *times, size_t few,
                          size_t many, double steps, pm_probe_value *cycles)
{
    double each[PM_PROBE_PASSES];
    pm_probe_value chain;

    if (!pm_probe_chain_seconds(times, &chain))
        return false;
    for (size_t i = 0; i < PM_PROBE_PASSES; i++) {
        double own =
            longer(times, i, times->launches - 2, times->launches - 1) / (CHAIN_MANY - CHAIN_FEW);

        /* If kernel `chain` took much longer or shorter in this pass over the launches than its
         * median over the passes, the pass was disturbed, and the median is used instead. */
        if (!(fabs(own - chain.median) < chain.median / 2))
            own = chain.median;
        each[i] = longer(times, i, few, many) / steps / own * bench->chain_cycles;
    }
    *cycles = pm_probe_summary(each, PM_PROBE_PASSES);
    if (times->fastest)
        cycles->median = (fastest(times, many) - fastest(times, few)) / steps / chain.median *
                         bench->chain_cycles;
    return cycles->median > 0;
}

pm_probe_value pm_probe_run_two(pm_probe_bench *bench, pm_workload *job, double steps,
                                const char *what)
{
    pm_probe_times times = pm_probe_run_job(bench, job);
    pm_probe_value cycles;

    if (!pm_probe_step_cycles(bench, &times, 0, 1, steps, &cycles))
        pm_leave(&bench->memory, PM_FAILED, "%s: more of it took no more time", what);
    return cycles;
}

pm_probe_value pm_probe_run_rate(pm_probe_bench *bench, pm_workload *job, double steps,
                                 const char *what)
{
    pm_probe_value cycles = pm_probe_run_two(bench, job, steps, what);

    return (pm_probe_value){.median = 1 / cycles.median, .spread = cycles.spread};
}
