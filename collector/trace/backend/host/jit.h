/* Machine code of the host for a module.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_HOST_JIT_H
#define PM_COLLECTOR_TRACE_BACKEND_HOST_JIT_H

#include <llvm-c/LLJIT.h>
#include <llvm-c/TargetMachine.h>
#include <stdbool.h>

#include "perfmodel.h"

typedef struct pm_jit pm_jit;

/* quick: compiles in half the time or less, to slower code. */
pm_jit *pm_jit_create(bool quick, pm_error *err);
void pm_jit_free(pm_jit *jit);

/* A context that modules to be added are made in; the jit's. */
LLVMContextRef pm_jit_context(pm_jit *jit);
LLVMTargetDataRef pm_jit_layout(pm_jit *jit);
/* Makes module one of the host's: triple and layout, no debug information, no other target's
 * attributes. */
void pm_jit_adopt(pm_jit *jit, LLVMModuleRef module);

enum { PM_JIT_MODULES = 2 /* modules that one pm_jit can compile */ };

/* Optimises and compiles module, which is the jit's from here on, and frees it on failure too. */
pm_status pm_jit_add(pm_jit *jit, LLVMModuleRef module, pm_error *err);
/* Finds the address of a function in the module that was added last. */
pm_status pm_jit_find(pm_jit *jit, const char *name, uint64_t *address, pm_error *err);

#endif
