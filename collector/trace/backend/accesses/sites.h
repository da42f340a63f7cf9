/* The memory instructions of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_ACCESSES_SITES_H
#define PM_COLLECTOR_TRACE_BACKEND_ACCESSES_SITES_H

#include "collector/trace/backend/control_flow/slots.h"
#include "collector/trace/backend/ir/kernel_request.h"

typedef struct {
    pm_site *sites;
    size_t count;
} pm_sites;

/* Lists them in the order of segments and notes in values which are an instruction's. One that is
 * wider than the GPU's widest or than its alignment allows is several. The strings are
 * in request->kept. */
pm_sites pm_sites_find(const pm_kernel_request *request, const pm_structure *structure,
                       pm_values *values);

/* The pointer of a load, store or atomic; NULL for any other instruction. */
LLVMValueRef pm_site_pointer(LLVMValueRef instruction);
/* Whether the compiler may make one of a warp's atomics to one place. */
bool pm_atomic_can_be_one(LLVMValueRef instruction);
/* Type of what it moves. */
LLVMTypeRef pm_site_type(LLVMValueRef instruction);

/* The kernel argument, variable or private variable that a pointer points into; NULL: unknown. */
LLVMValueRef pm_site_object(LLVMValueRef pointer);

#endif
