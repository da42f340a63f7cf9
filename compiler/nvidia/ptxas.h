/* NVIDIA's assembler ptxas, asked what a GPU's compiler takes for kernels.
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
    char version[64];        /* ptxas 12.9.86 */
    unsigned register_limit; /* of a work-item; 0: none but the kernels' own */
    pm_compiler_limits limits;
} pm_ptxas;

/* Of a kernel. */
typedef struct {
    const char *kernel;
    unsigned registers;                            /* of a work-item */
    size_t shared_bytes;                           /* of its own shared variables */
    size_t stack_bytes, spill_stores, spill_loads; /* of a work-item, in bytes */
} pm_ptxas_kernel;

typedef struct {
    size_t count;
    pm_ptxas_kernel *kernels;
    pm_memory memory;
} pm_ptxas_kernels;

/* The program at that path; "": $PERFMODEL_PTXAS, else the one that PATH has, else the CUDA
 * toolkit's in /usr/local/cuda. One that is not there or does not answer as ptxas does is
 * PM_BAD_INPUT. */
pm_status pm_ptxas_find(const char *path, const pm_compiler_limits *limits, pm_ptxas *ptxas,
                        pm_error *err);

/* Assembles PTX for a GPU of that compute capability (90: 9.0). PTX that ptxas refuses is
 * PM_FAILED, with its first error; a ptxas that does not work as one is PM_BAD_INPUT. subject is
 * what messages name. The memory of kernels is to be freed either way. */
pm_status pm_ptxas_run(const pm_ptxas *ptxas, const char *ptx, size_t bytes, unsigned capability,
                       const char *subject, pm_ptxas_kernels *kernels, pm_error *err);
/* The same of an empty program: PM_FAILED where this ptxas has no such GPU. */
pm_status pm_ptxas_try(const pm_ptxas *ptxas, unsigned capability, const char *subject,
                       pm_error *err);

#endif
