/* Types and constants of CUPTI's profiling APIs, repeated from NVIDIA's headers so that perfmodel
 * builds on machines without CUDA.
 *
 * tests/collect/test_cupti_abi.c compares both if NVIDIA's headers are installed. Source: CUPTI
 * reference, Range Profiling, Profiler Host and Profiling APIs, CUDA 13.0.
 *
 * Every CUPTI function below takes a pointer to one struct. The first two members of each struct
 * are the struct's size and a NULL pointer. The size ends after the last member, without padding.
 * CUPTI writes results into the members marked "out".
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUPTI_ABI_H
#define PM_COLLECTOR_CUPTI_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

#include "collector/cupti/cuda_abi.h"

/* Size that CUPTI expects in a parameter struct of type `type`. The size ends after the member
 * `last`, without the padding that C may add behind it. */
#define PM_CUPTI_SIZE(type, last) (offsetof(type, last) + sizeof(((type *)0)->last))

typedef int pm_cupti_result; /* CUptiResult */
enum {
    PM_CUPTI_SUCCESS = 0,
    PM_CUPTI_INVALID_METRIC_NAME = 17,
    PM_CUPTI_NOT_SUPPORTED = 27,
    PM_CUPTI_INSUFFICIENT_PRIVILEGES = 35,
    PM_CUPTI_MULTIPLE_SUBSCRIBERS = 39,
    PM_CUPTI_VIRTUALIZED_PRIVILEGES = 40,
    PM_CUPTI_CONFIDENTIAL_COMPUTING = 41,
    PM_CUPTI_MIG_DEVICE = 43,
    PM_CUPTI_INVALID_CHIP = 46
};
enum { PM_CUPTI_HOST_RANGE_PROFILER = 0 }; /* CUpti_ProfilerType */
enum { PM_CUPTI_USER_RANGE = 2 };          /* value of CUPTI's enum CUpti_ProfilerRange */
enum { PM_CUPTI_USER_REPLAY = 3 };         /* value of CUpti_ProfilerReplayMode */
enum { PM_CUPTI_RANGE_PROFILING = 0 };     /* value of CUpti_Profiler_API */
enum { PM_CUPTI_LEVEL_DISABLED = 2, PM_CUPTI_LEVEL_SUPPORTED = 3 };

typedef struct pm_cupti_host_ *pm_cupti_host_object;
typedef struct pm_cupti_range_ *pm_cupti_range_object;

/* ---- calls that need a GPU
 * --------------------------------------------------------------------- */

typedef struct {
    size_t size;
    void *reserved;
} pm_cupti_initialize;

typedef struct {
    size_t size;
    void *reserved;
    pm_cu_device device;
    int supported, architecture, sli, vgpu, confidential, mining, wsl; /* out: levels */
    int api;
} pm_cupti_device_supported;

typedef struct {
    size_t size;
    void *reserved;
    size_t device;
    const char *chip; /* out */
} pm_cupti_chip_name;

typedef struct {
    size_t size;
    void *reserved;
    pm_cu_context context;
    size_t image_size; /* in and out */
    uint8_t *image; /* memory for the image that says which counters are available; NULL: CUPTI only
                       sets image_size */
} pm_cupti_availability;

typedef struct {
    size_t size;
    void *reserved;
    pm_cu_context context;
    pm_cupti_range_object range; /* out */
} pm_cupti_range_enable;

/* Parameters of cuptiRangeProfilerStart, cuptiRangeProfilerPopRange and
 * cuptiRangeProfilerDisable. */
typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
} pm_cupti_range_plain;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    /* output: values to pass to CUPTI when the next pass over the launches starts */
    size_t pass, nesting_level;
    uint8_t all_submitted; /* out */
} pm_cupti_range_stop;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    const char *name;
} pm_cupti_range_push;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    size_t dropped; /* out */
} pm_cupti_range_decode;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    const char **metrics;
    size_t metric_count;
    size_t max_ranges;
    uint32_t max_tree_nodes;
    size_t image_size; /* out */
} pm_cupti_range_data_size;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    size_t image_size;
    uint8_t *image;
} pm_cupti_range_data_initialize;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_range_object range;
    size_t config_size;
    const uint8_t *config;
    size_t image_size;
    uint8_t *image;
    int range_mode, replay_mode;
    size_t max_ranges_per_pass;
    uint16_t nesting_levels, min_nesting_level;
    size_t pass;
    uint16_t target_nesting_level;
} pm_cupti_range_config;

typedef struct {
    size_t size;
    void *reserved;
    const uint8_t *image;
    size_t image_size;
    size_t ranges; /* out */
} pm_cupti_range_data_info;

