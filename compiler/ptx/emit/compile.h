/* Translates kernels in PTX to LLVM's intermediate representation (IR).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The IR has the form that clang makes of CUDA C++ for nvptx64: kernels are marked by
 * nvvm.annotations, their pointers have no address space, and threads read their indices by
 * LLVM's intrinsics for special registers. Line numbers are those of the PTX text.
 */
#ifndef PM_COMPILER_PTX_EMIT_COMPILE_H
#define PM_COMPILER_PTX_EMIT_COMPILE_H

#include <llvm-c/Core.h>

#include "perfmodel.h"

typedef struct {
    const char *text; /* the PTX */
    const char *path; /* its name in messages */
    /* Names of the kernels to translate: in the text, or in CUDA C++ without parameters. NULL or a
     * count of 0: all kernels. */
    const char *const *kernels;
    size_t kernel_count;
    /* true: each basic block begins with a call of the function PM_PTX_MARK, so that a trace can
     * count how often the block is executed */
    bool marks;
} pm_ptx_request;

/* A function without effect. Its calls mark where basic blocks of the PTX begin, so that their
 * executions can be counted whatever optimisation does to their code. The argument is the number of
 * the block's first instruction (pm_ptx_first_number), an integer of 32 bits. */
#define PM_PTX_MARK "perfmodel.mark"

/* Translates the requested kernels, and all functions that they call, into a new module. Kernels
 * have the names by which they are requested. Returns NULL on failure: PM_BAD_INPUT with file,
 * line and instruction if the text is not PTX, or if it has an instruction that cannot be
 * traced. */
LLVMModuleRef pm_ptx_compile(LLVMContextRef context, const pm_ptx_request *request, pm_error *err);

#endif
