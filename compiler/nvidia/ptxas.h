/* Runs NVIDIA's assembler ptxas to find the resources that kernels use.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_NVIDIA_PTXAS_H
#define PM_COMPILER_NVIDIA_PTXAS_H

#include <limits.h>

#include "base/memory.h"
#include "compiler/compile.h"

typedef struct {
    char program[PATH_MAX];
    char version[64]; /* such as ptxas 12.9.86 */
    /* limit on the registers of a work-item; 0: only the limits in the kernels themselves */
    unsigned register_limit;
    pm_compiler_limits limits;
} pm_ptxas;

/* Resources of a kernel. */
typedef struct {
    const char *kernel;
    unsigned registers;                            /* registers per work-item */
    size_t shared_bytes;                           /* bytes of the kernel's own shared variables */
    size_t stack_bytes, spill_stores, spill_loads; /* bytes per work-item */
} pm_ptxas_kernel;

typedef struct {
    size_t count;
    pm_ptxas_kernel *kernels;
    pm_memory memory;
} pm_ptxas_kernels;

/* Finds ptxas at `path`. If path is "", searches $PERFMODEL_PTXAS, PATH, and /usr/local/cuda in
 * this order. PM_BAD_INPUT if the program is missing or is not ptxas. */
pm_status pm_ptxas_find(const char *path, const pm_compiler_limits *limits, pm_ptxas *ptxas,
                        pm_error *err);

/* Assembles PTX for a GPU of a compute capability (90 means 9.0). PM_FAILED with the first error if
 * ptxas rejects the PTX. PM_BAD_INPUT if the program does not behave like ptxas. subject: name of
 * the PTX in messages. The caller frees the memory of kernels in all cases. */
pm_status pm_ptxas_run(const pm_ptxas *ptxas, const char *ptx, size_t bytes, unsigned capability,
                       const char *subject, pm_ptxas_kernels *kernels, pm_error *err);
/* Assembles an empty program, to test ptxas. PM_FAILED if ptxas does not support the GPU. */
pm_status pm_ptxas_try(const pm_ptxas *ptxas, unsigned capability, const char *subject,
                       pm_error *err);

#endif
