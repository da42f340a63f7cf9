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

/* Loads libcuda.so.1 and starts it; PM_FAILED where there is no NVIDIA driver or no GPU. */
pm_status pm_cuda_driver_open(pm_cuda_driver *cuda, pm_error *err);
/* The library stays in the process: profilers keep hooks in it. */
void pm_cuda_driver_close(pm_cuda_driver *cuda);
/* The CUDA device in the same PCI slot as the OpenCL one; PM_FAILED if CUDA does not see it. */
pm_status pm_cuda_driver_find(const pm_cuda_driver *cuda, const pm_device *wanted,
                              pm_cu_device *device, pm_error *err);
/* Where a call failed (code is not 0), says which, and why in the driver's words. call is a symbol,
 * about (may be NULL) what it was called for. */
pm_status pm_cuda_check(const pm_cuda_driver *cuda, pm_error *err, const char *call,
                        const char *about, pm_cu_result code);

#endif
