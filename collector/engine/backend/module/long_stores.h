/* Keeps LLVM's vectorizer of straight code (SLP) away from basic blocks with many stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * This vectorizer compares the addresses of all pairs of stores of a basic block. For NVIDIA's
 * targets it only makes vectors of 32 bits, so that it can only change code that has values of
 * fewer bits.
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_MODULE_LONG_STORES_H
#define PM_COLLECTOR_ENGINE_BACKEND_MODULE_LONG_STORES_H

#include <llvm-c/Core.h>

/* Gives the kernels of a module LLVM's attribute noimplicitfloat, with which the vectorizer skips
 * them. The kernels get the attribute only if one of their basic blocks has many stores, and if the
 * vectorizer could not change the code anyway. It cannot if the module has no values of fewer than
 * 32 bits, and no casts between the bits of floats and integers. */
void pm_long_stores_mark(LLVMModuleRef module);
/* Removes the attribute noimplicitfloat again. Otherwise a later pass would not merge adjacent
 * loads and stores. */
void pm_long_stores_unmark(LLVMModuleRef module);

#endif
