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

/* Returns the workload's source without host code, after definitions that headers of the standard
 * library would give. memory owns the text. An error ends the function that pm_attempt runs with
 * `memory`, so call it only in such a function. */
char *pm_cuda_text(const pm_workload *workload, pm_memory *memory);
/* File name, in #line directives, of the lines that are added to find the mangled names of kernels
 * and symbols. NVRTC uses the same name for such lines. */
#define PM_CUDA_NAMES "__nv_name_map"
/* Raises the first error that the compiler's messages report, with its line in the user's file.
 * compiler: the compiler's name. */
_Noreturn void pm_cuda_tell(pm_memory *memory, const pm_workload *workload, const char *compiler,
                            const char *messages);

/* ---- cuda_names.c: for compilers that make PTX ---------------------------------------------- */

/* Appends to `text` variables that point to the workload's kernels and symbols, so that their
 * mangled names can be read from the PTX. place: file name of these variables in compiler
 * messages. Instances of templates with the type of a lambda expression, as map<(lambda at
 * a.cu:39:56)>, have no name that a variable can be initialised with. They are left out.
 * no_templates: all instances of templates are left out. */
void pm_cuda_add_names(const pm_workload *workload, const char *place, bool no_templates,
                       pm_text *text);
/* Reads the mangled names of kernels and symbols from the PTX, which has them as initial values of
 * the variables that pm_cuda_add_names added. Removes these variables from the PTX. A kernel that
 * was left out is the only instance of its template in the PTX. If there is not exactly one, its
 * name becomes NULL. An error ends the function that pm_attempt runs with code->memory. */
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
/* Does the same with the whole source: with its host code, and with the headers that it includes.
 * The host code's launches make the instances of templates. no_templates: instances are known by
 * the template's name alone, because the workload's names for types may not be the source's.
 * PM_BAD_INPUT if nvcc refuses the source, for example because a header for host code is missing.
 */
pm_status pm_nvcc_compile_whole(const pm_nvcc *nvcc, const pm_workload *workload, bool no_templates,
                                pm_cuda_code *code, pm_error *err);

/* ---- clang_compile.c: the clang that also compiles for the trace engine ---------------------- */

/* Compiles a workload's source to PTX with clang. perfmodel's headers and libclc replace those of
 * the CUDA toolkit. capability: the GPU's compute capability. */
pm_status pm_clang_compile(pm_compiler *clang, unsigned capability, const pm_workload *workload,
                           pm_cuda_code *code, pm_error *err);

#endif
