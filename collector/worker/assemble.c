/* Gets registers, shared memory and machine code of the loaded workload's kernels from NVIDIA's
 * assembler ptxas and its disassembler nvdisasm.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/messages.h"
#include "collector/worker/trace_parts.h"
#include "program/build_words.h"

/* PTX for ptxas. chip: the GPU's name for ptxas. If the workload's source is PTX, kernels[k] is the
 * name of a kernel in the workload, and in_ptx[k] its name in the PTX; otherwise the names are
 * equal and there are no lists. */
typedef struct {
    char *text;
    size_t bytes;
    char chip[16];
    char **kernels, **in_ptx;
    size_t kernel_count, in_ptx_count;
} ptx_text;

static void free_ptx(ptx_text *ptx)
{
    for (size_t k = 0; ptx->kernels && k < ptx->kernel_count; k++)
        free(ptx->kernels[k]);
    for (size_t k = 0; ptx->in_ptx && k < ptx->in_ptx_count; k++)
        free(ptx->in_ptx[k]);
    free(ptx->kernels);
    free(ptx->in_ptx);
    free(ptx->text);
}

static void read_ptx(pm_wire *reply, void *result)
{
    ptx_text *ptx = result;
    const void *found = pm_wire_bytes(reply, NULL, &ptx->bytes);

    pm_wire_chars(reply, ptx->chip, sizeof ptx->chip);
    pm_wire_names(reply, &ptx->kernels, &ptx->kernel_count);
    pm_wire_names(reply, &ptx->in_ptx, &ptx->in_ptx_count);
    ptx->text = reply->failed ? NULL : malloc(ptx->bytes + 1);
    reply->failed |= !ptx->text || ptx->in_ptx_count != ptx->kernel_count;
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
    if (pm_trace_ask_loaded(self, &call, &body, err) != PM_OK)
        return err->status;
    if (!*ptx->chip)
        snprintf(ptx->chip, sizeof ptx->chip, "sm_%u", capability);
    return PM_OK;
}

/* Replaces the kernels' names in the PTX by their names in the workload. The new names belong to
 * `ptx`, and are valid only as long as `ptx` exists. */
static void rename_kernels(const ptx_text *ptx, pm_ptxas_kernels *told)
{
    for (size_t k = 0; k < told->count; k++)
        for (size_t n = 0; n < ptx->kernel_count; n++)
            if (strcmp(told->kernels[k].kernel, ptx->in_ptx[n]) == 0)
                told->kernels[k].kernel = ptx->kernels[n];
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

/* Called with the error `why` if LLVM or ptxas has failed. Logs a notice, and the registers remain
 * estimated. If the source is wrong or the user has cancelled, returns the error instead. */
static pm_status keep_estimates(trace_executor *self, pm_status status, const pm_error *why,
                                pm_error *err)
{
    if (status == PM_BAD_INPUT || pm_cancelled(&self->ptxas.limits.cancel))
        return pm_fail(err, status, "%s", why->text);
    self->estimated = self->failed = true;
    pm_notice(&self->base.log, "registers are estimated: %s", why->text);
    return PM_OK;
}

/* Sends nvdisasm's text to the engine, which counts the instructions of the machine code from then
 * on. */
static pm_status send_machine_code(trace_executor *self, const char *text, pm_error *err)
{
    pm_worker_call call = {.kind = PM_REQUEST_TRACE_SASS};
    pm_wire body = PM_WIRE_WRITER;
    size_t bytes = strlen(text);

    PM_WIRE_NUMBER(&body, self->number);
    pm_wire_bytes(&body, text, &bytes);
    return pm_trace_ask_loaded(self, &call, &body, err);
}

/* Disassembles the machine code of the kernels and sends the text to the trace engine, which then
 * counts the instructions of the machine code. If this machine has no nvdisasm, or nvdisasm fails,
 * logs a notice; the engine then estimates instructions from LLVM's code. */
static pm_status count_machine_code(trace_executor *self, const pm_machine_code *code,
                                    pm_error *err)
{
    char *text = NULL;
    pm_error why = {0};
    pm_status status =
        *self->nvdisasm.program
            ? pm_nvdisasm_run(&self->nvdisasm, code, &text, &why)
            : pm_fail(&why, PM_FAILED, "nvdisasm is not found; set PERFMODEL_NVDISASM to its path");

    if (status == PM_OK)
        status = send_machine_code(self, text, &why);
    free(text);
    if (status == PM_OK)
        return PM_OK;
    if (pm_cancelled(&self->ptxas.limits.cancel))
        return pm_fail(err, status, "%s", why.text);
    pm_notice(&self->base.log, "instructions are estimated: %s", why.text);
    self->failed = true;
    return PM_OK;
}

pm_status pm_trace_assemble(trace_executor *self, pm_error *err)
{
    const char *path = self->workload->source_path;
    ptx_text ptx = {.text = NULL};
    pm_ptxas_kernels told = {.count = 0};
    pm_machine_code code = {.data = NULL};
    pm_error why = {0};
    pm_status status = ask_ptx(self, &ptx, &why);

    self->ptxas.register_limit = pm_register_option(self->workload->build_options);
    if (status == PM_OK)
        status = pm_ptxas_run(&self->ptxas, ptx.text, ptx.bytes, ptx.chip, path,
                              ptx.kernel_count > 0 ? &code : NULL, &told, &why);
    if (status == PM_OK) {
        rename_kernels(&ptx, &told);
        status = check_all_told(self, &told, &why);
    }
    if (status != PM_OK) {
        status = keep_estimates(self, status, &why, err);
    } else {
        tell_spills(self, &told);
        status = send_told(self, &told, err);
        if (status == PM_OK && code.data)
            status = count_machine_code(self, &code, err);
    }
    free(code.data);
    free_ptx(&ptx);
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
    if (self->assembles)
        pm_nvdisasm_find(self->ptxas.program, &self->ptxas.limits, &self->nvdisasm);
    return self->assembles ? PM_OK : keep_estimates(self, status, &why, err);
}
