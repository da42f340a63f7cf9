/* The CUDA driver, loaded at run time.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_DRIVER_H
#define PM_COLLECTOR_CUPTI_CUDA_DRIVER_H

#include "collector/cupti/cuda_abi.h"
#include "perfmodel.h"

typedef struct {
    void *library;
#define PM_CUDA_MEMBER(type, name, symbol, parameters) type(*name) parameters;
    PM_CUDA_FUNCTIONS(PM_CUDA_MEMBER)
#undef PM_CUDA_MEMBER
} pm_cuda_driver;

/* Loads libcuda.so.1 and initialises it. PM_FAILED if there is no NVIDIA driver or no GPU. */
pm_status pm_cuda_driver_open(pm_cuda_driver *cuda, pm_error *err);
/* Closes the handle of libcuda. The library stays loaded (RTLD_NODELETE), because profilers have
 * hooks in it. */
void pm_cuda_driver_close(pm_cuda_driver *cuda);
/* Finds the CUDA device in the same PCI slot as the OpenCL device `wanted`. PM_FAILED if CUDA does
 * not list that device. */
pm_status pm_cuda_driver_find(const pm_cuda_driver *cuda, const pm_device *wanted,
                              pm_cu_device *device, pm_error *err);
/* Returns PM_OK if `code`, the result of a driver function, is 0. Otherwise raises an error with
 * the function's name and the driver's reason. call: name of the driver function. about: name of
 * the kernel, buffer or other object of the call, for the error; may be NULL. */
pm_status pm_cuda_check(const pm_cuda_driver *cuda, pm_error *err, const char *call,
                        const char *about, pm_cu_result code);

#endif
