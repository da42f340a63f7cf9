/* Checks the results of a loaded workload, and times its launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/measure.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/numbers.h"

enum { WARM_UP_PASSES = 2, MIN_PASSES = 7, MAX_PASSES = 101 };
static const double STEADY = 0.005;
static const double MAX_SECONDS = 2.0;

static pm_status read_outputs(pm_executor *executor, const pm_workload *workload, void **outputs,
                              pm_error *err)
{
    for (size_t i = 0; i < workload->buffer_count; i++) {
        const pm_buffer *buffer = &workload->buffers[i];

        if (!(buffer->flags & PM_BUFFER_OUTPUT))
            continue;
        outputs[i] = malloc(buffer->bytes);
        if (!outputs[i])
            return pm_fail(err, PM_FAILED, "%s: out of memory for %zu bytes of output",
                           workload->program, buffer->bytes);
        if (executor->type->read(executor, i, outputs[i], err) != PM_OK)
            return PM_FAILED;
    }
    return PM_OK;
}

pm_status pm_measure_reference(pm_executor *executor, pm_workload *workload, pm_error *err)
{
    const pm_workload *reference;
    pm_status status;

    while (workload->original)
        workload = workload->original;
    reference = workload->reference;
    if (!reference || workload->expected)
        return PM_OK;
    workload->expected = calloc(reference->buffer_count + 1, sizeof *workload->expected);
    if (!workload->expected)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    status = executor->type->load(executor, reference, err);
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    if (status == PM_OK)
        status = read_outputs(executor, reference, workload->expected, err);
    executor->type->unload(executor);
    return status;
}

pm_status pm_measure_check(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    void **outputs = calloc(workload->buffer_count + 1, sizeof *outputs);
    pm_error what = {0};
    pm_status status;

    if (!outputs)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    status = read_outputs(executor, workload, outputs, err);
    if (status == PM_OK && workload->check &&
        workload->check(workload, (const void *const *)outputs, &what) != PM_OK)
        status = pm_fail(err, PM_FAILED, "%s %s %s: wrong result on %s: %s", workload->program,
                         workload->variant, workload->size, executor->device.name, what.text);
    for (size_t i = 0; i < workload->buffer_count; i++)
        free(outputs[i]);
    free(outputs);
    return status;
}

size_t pm_timing_kernel(const pm_timing *timing, const char *kernel)
{
    size_t i = 0;

    while (i < timing->kernel_count && strcmp(timing->kernels[i].kernel, kernel) != 0)
        i++;
    return i;
}

static pm_status list_kernels(const pm_workload *workload, pm_timing *timing, pm_error *err)
{
    timing->kernels = calloc(workload->launch_count, sizeof *timing->kernels);
    if (!timing->kernels)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    for (size_t i = 0; i < workload->launch_count; i++) {
        const pm_launch *launch = &workload->launches[i];
        size_t k = pm_timing_kernel(timing, launch->kernel);
        pm_kernel_time *kernel = &timing->kernels[k];
        double items =
            (double)launch->global[0] * (double)launch->global[1] * (double)launch->global[2];

        if (k == timing->kernel_count) {
            timing->kernel_count++;
            kernel->kernel = launch->kernel;
            kernel->time_s = kernel->time_mad_s = NAN;
        }
        kernel->launches += 1;
        kernel->work_items += items;
        kernel->work_group = (double)(launch->local[0] * launch->local[1] * launch->local[2]);
        kernel->work_groups += items / kernel->work_group;
    }
    return PM_OK;
}

pm_status pm_timing_untimed(const pm_workload *workload, pm_timing *timing, pm_error *err)
{
    *timing = (pm_timing){0};
    return list_kernels(workload, timing, err);
}

void pm_timing_free(pm_timing *timing)
{
    free(timing->kernels);
    *timing = (pm_timing){0};
}

/* Runs pass number `pass` over the workload's launches (each launch once), and sets passes[k *
 * MAX_PASSES + pass] to the time of kernel k: the sum over its launches. */
