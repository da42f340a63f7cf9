/* Compiles the CUDA source of a workload to PTX with NVIDIA's compilers, for the trace engine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_CUDA_PTX_H
#define PM_COMPILER_NVIDIA_CUDA_PTX_H

#include "base/wire.h"
#include "compiler/compile.h"
#include "program/workload.h"

typedef struct {
    /* The PTX. A kernel has the name that the workload's launches give. The exception is a template
     * with several instances whose names in the workload contain types that clang did not know:
     * such instances cannot be told apart, and keep their mangled names. */
    char *text;
    char compiler[64]; /* name and version of the compiler, such as "nvcc 13.0.88" */
} pm_cuda_ptx;

/* Compiles the source of a workload to PTX with nvcc, else with NVRTC. nvcc compiles the whole
 * source, or only its device code if it refuses the host code. capability: the GPU's compute
 * capability (90 means 9.0). The PTX has .loc directives with lines of the source. The compiler's
 * cache keeps the PTX. PM_BAD_INPUT with the first error and its line if the source does not
 * compile. PM_FAILED if no compiler is found. The caller frees ptx->text with free(). */
pm_status pm_cuda_ptx_compile(pm_compiler *compiler, const pm_workload *workload,
                              unsigned capability, pm_cuda_ptx *ptx, pm_error *err);
/* Returns whether this machine has nvcc or NVRTC. */
bool pm_cuda_ptx_has_compiler(void);
/* Writes into a cache key which programs nvcc and NVRTC this machine would use, and their versions.
 */
void pm_cuda_ptx_key(pm_wire *key);

#endif
