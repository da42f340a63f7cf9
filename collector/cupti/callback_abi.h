/* Types and constants of CUPTI's callback API, and of the CUDA driver calls that `perfmodel
 * capture` observes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This file repeats declarations of NVIDIA's headers, so that perfmodel builds on machines without
 * CUDA. tests/collect/test_cupti_abi.c compares both if NVIDIA's headers are installed. Sources:
 * CUPTI reference, Callback API, and CUDA Driver API reference, CUDA 13.0.
 */
#ifndef PM_COLLECTOR_CUPTI_CALLBACK_ABI_H
#define PM_COLLECTOR_CUPTI_CALLBACK_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "collector/cupti/cuda_abi.h"

enum { PM_CUPTI_DRIVER_API = 1, PM_CUPTI_RESOURCE = 3 }; /* CUpti_CallbackDomain */
enum { PM_CUPTI_ENTER = 0, PM_CUPTI_EXIT = 1 };          /* CUpti_ApiCallbackSite */
enum { PM_CUPTI_MODULE_LOADED = 6 };                     /* CUpti_CallbackIdResource */

typedef struct pm_cupti_subscriber_ *pm_cupti_subscriber;
typedef void (*pm_cupti_callback)(void *user, int domain, uint32_t id, const void *data);

/* CUPTI's struct CUpti_CallbackData, which a callback gets when an application calls a driver
 * function. */
typedef struct {
    int site;
    const char *function;
    const void *parameters; /* struct of the driver function's parameters, in their order */
    void *result;       /* points to the driver function's pm_cu_result; valid when it returns */
    const char *symbol; /* the kernel's name, for launches */
    pm_cu_context context;
    uint32_t context_id;
    /* number that the callback sets when the driver call begins, and reads when it ends */
    uint64_t *kept;
    uint32_t correlation;
} pm_cupti_call_data;

/* CUPTI's struct CUpti_ResourceData, which a callback gets for a loaded module. `descriptor` points
 * to a CUpti_ModuleResourceData. */
typedef struct {
    pm_cu_context context;
    pm_cu_stream stream;
    void *descriptor;
} pm_cupti_resource_data;

typedef struct {
    uint32_t id;
    size_t bytes;
    const char *cubin;
} pm_cupti_module_data;

/* X-macro list of the CUPTI functions that a capture calls. X(member of a struct of function
 * pointers, symbol in libcupti, parameters). */
#define PM_CUPTI_CALLBACK_FUNCTIONS(X)                                                             \
    X(subscribe, "cuptiSubscribe",                                                                 \
      (pm_cupti_subscriber * subscriber, pm_cupti_callback callback, void *user))                  \
    X(enable, "cuptiEnableCallback",                                                               \
      (uint32_t on, pm_cupti_subscriber subscriber, int domain, uint32_t id))                      \
    X(callback_name, "cuptiGetCallbackName", (int domain, uint32_t id, const char **name))

/* Constants of CUPTI's enum CUpti_ActivityKind (records of kernels), and the flag of
 * cuptiActivityFlushAll. */
enum { PM_CUPTI_KERNEL = 3, PM_CUPTI_CONCURRENT_KERNEL = 10, PM_CUPTI_FLUSH_FORCED = 1 };

/* The beginning of CUPTI's structs CUpti_ActivityKernel4 to CUpti_ActivityKernel9, up to the
 * kernel's mangled name. Times are in ns. */
typedef struct {
    uint32_t kind;
    uint8_t caches[2];
    uint16_t registers;
    uint32_t partitioned[2];
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3], shared[2];
    uint32_t local[2];
    uint32_t correlation;
    int64_t grid_id;
    const char *name;
} pm_cupti_kernel_record;

/* X-macro list of CUPTI's functions for activity records, with which a capture measures the times
 * of kernels. If libcupti lacks one of them, it measures the times by CUDA events. */
#define PM_CUPTI_ACTIVITY_FUNCTIONS(X)                                                             \
    X(register_buffers, "cuptiActivityRegisterCallbacks",                                          \
      (void (*request)(uint8_t * *buffer, size_t * bytes, size_t * most_records),                  \
       void (*complete)(pm_cu_context context, uint32_t stream, uint8_t * buffer, size_t bytes,    \
                        size_t valid)))                                                            \
    X(enable_activity, "cuptiActivityEnable", (int kind))                                          \
    X(flush_activity, "cuptiActivityFlushAll", (uint32_t flag))                                    \
    X(next_record, "cuptiActivityGetNextRecord", (uint8_t * buffer, size_t valid, void **record))

/* ---- the driver's calls ---------------------------------------------------------------------- */

/* Parameters of cuLaunchKernel. cuLaunchCooperativeKernel has the same parameters except the last
 * one, `extra`. */
typedef struct {
    const void *function;
    unsigned grid[3], block[3], shared;
    pm_cu_stream stream;
    void **arguments, **extra;
} pm_cu_launch_parameters;

/* Beginnings of the driver's structs CUlaunchAttribute and CUlaunchConfig, with the members that
 * perfmodel reads while it records a program's launches. */
typedef struct {
    int id;
    char rest[68];
} pm_cu_launch_attribute;

typedef struct {
    unsigned grid[3], block[3], shared;
    pm_cu_stream stream;
    const pm_cu_launch_attribute *attributes;
    unsigned attribute_count;
} pm_cu_launch_config;

typedef struct {
    const pm_cu_launch_config *config;
    const void *function;
    void **arguments, **extra;
} pm_cu_launch_ex_parameters;

