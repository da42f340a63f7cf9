/* CUDA sources that NVIDIA's compiler compiles for the trace engine, if this machine has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/trace_parts.h"
#include "compiler/language.h"
#include "compiler/nvidia/cuda_ptx.h"

bool pm_worker_has_nvidia(const pm_worker *worker)
{
    return pm_worker_cuda(worker) != PM_CUDA_CLANG && pm_cuda_ptx_has_compiler();
}

bool pm_trace_has_nvidia(const trace_executor *self)
{
    const char *path = self->workload->source_path;

    return pm_language_of(path) == PM_LANGUAGE_CUDA && !pm_is_hip(path) &&
           pm_gpu_capability(&self->gpu) > 0;
}

bool pm_trace_may_ask_nvidia(const trace_executor *self)
{
    return pm_worker_cuda(self->worker) != PM_CUDA_CLANG && pm_trace_has_nvidia(self);
}

/* Logs a notice that names the compiler and the reason why clang did not compile the source. */
static void tell(const trace_executor *self, const char *compiler, const pm_error *refused)
{
    char line[1200];

    if (refused)
        snprintf(line, sizeof line, "%.300s: compiled by %s, because clang refuses it: %.700s",
                 self->workload->source_path, compiler, refused->text);
    else
        snprintf(line, sizeof line, "%.300s: compiled by %s", self->workload->source_path,
                 compiler);
    pm_compiler_tell_once(pm_worker_compiler(self->worker), &self->base.log, line);
}

pm_status pm_trace_compile_nvidia(const trace_executor *self, const pm_error *refused, char **ptx,
                                  size_t *bytes, pm_error *err)
{
    pm_cuda_ptx made;
    const pm_status status = pm_cuda_ptx_compile(pm_worker_compiler(self->worker), self->workload,
                                                 pm_gpu_capability(&self->gpu), &made, err);

    if (status != PM_OK)
        return status;
    tell(self, made.compiler, refused);
    *ptx = made.text;
    *bytes = strlen(made.text);
    return PM_OK;
}
