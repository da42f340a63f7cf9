/* Executor: runs a Workload, tells the time of each launch, and what the hardware counted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One interface, one backend a file: collector/opencl/executor_opencl.c (time on any device behind
 * the ICD loader), collector/cupti/executor_cuda.c (CUDA sources, and counters on NVIDIA by CUPTI),
 * collector/executor_device.c (each workload by the one of the two that it is for),
 * worker/executor_trace.c (counters of a GPU that is not there). A backend whose driver is missing
 * fails to open with PM_FAILED and a line that says what to do; nothing else in the program
 * notices.
 *
 * Order of calls: load, then run, read and count as often as wanted, then unload; load again for
 * the next workload. One executor is used from one thread.
 */
#ifndef PM_COLLECTOR_EXECUTOR_H
#define PM_COLLECTOR_EXECUTOR_H

#include "base/memory.h"
#include "compiler/nvidia/cuda_code.h"
#include "counters/counters.h"
#include "perfmodel.h"
#include "program/workload.h"

typedef struct pm_executor pm_executor;

/* Code that CUDA's driver loads. */
typedef struct {
    char *ptx;                    /* that NVIDIA's OpenCL made, to free; NULL: it did not */
    const pm_cuda_code *compiled; /* what a CUDA source became, the executor's */
} pm_device_code;

typedef struct {
    const char *name;
    const char *counter_source; /* for the dataset's column; NULL: this backend counts nothing */
    /* Compiles the source, allocates the buffers and fills them. workload must outlive unload. */
    pm_status (*load)(pm_executor *executor, const pm_workload *workload, pm_error *err);
    /* One pass over the launches. seconds has launch_count members, or is NULL. */
    pm_status (*run)(pm_executor *executor, double *seconds, pm_error *err);
    /* Passes, one behind the other, without setting buffers back or telling times: after run, of a
     * workload that does not need its buffers set back. NULL: it cannot. */
    pm_status (*repeat)(pm_executor *executor, size_t passes, pm_error *err);
    /* Contents of a buffer after the last pass; dst has the buffer's size. */
    pm_status (*read)(pm_executor *executor, size_t buffer, void *dst, pm_error *err);
    /* Counts one pass: values[launch * counters + i] for counter i of the table the executor was
     * opened with; NaN where the chip has no such counter. errors (may be NULL): the standard error
     * that sampling leaves in each, 0 where all was counted. NULL if it counts nothing. */
    pm_status (*count)(pm_executor *executor, double *values, double *errors, pm_error *err);
    /* After load: what runs on an NVIDIA GPU, so that another executor can run the same. NULL: it
     * cannot tell. */
    pm_status (*code)(pm_executor *executor, pm_device_code *code, pm_error *err);
    /* The last pass ran everything: read gives all outputs. NULL: always. */
    bool (*complete)(const pm_executor *executor);
    void (*unload)(pm_executor *executor);
    void (*close)(pm_executor *executor);
} pm_executor_class;

/* The access tables of a workload's kernels, in the order of their first launches. */
typedef struct {
    pm_trace_kernel *kernels;
    size_t count;
    pm_memory memory; /* of what is here */
} pm_trace_tables;

/* Each backend's own struct starts with this. */
struct pm_executor {
    const pm_executor_class *type;
    pm_device device;
    pm_log log;
};

/* OpenCL on that device (of pm_devices). */
pm_status pm_executor_opencl_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err);

/* After load: the program binary that the OpenCL driver made, NUL-terminated; on NVIDIA this is
 * PTX text. *text is freed with free(). */
pm_status pm_executor_opencl_binary(pm_executor *opencl, char **text, size_t *size, pm_error *err);

/* What a device runs: OpenCL C by OpenCL, and CUDA sources by CUDA where it is an NVIDIA GPU. */
pm_status pm_executor_device_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err);
/* What compiles its CUDA sources, "NVRTC 13.0"; NULL: none has been loaded yet. */
const char *pm_executor_device_compiler(const pm_executor *executor);

/* CUDA driver and CUPTI on the GPU that `other` runs on; it asks `other` for the code of each
 * workload, so `other` must have the same workload loaded when `load` is called, and outlive the
 * new executor. table must outlive it too; NULL: without CUPTI, runs but cannot count, and compiles
 * CUDA sources itself. */
pm_status pm_executor_cuda_open(pm_executor *other, const pm_counter_table *table,
                                const pm_log *log, pm_executor **out, pm_error *err);
/* As pm_executor_device_compiler, of one without CUPTI. */
const char *pm_executor_cuda_compiler(const pm_executor *executor);

#endif
