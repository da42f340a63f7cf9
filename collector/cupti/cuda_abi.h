/* Types and constants of the CUDA driver API, repeated from NVIDIA's headers so that perfmodel
 * builds on machines without CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tests/collect/test_cupti_abi.c compares both if NVIDIA's headers are installed. Source: CUDA
 * Driver API reference, CUDA 13.0.
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_ABI_H
#define PM_COLLECTOR_CUPTI_CUDA_ABI_H

#include <stddef.h>

typedef int pm_cu_result;                 /* CUresult; 0 is success */
typedef int pm_cu_device;                 /* CUdevice: number of a GPU, from 0 */
typedef unsigned long long pm_cu_pointer; /* CUdeviceptr */
/* Opaque handles of the CUDA driver: CUcontext, CUmodule and so on. */
typedef struct pm_cu_context_ *pm_cu_context;
typedef struct pm_cu_module_ *pm_cu_module;
typedef struct pm_cu_function_ *pm_cu_function;
typedef struct pm_cu_event_ *pm_cu_event;
typedef struct pm_cu_stream_ *pm_cu_stream;

enum {
    PM_CU_INVALID_IMAGE = 200,
    PM_CU_INVALID_PTX = 218,
    PM_CU_ATTRIBUTE_WARP_SIZE = 10,
    PM_CU_ATTRIBUTE_CLOCK_KHZ = 13,
    PM_CU_ATTRIBUTE_COMPUTE_UNITS = 16,
    PM_CU_ATTRIBUTE_ECC = 32,
    PM_CU_ATTRIBUTE_PCI_BUS = 33,
    PM_CU_ATTRIBUTE_PCI_DEVICE = 34,
    PM_CU_ATTRIBUTE_MEMORY_KHZ = 36,
    PM_CU_ATTRIBUTE_MEMORY_BUS = 37,
    PM_CU_ATTRIBUTE_L2_BYTES = 38,
    PM_CU_ATTRIBUTE_UNIT_WORK_ITEMS = 39,
    PM_CU_ATTRIBUTE_MAJOR = 75,
    PM_CU_ATTRIBUTE_MINOR = 76,
    PM_CU_ATTRIBUTE_UNIT_SHARED = 81,
    PM_CU_ATTRIBUTE_UNIT_REGISTERS = 82,
    PM_CU_ATTRIBUTE_GROUP_SHARED = 97,
    PM_CU_ATTRIBUTE_UNIT_GROUPS = 106,
    PM_CU_ATTRIBUTE_RESERVED_SHARED = 111,
    PM_CU_FUNCTION_STATIC_SHARED = 1,
    PM_CU_FUNCTION_REGISTERS = 4,
    PM_CU_FUNCTION_MAX_DYNAMIC_SHARED = 8,
    PM_CU_JIT_ERROR_LOG = 5,
    PM_CU_JIT_ERROR_LOG_SIZE = 6
};

/* X-macro list of all CUDA driver functions that perfmodel calls, except for a capture. X(return
 * type, member of pm_cuda_driver, symbol in libcuda, parameters). */
#define PM_CUDA_FUNCTIONS(X)                                                                       \
    X(pm_cu_result, init, "cuInit", (unsigned flags))                                              \
    X(pm_cu_result, driver_version, "cuDriverGetVersion", (int *version))                          \
    X(pm_cu_result, error_name, "cuGetErrorName", (pm_cu_result code, const char **text))          \
    X(pm_cu_result, error_string, "cuGetErrorString", (pm_cu_result code, const char **text))      \
    X(pm_cu_result, device_count, "cuDeviceGetCount", (int *count))                                \
    X(pm_cu_result, device_get, "cuDeviceGet", (pm_cu_device * device, int ordinal))               \
    X(pm_cu_result, device_attribute, "cuDeviceGetAttribute",                                      \
      (int *value, int attribute, pm_cu_device device))                                            \
    X(pm_cu_result, context_retain, "cuDevicePrimaryCtxRetain",                                    \
      (pm_cu_context * context, pm_cu_device device))                                              \
    X(pm_cu_result, context_release, "cuDevicePrimaryCtxRelease_v2", (pm_cu_device device))        \
    X(pm_cu_result, context_create, "cuCtxCreate_v2",                                              \
      (pm_cu_context * context, unsigned flags, pm_cu_device device))                              \
    X(pm_cu_result, context_destroy, "cuCtxDestroy_v2", (pm_cu_context context))                   \
    X(pm_cu_result, context_push, "cuCtxPushCurrent_v2", (pm_cu_context context))                  \
    X(pm_cu_result, context_pop, "cuCtxPopCurrent_v2", (pm_cu_context * context))                  \
    X(pm_cu_result, synchronize, "cuCtxSynchronize", (void))                                       \
    X(pm_cu_result, module_load, "cuModuleLoadDataEx",                                             \
      (pm_cu_module * module, const void *image, unsigned count, int *options, void **values))     \
    X(pm_cu_result, module_unload, "cuModuleUnload", (pm_cu_module module))                        \
    X(pm_cu_result, module_function, "cuModuleGetFunction",                                        \
      (pm_cu_function * function, pm_cu_module module, const char *name))                          \
    X(pm_cu_result, module_global, "cuModuleGetGlobal_v2",                                         \
      (pm_cu_pointer * pointer, size_t * bytes, pm_cu_module module, const char *name))            \
    X(pm_cu_result, function_get, "cuFuncGetAttribute",                                            \
      (int *value, int attribute, pm_cu_function function))                                        \
    X(pm_cu_result, occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                      \
      (int *groups, pm_cu_function function, int group_size, size_t dynamic_shared))               \
    X(pm_cu_result, function_set, "cuFuncSetAttribute",                                            \
      (pm_cu_function function, int attribute, int value))                                         \
    X(pm_cu_result, alloc, "cuMemAlloc_v2", (pm_cu_pointer * pointer, size_t bytes))               \
    X(pm_cu_result, free, "cuMemFree_v2", (pm_cu_pointer pointer))                                 \
    X(pm_cu_result, copy_in, "cuMemcpyHtoD_v2",                                                    \
      (pm_cu_pointer to, const void *from, size_t bytes))                                          \
    X(pm_cu_result, copy_out, "cuMemcpyDtoH_v2", (void *to, pm_cu_pointer from, size_t bytes))     \
    X(pm_cu_result, fill, "cuMemsetD8_v2", (pm_cu_pointer to, unsigned char byte, size_t bytes))   \
    X(pm_cu_result, launch, "cuLaunchKernel",                                                      \
      (pm_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,              \
       pm_cu_stream stream, void **arguments, void **extra))                                       \
    X(pm_cu_result, launch_together, "cuLaunchCooperativeKernel",                                  \
      (pm_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared,              \
       pm_cu_stream stream, void **arguments))                                                     \
    X(pm_cu_result, event_create, "cuEventCreate", (pm_cu_event * event, unsigned flags))          \
    X(pm_cu_result, event_record, "cuEventRecord", (pm_cu_event event, pm_cu_stream stream))       \
    X(pm_cu_result, event_elapsed, "cuEventElapsedTime",                                           \
      (float *milliseconds, pm_cu_event start, pm_cu_event end))                                   \
    X(pm_cu_result, event_destroy, "cuEventDestroy_v2", (pm_cu_event event))

#endif
