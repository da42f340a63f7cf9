/* Compiles kernels for AMD GPUs with LLVM's AMDGPU back end, which AMD's own compiler uses, too.
 * Reads the kernels' register use and spills from the assembly.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_AMD_AMD_CODE_H
#define PM_COMPILER_AMD_AMD_CODE_H

#include "base/memory.h"
#include "compiler/compile.h"
#include "program/resources.h"

typedef struct {
    const char *kernel;
    pm_kernel_resources taken;
    /* true: the kernel calls functions that are not inlined, so its register count is unknown */
    bool calls;
} pm_amd_kernel;

typedef struct {
    size_t count;
    pm_amd_kernel *kernels;
    pm_memory memory;
} pm_amd_code;

/* Compiles a source in OpenCL C for an AMD GPU, and reads the registers, memory and spills of its
 * kernels from clang's assembly. processor: LLVM's name of the GPU, such as gfx90a. PM_FAILED if
 * clang rejects the source, if clang crashes, or if libclc is missing. The caller frees
 * code->memory in all cases. */
pm_status pm_amd_compile(pm_compiler *compiler, const char *source, const char *source_path,
                         const char *build_options, const char *processor, pm_amd_code *code,
                         pm_error *err);

/* Writes all inputs on which the result of pm_amd_compile depends into a cache key. Returns false
 * if the result may depend on further inputs, so that it must not be cached. */
bool pm_amd_key(pm_compiler *compiler, const char *source, const char *source_path,
                const char *build_options, const char *processor, pm_wire *key);

/* Reads from the metadata in clang's assembly the names of the kernels, and how many registers and
 * how much memory each uses. Splits `assembly` into lines in place. */
void pm_amd_read(char *assembly, pm_amd_code *code);

#endif
