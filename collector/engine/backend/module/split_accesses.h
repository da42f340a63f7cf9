/* Loads and stores that LLVM has merged although they are of different memories.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_SPLIT_ACCESSES_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_SPLIT_ACCESSES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Gives each load and store by a generic pointer that is one of two, as in
 * x = is_edge ? in[i] : tile[j], a branch with an access on each side. Returns whether there was
 * one. */
bool pm_accesses_split(LLVMValueRef function);

#endif