/* The first two parameters of cuModuleLoadData, cuModuleLoadDataEx, cuModuleLoadFatBinary and
 * cuLibraryLoadData. cuModuleLoad and cuLibraryLoadFromFile have the path of a file instead of the
 * image. */
typedef struct {
    const void **module; /* receives the CUmodule or CUlibrary */
    const void *image;
} pm_cu_load_parameters;

/* The first parameters of cuLinkAddData. cuLinkAddFile has instead of `image` the path of a file,
 * and no `bytes`. */
typedef struct {
    const void *state;
    int type;
    const void *image;
    size_t bytes;
} pm_cu_link_parameters;

/* The first two parameters of the functions that instantiate a graph. */
typedef struct {
    const void **instance; /* receives the CUgraphExec */
    const void *graph;
} pm_cu_graph_parameters;

/* The first parameter of functions that change or destroy a CUgraphExec. */
typedef struct {
    const void *instance;
} pm_cu_graph_exec_parameters;

/* Parameters of cuGraphLaunch. */
typedef struct {
    const void *instance;
    pm_cu_stream stream;
} pm_cu_graph_launch_parameters;

typedef struct pm_cu_graph_node_ *pm_cu_graph_node;

/* CUDA's struct CUDA_KERNEL_NODE_PARAMS_v2. */
typedef struct {
    const void *function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
    const void *kernel; /* a CUkernel, if function is NULL */
    pm_cu_context context;
} pm_cu_kernel_node;

enum {
    PM_CU_KERNEL_NODE = 0, /* CUgraphNodeType */
    PM_CU_EXTRA_END = 0,
    PM_CU_EXTRA_POINTER = 1,
    PM_CU_EXTRA_SIZE = 2,
    PM_CU_ATTRIBUTE_CLUSTER = 4,
    PM_CU_INVALID_VALUE = 1,
    /* PM_CU_RANGE_START and PM_CU_RANGE_SIZE: values of the driver's enum CUpointer_attribute */
    PM_CU_RANGE_START = 11,
    PM_CU_RANGE_SIZE = 12,
    PM_CU_STREAM_LEGACY = 1,
    PM_CU_STREAM_PER_THREAD = 2
};

/* X-macro lists of the driver functions that a capture calls. X(member of a struct of function
 * pointers, symbol in libcuda, parameters). The functions in the second list may be missing in old
 * drivers. Examples are the cuKernel functions, which exist since CUDA 12, where a launch may name
 * a CUkernel instead of a CUfunction. */
#define PM_CU_CAPTURE_FUNCTIONS(X)                                                                 \
    X(synchronize, "cuCtxSynchronize", (void))                                                     \
    X(context_device, "cuCtxGetDevice", (pm_cu_device * device))                                   \
    X(device_name, "cuDeviceGetName", (char *name, int length, pm_cu_device device))               \
    X(module_global, "cuModuleGetGlobal_v2",                                                       \
      (pm_cu_pointer * pointer, size_t * bytes, pm_cu_module module, const char *name))            \
    X(range, "cuMemGetAddressRange_v2",                                                            \
      (pm_cu_pointer * base, size_t * bytes, pm_cu_pointer pointer))                               \
    X(copy, "cuMemcpy", (pm_cu_pointer to, pm_cu_pointer from, size_t bytes))                      \
    X(event_create, "cuEventCreate", (pm_cu_event * event, unsigned flags))                        \
    X(event_record, "cuEventRecord", (pm_cu_event event, pm_cu_stream stream))                     \
    X(event_query, "cuEventQuery", (pm_cu_event event))                                            \
    X(event_elapsed, "cuEventElapsedTime",                                                         \
      (float *milliseconds, pm_cu_event start, pm_cu_event end))                                   \
    X(capturing, "cuStreamIsCapturing", (pm_cu_stream stream, int *status))

#define PM_CU_CAPTURE_OPTIONAL(X)                                                                  \
    X(function_parameter, "cuFuncGetParamInfo",                                                    \
      (const void *function, size_t index, size_t *offset, size_t *bytes))                         \
    X(function_name, "cuFuncGetName", (const char **name, const void *function))                   \
    X(kernel_name, "cuKernelGetName", (const char **name, const void *kernel))                     \
    X(module_load, "cuModuleLoadData", (pm_cu_module * module, const void *image))                 \
    X(module_function, "cuModuleGetFunction",                                                      \
      (pm_cu_function * function, pm_cu_module module, const char *name))                          \
    X(launch, "cuLaunchKernel",                                                                    \
      (pm_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,                 \
       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, pm_cu_stream stream, \
       void **arguments, void **extra))                                                            \
    X(graph_nodes, "cuGraphGetNodes", (const void *graph, pm_cu_graph_node *nodes, size_t *count)) \
    X(node_type, "cuGraphNodeGetType", (pm_cu_graph_node node, int *type))                         \
    X(kernel_node, "cuGraphKernelNodeGetParams_v2",                                                \
      (pm_cu_graph_node node, pm_cu_kernel_node * kernel))                                         \
    X(function_load, "cuFuncLoad", (const void *function))                                         \
    X(device_attribute, "cuDeviceGetAttribute", (int *value, int attribute, pm_cu_device device))  \
    X(attribute, "cuPointerGetAttribute", (void *value, int attribute, pm_cu_pointer pointer))     \
    X(function_module, "cuFuncGetModule", (pm_cu_module * module, const void *function))           \
    X(kernel_parameter, "cuKernelGetParamInfo",                                                    \
      (const void *kernel, size_t index, size_t *offset, size_t *bytes))                           \
    X(kernel_function, "cuKernelGetFunction", (const void **function, const void *kernel))

#endif
