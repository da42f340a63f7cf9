/* Loads a workload's compiled kernels into a CUDA context.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_MODULE_H
#define PM_COLLECTOR_CUPTI_CUDA_MODULE_H

#include "collector/cupti/cuda_driver.h"
#include "collector/cupti/cuda_variables.h"
#include "collector/executor.h"

typedef struct {
    pm_cu_module module;
    /* True if a __constant argument of an OpenCL kernel is an offset into the array `constants`.
     * False if it is an address. */
    bool constants_in_array;
    /* variables in global memory that the module's CUDA source defines, with their initial
     * contents; kernels may change them */
    pm_cuda_variables variables;
    pm_cu_pointer constants; /* address of the array PM_PTX_CONSTANTS in constant memory */
} pm_cuda_module;

/* Loads the workload's compiled code into the current CUDA context. Gives __constant__ and
 * __device__ variables of a CUDA source the initial contents that the workload has for them. The
 * same context must be current when pm_cuda_module_unload is called. */
pm_status pm_cuda_module_load(const pm_cuda_driver *cuda, const pm_workload *workload,
                              const pm_device_code *code, pm_cuda_module *out, pm_error *err);
void pm_cuda_module_unload(const pm_cuda_driver *cuda, pm_cuda_module *module);

#endif
