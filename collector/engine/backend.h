/* The compiler part of the trace engine, which runs kernels on the CPU and counts what a GPU would
 * count. It compiles OpenCL C or CUDA C++ to host code, one function for each segment (basic block,
 * cut at barriers).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_H
#define PM_COLLECTOR_ENGINE_BACKEND_H

#include "collector/engine/program.h"
#include "collector/engine/register_rules.h"

/* Initial contents of a variable in CUDA's __constant__ or global memory. */
typedef struct {
    const char *name;
    const void *data;
    size_t bytes;
    /* true: the variable contains pointers, so its contents are kept in a buffer of the workload,
     * in which the engine sets the pointers. If the variable is in constant memory, kernels get the
     * buffer's address by an additional parameter. */
    bool in_buffer;
} pm_backend_symbol;

/* The value of a struct argument in a launch, or the texture that is bound to a texture reference
 * of CUDA. */
typedef struct {
    /* name of the texture reference; NULL: the value belongs to a struct argument */
    const char *reference;
    const char *kernel;
    size_t argument; /* index of the kernel's parameter */
    const void *data;
    size_t bytes;
} pm_backend_value;

typedef struct {
    const char *bitcode; /* result of pm_compile, or PTX */
    size_t bitcode_bytes;
    /* Names of the kernels to build, `kernel_count` of them. Other kernels of the source are
     * neither checked nor compiled. NULL or a count of 0: all kernels. */
    const char *const *kernels;
    size_t kernel_count;
    const char *source_path; /* for messages */
    const char *costs;       /* path of instructions.ini */
    /* Compute capability whose instruction costs are read from `costs` (52: 5.2). 0: no NVIDIA GPU,
     * or unknown. */
    unsigned capability;
    unsigned warp_width;
    pm_register_rules register_rules;
    const pm_backend_symbol *symbols;
    size_t symbol_count;
    /* Values of all struct arguments that contain pointers, and all bound textures, of all
     * launches. The compiler makes the modes of textures (such as the filter) constants of the
     * code. */
    const pm_backend_value *values;
    size_t value_count;
    bool all_restrict; /* true: all pointer arguments of kernels are treated as restrict */
    /* true: loops are not unrolled, so that access tables (counts per memory instruction) have one
     * row for each access of the source. false: loops are unrolled as the GPU's compiler does
     * it. */
    bool as_written;
    /* true: code is compiled faster, without unrolling, but runs slower. Use it for runs of few
     * work-items. */
    bool quick;
    /* true: the basic blocks of the PTX code are numbered (marked). The instructions of the machine
     * code that ptxas makes of the PTX can then be counted per PTX block (pm_kernel_code.marks). */
    bool marks;
} pm_backend_request;

/* Reads libclc's bitcode from the file `libclc` and makes bitcode of the functions with the given
 * names, with all their overloads, and of the functions that these call. names: text with the
 * wanted names, each followed by a blank. The caller frees *bitcode with free(). */
pm_status pm_libclc_cut(const char *libclc, const char *names, char **bitcode, size_t *bytes,
                        pm_error *err);

/* Builds all requested kernels into *out, which pm_trace_program_free frees. PM_BAD_INPUT if a
 * kernel uses a feature that the engine does not support; the error names the feature and its
 * source line. */
pm_status pm_trace_program_build(const pm_backend_request *request, pm_trace_program **out,
                                 pm_error *err);
void pm_trace_program_free(pm_trace_program *program);

/* Compiles all basic blocks of the program to host code of one kind: complete code, or slices that
 * compute only addresses and branches. Does nothing if this code exists already. PM_CODE_SLICE
 * requires program->has_slices, which is false if the program was built with `quick`. Only one
 * thread at a time may call it. PM_FAILED if LLVM cannot compile the code. */
pm_status pm_trace_program_compile(const pm_trace_program *program, pm_code_kind kind,
                                   pm_error *err);

/* Compiles the program of a request to PTX for a GPU of compute capability `capability` (90: 9.0).
 * If LLVM does not know that capability, the PTX is for the next older one that it knows. The
 * caller frees *ptx with free(). */
pm_status pm_trace_program_ptx(const pm_backend_request *request, unsigned capability, char **ptx,
                               size_t *bytes, pm_error *err);

#endif
