/* Finds the arguments and variables that a pointer of a kernel may point into.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_POINTER_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_POINTER_H

#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

/* Returns the only object that a pointer may point into on any control-flow path: a kernel
 * argument, a global or shared variable, or a private variable. NULL: there may be several, or the
 * object is unknown. *offset becomes the pointer's byte offset in the object on one path. Offsets
 * on other paths differ by multiples of *stride. layout NULL: offset and stride are not set. */
LLVMValueRef pm_pointer_object(LLVMValueRef pointer, LLVMTargetDataRef layout, uint64_t *offset,
                               uint64_t *stride);

/* Returns a mask in which bit i is set if a pointer may be computed from kernel argument i. All
 * bits are set if the arguments are unknown. *loaded: whether the pointer may have been loaded from
 * global or constant memory. */
uint64_t pm_pointer_arguments(LLVMValueRef kernel, LLVMValueRef pointer, bool *loaded);

/* Returns whether a pointer can only point to private variables of the work-item. */
bool pm_pointer_is_private(LLVMValueRef pointer);

#endif
