/* Finds how a kernel uses the buffers to which its parameters point.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_BUFFER_USE_H
#define PM_COMPILER_PTX_BUFFER_USE_H

#include "compiler/ptx/tree.h"

/* How a kernel uses the memory to which a parameter points. */
typedef struct {
    /* true: the contents cannot change which instructions are executed and which addresses they
     * access. They never reach an address, a branch, or the guard (predicate) of a memory access or
     * barrier. */
    bool has_spare_contents;
    bool is_read_only; /* true: no store and no atomic writes to the memory */
} pm_ptx_buffer_use;

/* Returns an array with an element for each parameter of the kernel. The result holds if no two
 * parameters point to overlapping memory. All members are false if the kernel calls functions,
 * reads pointers from memory, or has memory accesses that this analysis does not know. */
pm_ptx_buffer_use *pm_ptx_find_buffer_use(pm_memory *memory, const pm_ptx_function *kernel);

#endif
