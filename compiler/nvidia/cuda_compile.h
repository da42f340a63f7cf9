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

/* The workload's source without host code, after the definitions that the standard library's
 * headers would give. memory owns the text. Call it in an attempt of memory. */
char *pm_cuda_text(const pm_workload *workload, pm_memory *memory);
/* File name that NVRTC uses for the lines with the workload's names of kernels and symbols. */
#define PM_CUDA_NAMES "__nv_name_map"
/* Ends the attempt with the first error in the messages of `compiler`, and its line in the user's
 * file. */
_Noreturn void pm_cuda_tell(pm_memory *memory, const pm_workload *workload, const char *compiler,
                            const char *messages);

/* ---- cuda_names.c: of compilers that make PTX ----------------------------------------------- */

/* Adds variables that point to the workload's kernels and symbols. place is the file name of their
 * lines. */
void pm_cuda_add_names(const pm_workload *workload, const char *place, pm_text *text);
/* Reads the names to which these variables point from the PTX, and removes the variables. Call it
 * in an attempt of code->memory. */
void pm_cuda_take_names(const pm_workload *workload, const char *compiler, pm_cuda_code *code);

/* ---- nvrtc_compile.c ----------------------------------------------------------------------- */

/* name is the compiler's name in messages. */
pm_status pm_nvrtc_compile(const pm_nvrtc *nvrtc, const char *name, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

/* ---- nvcc_compile.c: by a program ---------------------------------------------------------- */

typedef struct {
    char path[PATH_MAX];
    char name[64]; /* name in messages, such as nvcc 13.0.88 */
    unsigned capability;
    pm_compiler_limits limits;
} pm_nvcc;

/* Finds nvcc: $PERFMODEL_NVCC, else on PATH, in $CUDA_HOME, $CUDA_PATH or /usr/local/cuda.
 * PM_FAILED if none works. */
pm_status pm_nvcc_find(pm_nvcc *nvcc, unsigned capability, const pm_compiler_limits *limits,
                       pm_error *err);
/* Compiles to PTX. */
pm_status pm_nvcc_compile(const pm_nvcc *nvcc, const pm_workload *workload, pm_cuda_code *code,
                          pm_error *err);

/* ---- clang_compile.c: by the clang that traces are made with --------------------------------- */

/* Compiles to PTX, with perfmodel's own headers and libclc in place of the toolkit's. */
pm_status pm_clang_compile(pm_compiler *clang, unsigned capability, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

#endif
