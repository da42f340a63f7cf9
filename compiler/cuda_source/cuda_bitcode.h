/* From a CUDA source to bitcode.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H
#define PM_COMPILER_CUDA_SOURCE_CUDA_BITCODE_H

#include "compiler/compile.h"
#include "compiler/cuda_source/cuda_source.h"

/* As pm_compile() does of pm_cuda_source()'s text. What else is in the file may fail to compile,
 * and is left out with a notice. */
pm_status pm_cuda_bitcode(pm_compiler *compiler, const pm_cuda_request *request, char **bitcode,
                          size_t *bytes, const pm_log *log, pm_error *err);

#endif
