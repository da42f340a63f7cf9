/* The compiler half of the trace engine. It compiles OpenCL C or CUDA C++ to blocks of host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_H
#define PM_COLLECTOR_ENGINE_BACKEND_H

#include "collector/engine/program.h"
#include "collector/engine/register_rules.h"

/* Initial contents of a variable in CUDA's __constant__ memory. */
typedef struct {
    const char *name;
    const void *data;
    size_t bytes;
} pm_backend_symbol;

typedef struct {
    const char *bitcode; /* result of pm_compile */
    size_t bitcode_bytes;
    /* Names of the kernels to build, `kernel_count` of them. A kernel that is not named is not
     * checked or compiled. NULL or a count of 0: all kernels. */
    const char *const *kernels;
    size_t kernel_count;
    const char *source_path; /* for messages */
    const char *costs;       /* path of instructions.ini */
    /* Compute capability whose costs are read; 0: no NVIDIA GPU, or unknown. */
    unsigned capability;
    unsigned warp_width;
    pm_register_rules register_rules;
    const pm_backend_symbol *symbols;
    size_t symbol_count;
    bool all_restrict; /* treat all pointer arguments of kernels as restrict */
    /* Do not unroll loops, so that access tables have a row for each access of the source. Without
     * it, loops are unrolled as the GPU's compiler does. */
    bool as_written;
    /* Compile faster to slower code, without unrolling. Use it for runs of few work-items. */
    bool quick;
} pm_backend_request;

/* Builds all requested kernels into *out, which pm_trace_program_free frees. PM_BAD_INPUT if a
 * kernel uses a feature that the engine does not support; the error names the feature and its
 * source line. */
pm_status pm_trace_program_build(const pm_backend_request *request, pm_trace_program **out,
                                 pm_error *err);
void pm_trace_program_free(pm_trace_program *program);

/* Compiles all blocks for the host as code of one kind. Does nothing if that code exists already.
 * PM_CODE_SLICE requires program->has_slices, which a program built with `quick` lacks. Only one
 * thread at a time may call it. PM_FAILED if LLVM cannot compile the code. */
pm_status pm_trace_program_compile(const pm_trace_program *program, pm_code_kind kind,
                                   pm_error *err);

/* Compiles the same program to PTX for a GPU of compute capability `capability` (90: 9.0). If LLVM
 * does not know that capability, it compiles for the next older one. The caller frees *ptx with
 * free(). */
pm_status pm_trace_program_ptx(const pm_backend_request *request, unsigned capability, char **ptx,
                               size_t *bytes, pm_error *err);

#endif
