/* NVIDIA's OpenCL compiler emits PTX for an OpenCL launch; this makes it fit a CUDA launch, and
 * tells what parameters a kernel has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_PTX_H
#define PM_COLLECTOR_CUPTI_CUDA_PTX_H

#include "perfmodel.h"

#define PM_PTX_MAX_PARAMETERS 32

typedef enum { PM_PTX_VALUE, PM_PTX_GLOBAL, PM_PTX_SHARED, PM_PTX_CONST } pm_ptx_space;

typedef struct {
    pm_ptx_space space; /* what a pointer points to; PM_PTX_VALUE: no pointer, or a plain one */
    size_t bytes;
    char name[128];
} pm_ptx_parameter;

/* The parameters of a kernel, at most PM_PTX_MAX_PARAMETERS. */
pm_status pm_ptx_parameters(const char *ptx, const char *kernel, pm_ptx_parameter *parameters,
                            size_t *count, pm_error *err);

/* A copy (freed with free()) that a CUDA launch can run:
 * - %envreg6..8 hold the number of work-groups, which CUDA has in %nctaid, and %envreg9 the number
 *   of dimensions, here given (0: launches differ in it). %envreg0..2 are the offset of
 *   the first work-group, which is 0 here; %envreg3..5, the global offset, CUDA leaves 0.
 * - a __local argument becomes an offset into the launch's dynamic shared memory.
 * Text that is not PTX, or that reads another %envreg, is PM_FAILED. */
char *pm_ptx_for_cuda(const char *ptx, unsigned dimensions, pm_error *err);

/* Blanks the ".ptr .space .align N" notes of parameters, which some drivers reject. */
void pm_ptx_drop_pointer_notes(char *ptx);

#endif
