/* Finds buffers whose contents affect only the values that a kernel computes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COMPILER_PTX_SPARE_CONTENTS_H
#define PM_COMPILER_PTX_SPARE_CONTENTS_H

#include "compiler/ptx/tree.h"

/* Returns an array with a bool for each parameter of the kernel. It is true if the contents of the
 * memory to which the parameter points cannot change which instructions are executed and which
 * addresses they access: the contents never reach an address, a branch, or the guard (predicate) of
 * a memory access or barrier. The result holds if no two parameters point to overlapping memory. It
 * is false for all parameters if the kernel calls functions, reads pointers from memory, or has
 * memory accesses that this analysis does not know. */
bool *pm_ptx_find_spare_contents(pm_memory *memory, const pm_ptx_function *kernel);

#endif
