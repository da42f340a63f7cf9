/* Compares indices of addresses as sums of products. If the indices of two addresses differ by a
 * constant, a GPU computes only one address and uses two constant offsets in its loads and stores.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_LINEAR_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_LINEAR_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Returns whether two integers always differ by the same constant. False if an addition may
 * overflow before the integer is extended to 64 bits. */
bool pm_differ_by_constant(LLVMValueRef a, LLVMValueRef b);

#endif