static pm_status run_pass(pm_executor *executor, const pm_workload *workload,
                          const pm_timing *timing, double *seconds, double *passes, size_t pass,
                          pm_error *err)
{
    if (executor->type->run(executor, seconds, err) != PM_OK)
        return PM_FAILED;
    for (size_t k = 0; k < timing->kernel_count; k++)
        passes[k * MAX_PASSES + pass] = 0;
    for (size_t i = 0; i < workload->launch_count; i++) {
        size_t k = pm_timing_kernel(timing, workload->launches[i].kernel);

        passes[k * MAX_PASSES + pass] += seconds[i];
    }
    return PM_OK;
}

/* Computes the median and the median absolute deviation of each kernel's time in the first n passes
 * over the launches. Returns whether the medians of all kernels are steady, so that no further pass
 * is needed. */
static bool summarize(pm_timing *timing, const double *passes, size_t n)
{
    bool steady = true;

    timing->runs = n;
    for (size_t k = 0; k < timing->kernel_count; k++) {
        double sorted[MAX_PASSES], deviation[MAX_PASSES], error;
        pm_kernel_time *kernel = &timing->kernels[k];

        memcpy(sorted, passes + k * MAX_PASSES, n * sizeof *sorted);
        gsl_sort(sorted, 1, n);
        kernel->time_s = gsl_stats_median_from_sorted_data(sorted, 1, n);
        for (size_t i = 0; i < n; i++)
            deviation[i] = fabs(sorted[i] - kernel->time_s);
        gsl_sort(deviation, 1, n);
        kernel->time_mad_s = gsl_stats_median_from_sorted_data(deviation, 1, n);
        error = pm_median_error(kernel->time_mad_s, (double)n);
        steady = steady && error <= STEADY * kernel->time_s;
    }
    return steady;
}

static pm_status measure(pm_executor *executor, const pm_workload *workload,
                         const pm_cancel *cancel, pm_timing *timing, double *seconds,
                         double *passes, pm_error *err)
{
    double start = pm_now_s();
    size_t n = 0;

    for (int i = 0; i < WARM_UP_PASSES; i++)
        if (executor->type->run(executor, NULL, err) != PM_OK)
            return PM_FAILED;
    while (n < MAX_PASSES) {
        if (pm_cancelled(cancel))
            return pm_fail(err, PM_FAILED, "stopped");
        if (run_pass(executor, workload, timing, seconds, passes, n++, err) != PM_OK)
            return PM_FAILED;
        if (n < MIN_PASSES)
            continue;
        if (summarize(timing, passes, n) || pm_now_s() - start > MAX_SECONDS)
            break;
    }
    for (size_t k = 0; k < timing->kernel_count; k++)
        if (!(timing->kernels[k].time_s > 0))
            return pm_fail(err, PM_FAILED,
                           "%s %s %s: kernel %s took no time by its events: the "
                           "driver's timer is too coarse for this size",
                           workload->program, workload->variant, workload->size,
                           timing->kernels[k].kernel);
    return PM_OK;
}

pm_status pm_measure_time(pm_executor *executor, const pm_workload *workload,
                          const pm_cancel *cancel, pm_timing *timing, pm_error *err)
{
    double *seconds, *passes;
    pm_status status;

    *timing = (pm_timing){0};
    seconds = calloc(workload->launch_count, sizeof *seconds);
    passes = calloc(workload->launch_count * MAX_PASSES, sizeof *passes);
    if (!seconds || !passes)
        status = pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    else
        status = list_kernels(workload, timing, err);
    if (status == PM_OK)
        status = measure(executor, workload, cancel, timing, seconds, passes, err);
    free(seconds);
    free(passes);
    if (status != PM_OK)
        pm_timing_free(timing);
    return status;
}

pm_status pm_measure_once(pm_executor *executor, const pm_workload *workload, double *seconds,
                          pm_error *err)
{
    double *each = calloc(workload->launch_count, sizeof *each);
    pm_status status;

    if (!each)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    status = executor->type->run(executor, each, err);
    *seconds = 0;
    for (size_t i = 0; status == PM_OK && i < workload->launch_count; i++)
        *seconds += each[i];
    free(each);
    return status;
}
