/* Where a pointer of a kernel points, by how it is computed.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_POINTER_H
#define PM_COLLECTOR_TRACE_BACKEND_ADDRESSES_POINTER_H

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* The one object that all ways to a pointer lead from: a kernel argument, a variable or a private
 * variable. NULL: there is none, or more than one. The offset is that of one way, and all others
 * are multiples of the stride from it; neither is told if layout is NULL. */
LLVMValueRef pm_pointer_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset,
                               uint64_t *stride);

/* A bit for each kernel argument that a pointer may come from; all bits: unknown. */
uint64_t pm_pointer_arguments(LLVMValueRef kernel, LLVMValueRef pointer);

/* Whether all that a pointer may point to are variables of the work-item itself. */
bool pm_pointer_is_private(LLVMValueRef pointer);

#endif
