/* Runs a workload on a GPU by the CUDA driver: its module, buffers and launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_PROGRAM_H
#define PM_COLLECTOR_CUPTI_CUDA_PROGRAM_H

#include "collector/cupti/cuda_driver.h"
#include "collector/executor.h"
#include "program/workload.h"

typedef struct pm_cuda_program pm_cuda_program;

/* Loads the workload's code, allocates its buffers and fills them. A CUDA context must be current
 * for the calling thread (cuCtxSetCurrent) in this function and in all functions below. cuda and
 * workload must outlive the result. */
pm_cuda_program *pm_cuda_program_create(const pm_cuda_driver *cuda, const pm_workload *workload,
                                        const pm_device_code *code, pm_error *err);
void pm_cuda_program_free(pm_cuda_program *program);

/* Restores the initial contents of the buffers marked PM_BUFFER_RESTORE. */
pm_status pm_cuda_program_restore(pm_cuda_program *program, pm_error *err);
/* Prepares a launch. Call this function after all earlier launches were started. It copies the
 * buffers of the launch's __constant arguments to constant memory if the GPU does not read them
 * from global memory. */
pm_status pm_cuda_program_ready(pm_cuda_program *program, size_t launch, pm_error *err);
/* Starts a launch without waiting for its end. */
pm_status pm_cuda_program_launch(pm_cuda_program *program, size_t launch, pm_error *err);
/* Waits for the end of all launches that were started. */
pm_status pm_cuda_program_wait(pm_cuda_program *program, pm_error *err);
/* Sets *value to a resource of a launch before it runs. property: "registers" per work-item,
 * "shared_bytes" per work-group, or "resident_groups" per compute unit. *value is unchanged for
 * any other name. */
pm_status pm_cuda_program_property(pm_cuda_program *program, size_t launch, const char *property,
                                   double *value, pm_error *err);
pm_status pm_cuda_program_read(pm_cuda_program *program, size_t buffer, void *dst, pm_error *err);

#endif
