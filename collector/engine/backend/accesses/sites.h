/* Finds the memory instructions of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_SITES_H
#define PM_COLLECTOR_ENGINE_BACKEND_ACCESSES_SITES_H

#include "collector/engine/backend/control_flow/slots.h"
#include "collector/engine/backend/ir/kernel_request.h"

typedef struct {
    pm_site *sites;
    size_t count;
} pm_sites;

/* Lists the memory instructions of a kernel, called sites, in the order of its segments (basic
 * blocks cut at barriers). Sets two members of each instruction's value: `site`, the index of its
 * first site, and `sites`, the number of its sites. An access becomes several sites if it is wider
 * than the GPU's widest access, or than its alignment allows. The strings are allocated from
 * request->kept. */
pm_sites pm_sites_find(const pm_kernel_request *request, const pm_structure *structure,
                       pm_values *values);

/* Returns the pointer operand of a load, store or atomic; NULL for any other instruction. */
LLVMValueRef pm_site_pointer(LLVMValueRef instruction);
/* Returns whether the compiler may combine a warp's atomics on one address into one (warp
 * aggregation). This is possible for all atomics except compare-and-swap and exchange. */
bool pm_atomic_can_be_one(LLVMValueRef instruction);
/* Returns the type of the value that a memory instruction loads, stores or changes. */
LLVMTypeRef pm_site_type(LLVMValueRef instruction);

/* Returns the kernel argument, global or shared variable, or private variable that a pointer points
 * into; NULL: unknown. */
LLVMValueRef pm_site_object(LLVMValueRef pointer);

#endif
