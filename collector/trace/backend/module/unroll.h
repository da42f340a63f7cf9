/* Private arrays that a GPU's compiler keeps in registers: loops that index them are unrolled
 * whole.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_MODULE_UNROLL_H
#define PM_COLLECTOR_TRACE_BACKEND_MODULE_UNROLL_H

#include <llvm-c/Core.h>

#include "perfmodel.h"

/* Whether a function of the module has variables with arrays in them. */
bool pm_unroll_has_arrays(LLVMModuleRef module);

/* Marks loops of kernels for LLVM to unroll whole: those whose counter is in the index of a private
 * array, where that makes no more code than NVIDIA's compiler allows. *marked: there is a new one.
 * The module is optimised already, but not unrolled. */
pm_status pm_unroll_mark(LLVMModuleRef module, bool *marked, pm_error *err);

#endif
