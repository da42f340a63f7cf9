/* Compiles a module to the host's machine code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_JIT_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_JIT_H

#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "perfmodel.h"

typedef struct pm_jit pm_jit;

/* Creates a compiler to host code. quick: true if it shall compile in half the time or less, to
 * slower code. */
pm_jit *pm_jit_create(bool quick, pm_error *err);
void pm_jit_free(pm_jit *jit);

/* Returns the LLVM context in which modules for pm_jit_add must be created. The jit owns the
 * context. */
LLVMContextRef pm_jit_context(pm_jit *jit);
LLVMTargetDataRef pm_jit_layout(pm_jit *jit);
/* Prepares a module for the host: sets the host's target triple and data layout, and removes debug
 * information and attributes of other targets. */
void pm_jit_adopt(pm_jit *jit, LLVMModuleRef module);

enum { PM_JIT_MODULES = 2 /* modules that one pm_jit can compile */ };

/* Optimises and compiles `module`. Takes ownership of the module, and frees it also on failure. */
pm_status pm_jit_add(pm_jit *jit, LLVMModuleRef module, pm_error *err);
/* Finds the address of a function in the module that was added last. */
pm_status pm_jit_find(pm_jit *jit, const char *name, uint64_t *address, pm_error *err);

#endif
