/* Functions that the compilers of CUDA sources share. See cuda_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_CUDA_COMPILE_H
#define PM_COMPILER_NVIDIA_CUDA_COMPILE_H

#include "base/text.h"
#include "compiler/nvidia/cuda_code.h"
#include "compiler/nvidia/nvrtc.h"

/* ---- cuda_text.c --------------------------------------------------------------------------- */

/* Returns the workload's source without host code. It follows definitions that headers of the
 * standard library would give. memory owns the text. Errors are raised, so call it below pm_attempt
 * of memory. */
char *pm_cuda_text(const pm_workload *workload, pm_memory *memory);
/* File name in #line directives for the lines that name the workload's kernels and symbols; NVRTC
 * uses it, too. */
#define PM_CUDA_NAMES "__nv_name_map"
/* Raises the first error in the messages of the compiler named `compiler`, with its line in the
 * user's file. */
_Noreturn void pm_cuda_tell(pm_memory *memory, const pm_workload *workload, const char *compiler,
                            const char *messages);

/* ---- cuda_names.c: for compilers that make PTX ---------------------------------------------- */

/* Appends variables that point to the workload's kernels and symbols. place: file name for the
 * variables' lines in messages. */
void pm_cuda_add_names(const pm_workload *workload, const char *place, pm_text *text);
/* Reads the names of kernels and symbols from the initial values in the PTX of the variables
 * that pm_cuda_add_names added. Removes these variables. Errors are raised (pm_attempt of
 * code->memory). */
void pm_cuda_take_names(const pm_workload *workload, const char *compiler, pm_cuda_code *code);

/* ---- nvrtc_compile.c ----------------------------------------------------------------------- */

/* Compiles a workload with NVRTC. name: the compiler's name in messages. */
pm_status pm_nvrtc_compile(const pm_nvrtc *nvrtc, const char *name, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

/* ---- nvcc_compile.c: the program nvcc ------------------------------------------------------ */

typedef struct {
    char path[PATH_MAX];
    char name[64]; /* name in messages, such as nvcc 13.0.88 */
    unsigned capability;
    pm_compiler_limits limits;
} pm_nvcc;

/* Finds nvcc: $PERFMODEL_NVCC, else on $PATH, in $CUDA_HOME, $CUDA_PATH or /usr/local/cuda.
 * PM_FAILED if none of them works. */
pm_status pm_nvcc_find(pm_nvcc *nvcc, unsigned capability, const pm_compiler_limits *limits,
                       pm_error *err);
/* Compiles to PTX. */
pm_status pm_nvcc_compile(const pm_nvcc *nvcc, const pm_workload *workload, pm_cuda_code *code,
                          pm_error *err);

/* ---- clang_compile.c: the clang that also compiles for the trace engine ---------------------- */

/* Compiles to PTX. perfmodel's own headers and libclc replace those of the CUDA toolkit. */
pm_status pm_clang_compile(pm_compiler *clang, unsigned capability, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

#endif
