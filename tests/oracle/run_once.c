/* Runs one workload of the suite exactly once: on the first OpenCL device, for an observer around
 * the process (Oclgrind) to count, or in the trace engine, whose own counts it prints the way
 * Oclgrind does: how many work-items each kind of access had, and how many bytes they moved.
 *
 * The size need not be one that the suite lists, and --groups cuts each launch down to its first
 * work-groups along x, so that a slow observer has little to do. Outputs are only checked where
 * nothing was cut.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/executor.h"
#include "collector/measure.h"
#include "collector/worker/executor_trace.h"
#include "program/suite/suite.h"
#include "tests/suite_sizes.h"

static void cut(pm_workload *workload, size_t groups)
{
    for (size_t i = 0; i < workload->launch_count; i++) {
        pm_launch *launch = &workload->launches[i];

        if (launch->global[0] / launch->local[0] > groups)
            launch->global[0] = groups * launch->local[0];
    }
}

static pm_status run_opencl(const pm_workload *workload, bool whole, pm_error *err)
{
    pm_device *devices = NULL;
    pm_executor *executor = NULL;
    size_t count;
    pm_status status = pm_devices(&devices, &count, err);

    if (status == PM_OK)
        status = pm_executor_opencl_open(&devices[0], NULL, &executor, err);
    if (status == PM_OK)
        status = executor->type->load(executor, workload, err);
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    if (status == PM_OK && whole)
        status = pm_measure_check(executor, workload, err);
    if (executor)
        executor->type->close(executor);
    free(devices);
    return status;
}

static double barriers(const pm_workload *workload, const char *kernel,
                       const pm_counter_table *table, const double *values)
{
    const size_t counters = pm_counter_table_size(table);
    double sum = 0;

    for (size_t l = 0; l < workload->launch_count; l++)
        for (size_t c = 0; c < counters; c++)
            if (strcmp(workload->launches[l].kernel, kernel) == 0 &&
                strcmp(pm_counter_name(table, c), "barrier") == 0)
                sum += values[l * counters + c];
    return sum;
}

/* Prints COUNT - KIND SPACE (BYTES bytes) for each access of the table. The script sums the
 * counts. */
static void print_kernel(const pm_trace_kernel *kernel, double barrier)
{
    printf("Instructions executed for kernel '%s':\n", kernel->kernel);
    for (size_t i = 0; i < kernel->access_count; i++) {
        const pm_access *a = &kernel->accesses[i];

        printf("%.0f - %s %s (%.0f bytes)\n", a->work_items, a->kind, a->space,
               a->work_items * a->bytes);
    }
    printf("%.0f - barrier of warps\n", barrier);
}

static pm_status run_trace(const pm_workload *workload, pm_error *err)
{
    const pm_trace_engine_options options = {.target = "h100", .sample = 1};
    pm_counter_table *table = pm_counter_table_read(NULL, err);
    pm_executor *executor = NULL;
    pm_trace_tables tables = {.count = 0};
    double *values = NULL;
    pm_status status = table ? PM_OK : err->status;

    if (status == PM_OK)
        values = calloc(pm_counter_table_size(table) * workload->launch_count, sizeof *values);
    if (status == PM_OK && !values)
        status = PM_FAILED;
    if (status == PM_OK)
        status = pm_executor_trace_open(&options, table, NULL, &executor, err);
    if (status == PM_OK)
        status = executor->type->load(executor, workload, err);
    if (status == PM_OK)
        status = executor->type->count(executor, values, NULL, err);
    if (status == PM_OK)
        status = pm_executor_trace_accesses(executor, &tables, err);
    for (size_t i = 0; i < tables.count; i++)
        print_kernel(&tables.kernels[i],
                     barriers(workload, tables.kernels[i].kernel, table, values));
    pm_memory_free(&tables.memory);
    if (executor)
        executor->type->close(executor);
    free(values);
    pm_counter_table_free(table);
    return status;
}

int main(int argc, char **argv)
{
    pm_error err = {0};
    pm_workload *workload = NULL;
    size_t groups = 0;
    pm_status status;

    if (argc == 7 && strcmp(argv[5], "--groups") == 0)
        groups = strtoul(argv[6], NULL, 10);
    if ((argc != 5 && groups == 0) ||
        (strcmp(argv[1], "opencl") != 0 && strcmp(argv[1], "trace") != 0)) {
        fprintf(stderr, "usage: run_once opencl|trace PROGRAM VARIANT SIZE [--groups N]\n");
        return PM_BAD_INPUT;
    }
    workload = workload_in_size(argv[2], argv[3], argv[4], &err);
    if (workload && groups > 0)
        cut(workload, groups);
    if (!workload)
        status = err.status;
    else if (strcmp(argv[1], "trace") == 0)
        status = run_trace(workload, &err);
    else
        status = run_opencl(workload, groups == 0, &err);
    if (status != PM_OK)
        fprintf(stderr, "run_once: %s\n", err.text);
    pm_workload_free(workload);
    return (int)status;
}
