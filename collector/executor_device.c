/* Runs each workload by the executor for its language: OpenCL or CUDA.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdlib.h>

#include "base/error.h"
#include "collector/executor.h"
#include "compiler/language.h"

typedef struct {
    pm_executor base;
    pm_executor *opencl;
    pm_executor *cuda;   /* executor for CUDA and PTX; NULL: no such source has been loaded */
    pm_executor *loaded; /* the executor that has loaded the workload; NULL: neither has */
} device_executor;

static void device_unload(pm_executor *executor)
{
    device_executor *self = (device_executor *)executor;

    if (self->loaded)
        self->loaded->type->unload(self->loaded);
    self->loaded = NULL;
}

/* Chooses the executor for a workload's language. If the device is not NVIDIA's, a source in CUDA
 * or PTX goes to the OpenCL executor, which refuses it with an error. */
static pm_status choose(device_executor *self, const pm_workload *workload, pm_executor **out,
                        pm_error *err)
{
    *out = self->opencl;
    if (!pm_is_cuda_launched(workload->source_path) || !self->base.device.is_nvidia)
        return PM_OK;
    if (!self->cuda &&
        pm_executor_cuda_open(self->opencl, NULL, &self->base.log, &self->cuda, err) != PM_OK)
        return PM_FAILED;
    *out = self->cuda;
    return PM_OK;
}

static pm_status device_load(pm_executor *executor, const pm_workload *workload, pm_error *err)
{
    device_executor *self = (device_executor *)executor;
    pm_executor *chosen;
    pm_status status;

    device_unload(executor);
    status = choose(self, workload, &chosen, err);
    if (status == PM_OK)
        status = chosen->type->load(chosen, workload, err);
    if (status == PM_OK)
        self->loaded = chosen;
    return status;
}

static pm_status need_loaded(const device_executor *self, pm_error *err)
{
    return self->loaded
               ? PM_OK
               : pm_fail(err, PM_FAILED, "no workload is loaded on %s", self->base.device.name);
}

static pm_status device_run(pm_executor *executor, double *seconds, pm_error *err)
{
    device_executor *self = (device_executor *)executor;
    pm_status status = need_loaded(self, err);

    return status == PM_OK ? self->loaded->type->run(self->loaded, seconds, err) : status;
}

static pm_status device_repeat(pm_executor *executor, size_t passes, pm_error *err)
{
    device_executor *self = (device_executor *)executor;
    pm_status status = need_loaded(self, err);

    return status == PM_OK ? self->loaded->type->repeat(self->loaded, passes, err) : status;
}

static pm_status device_read(pm_executor *executor, size_t buffer, void *dst, pm_error *err)
{
    device_executor *self = (device_executor *)executor;
    pm_status status = need_loaded(self, err);

    return status == PM_OK ? self->loaded->type->read(self->loaded, buffer, dst, err) : status;
}

static pm_status device_code(pm_executor *executor, pm_device_code *code, pm_error *err)
{
    device_executor *self = (device_executor *)executor;
    pm_status status = need_loaded(self, err);

    return status == PM_OK ? self->loaded->type->code(self->loaded, code, err) : status;
}

static void device_close(pm_executor *executor)
{
    device_executor *self = (device_executor *)executor;

    if (!self)
        return;
    device_unload(executor);
    if (self->cuda)
        self->cuda->type->close(self->cuda);
    if (self->opencl)
        self->opencl->type->close(self->opencl);
    free(self);
}

static const pm_executor_class device_class = {
    .name = "device",
    .load = device_load,
    .run = device_run,
    .repeat = device_repeat,
    .read = device_read,
    .code = device_code,
    .unload = device_unload,
    .close = device_close,
};

pm_status pm_executor_device_open(const pm_device *device, const pm_log *log, pm_executor **out,
                                  pm_error *err)
{
    device_executor *self = calloc(1, sizeof *self);
    pm_status status;

    *out = NULL;
    if (!self)
        return pm_fail(err, PM_FAILED, "out of memory for the executor of %s", device->name);
    self->base = (pm_executor){.type = &device_class, .device = *device};
    if (log)
        self->base.log = *log;
    status = pm_executor_opencl_open(device, log, &self->opencl, err);
    if (status == PM_OK)
        *out = &self->base;
    else
        device_close(&self->base);
    return status;
}

const char *pm_executor_device_compiler(const pm_executor *executor)
{
    const device_executor *self = (const device_executor *)executor;

    return self->cuda ? pm_executor_cuda_compiler(self->cuda) : NULL;
}
