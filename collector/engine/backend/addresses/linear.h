/* Compares indices as sums of products. Two addresses whose indices differ by a constant are one
 * address with two offsets.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_LINEAR_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_LINEAR_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Returns whether the computations of two integers differ by a constant, without an overflow before
 * they are extended. */
bool pm_differ_by_constant(LLVMValueRef a, LLVMValueRef b);

#endif
