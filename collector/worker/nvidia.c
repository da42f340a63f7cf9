/* Compiles CUDA sources for the trace engine: with clang, or with NVIDIA's compiler, if this
 * machine has it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collector/worker/trace_parts.h"
#include "compiler/cuda_source/cuda_bitcode.h"
#include "compiler/language.h"
#include "compiler/nvidia/cuda_ptx.h"

bool pm_worker_has_nvidia(const pm_worker *worker)
{
    return worker && pm_worker_cuda(worker) != PM_CUDA_CLANG && pm_cuda_ptx_has_compiler();
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

/* Compiles a workload's CUDA source to bitcode, with the kernels and template instances that the
 * workload launches. */
static pm_status compile_cuda(const trace_executor *self, char **bitcode, size_t *bytes,
                              pm_error *err)
{
    const pm_workload *w = self->workload;
    const char **kernels = calloc(w->launch_count + 1, sizeof *kernels);
    char *options = pm_trace_hip_options(self);
    pm_cuda_request request = {.text = w->source,
                               .path = w->source_path,
                               .build_options = options ? options : w->build_options,
                               .kernels = kernels,
                               .kernel_count = w->launch_count};
    pm_status status;

    for (size_t i = 0; kernels && i < w->launch_count; i++)
        kernels[i] = w->launches[i].kernel;
    status = kernels ? pm_cuda_bitcode(pm_worker_compiler(self->worker), &request, bitcode, bytes,
                                       &self->base.log, err)
                     : pm_fail(err, PM_FAILED, "%s: out of memory", w->program);
    free(options);
    free(kernels);
    return status;
}

pm_status pm_trace_compile_cuda(const trace_executor *self, char **bitcode, size_t *bytes,
                                pm_error *err)
{
    pm_error refused = {0};
    pm_status status;

    if (pm_worker_cuda(self->worker) == PM_CUDA_NVCC && pm_trace_has_nvidia(self))
        return pm_trace_compile_nvidia(self, NULL, bitcode, bytes, err);
    status = compile_cuda(self, bitcode, bytes, &refused);
    if (status == PM_BAD_INPUT && pm_trace_may_ask_nvidia(self) &&
        pm_trace_compile_nvidia(self, &refused, bitcode, bytes, NULL) == PM_OK)
        return PM_OK;
    if (status != PM_OK && err)
        *err = refused;
    return status;
}
