/* Fully unrolls loops that index private arrays, so that the arrays fit into registers, as a GPU's
 * compiler does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_UNROLL_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_UNROLL_H

#include <llvm-c/Core.h>

#include "perfmodel.h"

/* Returns whether a function of the module has private variables that are or contain arrays. */
bool pm_unroll_has_arrays(LLVMModuleRef module);

/* Marks loops of kernels for LLVM to unroll fully. Marked are loops whose counter indexes a private
 * array, if the unrolled code is not larger than NVIDIA's compiler allows. *marked becomes true if
 * this call marked a loop that was not marked before. The module must be optimised but not
 * unrolled. */
pm_status pm_unroll_mark(LLVMModuleRef module, bool *marked, pm_error *err);

#endif
