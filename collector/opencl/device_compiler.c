/* The compiler of an OpenCL device. See device_compiler.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/device_compiler.h"

#include <stdlib.h>

#include "base/error.h"
#include "collector/opencl/opencl.h"

struct pm_device_compiler {
    pm_device device;
    pm_log log;
    cl_device_id id;
    cl_context context;
    pm_once once; /* of notices */
};

pm_status pm_device_compiler_open(const pm_device *device, const pm_log *log,
                                  pm_device_compiler **out, pm_error *err)
{
    pm_device_compiler *self = calloc(1, sizeof *self);
    cl_platform_id platform;
    cl_int code;

    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the compiler of %s", device->name);
    self->device = *device;
    if (log)
        self->log = *log;
    if (pm_opencl_device(device, &platform, &self->id, err) != PM_OK) {
        free(self);
        return PM_FAILED;
    }
    self->context = clCreateContext(NULL, 1, &self->id, NULL, NULL, &code);
    if (code != CL_SUCCESS) {
        free(self);
        return pm_fail(err, PM_FAILED, "OpenCL clCreateContext on %s: %s (%d)", device->name,
                       pm_opencl_error_name(code), code);
    }
    *out = self;
    return PM_OK;
}

pm_status pm_device_compiler_build(pm_device_compiler *self, const pm_workload *workload,
                                   char **binary, size_t *bytes, pm_error *err)
{
    const pm_opencl_building building = {.context = self->context,
                                         .id = self->id,
                                         .device = &self->device,
                                         .workload = workload,
                                         .once = &self->once,
                                         .log = &self->log};
    const char *call;
    cl_program program;
    cl_int code;

    if (pm_opencl_build(&building, &program, err) != PM_OK)
        return PM_FAILED;
    code = pm_opencl_binary(program, binary, bytes, &call);
    clReleaseProgram(program);
    if (code == CL_SUCCESS)
        return PM_OK;
    return pm_fail(err, PM_FAILED, "%s: OpenCL %s on %s: %s (%d)", workload->program, call,
                   self->device.name, pm_opencl_error_name(code), code);
}

void pm_device_compiler_close(pm_device_compiler *self)
{
    if (!self)
        return;
    clReleaseContext(self->context);
    pm_once_clear(&self->once);
    free(self);
}
