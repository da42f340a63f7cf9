/* NVIDIA's OpenCL compiler emits PTX for an OpenCL launch; this makes it fit a CUDA launch, and
 * tells what parameters a kernel has.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_PTX_H
#define PM_COLLECTOR_CUPTI_CUDA_PTX_H

#include "perfmodel.h"

#define PM_PTX_MAX_PARAMETERS 64

/* An array in constant memory, of at most so many bytes, under a name that OpenCL C cannot have. */
#define PM_PTX_CONSTANTS "$pm_constants"
enum { PM_PTX_CONSTANT_BYTES = 65536, PM_PTX_CONSTANT_ALIGN = 256 };

typedef enum { PM_PTX_VALUE, PM_PTX_GLOBAL, PM_PTX_SHARED, PM_PTX_CONST } pm_ptx_space;

typedef struct {
    pm_ptx_space space; /* what a pointer points to; PM_PTX_VALUE: no pointer, or a plain one */
    size_t bytes;
    const char *name; /* in the PTX; a template's can be very long */
    size_t name_length;
} pm_ptx_parameter;

/* The parameters of a kernel, at most PM_PTX_MAX_PARAMETERS. */
pm_status pm_ptx_parameters(const char *ptx, const char *kernel, pm_ptx_parameter *parameters,
                            size_t *count, pm_error *err);

/* A copy (freed with free()) that a CUDA launch can run:
 * - %envreg6..8 hold the number of work-groups, which CUDA has in %nctaid, and %envreg9 the number
 *   of dimensions, here given (0: launches differ in it). %envreg0..2 are the offset of
 *   the first work-group, which is 0 here; %envreg3..5, the global offset, CUDA leaves 0.
 * - a __local argument becomes an offset into the launch's dynamic shared memory.
 * - with constant_bytes, a __constant pointer becomes an offset into the array PM_PTX_CONSTANTS of
 *   so many bytes, which the module then has; without, it stays an address.
 * Text that is not PTX, or that reads another %envreg, is PM_FAILED. */
char *pm_ptx_for_cuda(const char *ptx, unsigned dimensions, size_t constant_bytes, pm_error *err);

/* Whether a __constant pointer, by the ".ptr .const" note of its parameter, is an address of global
 * memory, which buffers have. So it is from compute capability 9.0 on, where ptxas 12.9 and 13.0
 * make LDG.CONSTANT of loads by it. Before, LDC.IL reads a bank that CUDA has no name for. */
bool pm_ptx_constants_are_global(const char *ptx);

/* Blanks the ".ptr .space .align N" notes of parameters, which some drivers reject. */
void pm_ptx_drop_pointer_notes(char *ptx);

#endif
