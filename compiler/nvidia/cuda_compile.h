/* Functions that several compilers of CUDA sources (NVRTC, nvcc, clang) use. See cuda_code.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_CUDA_COMPILE_H
#define PM_COMPILER_NVIDIA_CUDA_COMPILE_H

#include "base/text.h"
#include "compiler/nvidia/cuda_code.h"
#include "compiler/nvidia/nvcc.h"
#include "compiler/nvidia/nvrtc.h"

/* ---- cuda_text.c --------------------------------------------------------------------------- */

/* Returns the workload's source without host code, preceded by definitions that the headers of the
 * C++ standard library would give. `memory` owns the text. Raises errors by pm_leave, so call the
 * function only from a function that pm_attempt runs with `memory`. */
char *pm_cuda_text(const pm_workload *workload, pm_memory *memory);
/* File name, in #line directives, of the lines that perfmodel adds to a source to find the mangled
 * names of kernels and symbols. NVRTC uses the same name for such lines. */
#define PM_CUDA_NAMES "__nv_name_map"
/* Raises the first error that the compiler's messages report, with its line in the user's file.
 * compiler: the compiler's name. */
_Noreturn void pm_cuda_tell(pm_memory *memory, const pm_workload *workload, const char *compiler,
                            const char *messages);

/* ---- cuda_names.c: for compilers that make PTX ---------------------------------------------- */

/* Appends to `text` variables that point to the workload's kernels and symbols, so that their
 * mangled names can be read from the PTX. place: file name of these variables in compiler messages.
 * Some kernels get no variable. An instance of a template with the type of a lambda expression,
 * such as map<(lambda at a.cu:39:56)>, has no name that can be written in a source. If no_templates
 * is set, no instance of a template gets a variable. */
void pm_cuda_add_names(const pm_workload *workload, const char *place, bool no_templates,
                       pm_text *text);
/* Reads the mangled names of kernels and symbols from the PTX, where they are the initial values of
 * the variables that pm_cuda_add_names added. Removes these variables from the PTX. If a kernel has
 * no variable, searches the PTX for instances of its template, and takes the name of the only
 * instance; if there is not exactly one, the name becomes NULL. Raises errors by pm_leave with
 * code->memory. */
void pm_cuda_take_names(const pm_workload *workload, const char *compiler, bool no_templates,
                        pm_cuda_code *code);

/* ---- nvrtc_compile.c ----------------------------------------------------------------------- */

/* Compiles a workload's source with NVRTC. name: the compiler's name in messages. */
pm_status pm_nvrtc_compile(const pm_nvrtc *nvrtc, const char *name, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

/* ---- nvcc_compile.c: the program nvcc ------------------------------------------------------ */

/* Compiles a workload's source to PTX with nvcc. */
pm_status pm_nvcc_compile(const pm_nvcc *nvcc, const pm_workload *workload, pm_cuda_code *code,
                          pm_error *err);
/* Compiles a workload's source to PTX with nvcc, with its host code and with the headers that it
 * includes. The launches in the host code make the compiler instantiate templates. no_templates:
 * true if instances are identified by the template's name alone, because the workload may write
 * types in other words than the source. PM_BAD_INPUT if nvcc refuses the source, for example
 * because a header for host code is missing. */
pm_status pm_nvcc_compile_whole(const pm_nvcc *nvcc, const pm_workload *workload, bool no_templates,
                                pm_cuda_code *code, pm_error *err);

/* ---- clang_compile.c: the clang that also compiles for the trace engine ---------------------- */

/* Compiles a workload's source to PTX with clang. perfmodel's headers and libclc replace those of
 * the CUDA toolkit. capability: the GPU's compute capability. */
pm_status pm_clang_compile(pm_compiler *clang, unsigned capability, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

#endif
