/* The compiler half of the trace engine: OpenCL C or CUDA C++ in, runnable blocks out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_H
#define PM_COLLECTOR_TRACE_BACKEND_H

#include "collector/trace/program.h"
#include "collector/trace/register_rules.h"

/* What a variable in CUDA's __constant__ memory holds when kernels start. */
typedef struct {
    const char *name;
    const void *data;
    size_t bytes;
} pm_backend_symbol;

typedef struct {
    const char *bitcode; /* of pm_compile */
    size_t bitcode_bytes;
    /* Those that are to be run: what others need is not looked at. None: all. */
    const char *const *kernels;
    size_t kernel_count;
    const char *source_path; /* for messages */
    const char *costs;       /* path of instructions.ini */
    unsigned capability;     /* that it is read for; 0: no NVIDIA GPU's, or unknown */
    unsigned warp_width;
    pm_register_rules register_rules;
    const pm_backend_symbol *symbols;
    size_t symbol_count;
    bool all_restrict; /* all pointers that kernels take are restrict */
    bool as_written;   /* no loop is unrolled, as the GPU's compiler would: for access tables of the
                          source */
    bool quick; /* built in less time, and slower, also without unrolling: for results of little
                   work */
} pm_backend_request;

/* A kernel with something that the engine does not do is PM_BAD_INPUT and names it with its line.
 */
pm_status pm_trace_program_build(const pm_backend_request *request, pm_trace_program **out,
                                 pm_error *err);
void pm_trace_program_free(pm_trace_program *program);

/* Compiles one kind of code of all blocks for the host, unless that is done. PM_CODE_SLICE requires
 * program->has_slices, which a program built with `quick` lacks. Only one thread at a time may call
 * it. PM_FAILED: LLVM cannot compile the code. */
pm_status pm_trace_program_compile(const pm_trace_program *program, pm_code_kind kind,
                                   pm_error *err);

/* The same program as PTX, for a GPU of that compute capability (90: 9.0) or the next older one
 * that LLVM knows. *ptx is freed with free(). */
pm_status pm_trace_program_ptx(const pm_backend_request *request, unsigned capability, char **ptx,
                               size_t *bytes, pm_error *err);

#endif
