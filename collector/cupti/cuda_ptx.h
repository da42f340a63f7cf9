/* Rewrites PTX from NVIDIA's OpenCL compiler for a CUDA launch, and lists a kernel's parameters.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_CUPTI_CUDA_PTX_H
#define PM_COLLECTOR_CUPTI_CUDA_PTX_H

#include "perfmodel.h"

#define PM_PTX_MAX_PARAMETERS 64

/* Name of the array in constant memory that pm_ptx_for_cuda adds to a kernel's PTX for the data of
 * __constant arguments. It has at most PM_PTX_CONSTANT_BYTES bytes. The $ makes the name different
 * from all names of OpenCL C. */
#define PM_PTX_CONSTANTS "$pm_constants"
enum { PM_PTX_CONSTANT_BYTES = 65536, PM_PTX_CONSTANT_ALIGN = 256 };

typedef enum { PM_PTX_VALUE, PM_PTX_GLOBAL, PM_PTX_SHARED, PM_PTX_CONST } pm_ptx_space;

typedef struct {
    /* memory that a pointer parameter points to; PM_PTX_VALUE: the parameter is not a pointer, or
     * it has no .ptr attribute */
    pm_ptx_space space;
    size_t bytes;
    const char *name; /* parameter's name in the PTX; names from C++ templates can be very long */
    size_t name_length;
} pm_ptx_parameter;

/* Lists the parameters of a kernel in PTX text. `parameters` has PM_PTX_MAX_PARAMETERS members.
 * Fails if the kernel is not found or has more parameters. */
pm_status pm_ptx_parameters(const char *ptx, const char *kernel, pm_ptx_parameter *parameters,
                            size_t *count, pm_error *err);

/* Returns whether a kernel in PTX of CUDA code has a barrier of the whole grid, so that it needs a
 * cooperative launch. The barrier is found by its reads of %envreg1, which has a part of the
 * address of the barrier's counter. If such a read is in a function that is no kernel, returns true
 * for every kernel, because a cooperative launch does no harm to kernels without a barrier. */
bool pm_ptx_waits_for_grid(const char *ptx, const char *kernel);

/* Returns a copy of PTX from NVIDIA's OpenCL compiler that the CUDA driver can launch. The caller
 * frees it by free(). The differences are:
 * - %envreg6..8 are the number of work-groups, which CUDA has in %nctaid. %envreg9 is the number of
 *   dimensions (`dimensions`; 0: the number differs between launches). %envreg0..2 are the offset
 *   of the first work-group, which is 0 here. %envreg3..5 are the global offset, which is 0 under
 *   CUDA.
 * - A __local argument becomes an offset into the launch's dynamic shared memory.
 * - If constant_bytes is not 0, a __constant pointer becomes an offset into a new array
 *   PM_PTX_CONSTANTS of constant_bytes bytes. Otherwise it stays an address. PM_FAILED (NULL) if
 *   the text is not PTX or reads another %envreg. */
char *pm_ptx_for_cuda(const char *ptx, unsigned dimensions, size_t constant_bytes, pm_error *err);

/* Returns whether a __constant pointer of the PTX's kernels (".ptr .const") is an address in global
 * memory. This is the case on GPUs of compute capability 9.0 and later, for which ptxas 12.9 and
 * 13.0 compile loads by the pointer to LDG.CONSTANT. Code for older GPUs loads by LDC.IL from a
 * constant bank that CUDA cannot access. */
bool pm_ptx_constants_are_global(const char *ptx);

/* Overwrites with blanks the attributes ".ptr .space .align N" of kernel parameters in PTX, because
 * some drivers reject these attributes. */
void pm_ptx_drop_pointer_notes(char *ptx);

#endif
