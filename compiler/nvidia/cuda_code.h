/* A CUDA workload as a GPU's driver takes it: compiled by NVRTC, or else by nvcc, or else by
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
    char *ptx;   /* its text, which tells what kernels take */
    char *image; /* machine code of the GPU; NULL: the driver compiles the PTX */
    size_t image_bytes;
    const char **kernels; /* of each launch of the workload, what its kernel is called there */
    const char **symbols; /* of each symbol */
    pm_memory memory;     /* of all that */
} pm_cuda_code;

/* The compiler that there is. */
typedef struct pm_cuda_compiler pm_cuda_compiler;

/* For a GPU of that compute capability (90: 9.0) whose driver knows that CUDA (13: 13.x). limits
 * are of programs that are run. PM_FAILED, NULL: there is none. */
pm_cuda_compiler *pm_cuda_compiler_open(unsigned capability, unsigned cuda,
                                        const pm_compiler_limits *limits, pm_error *err);
void pm_cuda_compiler_close(pm_cuda_compiler *compiler);
/* "NVRTC 13.0" */
const char *pm_cuda_compiler_name(const pm_cuda_compiler *compiler);

/* Compiles the source of a workload for its launches. Source that does not compile is PM_BAD_INPUT,
 * with the first error at its place in the user's file. code is to be freed either way. */
pm_status pm_cuda_compile(const pm_cuda_compiler *compiler, const pm_workload *workload,
                          pm_cuda_code *code, pm_error *err);
void pm_cuda_code_free(pm_cuda_code *code);

#endif
