/* Shared by the files that speak OpenCL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_OPENCL_OPENCL_H
#define PM_COLLECTOR_OPENCL_OPENCL_H

#include <CL/cl.h>

#include "base/once.h"
#include "perfmodel.h"
#include "program/workload.h"

/* The name of an OpenCL error code, such as CL_OUT_OF_RESOURCES. */
const char *pm_opencl_error_name(cl_int code);

/* The driver's handles of a device that pm_devices listed. */
pm_status pm_opencl_device(const pm_device *device, cl_platform_id *platform, cl_device_id *id,
                           pm_error *err);

/* Builds a workload's source; what the device's compiler says is wrong is the error. */
typedef struct {
    cl_context context;
    cl_device_id id;
    const pm_device *device;
    const pm_workload *workload;
    pm_once *once; /* of its notices */
    const pm_log *log;
} pm_opencl_building;
pm_status pm_opencl_build(const pm_opencl_building *building, cl_program *program, pm_error *err);
/* What it was built to, NUL-terminated, to be freed with free(). *call is the one that failed. */
cl_int pm_opencl_binary(cl_program program, char **binary, size_t *bytes, const char **call);

/* Chooses among devices: SEL is an id, a number as listed, or a part of a name; NULL is the first
 * GPU, else the first device. A wrong one is PM_BAD_INPUT and lists the right ones. */
pm_status pm_device_select(const char *selector, pm_device *device, pm_error *err);

#endif
