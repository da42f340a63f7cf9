/* Compares perfmodel's own declarations of the binary interfaces of CUDA and CUPTI with NVIDIA's
 * headers: sizes, offsets and constants. The test is skipped with a message if the headers are not
 * installed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/cupti/callback_abi.h"
#include "collector/cupti/cupti_abi.h"
#include "unit.h"

#ifndef PM_HAVE_CUPTI_HEADERS

int main(void)
{
    print_message("SKIPPED test_cupti_abi: no cuda.h and cupti_range_profiler.h when this was "
                  "configured; install the CUDA toolkit or set CUDA_HOME\n");
    return 77;
}

#else

#include <cuda.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

/* Types of CUDA before 3.2 that the next header uses and cuda.h no longer defines. */
typedef unsigned CUdeviceptr_v1;
typedef struct CUDA_MEMCPY2D_v1_st CUDA_MEMCPY2D_v1;
typedef struct CUDA_MEMCPY3D_v1_st CUDA_MEMCPY3D_v1;
typedef struct CUDA_ARRAY_DESCRIPTOR_v1_st CUDA_ARRAY_DESCRIPTOR_v1;
typedef struct CUDA_ARRAY3D_DESCRIPTOR_v1_st CUDA_ARRAY3D_DESCRIPTOR_v1;

#include <generated_cuda_meta.h>

/* Offset and size of a member in perfmodel's struct, and in the header's struct. */
typedef struct {
    size_t ours, theirs, our_bytes, their_bytes;
} member;

/* Compares a member of both structs, which may have different names. */
#define M(our, their)                                                                              \
    {                                                                                              \
        offsetof(our_type, our), offsetof(their_type, their), sizeof(((our_type *)0)->our),        \
            sizeof(((their_type *)0)->their)                                                       \
    }

/* Compares the size by the compiler, the size that CUPTI expects (up to the last member), and the
 * members. */
