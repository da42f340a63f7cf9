/* Indices as sums of products: two that differ by a constant alone are one address and an offset.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_LINEAR_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_LINEAR_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Whether the difference of two integers is a constant by how they are computed, without a wrap on
 * the way to their width. */
bool pm_differ_by_constant(LLVMValueRef a, LLVMValueRef b);

#endif
