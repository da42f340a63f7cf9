/* Executor: runs a workload, and measures the time and the hardware counters of each launch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each backend of this interface has its own file. collector/opencl/executor_opencl.c measures
 * time on any device of the ICD loader. collector/cupti/executor_cuda.c runs CUDA sources, and
 * reads counters of NVIDIA's GPUs by CUPTI. collector/executor_device.c chooses one of these two
 * for each workload. collector/worker/executor_trace.c counts for a GPU that is not present.
 *
 * A backend without its driver fails to open with PM_FAILED and names the remedy. The rest of
 * the program works without it.
 *
 * Order of calls: load; then run, read and count in any number and order; then unload. Call load
 * again for the next workload. An executor must be used from one thread.
 */
#ifndef PM_COLLECTOR_EXECUTOR_H
#define PM_COLLECTOR_EXECUTOR_H

#include "base/memory.h"
#include "compiler/nvidia/cuda_code.h"
#include "machine/counters/counters.h"
#include "perfmodel.h"
#include "program/workload.h"

/* Parts of the trace engine's error messages about runs that would take too long. The reason is
 * that a warp exceeds the limit on basic blocks, or that a launch would have to run all of its
 * work-groups. Callers recognise these errors by the text, because the engine runs in another
 * process and sends only text. */
#define PM_SAYS_ENDLESS "basic blocks and does not end"
#define PM_SAYS_TOO_LONG "would have to run, which takes too long"

typedef struct pm_executor pm_executor;

/* Compiled code of a workload's kernels, for the CUDA driver to load. */
typedef struct {
    char *ptx; /* PTX text from NVIDIA's OpenCL, which the caller frees; NULL: there is none */
    const pm_cuda_code *compiled; /* a compiled CUDA source; the executor owns it */
} pm_device_code;

typedef struct {
    const char *name;
    /* value of the dataset's column counter_source; NULL: this backend counts nothing */
    const char *counter_source;
    /* Compiles the source, allocates the buffers and fills them. workload must live until
     * unload. */
    pm_status (*load)(pm_executor *executor, const pm_workload *workload, pm_error *err);
    /* Runs one pass over the workload's launches, that is, each launch once. seconds: receives the
     * duration of each launch, launch_count members; NULL: not wanted. */
    pm_status (*run)(pm_executor *executor, double *seconds, pm_error *err);
    /* Runs `passes` passes over the launches without gaps between them, without restoring buffers
     * or measuring times. Call this function after run, for a workload whose buffers need no
     * restoring. NULL: the backend does not support it. */
    pm_status (*repeat)(pm_executor *executor, size_t passes, pm_error *err);
    /* Copies a buffer's contents after the last pass over the workload's launches. dst has the
     * buffer's size. */
    pm_status (*read)(pm_executor *executor, size_t buffer, void *dst, pm_error *err);
    /* Counts the events of one pass over the workload's launches (each launch once). values[launch
     * * counters + i]: counter i of the executor's counter table; NaN: the GPU does not have the
     * counter. errors: standard error of each value from sampling, 0 if all work was counted; may
     * be NULL. count NULL: this backend counts nothing. */
    pm_status (*count)(pm_executor *executor, double *values, double *errors, pm_error *err);
    /* Gets the loaded workload's code for an NVIDIA GPU, so that another executor can run the same
     * code. NULL: the backend does not support it. */
    pm_status (*code)(pm_executor *executor, pm_device_code *code, pm_error *err);
    /* Returns whether the last pass over the workload's launches ran all work-groups of all
     * launches, so that `read` returns complete outputs. NULL: the backend always runs all. */
    bool (*complete)(const pm_executor *executor);
    void (*unload)(pm_executor *executor);
    void (*close)(pm_executor *executor);
} pm_executor_class;

/* The access tables (counts per memory instruction) of a workload's kernels, in the order of the
 * kernels' first launches. */
typedef struct {
    pm_trace_kernel *kernels;
    size_t count;
    pm_memory memory; /* owns the tables */
} pm_trace_tables;

/* Base of all executors: the first member of each backend's struct. */
struct pm_executor {
    const pm_executor_class *type;
    pm_device device;
    pm_log log;
};

/* Opens the OpenCL executor on a device of pm_devices. */
pm_status pm_executor_opencl_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err);

/* Gets the loaded program's binary from the OpenCL driver, NUL-terminated. On NVIDIA GPUs the
 * binary is PTX text. The caller frees *text by free(). */
pm_status pm_executor_opencl_binary(pm_executor *opencl, char **text, size_t *size, pm_error *err);

/* Opens an executor on a device that runs workloads in OpenCL C by OpenCL, and CUDA sources by CUDA
 * if the device is an NVIDIA GPU. */
pm_status pm_executor_device_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err);
/* Returns the name of the compiler that the executor used for CUDA sources, such as "NVRTC 13.0";
 * NULL: no CUDA source has been loaded yet. */
const char *pm_executor_device_compiler(const pm_executor *executor);

/* Opens an executor that uses the CUDA driver and CUPTI on the GPU of executor `other`. The new
 * executor gets each workload's code from `other`, which must have loaded the same workload before
 * `load` is called. other and table must outlive the result. table NULL: don't use CUPTI; the
 * executor then runs without counting and compiles CUDA sources itself. */
pm_status pm_executor_cuda_open(pm_executor *other, const pm_counter_table *table,
                                const pm_log *log, pm_executor **out, pm_error *err);
/* Returns the name of the compiler of CUDA sources, as pm_executor_device_compiler does. The
 * executor must be from pm_executor_cuda_open with table NULL. */
const char *pm_executor_cuda_compiler(const pm_executor *executor);

#endif
