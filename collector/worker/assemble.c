/* Gets registers and shared memory of the loaded workload's kernels from NVIDIA's assembler ptxas.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/trace_parts.h"
#include "program/build_words.h"

typedef struct {
    char *text;
    size_t bytes;
} ptx_text;

static void read_ptx(pm_wire *reply, void *result)
{
    ptx_text *ptx = result;
    const void *found = pm_wire_bytes(reply, NULL, &ptx->bytes);

    ptx->text = reply->failed ? NULL : malloc(ptx->bytes + 1);
    reply->failed |= !ptx->text;
    if (ptx->text)
        memcpy(ptx->text, found, ptx->bytes);
}

static pm_status ask_ptx(trace_executor *self, ptx_text *ptx, pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_PTX, .read = read_ptx, .result = ptx};
    pm_wire body = PM_WIRE_WRITER;
    unsigned capability = pm_gpu_capability(&self->gpu);

    PM_WIRE_NUMBER(&body, self->number);
    PM_WIRE_NUMBER(&body, capability);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

static const pm_ptxas_kernel *told_of(const pm_ptxas_kernels *told, const char *kernel)
{
    for (size_t k = 0; k < told->count; k++)
        if (strcmp(told->kernels[k].kernel, kernel) == 0)
            return &told->kernels[k];
    return NULL;
}

static pm_status check_all_told(const trace_executor *self, const pm_ptxas_kernels *told,
                                pm_error *err)
{
    for (size_t i = 0; i < self->workload->launch_count; i++)
        if (!told_of(told, self->workload->launches[i].kernel))
            return pm_fail(err, PM_BAD_INPUT,
                           "%.400s does not say how many registers kernel %s takes, as ptxas does; "
                           "give --ptxas=PATH another one, or leave --ptxas out",
                           self->ptxas.program, self->workload->launches[i].kernel);
    return PM_OK;
}

static void tell_spills(const trace_executor *self, const pm_ptxas_kernels *told)
{
    for (size_t k = 0; k < told->count; k++) {
        const pm_ptxas_kernel *kernel = &told->kernels[k];

        if (kernel->spill_stores + kernel->spill_loads > 0)
            pm_notice(&self->base.log,
                      "%s: kernel %s: by %s it spills registers (%zu bytes of stores, %zu of "
                      "loads, a stack frame of %zu), of which only the engine's own estimate is "
                      "counted",
                      self->workload->source_path, kernel->kernel, self->ptxas.version,
                      kernel->spill_stores, kernel->spill_loads, kernel->stack_bytes);
    }
}

pm_status pm_trace_send_resources(trace_executor *self, const char *kernel,
                                  const pm_kernel_resources *taken, pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_RESOURCES};
    pm_wire body = PM_WIRE_WRITER;
    pm_kernel_resources sent = *taken;
    char *name = (char *)(uintptr_t)kernel;

    PM_WIRE_NUMBER(&body, self->number);
    pm_wire_name(&body, &name);
    PM_WIRE_NUMBER(&body, sent);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

static pm_status send_told(trace_executor *self, const pm_ptxas_kernels *told, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < told->count; k++) {
        const pm_ptxas_kernel *kernel = &told->kernels[k];
        const pm_kernel_resources taken = {.registers = kernel->registers,
                                           .shared_bytes = kernel->shared_bytes};

        status = pm_trace_send_resources(self, kernel->kernel, &taken, err);
    }
    return status;
}

/* Called if LLVM or ptxas has failed. Logs a notice and continues with estimated registers. If the
 * source is wrong or the user has cancelled, returns the error instead. */
static pm_status keep_estimates(trace_executor *self, pm_status status, const pm_error *why,
                                pm_error *err)
{
    if (status == PM_BAD_INPUT || pm_cancelled(&self->ptxas.limits.cancel))
        return pm_fail(err, status, "%s", why->text);
    self->estimated = self->failed = true;
    pm_notice(&self->base.log, "registers are estimated: %s", why->text);
    return PM_OK;
}

pm_status pm_trace_assemble(trace_executor *self, pm_error *err)
{
    const char *path = self->workload->source_path;
    ptx_text ptx = {.text = NULL};
    pm_ptxas_kernels told = {.count = 0};
    pm_error why = {0};
    pm_status status = ask_ptx(self, &ptx, &why);

    self->ptxas.register_limit = pm_register_option(self->workload->build_options);
    if (status == PM_OK)
        status = pm_ptxas_run(&self->ptxas, ptx.text, ptx.bytes, pm_gpu_capability(&self->gpu),
                              path, &told, &why);
    if (status == PM_OK)
        status = check_all_told(self, &told, &why);
    if (status != PM_OK) {
        status = keep_estimates(self, status, &why, err);
    } else {
        tell_spills(self, &told);
        status = send_told(self, &told, err);
    }
    free(ptx.text);
    pm_memory_free(&told.memory);
    return status;
}

pm_status pm_trace_open_ptxas(trace_executor *self, pm_error *err)
{
    const unsigned capability = pm_gpu_capability(&self->gpu);
    const char *path = self->options.as_written ? NULL : self->options.ptxas;
    pm_error why = {0};
    pm_status status = PM_OK;

    if (path)
        status = pm_ptxas_find(path, pm_compiler_limits_of(pm_worker_compiler(self->worker)),
                               &self->ptxas, err);
    if (!path || status != PM_OK)
        return status;
    if (capability == 0)
        status = pm_fail(&why, PM_FAILED,
                         "%s: its row of devices.csv has no compute_capability, for which ptxas "
                         "makes code",
                         self->gpu.device);
    else
        status = pm_ptxas_try(&self->ptxas, capability, self->gpu.device, &why);
    self->assembles = status == PM_OK;
    return self->assembles ? PM_OK : keep_estimates(self, status, &why, err);
}
