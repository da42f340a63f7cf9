/* Sums the counters of launches by kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Names of counters that need no run of the kernel: their values follow from a launch's number
 * of work-items and its work-group size. */
#define WORK_GROUPS "work_groups"
#define WARPS "launched_warps"

bool pm_counter_is_sampled(const pm_counter_table *table, size_t counter)
{
    const char *name = pm_counter_name(table, counter);

    return pm_counter_kind_at(table, counter) == PM_COUNTER_CODE &&
           !pm_counter_launch_property(table, counter) && strcmp(name, WORK_GROUPS) != 0 &&
           strcmp(name, WARPS) != 0;
}

/* Adds a counter's value in one launch to the kernel's sum, and the square of its standard error to
 * the kernel's variance. property: true if the counter is a resource such as registers, so that the
 * kernel gets the maximum over its launches instead of the sum. */
static void add_value(bool property, double value, double error, double *sum, double *variance)
{
    if (!property)
        *sum += value;
    else if (isnan(value) ||
             value > *sum) /* unknown (NaN) stays unknown, because `value > NaN` is false */
        *sum = value;
    *variance += error * error;
}

/* Runs and counts the launches of one pass. If all work-groups ran, compares the outputs with those
 * of the workload's reference (another implementation of the same computation). If they differ,
 * *wrong gets the message; if wrong is NULL, the function fails instead. */
static pm_status count_pass(pm_executor *executor, const pm_workload *workload, double *values,
                            double *errors, pm_error *wrong, pm_error *err)
{
    pm_status status = executor->type->count(executor, values, errors, err);

    if (status != PM_OK || (executor->type->complete && !executor->type->complete(executor)))
        return status;
    if (!wrong)
        return pm_measure_check(executor, workload, err);
    (void)pm_measure_check(executor, workload, wrong);
    return PM_OK;
}

/* Runs one pass over the workload's launches (each launch once) and counts its events. Adds the
 * counters of each launch to values[kernel * counters + i], and the squares of their standard
 * errors to `variances`. Both arrays must contain zeros before. */
static pm_status sum_pass(pm_executor *executor, const pm_counter_table *table,
                          const pm_workload *workload, const pm_timing *timing, double *values,
                          double *variances, pm_error *wrong, pm_error *err)
{
    size_t counters = pm_counter_table_size(table), cells = workload->launch_count * counters;
    double *each = calloc(cells, sizeof *each), *errors = calloc(cells, sizeof *errors);
    pm_status status = each && errors
                           ? count_pass(executor, workload, each, errors, wrong, err)
                           : pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);

    for (size_t l = 0; status == PM_OK && l < workload->launch_count; l++) {
        size_t k = pm_timing_kernel(timing, workload->launches[l].kernel);

        for (size_t i = 0; i < counters; i++)
            add_value(pm_counter_launch_property(table, i) != NULL, each[l * counters + i],
                      errors[l * counters + i], &values[k * counters + i],
                      &variances[k * counters + i]);
    }
    free(errors);
    free(each);
    return status;
}

/* Sets the counter `work_groups` of all kernels, which is known without running them. */
static void set_work_groups(const pm_counter_table *table, const pm_timing *timing, double *values,
                            double *variances)
{
    size_t counters = pm_counter_table_size(table);

    for (size_t i = 0; i < counters; i++) {
        if (strcmp(pm_counter_name(table, i), WORK_GROUPS) != 0)
            continue;
        for (size_t k = 0; k < timing->kernel_count; k++) {
            values[k * counters + i] = timing->kernels[k].work_groups;
            variances[k * counters + i] = 0;
        }
    }
}

pm_status pm_count_kernels(pm_executor *executor, const pm_counter_table *table,
                           const pm_workload *workload, const pm_timing *timing, double *values,
                           double *errors, pm_error *wrong, pm_error *err)
{
    size_t cells = timing->kernel_count * pm_counter_table_size(table);
    double *variances = calloc(cells, sizeof *variances);
    pm_status status = PM_OK;

    if (!variances)
        return pm_fail(err, PM_FAILED, "%s: out of memory", workload->program);
    for (size_t i = 0; i < cells; i++) {
        values[i] = executor ? 0 : (double)NAN;
        variances[i] = values[i];
    }
    if (executor)
        status = sum_pass(executor, table, workload, timing, values, variances, wrong, err);
    set_work_groups(table, timing, values, variances);
    for (size_t i = 0; errors && i < cells; i++)
        errors[i] = sqrt(variances[i]);
    free(variances);
    return status;
}
