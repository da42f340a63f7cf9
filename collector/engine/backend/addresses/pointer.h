/* Finds the objects that a pointer of a kernel may point to.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_POINTER_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_POINTER_H

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* The only object that a pointer may point into on any path: a kernel argument, a variable or a
 * private variable. NULL: it may be none or several. *offset becomes the byte offset on one path.
 * Offsets on other paths differ by multiples of *stride. layout NULL: offset and stride are not
 * set. */
LLVMValueRef pm_pointer_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset,
                               uint64_t *stride);

/* A bit for each kernel argument that a pointer may come from; all bits: unknown. */
uint64_t pm_pointer_arguments(LLVMValueRef kernel, LLVMValueRef pointer);

/* Returns whether a pointer can only point to private variables of the work-item. */
bool pm_pointer_is_private(LLVMValueRef pointer);

#endif
