/* Splits loads and stores that LLVM has merged although they access different address spaces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_SPLIT_ACCESSES_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_SPLIT_ACCESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Splits each load and store whose pointer is in the generic address space and is selected from two
 * pointers, as in x = is_edge ? in[i] : tile[j]. Each of them becomes a branch with one access on
 * each side. Returns whether the function had such an access. */
bool pm_accesses_split(LLVMValueRef function);

#endif
