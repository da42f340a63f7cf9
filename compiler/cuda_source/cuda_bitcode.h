/* Compiles a CUDA source to bitcode.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H

#include "compiler/compile.h"
#include "compiler/cuda_source/cuda_source.h"

/* Compiles the text of pm_cuda_source() as pm_compile() does. Declarations that do not compile are
 * removed with a notice. It is an error if a kernel needs one of them. */
pm_status pm_cuda_bitcode(pm_compiler *compiler, const pm_cuda_request *request, char **bitcode,
                          size_t *bytes, const pm_log *log, pm_error *err);

#endif
