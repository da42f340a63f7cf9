/* Compiles the CUDA source of a workload for an NVIDIA GPU, with NVRTC, else with nvcc, else with
 * clang.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_CUDA_CODE_H
#define PM_COMPILER_NVIDIA_CUDA_CODE_H

#include "base/memory.h"
#include "compiler/compile.h"
#include "program/workload.h"

typedef struct {
    char *ptx;   /* PTX text; the kernels' parameters are read from it */
    char *image; /* machine code for the GPU; NULL: the GPU's driver must compile `ptx` */
    size_t image_bytes;
    /* kernels[launch]: name of the kernel of this launch in the compiled code. NULL: the name is
     * not known; this occurs only after pm_cuda_ptx_compile. */
    const char **kernels;
    /* symbols[i]: name in the compiled code of symbol i of the workload. A symbol is a __constant__
     * or __device__ variable that the host sets. */
    const char **symbols;
    pm_memory memory; /* owns the members above */
} pm_cuda_code;

/* A compiler of CUDA sources for one NVIDIA GPU: NVRTC, nvcc or clang, whichever this machine
 * has. */
typedef struct pm_cuda_compiler pm_cuda_compiler;

/* Finds a compiler for an NVIDIA GPU. capability: the GPU's compute capability (90 means 9.0).
 * cuda: CUDA version that the GPU's driver supports (13 means 13.x). limits: limits on the
 * compiler's process. Returns NULL and PM_FAILED in err if no compiler is found. */
pm_cuda_compiler *pm_cuda_compiler_open(unsigned capability, unsigned cuda,
                                        const pm_compiler_limits *limits, pm_error *err);
void pm_cuda_compiler_close(pm_cuda_compiler *compiler);
/* Returns name and version of the compiler, such as "NVRTC 13.0". */
const char *pm_cuda_compiler_name(const pm_cuda_compiler *compiler);

/* Compiles the source of a workload, with the kernels that the workload launches. PM_BAD_INPUT with
 * the first error and its line in the user's file if the source does not compile. The caller frees
 * `code` in all cases. */
pm_status pm_cuda_compile(const pm_cuda_compiler *compiler, const pm_workload *workload,
                          pm_cuda_code *code, pm_error *err);
void pm_cuda_code_free(pm_cuda_code *code);

#endif
