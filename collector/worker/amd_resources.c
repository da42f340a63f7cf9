/* Gets registers, shared memory and spills of the loaded workload's kernels from LLVM's back end
 * for AMD GPUs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/trace_parts.h"
#include "compiler/amd/amd_code.h"
#include "compiler/language.h"

static const pm_amd_kernel *told_of(const pm_amd_code *told, const char *kernel)
{
    for (size_t k = 0; k < told->count; k++)
        if (strcmp(told->kernels[k].kernel, kernel) == 0 && !told->kernels[k].calls)
            return &told->kernels[k];
    return NULL;
}

static pm_status send_all(trace_executor *self, const pm_amd_code *told, pm_error *err)
{
    pm_status status = PM_OK;

    for (size_t k = 0; status == PM_OK && k < told->count; k++)
        if (told_of(told, told->kernels[k].kernel))
            status = pm_trace_send_resources(self, told->kernels[k].kernel, &told->kernels[k].taken,
                                             err);
    return status;
}

static bool are_all_told(const trace_executor *self, const pm_amd_code *told)
{
    for (size_t i = 0; i < self->workload->launch_count; i++)
        if (!told_of(told, self->workload->launches[i].kernel))
            return false;
    return true;
}

bool pm_trace_asks_amd(const trace_executor *self)
{
    return *self->gpu.llvm_processor && !self->options.as_written && !self->options.quick &&
           pm_language_of(self->workload->source_path) == PM_LANGUAGE_OPENCL;
}

pm_status pm_trace_ask_amd(trace_executor *self, pm_error *err)
{
    const pm_workload *w = self->workload;
    pm_compiler *compiler = pm_worker_compiler(self->worker);
    pm_amd_code told;
    pm_error why = {0};
    pm_status status = pm_amd_compile(compiler, w->source, w->source_path, w->build_options,
                                      self->gpu.llvm_processor, &told, &why);

    if (status == PM_OK) {
        self->estimated = !are_all_told(self, &told);
        status = send_all(self, &told, err);
    } else if (pm_cancelled(&pm_compiler_limits_of(compiler)->cancel)) {
        pm_fail(err, status, "%s", why.text);
    } else {
        self->estimated = self->failed = true;
        pm_notice(&self->base.log, "registers are estimated: %s", why.text);
        status = PM_OK;
    }
    pm_memory_free(&told.memory);
    return status;
}

void pm_trace_name_amd(trace_executor *self)
{
    if (*self->gpu.llvm_processor && !self->options.as_written)
        snprintf(self->back_end, sizeof self->back_end, "clang %d for %s", PM_LLVM_MAJOR,
                 self->gpu.llvm_processor);
}
