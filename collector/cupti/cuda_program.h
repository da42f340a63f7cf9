/* A workload on a GPU by way of the CUDA driver: its module, its buffers, its launches.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_PROGRAM_H
#define PM_COLLECTOR_CUPTI_CUDA_PROGRAM_H

#include "collector/cupti/cuda_driver.h"
#include "collector/executor.h"
#include "program/workload.h"

typedef struct pm_cuda_program pm_cuda_program;

/* Loads the code of the workload, allocates its buffers and fills them. A context must be current,
 * here and in every call below. cuda and workload must outlive it. */
pm_cuda_program *pm_cuda_program_create(const pm_cuda_driver *cuda, const pm_workload *workload,
                                        const pm_device_code *code, pm_error *err);
void pm_cuda_program_free(pm_cuda_program *program);

/* Sets the buffers marked PM_BUFFER_RESTORE back to their initial contents. */
pm_status pm_cuda_program_restore(pm_cuda_program *program, pm_error *err);
/* Before a launch, behind those before it: copies what its __constant arguments point to, where the
 * GPU reads them elsewhere than in buffers. */
pm_status pm_cuda_program_ready(pm_cuda_program *program, size_t launch, pm_error *err);
/* Starts a launch; does not wait for its end. */
pm_status pm_cuda_program_launch(pm_cuda_program *program, size_t launch, pm_error *err);
/* Waits for all launches. */
pm_status pm_cuda_program_wait(pm_cuda_program *program, pm_error *err);
/* What a launch needs, before it runs: "registers" of a work-item, "shared_bytes" of a work-group,
 * "resident_groups", the work-groups that a compute unit holds at once. Another name leaves *value
 * as it is. */
pm_status pm_cuda_program_property(pm_cuda_program *program, size_t launch, const char *property,
                                   double *value, pm_error *err);
pm_status pm_cuda_program_read(pm_cuda_program *program, size_t buffer, void *dst, pm_error *err);

#endif
