/* Runs NVIDIA's assembler ptxas to find the registers and memory that kernels use.
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
    char version[64]; /* name and version, such as ptxas 12.9.86 */
    /* limit on the registers of a work-item (ptxas -maxrregcount); 0: only limits that the kernels
     * themselves declare */
    unsigned register_limit;
    pm_compiler_limits limits;
} pm_ptxas;

/* Registers and memory that a kernel uses. */
typedef struct {
    const char *kernel;
    unsigned registers; /* registers per work-item */
    /* bytes of the shared variables that the kernel itself declares */
    size_t shared_bytes;
    /* bytes per work-item: of the stack, of stores of spilled registers, of loads of spilled
     * registers */
    size_t stack_bytes, spill_stores, spill_loads;
} pm_ptxas_kernel;

typedef struct {
    size_t count;
    pm_ptxas_kernel *kernels;
    pm_memory memory;
} pm_ptxas_kernels;

/* Machine code that ptxas has assembled, as the contents of an ELF file. */
typedef struct {
    char *data;
    size_t bytes;
} pm_machine_code;

/* Finds ptxas at `path`. If `path` is "", searches $PERFMODEL_PTXAS, the folder of
 * `perfmodel setup nvidia`, PATH, and /usr/local/cuda in this order. PM_BAD_INPUT if there is no
 * such program or it is not ptxas. */
pm_status pm_ptxas_find(const char *path, const pm_compiler_limits *limits, pm_ptxas *ptxas,
                        pm_error *err);

/* Assembles PTX for a GPU, and reads how many registers and how much shared memory its kernels use.
 * chip: the GPU's name for ptxas, such as sm_90. subject: name of the PTX in messages. code:
 * receives the machine code with line information; NULL: the machine code is discarded. PM_FAILED
 * with the first error if ptxas rejects the PTX. PM_BAD_INPUT if the program does not behave like
 * ptxas. The caller frees kernels->memory and code->data in all cases. */
pm_status pm_ptxas_run(const pm_ptxas *ptxas, const char *ptx, size_t bytes, const char *chip,
                       const char *subject, pm_machine_code *code, pm_ptxas_kernels *kernels,
                       pm_error *err);
/* Assembles an empty program, to test whether ptxas works. PM_FAILED if ptxas does not support the
 * GPU of this compute capability. */
pm_status pm_ptxas_try(const pm_ptxas *ptxas, unsigned capability, const char *subject,
                       pm_error *err);

#endif