#define STRUCT(our, last, their, ...)                                                              \
    do {                                                                                           \
        typedef our our_type;                                                                      \
        typedef CUpti_##their##_Params their_type;                                                 \
        const member members[] = {M(size, structSize), M(reserved, pPriv), __VA_ARGS__};           \
                                                                                                   \
        assert_int_equal(sizeof(our), sizeof(their_type));                                         \
        assert_int_equal(PM_CUPTI_SIZE(our, last), CUpti_##their##_Params_STRUCT_SIZE);            \
        same_members(#our, members, sizeof members / sizeof *members);                             \
    } while (0)

static void same_members(const char *name, const member *m, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (m[i].ours != m[i].theirs || m[i].our_bytes != m[i].their_bytes)
            fail_msg("%s: member %zu, where 0 is its size and 1 reserved", name, i);
}

/* A constant in both headers; the first value is perfmodel's. */
typedef struct {
    long long ours, theirs;
} number;

static void same_numbers(const number *n, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (n[i].ours != n[i].theirs)
            fail_msg("row %zu: %lld, in the header %lld", i, n[i].ours, n[i].theirs);
}

TEST(test_cuda)
{
    static const number numbers[] = {
        {sizeof(pm_cu_result), sizeof(CUresult)},
        {sizeof(pm_cu_device), sizeof(CUdevice)},
        {sizeof(pm_cu_pointer), sizeof(CUdeviceptr)},
        {sizeof(pm_cu_context), sizeof(CUcontext)},
        {sizeof(pm_cu_stream), sizeof(CUstream)},
        {sizeof(int), sizeof(CUjit_option)},
        {sizeof(int), sizeof(CUdevice_attribute)},
        {sizeof(int), sizeof(CUfunction_attribute)},
        {CUDA_SUCCESS, 0},
        {PM_CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE},
        {PM_CU_INVALID_PTX, CUDA_ERROR_INVALID_PTX},
        {PM_CU_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE},
        {PM_CU_ATTRIBUTE_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
        {PM_CU_ATTRIBUTE_COMPUTE_UNITS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
        {PM_CU_ATTRIBUTE_ECC, CU_DEVICE_ATTRIBUTE_ECC_ENABLED},
        {PM_CU_ATTRIBUTE_MEMORY_KHZ, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE},
        {PM_CU_ATTRIBUTE_MEMORY_BUS, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH},
        {PM_CU_ATTRIBUTE_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
        {PM_CU_ATTRIBUTE_UNIT_WORK_ITEMS, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR},
        {PM_CU_ATTRIBUTE_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
        {PM_CU_ATTRIBUTE_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
        {PM_CU_ATTRIBUTE_UNIT_SHARED, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR},
        {PM_CU_ATTRIBUTE_UNIT_REGISTERS, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR},
        {PM_CU_ATTRIBUTE_GROUP_SHARED, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
        {PM_CU_ATTRIBUTE_UNIT_GROUPS, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR},
        {PM_CU_ATTRIBUTE_RESERVED_SHARED, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK},
        {PM_CU_ATTRIBUTE_PCI_BUS, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID},
        {PM_CU_ATTRIBUTE_PCI_DEVICE, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID},
        {PM_CU_FUNCTION_STATIC_SHARED, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
        {PM_CU_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS},
        {PM_CU_FUNCTION_MAX_DYNAMIC_SHARED, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
        {PM_CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER},
        {PM_CU_JIT_ERROR_LOG_SIZE, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES}};

    same_numbers(numbers, sizeof numbers / sizeof *numbers);
}

/* Compares a struct without a size member: its members and its size. */
#define PLAIN(our, their, ...)                                                                     \
    do {                                                                                           \
        typedef our our_type;                                                                      \
        typedef their their_type;                                                                  \
        const member members[] = {__VA_ARGS__};                                                    \
                                                                                                   \
        assert_int_equal(sizeof(our), sizeof(their));                                              \
        same_members(#our, members, sizeof members / sizeof *members);                             \
    } while (0)

TEST(test_callbacks)
{
    PLAIN(pm_cupti_call_data, CUpti_CallbackData, M(site, callbackSite), M(function, functionName),
          M(parameters, functionParams), M(result, functionReturnValue), M(symbol, symbolName),
          M(context, context), M(context_id, contextUid), M(kept, correlationData),
          M(correlation, correlationId));
    PLAIN(pm_cupti_resource_data, CUpti_ResourceData, M(context, context),
          M(stream, resourceHandle.stream), M(descriptor, resourceDescriptor));
    PLAIN(pm_cupti_module_data, CUpti_ModuleResourceData, M(id, moduleId), M(bytes, cubinSize),
          M(cubin, pCubin));
}

TEST(test_launches)
{
    PLAIN(pm_cu_launch_parameters, cuLaunchKernel_params, M(function, f), M(grid[0], gridDimX),
          M(grid[2], gridDimZ), M(block[0], blockDimX), M(block[2], blockDimZ),
          M(shared, sharedMemBytes), M(stream, hStream), M(arguments, kernelParams),
          M(extra, extra));
    PLAIN(pm_cu_launch_ex_parameters, cuLaunchKernelEx_params, M(config, config), M(function, f),
          M(arguments, kernelParams), M(extra, extra));
    PLAIN(pm_cu_launch_attribute, CUlaunchAttribute, M(id, id));
    PLAIN(pm_cu_launch_config, CUlaunchConfig, M(grid[0], gridDimX), M(grid[2], gridDimZ),
          M(block[0], blockDimX), M(block[2], blockDimZ), M(shared, sharedMemBytes),
          M(stream, hStream), M(attributes, attrs), M(attribute_count, numAttrs));
    assert_int_equal(offsetof(pm_cu_launch_parameters, arguments),
                     offsetof(cuLaunchCooperativeKernel_params, kernelParams));
    assert_int_equal(offsetof(pm_cu_load_parameters, image),
                     offsetof(cuModuleLoadData_params, image));
    assert_int_equal(offsetof(pm_cu_load_parameters, image),
                     offsetof(cuModuleLoadDataEx_params, image));
    assert_int_equal(offsetof(pm_cu_load_parameters, image),
                     offsetof(cuModuleLoadFatBinary_params, fatCubin));
    assert_int_equal(offsetof(pm_cu_load_parameters, image),
                     offsetof(cuLibraryLoadData_params, code));
    assert_int_equal(offsetof(pm_cu_load_parameters, image), offsetof(cuModuleLoad_params, fname));
    assert_int_equal(offsetof(pm_cu_load_parameters, image),
                     offsetof(cuLibraryLoadFromFile_params, fileName));
    assert_int_equal(offsetof(pm_cu_link_parameters, image),
                     offsetof(cuLinkAddData_v2_params, data));
    assert_int_equal(offsetof(pm_cu_link_parameters, bytes),
                     offsetof(cuLinkAddData_v2_params, size));
    assert_int_equal(offsetof(pm_cu_link_parameters, image),
                     offsetof(cuLinkAddFile_v2_params, path));
}

TEST(test_callback_codes)
{
    static const number numbers[] = {
        {PM_CUPTI_DRIVER_API, CUPTI_CB_DOMAIN_DRIVER_API},
        {PM_CUPTI_RESOURCE, CUPTI_CB_DOMAIN_RESOURCE},
        {PM_CUPTI_ENTER, CUPTI_API_ENTER},
        {PM_CUPTI_EXIT, CUPTI_API_EXIT},
        {PM_CUPTI_MODULE_LOADED, CUPTI_CBID_RESOURCE_MODULE_LOADED},
        {PM_CU_EXTRA_END, CU_LAUNCH_PARAM_END_AS_INT},
        {PM_CU_EXTRA_POINTER, CU_LAUNCH_PARAM_BUFFER_POINTER_AS_INT},
        {PM_CU_EXTRA_SIZE, CU_LAUNCH_PARAM_BUFFER_SIZE_AS_INT},
        {PM_CU_ATTRIBUTE_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION},
        {PM_CU_RANGE_START, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR},
        {PM_CU_RANGE_SIZE, CU_POINTER_ATTRIBUTE_RANGE_SIZE},
        {PM_CU_INVALID_VALUE, CUDA_ERROR_INVALID_VALUE},
        {PM_CU_STREAM_LEGACY, (long long)(uintptr_t)CU_STREAM_LEGACY},
        {PM_CU_STREAM_PER_THREAD, (long long)(uintptr_t)CU_STREAM_PER_THREAD}};

    same_numbers(numbers, sizeof numbers / sizeof *numbers);
}

TEST(test_codes)
{
    static const number numbers[] = {
        {sizeof(pm_cupti_result), sizeof(CUptiResult)},
        {PM_CUPTI_SUCCESS, CUPTI_SUCCESS},
        {PM_CUPTI_INVALID_METRIC_NAME, CUPTI_ERROR_INVALID_METRIC_NAME},
        {PM_CUPTI_NOT_SUPPORTED, CUPTI_ERROR_NOT_SUPPORTED},
        {PM_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES},
        {PM_CUPTI_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED},
        {PM_CUPTI_VIRTUALIZED_PRIVILEGES, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES},
        {PM_CUPTI_CONFIDENTIAL_COMPUTING, CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED},
        {PM_CUPTI_MIG_DEVICE, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED},
        {PM_CUPTI_INVALID_CHIP, CUPTI_ERROR_INVALID_CHIP_NAME},
        {PM_CUPTI_HOST_RANGE_PROFILER, CUPTI_PROFILER_TYPE_RANGE_PROFILER},
        {PM_CUPTI_USER_RANGE, CUPTI_UserRange},
        {PM_CUPTI_USER_REPLAY, CUPTI_UserReplay},
        {PM_CUPTI_RANGE_PROFILING, CUPTI_PROFILER_RANGE_PROFILING},
        {PM_CUPTI_LEVEL_DISABLED, CUPTI_PROFILER_CONFIGURATION_DISABLED},
        {PM_CUPTI_LEVEL_SUPPORTED, CUPTI_PROFILER_CONFIGURATION_SUPPORTED}};

    same_numbers(numbers, sizeof numbers / sizeof *numbers);
}

TEST(test_target)
{
    STRUCT(pm_cupti_initialize, reserved, Profiler_Initialize, M(reserved, pPriv));
    STRUCT(pm_cupti_device_supported, api, Profiler_DeviceSupported, M(device, cuDevice),
           M(supported, isSupported), M(architecture, architecture), M(sli, sli), M(vgpu, vGpu),
           M(confidential, confidentialCompute), M(mining, cmp), M(wsl, wsl), M(api, api));
    STRUCT(pm_cupti_chip_name, chip, Device_GetChipName, M(device, deviceIndex),
           M(chip, pChipName));
    STRUCT(pm_cupti_availability, image, Profiler_GetCounterAvailability, M(context, ctx),
           M(image_size, counterAvailabilityImageSize), M(image, pCounterAvailabilityImage));
}

TEST(test_range_control)
{
    STRUCT(pm_cupti_range_enable, range, RangeProfiler_Enable, M(context, ctx),
           M(range, pRangeProfilerObject));
    STRUCT(pm_cupti_range_plain, range, RangeProfiler_Disable, M(range, pRangeProfilerObject));
    STRUCT(pm_cupti_range_plain, range, RangeProfiler_Start, M(range, pRangeProfilerObject));
    STRUCT(pm_cupti_range_plain, range, RangeProfiler_PopRange, M(range, pRangeProfilerObject));
    STRUCT(pm_cupti_range_stop, all_submitted, RangeProfiler_Stop, M(range, pRangeProfilerObject),
           M(pass, passIndex), M(nesting_level, targetNestingLevel),
           M(all_submitted, isAllPassSubmitted));
    STRUCT(pm_cupti_range_push, name, RangeProfiler_PushRange, M(range, pRangeProfilerObject),
           M(name, pRangeName));
    STRUCT(pm_cupti_range_decode, dropped, RangeProfiler_DecodeData, M(range, pRangeProfilerObject),
           M(dropped, numOfRangeDropped));
}

TEST(test_range_config)
{
    STRUCT(pm_cupti_range_config, target_nesting_level, RangeProfiler_SetConfig,
           M(range, pRangeProfilerObject), M(config_size, configSize), M(config, pConfig),
           M(image_size, counterDataImageSize), M(image, pCounterDataImage), M(range_mode, range),
           M(replay_mode, replayMode), M(max_ranges_per_pass, maxRangesPerPass),
           M(nesting_levels, numNestingLevels), M(min_nesting_level, minNestingLevel),
           M(pass, passIndex), M(target_nesting_level, targetNestingLevel));
}

TEST(test_range_data)
{
    STRUCT(pm_cupti_range_data_size, image_size, RangeProfiler_GetCounterDataSize,
           M(range, pRangeProfilerObject), M(metrics, pMetricNames), M(metric_count, numMetrics),
           M(max_ranges, maxNumOfRanges), M(max_tree_nodes, maxNumRangeTreeNodes),
           M(image_size, counterDataSize));
    STRUCT(pm_cupti_range_data_initialize, image, RangeProfiler_CounterDataImage_Initialize,
           M(range, pRangeProfilerObject), M(image_size, counterDataSize), M(image, pCounterData));
    STRUCT(pm_cupti_range_data_info, ranges, RangeProfiler_GetCounterDataInfo,
           M(image, pCounterDataImage), M(image_size, counterDataImageSize),
           M(ranges, numTotalRanges));
    STRUCT(pm_cupti_range_info, name, RangeProfiler_CounterData_GetRangeInfo,
           M(image, pCounterDataImage), M(image_size, counterDataImageSize), M(index, rangeIndex),
           M(delimiter, rangeDelimiter), M(name, rangeName));
}

TEST(test_host)
{
    STRUCT(pm_cupti_host_initialize, host, Profiler_Host_Initialize, M(profiler, profilerType),
           M(chip, pChipName), M(availability, pCounterAvailabilityImage), M(host, pHostObject));
    STRUCT(pm_cupti_host_plain, host, Profiler_Host_Deinitialize, M(host, pHostObject));
    STRUCT(pm_cupti_host_chips, chips, Profiler_Host_GetSupportedChips, M(count, numChips),
           M(chips, ppChipNames));
    STRUCT(pm_cupti_host_properties, type, Profiler_Host_GetMetricProperties, M(host, pHostObject),
           M(metric, pMetricName), M(description, pDescription), M(unit_name, pHwUnit),
           M(dimension, pDimUnit), M(type, metricType));
}

TEST(test_host_config)
{
    STRUCT(pm_cupti_host_add, metric_count, Profiler_Host_ConfigAddMetrics, M(host, pHostObject),
           M(metrics, ppMetricNames), M(metric_count, numMetrics));
    STRUCT(pm_cupti_host_config_size, config_size, Profiler_Host_GetConfigImageSize,
           M(host, pHostObject), M(config_size, configImageSize));
    STRUCT(pm_cupti_host_config, config, Profiler_Host_GetConfigImage, M(host, pHostObject),
           M(config_size, configImageSize), M(config, pConfigImage));
    STRUCT(pm_cupti_host_passes, passes, Profiler_Host_GetNumOfPasses,
           M(config_size, configImageSize), M(config, pConfigImage), M(passes, numOfPasses));
    STRUCT(pm_cupti_host_evaluate, values, Profiler_Host_EvaluateToGpuValues, M(host, pHostObject),
           M(image, pCounterDataImage), M(image_size, counterDataImageSize), M(range, rangeIndex),
           M(metrics, ppMetricNames), M(metric_count, numMetrics), M(values, pMetricValues));
}

#endif
