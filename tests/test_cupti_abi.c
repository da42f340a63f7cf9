/* Holds perfmodel's own declarations of CUDA's and CUPTI's binary interface against NVIDIA's
 * headers: sizes, offsets, codes. Where the headers are not installed it is skipped, and says so.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
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
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

/* A whole struct: size as the compiler has it, and size as CUPTI wants it (up to the last member).
 */
#define SAME_STRUCT(ours, last, theirs)                                                            \
    do {                                                                                           \
        assert_int_equal(sizeof(ours), sizeof(theirs));                                            \
        assert_int_equal(PM_CUPTI_SIZE(ours, last), theirs##_STRUCT_SIZE);                         \
        assert_int_equal(offsetof(ours, size), offsetof(theirs, structSize));                      \
        assert_int_equal(offsetof(ours, reserved), offsetof(theirs, pPriv));                       \
    } while (0)

#define SAME(ours, member, theirs, their_member)                                                   \
    do {                                                                                           \
        assert_int_equal(offsetof(ours, member), offsetof(theirs, their_member));                  \
        assert_int_equal(sizeof(((ours *)0)->member), sizeof(((theirs *)0)->their_member));        \
    } while (0)

TEST(test_cuda)
{
    assert_int_equal(sizeof(pm_cu_result), sizeof(CUresult));
    assert_int_equal(sizeof(pm_cu_device), sizeof(CUdevice));
    assert_int_equal(sizeof(pm_cu_pointer), sizeof(CUdeviceptr));
    assert_int_equal(sizeof(pm_cu_context), sizeof(CUcontext));
    assert_int_equal(sizeof(pm_cu_stream), sizeof(CUstream));
    assert_int_equal(sizeof(int), sizeof(CUjit_option));
    assert_int_equal(sizeof(int), sizeof(CUdevice_attribute));
    assert_int_equal(sizeof(int), sizeof(CUfunction_attribute));
    assert_int_equal(CUDA_SUCCESS, 0);
    assert_int_equal(PM_CU_INVALID_IMAGE, CUDA_ERROR_INVALID_IMAGE);
    assert_int_equal(PM_CU_INVALID_PTX, CUDA_ERROR_INVALID_PTX);
    assert_int_equal(PM_CU_ATTRIBUTE_WARP_SIZE, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
    assert_int_equal(PM_CU_ATTRIBUTE_CLOCK_KHZ, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    assert_int_equal(PM_CU_ATTRIBUTE_COMPUTE_UNITS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    assert_int_equal(PM_CU_ATTRIBUTE_ECC, CU_DEVICE_ATTRIBUTE_ECC_ENABLED);
    assert_int_equal(PM_CU_ATTRIBUTE_MEMORY_KHZ, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
    assert_int_equal(PM_CU_ATTRIBUTE_MEMORY_BUS, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
    assert_int_equal(PM_CU_ATTRIBUTE_L2_BYTES, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
    assert_int_equal(PM_CU_ATTRIBUTE_UNIT_WORK_ITEMS,
                     CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
    assert_int_equal(PM_CU_ATTRIBUTE_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    assert_int_equal(PM_CU_ATTRIBUTE_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    assert_int_equal(PM_CU_ATTRIBUTE_UNIT_SHARED,
                     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    assert_int_equal(PM_CU_ATTRIBUTE_UNIT_REGISTERS,
                     CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
    assert_int_equal(PM_CU_ATTRIBUTE_GROUP_SHARED,
                     CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    assert_int_equal(PM_CU_ATTRIBUTE_UNIT_GROUPS,
                     CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
    assert_int_equal(PM_CU_ATTRIBUTE_RESERVED_SHARED,
                     CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
    assert_int_equal(PM_CU_ATTRIBUTE_PCI_BUS, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    assert_int_equal(PM_CU_ATTRIBUTE_PCI_DEVICE, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    assert_int_equal(PM_CU_FUNCTION_STATIC_SHARED, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    assert_int_equal(PM_CU_FUNCTION_REGISTERS, CU_FUNC_ATTRIBUTE_NUM_REGS);
    assert_int_equal(PM_CU_FUNCTION_MAX_DYNAMIC_SHARED,
                     CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
    assert_int_equal(PM_CU_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER);
    assert_int_equal(PM_CU_JIT_ERROR_LOG_SIZE, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
}

TEST(test_codes)
{
    assert_int_equal(sizeof(pm_cupti_result), sizeof(CUptiResult));
    assert_int_equal(PM_CUPTI_SUCCESS, CUPTI_SUCCESS);
    assert_int_equal(PM_CUPTI_INVALID_METRIC_NAME, CUPTI_ERROR_INVALID_METRIC_NAME);
    assert_int_equal(PM_CUPTI_NOT_SUPPORTED, CUPTI_ERROR_NOT_SUPPORTED);
    assert_int_equal(PM_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
    assert_int_equal(PM_CUPTI_MULTIPLE_SUBSCRIBERS, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
    assert_int_equal(PM_CUPTI_VIRTUALIZED_PRIVILEGES,
                     CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
    assert_int_equal(PM_CUPTI_CONFIDENTIAL_COMPUTING,
                     CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED);
    assert_int_equal(PM_CUPTI_MIG_DEVICE, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
    assert_int_equal(PM_CUPTI_INVALID_CHIP, CUPTI_ERROR_INVALID_CHIP_NAME);
    assert_int_equal(PM_CUPTI_HOST_RANGE_PROFILER, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
    assert_int_equal(PM_CUPTI_USER_RANGE, CUPTI_UserRange);
    assert_int_equal(PM_CUPTI_USER_REPLAY, CUPTI_UserReplay);
    assert_int_equal(PM_CUPTI_RANGE_PROFILING, CUPTI_PROFILER_RANGE_PROFILING);
    assert_int_equal(PM_CUPTI_LEVEL_DISABLED, CUPTI_PROFILER_CONFIGURATION_DISABLED);
    assert_int_equal(PM_CUPTI_LEVEL_SUPPORTED, CUPTI_PROFILER_CONFIGURATION_SUPPORTED);
}

TEST(test_target)
{
    SAME_STRUCT(pm_cupti_initialize, reserved, CUpti_Profiler_Initialize_Params);
#define DEVICE CUpti_Profiler_DeviceSupported_Params
    SAME_STRUCT(pm_cupti_device_supported, api, CUpti_Profiler_DeviceSupported_Params);
    SAME(pm_cupti_device_supported, device, DEVICE, cuDevice);
    SAME(pm_cupti_device_supported, supported, DEVICE, isSupported);
    SAME(pm_cupti_device_supported, architecture, DEVICE, architecture);
    SAME(pm_cupti_device_supported, sli, DEVICE, sli);
    SAME(pm_cupti_device_supported, vgpu, DEVICE, vGpu);
    SAME(pm_cupti_device_supported, confidential, DEVICE, confidentialCompute);
    SAME(pm_cupti_device_supported, mining, DEVICE, cmp);
    SAME(pm_cupti_device_supported, wsl, DEVICE, wsl);
    SAME(pm_cupti_device_supported, api, DEVICE, api);
    SAME_STRUCT(pm_cupti_chip_name, chip, CUpti_Device_GetChipName_Params);
    SAME(pm_cupti_chip_name, device, CUpti_Device_GetChipName_Params, deviceIndex);
    SAME(pm_cupti_chip_name, chip, CUpti_Device_GetChipName_Params, pChipName);
#define AVAILABLE CUpti_Profiler_GetCounterAvailability_Params
    SAME_STRUCT(pm_cupti_availability, image, CUpti_Profiler_GetCounterAvailability_Params);
    SAME(pm_cupti_availability, context, AVAILABLE, ctx);
    SAME(pm_cupti_availability, image_size, AVAILABLE, counterAvailabilityImageSize);
    SAME(pm_cupti_availability, image, AVAILABLE, pCounterAvailabilityImage);
}

TEST(test_range_control)
{
    SAME_STRUCT(pm_cupti_range_enable, range, CUpti_RangeProfiler_Enable_Params);
    SAME(pm_cupti_range_enable, context, CUpti_RangeProfiler_Enable_Params, ctx);
    SAME(pm_cupti_range_enable, range, CUpti_RangeProfiler_Enable_Params, pRangeProfilerObject);
    SAME_STRUCT(pm_cupti_range_plain, range, CUpti_RangeProfiler_Disable_Params);
    SAME(pm_cupti_range_plain, range, CUpti_RangeProfiler_Disable_Params, pRangeProfilerObject);
    SAME_STRUCT(pm_cupti_range_plain, range, CUpti_RangeProfiler_Start_Params);
    SAME(pm_cupti_range_plain, range, CUpti_RangeProfiler_Start_Params, pRangeProfilerObject);
    SAME_STRUCT(pm_cupti_range_plain, range, CUpti_RangeProfiler_PopRange_Params);
    SAME(pm_cupti_range_plain, range, CUpti_RangeProfiler_PopRange_Params, pRangeProfilerObject);
    SAME_STRUCT(pm_cupti_range_stop, all_submitted, CUpti_RangeProfiler_Stop_Params);
    SAME(pm_cupti_range_stop, range, CUpti_RangeProfiler_Stop_Params, pRangeProfilerObject);
    SAME(pm_cupti_range_stop, pass, CUpti_RangeProfiler_Stop_Params, passIndex);
    SAME(pm_cupti_range_stop, nesting_level, CUpti_RangeProfiler_Stop_Params, targetNestingLevel);
    SAME(pm_cupti_range_stop, all_submitted, CUpti_RangeProfiler_Stop_Params, isAllPassSubmitted);
    SAME_STRUCT(pm_cupti_range_push, name, CUpti_RangeProfiler_PushRange_Params);
    SAME(pm_cupti_range_push, range, CUpti_RangeProfiler_PushRange_Params, pRangeProfilerObject);
    SAME(pm_cupti_range_push, name, CUpti_RangeProfiler_PushRange_Params, pRangeName);
    SAME_STRUCT(pm_cupti_range_decode, dropped, CUpti_RangeProfiler_DecodeData_Params);
    SAME(pm_cupti_range_decode, range, CUpti_RangeProfiler_DecodeData_Params, pRangeProfilerObject);
    SAME(pm_cupti_range_decode, dropped, CUpti_RangeProfiler_DecodeData_Params, numOfRangeDropped);
}

TEST(test_range_config)
{
#define CONFIG CUpti_RangeProfiler_SetConfig_Params
    SAME_STRUCT(pm_cupti_range_config, target_nesting_level, CUpti_RangeProfiler_SetConfig_Params);
    SAME(pm_cupti_range_config, range, CONFIG, pRangeProfilerObject);
    SAME(pm_cupti_range_config, config_size, CONFIG, configSize);
    SAME(pm_cupti_range_config, config, CONFIG, pConfig);
    SAME(pm_cupti_range_config, image_size, CONFIG, counterDataImageSize);
    SAME(pm_cupti_range_config, image, CONFIG, pCounterDataImage);
    SAME(pm_cupti_range_config, range_mode, CONFIG, range);
    SAME(pm_cupti_range_config, replay_mode, CONFIG, replayMode);
    SAME(pm_cupti_range_config, max_ranges_per_pass, CONFIG, maxRangesPerPass);
    SAME(pm_cupti_range_config, nesting_levels, CONFIG, numNestingLevels);
    SAME(pm_cupti_range_config, min_nesting_level, CONFIG, minNestingLevel);
    SAME(pm_cupti_range_config, pass, CONFIG, passIndex);
    SAME(pm_cupti_range_config, target_nesting_level, CONFIG, targetNestingLevel);
}

TEST(test_range_data)
{
#define SIZE CUpti_RangeProfiler_GetCounterDataSize_Params
    SAME_STRUCT(pm_cupti_range_data_size, image_size,
                CUpti_RangeProfiler_GetCounterDataSize_Params);
    SAME(pm_cupti_range_data_size, range, SIZE, pRangeProfilerObject);
    SAME(pm_cupti_range_data_size, metrics, SIZE, pMetricNames);
    SAME(pm_cupti_range_data_size, metric_count, SIZE, numMetrics);
    SAME(pm_cupti_range_data_size, max_ranges, SIZE, maxNumOfRanges);
    SAME(pm_cupti_range_data_size, max_tree_nodes, SIZE, maxNumRangeTreeNodes);
    SAME(pm_cupti_range_data_size, image_size, SIZE, counterDataSize);
#define START CUpti_RangeProfiler_CounterDataImage_Initialize_Params
    SAME_STRUCT(pm_cupti_range_data_initialize, image,
                CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    SAME(pm_cupti_range_data_initialize, range, START, pRangeProfilerObject);
    SAME(pm_cupti_range_data_initialize, image_size, START, counterDataSize);
    SAME(pm_cupti_range_data_initialize, image, START, pCounterData);
#define INFO CUpti_RangeProfiler_GetCounterDataInfo_Params
    SAME_STRUCT(pm_cupti_range_data_info, ranges, CUpti_RangeProfiler_GetCounterDataInfo_Params);
    SAME(pm_cupti_range_data_info, image, INFO, pCounterDataImage);
    SAME(pm_cupti_range_data_info, image_size, INFO, counterDataImageSize);
    SAME(pm_cupti_range_data_info, ranges, INFO, numTotalRanges);
#define RANGE CUpti_RangeProfiler_CounterData_GetRangeInfo_Params
    SAME_STRUCT(pm_cupti_range_info, name, CUpti_RangeProfiler_CounterData_GetRangeInfo_Params);
    SAME(pm_cupti_range_info, image, RANGE, pCounterDataImage);
    SAME(pm_cupti_range_info, image_size, RANGE, counterDataImageSize);
    SAME(pm_cupti_range_info, index, RANGE, rangeIndex);
    SAME(pm_cupti_range_info, delimiter, RANGE, rangeDelimiter);
    SAME(pm_cupti_range_info, name, RANGE, rangeName);
}

TEST(test_host)
{
#define HOST CUpti_Profiler_Host_Initialize_Params
    SAME_STRUCT(pm_cupti_host_initialize, host, CUpti_Profiler_Host_Initialize_Params);
    SAME(pm_cupti_host_initialize, profiler, HOST, profilerType);
    SAME(pm_cupti_host_initialize, chip, HOST, pChipName);
    SAME(pm_cupti_host_initialize, availability, HOST, pCounterAvailabilityImage);
    SAME(pm_cupti_host_initialize, host, HOST, pHostObject);
    SAME_STRUCT(pm_cupti_host_plain, host, CUpti_Profiler_Host_Deinitialize_Params);
    SAME(pm_cupti_host_plain, host, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);
#define CHIPS CUpti_Profiler_Host_GetSupportedChips_Params
    SAME_STRUCT(pm_cupti_host_chips, chips, CUpti_Profiler_Host_GetSupportedChips_Params);
    SAME(pm_cupti_host_chips, count, CHIPS, numChips);
    SAME(pm_cupti_host_chips, chips, CHIPS, ppChipNames);
#define PROPERTIES CUpti_Profiler_Host_GetMetricProperties_Params
    SAME_STRUCT(pm_cupti_host_properties, type, CUpti_Profiler_Host_GetMetricProperties_Params);
    SAME(pm_cupti_host_properties, host, PROPERTIES, pHostObject);
    SAME(pm_cupti_host_properties, metric, PROPERTIES, pMetricName);
    SAME(pm_cupti_host_properties, description, PROPERTIES, pDescription);
    SAME(pm_cupti_host_properties, unit_name, PROPERTIES, pHwUnit);
    SAME(pm_cupti_host_properties, dimension, PROPERTIES, pDimUnit);
    SAME(pm_cupti_host_properties, type, PROPERTIES, metricType);
}

TEST(test_host_config)
{
#define ADD CUpti_Profiler_Host_ConfigAddMetrics_Params
    SAME_STRUCT(pm_cupti_host_add, metric_count, CUpti_Profiler_Host_ConfigAddMetrics_Params);
    SAME(pm_cupti_host_add, host, ADD, pHostObject);
    SAME(pm_cupti_host_add, metrics, ADD, ppMetricNames);
    SAME(pm_cupti_host_add, metric_count, ADD, numMetrics);
#define CONFIG_SIZE CUpti_Profiler_Host_GetConfigImageSize_Params
    SAME_STRUCT(pm_cupti_host_config_size, config_size,
                CUpti_Profiler_Host_GetConfigImageSize_Params);
    SAME(pm_cupti_host_config_size, host, CONFIG_SIZE, pHostObject);
    SAME(pm_cupti_host_config_size, config_size, CONFIG_SIZE, configImageSize);
#define GET CUpti_Profiler_Host_GetConfigImage_Params
    SAME_STRUCT(pm_cupti_host_config, config, CUpti_Profiler_Host_GetConfigImage_Params);
    SAME(pm_cupti_host_config, host, GET, pHostObject);
    SAME(pm_cupti_host_config, config_size, GET, configImageSize);
    SAME(pm_cupti_host_config, config, GET, pConfigImage);
#define PASSES CUpti_Profiler_Host_GetNumOfPasses_Params
    SAME_STRUCT(pm_cupti_host_passes, passes, CUpti_Profiler_Host_GetNumOfPasses_Params);
    SAME(pm_cupti_host_passes, config_size, PASSES, configImageSize);
    SAME(pm_cupti_host_passes, config, PASSES, pConfigImage);
    SAME(pm_cupti_host_passes, passes, PASSES, numOfPasses);
#define EVALUATE CUpti_Profiler_Host_EvaluateToGpuValues_Params
    SAME_STRUCT(pm_cupti_host_evaluate, values, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    SAME(pm_cupti_host_evaluate, host, EVALUATE, pHostObject);
    SAME(pm_cupti_host_evaluate, image, EVALUATE, pCounterDataImage);
    SAME(pm_cupti_host_evaluate, image_size, EVALUATE, counterDataImageSize);
    SAME(pm_cupti_host_evaluate, range, EVALUATE, rangeIndex);
    SAME(pm_cupti_host_evaluate, metrics, EVALUATE, ppMetricNames);
    SAME(pm_cupti_host_evaluate, metric_count, EVALUATE, numMetrics);
    SAME(pm_cupti_host_evaluate, values, EVALUATE, pMetricValues);
}

int main(void)
{
    return run_all_tests(NULL, NULL);
}

#endif