typedef struct {
    size_t size;
    void *reserved;
    const uint8_t *image;
    size_t image_size;
    size_t index;
    const char *delimiter;
    const char *name; /* out */
} pm_cupti_range_info;

/* ---- calls that need no GPU
 * -------------------------------------------------------------------- */

typedef struct {
    size_t size;
    void *reserved;
    int profiler;
    const char *chip;
    const uint8_t *availability; /* counters that a GPU allows; NULL: all counters of the chip */
    pm_cupti_host_object host;   /* out */
} pm_cupti_host_initialize;

/* Parameters of cuptiProfilerHostDeinitialize. */
typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
} pm_cupti_host_plain;

typedef struct {
    size_t size;
    void *reserved;
    size_t count;             /* out */
    const char *const *chips; /* out */
} pm_cupti_host_chips;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
    const char *metric;
    const char *description, *unit_name, *dimension; /* out */
    int type;                                        /* out */
} pm_cupti_host_properties;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
    const char **metrics;
    size_t metric_count;
} pm_cupti_host_add;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
    size_t config_size; /* out */
} pm_cupti_host_config_size;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
    size_t config_size;
    uint8_t *config; /* filled by the call */
} pm_cupti_host_config;

typedef struct {
    size_t size;
    void *reserved;
    size_t config_size;
    uint8_t *config;
    size_t passes; /* out */
} pm_cupti_host_passes;

typedef struct {
    size_t size;
    void *reserved;
    pm_cupti_host_object host;
    const uint8_t *image;
    size_t image_size;
    size_t range;
    const char **metrics;
    size_t metric_count;
    double *values; /* filled by the call */
} pm_cupti_host_evaluate;

/* X-macro list of all CUPTI functions that perfmodel calls for counters, except
 * cuptiGetResultString. X(member of pm_cupti, symbol in libcupti, type of the function's parameter
 * struct). */
#define PM_CUPTI_FUNCTIONS(X)                                                                      \
    X(initialize, "cuptiProfilerInitialize", pm_cupti_initialize)                                  \
    X(device_supported, "cuptiProfilerDeviceSupported", pm_cupti_device_supported)                 \
    X(chip_name, "cuptiDeviceGetChipName", pm_cupti_chip_name)                                     \
    X(availability, "cuptiProfilerGetCounterAvailability", pm_cupti_availability)                  \
    X(range_enable, "cuptiRangeProfilerEnable", pm_cupti_range_enable)                             \
    X(range_disable, "cuptiRangeProfilerDisable", pm_cupti_range_plain)                            \
    X(range_start, "cuptiRangeProfilerStart", pm_cupti_range_plain)                                \
    X(range_stop, "cuptiRangeProfilerStop", pm_cupti_range_stop)                                   \
    X(range_push, "cuptiRangeProfilerPushRange", pm_cupti_range_push)                              \
    X(range_pop, "cuptiRangeProfilerPopRange", pm_cupti_range_plain)                               \
    X(range_decode, "cuptiRangeProfilerDecodeData", pm_cupti_range_decode)                         \
    X(range_data_size, "cuptiRangeProfilerGetCounterDataSize", pm_cupti_range_data_size)           \
    X(range_data_initialize, "cuptiRangeProfilerCounterDataImageInitialize",                       \
      pm_cupti_range_data_initialize)                                                              \
    X(range_config, "cuptiRangeProfilerSetConfig", pm_cupti_range_config)                          \
    X(range_data_info, "cuptiRangeProfilerGetCounterDataInfo", pm_cupti_range_data_info)           \
    X(range_info, "cuptiRangeProfilerCounterDataGetRangeInfo", pm_cupti_range_info)                \
    X(host_initialize, "cuptiProfilerHostInitialize", pm_cupti_host_initialize)                    \
    X(host_deinitialize, "cuptiProfilerHostDeinitialize", pm_cupti_host_plain)                     \
    X(host_chips, "cuptiProfilerHostGetSupportedChips", pm_cupti_host_chips)                       \
    X(host_properties, "cuptiProfilerHostGetMetricProperties", pm_cupti_host_properties)           \
    X(host_add, "cuptiProfilerHostConfigAddMetrics", pm_cupti_host_add)                            \
    X(host_config_size, "cuptiProfilerHostGetConfigImageSize", pm_cupti_host_config_size)          \
    X(host_config, "cuptiProfilerHostGetConfigImage", pm_cupti_host_config)                        \
    X(host_passes, "cuptiProfilerHostGetNumOfPasses", pm_cupti_host_passes)                        \
    X(host_evaluate, "cuptiProfilerHostEvaluateToGpuValues", pm_cupti_host_evaluate)

#endif
