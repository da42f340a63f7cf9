/* Loads a workload's code into a CUDA context.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_MODULE_H
#define PM_COLLECTOR_CUPTI_CUDA_MODULE_H

#include "collector/cupti/cuda_driver.h"
#include "collector/executor.h"

typedef struct {
    pm_cu_module module;
    /* __constant arguments of OpenCL are offsets into the array `constants`. Otherwise they are
     * addresses. */
    bool constants_in_array;
    pm_cu_pointer constants; /* the array in constant memory */
} pm_cuda_module;

/* Loads the code and sets the symbols of a CUDA source. The caller must have made the context
 * current, also for pm_cuda_module_unload. */
pm_status pm_cuda_module_load(const pm_cuda_driver *cuda, const pm_workload *workload,
                              const pm_device_code *code, pm_cuda_module *out, pm_error *err);
void pm_cuda_module_unload(const pm_cuda_driver *cuda, pm_cuda_module *module);

#endif
