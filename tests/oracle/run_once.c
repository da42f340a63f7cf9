/* Runs one workload of the suite exactly once, for an observer around the process (Oclgrind) to
 * count: its launches in order on the first OpenCL device, nothing before and nothing after. The
 * size need not be one that the suite lists, so that a slow observer can have a small one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "executor.h"
#include "measure.h"
#include "workload.h"

static pm_workload *build(char **argv, pm_error *err)
{
    for (size_t i = 0; i < pm_program_count(); i++)
        if (strcmp(pm_suite_program(i)->info.name, argv[1]) == 0)
            return pm_suite_program(i)->build(argv[2], argv[3], 1, err);
    snprintf(err->text, sizeof err->text, "no program %s in the suite", argv[1]);
    err->status = PM_BAD_INPUT;
    return NULL;
}

static pm_status run(const pm_workload *workload, pm_error *err)
{
    pm_device *devices = NULL;
    pm_executor *executor = NULL;
    size_t count;
    pm_status status = pm_devices(&devices, &count, err);

    if (status == PM_OK)
        status = pm_executor_opencl_open(&devices[0], NULL, &executor, err);
    if (status == PM_OK)
        fprintf(stderr, "# on %s\n", devices[0].name);
    if (status == PM_OK)
        status = executor->type->load(executor, workload, err);
    if (status == PM_OK)
        status = executor->type->run(executor, NULL, err);
    if (status == PM_OK)
        status = pm_measure_check(executor, workload, err);
    if (executor)
        executor->type->close(executor);
    free(devices);
    return status;
}

int main(int argc, char **argv)
{
    pm_error err = {0};
    pm_workload *workload;
    pm_status status;

    if (argc != 4) {
        fprintf(stderr, "usage: run_once PROGRAM VARIANT SIZE\n");
        return PM_BAD_INPUT;
    }
    workload = build(argv, &err);
    status = workload ? run(workload, &err) : err.status;
    if (status != PM_OK)
        fprintf(stderr, "run_once: %s\n", err.text);
    pm_workload_free(workload);
    return (int)status;
}
