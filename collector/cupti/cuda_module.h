/* A workload's code in a CUDA context.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_MODULE_H
#define PM_COLLECTOR_CUPTI_CUDA_MODULE_H

#include "collector/cupti/cuda_driver.h"
#include "collector/executor.h"

typedef struct {
    pm_cu_module module;
    bool constants_in_array; /* what __constant arguments of OpenCL point to; else addresses */
    pm_cu_pointer constants; /* the array */
} pm_cuda_module;

/* Loads it, and fills the symbols of a CUDA source. The context is current, here and below. */
pm_status pm_cuda_module_load(const pm_cuda_driver *cuda, const pm_workload *workload,
                              const pm_device_code *code, pm_cuda_module *out, pm_error *err);
void pm_cuda_module_unload(const pm_cuda_driver *cuda, pm_cuda_module *module);

#endif
