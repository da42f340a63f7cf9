/* Declares the functions of CUDA's driver that the stand-in driver in tests/capture/cuda
 * implements.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_TESTS_CUDA_DRIVER_H
#define PM_TESTS_CUDA_DRIVER_H

#include "collector/cupti/callback_abi.h"

#define PM_SHOWN __attribute__((visibility("default")))

void pm_hold(void **arguments, const unsigned *grid, const unsigned *block);
pm_cu_result cuInit(unsigned flags);
pm_cu_result cuCtxGetDevice(pm_cu_device *device);
pm_cu_result cuDeviceGetName(char *name, int length, pm_cu_device device);
pm_cu_result cuDeviceGetAttribute(int *value, int attribute, pm_cu_device device);
pm_cu_result cuCtxSynchronize(void);
pm_cu_result cuMemAlloc_v2(pm_cu_pointer *pointer, size_t bytes);
pm_cu_result cuMemGetAddressRange_v2(pm_cu_pointer *base, size_t *bytes, pm_cu_pointer pointer);
pm_cu_result cuMemcpy(pm_cu_pointer to, pm_cu_pointer from, size_t bytes);
pm_cu_result cuMemcpyHtoD_v2(pm_cu_pointer to, const void *from, size_t bytes);
pm_cu_result cuMemcpyDtoH_v2(void *to, pm_cu_pointer from, size_t bytes);
pm_cu_result cuModuleLoadData(pm_cu_module *module, const void *image);
pm_cu_result cuModuleLoad(pm_cu_module *module, const char *path);
pm_cu_result cuLinkAddData_v2(void *state, int type, const void *image, size_t bytes,
                              const char *name, unsigned options, void *keys, void *values);
pm_cu_result cuModuleUnload(pm_cu_module module);
pm_cu_result cuModuleGetFunction(pm_cu_function *function, pm_cu_module module, const char *name);
pm_cu_result cuModuleGetGlobal_v2(pm_cu_pointer *pointer, size_t *bytes, pm_cu_module module,
                                  const char *name);
pm_cu_result cuFuncGetModule(pm_cu_module *module, pm_cu_function function);
pm_cu_result cuFuncGetName(const char **name, pm_cu_function function);
pm_cu_result cuFuncGetParamInfo(pm_cu_function function, size_t index, size_t *offset,
                                size_t *bytes);
pm_cu_result cuLaunchKernel(pm_cu_function function, unsigned grid_x, unsigned grid_y,
                            unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                            unsigned shared, pm_cu_stream stream, void **arguments, void **extra);
pm_cu_result cuLaunchKernelEx(const pm_cu_launch_config *config, pm_cu_function function,
                              void **arguments, void **extra);
pm_cu_result cuStreamIsCapturing(pm_cu_stream stream, int *status);
pm_cu_result cuStreamBeginCapture_v2(pm_cu_stream stream, int mode);
pm_cu_result cuStreamEndCapture(pm_cu_stream stream, void **made);
pm_cu_result cuGraphGetNodes(const void *of, pm_cu_graph_node *nodes, size_t *count);
pm_cu_result cuGraphNodeGetType(pm_cu_graph_node node, int *type);
pm_cu_result cuGraphKernelNodeGetParams_v2(pm_cu_graph_node node, pm_cu_kernel_node *kernel);
pm_cu_result cuGraphInstantiateWithFlags(const void **instance, const void *of,
                                         unsigned long long flags);
pm_cu_result cuGraphLaunch(const void *instance, pm_cu_stream stream);
pm_cu_result cuEventCreate(pm_cu_event *event, unsigned flags);
pm_cu_result cuEventRecord(pm_cu_event event, pm_cu_stream stream);
pm_cu_result cuEventQuery(pm_cu_event event);
pm_cu_result cuEventElapsedTime(float *milliseconds, pm_cu_event start, pm_cu_event stop);
int cuptiActivityRegisterCallbacks(void (*request)(uint8_t **, size_t *, size_t *),
                                   void (*complete)(pm_cu_context, uint32_t, uint8_t *, size_t,
                                                    size_t));
int cuptiActivityEnable(int kind);
int cuptiActivityFlushAll(uint32_t flag);
int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record);
int cuptiSubscribe(pm_cupti_subscriber *subscriber, pm_cupti_callback callback, void *user);
int cuptiEnableCallback(uint32_t on, pm_cupti_subscriber subscriber, int domain, uint32_t id);
int cuptiGetCallbackName(int domain, uint32_t id, const char **name);

#endif
