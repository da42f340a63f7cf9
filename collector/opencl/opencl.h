/* Functions that all files of the OpenCL backend use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_OPENCL_OPENCL_H
#define PM_COLLECTOR_OPENCL_OPENCL_H

#include <CL/cl.h>

#include "base/once.h"
#include "perfmodel.h"
#include "program/workload.h"

/* Returns the name of an OpenCL error code, such as "CL_OUT_OF_RESOURCES". */
const char *pm_opencl_error_name(cl_int code);

/* Gets the OpenCL driver's handles (platform and device id) of a device of pm_devices. */
pm_status pm_opencl_device(const pm_device *device, cl_platform_id *platform, cl_device_id *id,
                           pm_error *err);

/* Input of pm_opencl_build, which compiles a workload's source for a device. Errors that the
 * device's compiler reports become the error of pm_opencl_build. */
typedef struct {
    cl_context context;
    cl_device_id id;
    const pm_device *device;
    const pm_workload *workload;
    pm_once *once; /* remembers the notices that were logged, so that each is logged only once */
    const pm_log *log;
} pm_opencl_building;
pm_status pm_opencl_build(const pm_opencl_building *building, cl_program *program, pm_error *err);
/* Gets an OpenCL program's binary, NUL-terminated. The caller frees it by free(). If an OpenCL
 * function fails, returns its error code and sets *call to its name. */
cl_int pm_opencl_binary(cl_program program, char **binary, size_t *bytes, const char **call);

/* Selects an OpenCL device of this machine. selector: an id, a number of the list, or a part of a
 * name; NULL: the first GPU, else the first device. An unknown selector is PM_BAD_INPUT, and the
 * error lists the devices. */
pm_status pm_device_select(const char *selector, pm_device *device, pm_error *err);

#endif
