/* Compiles the kernels of a CUDA source to LLVM bitcode.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H

#include "compiler/compile.h"
#include "compiler/cuda_source/cuda_source.h"

/* Compiles the kernels of a CUDA source to LLVM bitcode, like pm_compile() for OpenCL C.
 * Declarations that do not compile are removed with a notice. The function fails if a kernel needs
 * one of them. */
pm_status pm_cuda_bitcode(pm_compiler *compiler, const pm_cuda_request *request, char **bitcode,
                          size_t *bytes, const pm_log *log, pm_error *err);

#endif
