/* Expands copies and fills of memory into loads and stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_EXPAND_COPIES_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_EXPAND_COPIES_H

#include <llvm-c/Core.h>

/* Replaces each llvm.memcpy, llvm.memmove and llvm.memset of a function by loads and stores of the
 * widest pieces that the alignment allows, or by a loop of them. An llvm.memmove of many bytes, or
 * of a number that is no constant, is not replaced: it would need a loop, and whether the loop must
 * run forwards or backwards is not known. */
void pm_copies_expand(LLVMValueRef function);

#endif
