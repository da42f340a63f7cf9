/* A kernel of a module, and what its host's code is to be made for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_IR_KERNEL_REQUEST_H
#define PM_COLLECTOR_TRACE_BACKEND_IR_KERNEL_REQUEST_H

#include <llvm-c/Target.h>

#include "base/memory.h"
#include "collector/trace/backend/costs/costs.h"

typedef struct {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    size_t number; /* of the kernel in the module */
    const pm_costs *costs;
    LLVMTargetDataRef layout; /* the host's */
    unsigned warp_width;
    unsigned register_limit; /* of a work-item; UINT_MAX: none */
    bool sliced;             /* build slices, too (pm_code_kind) */
    pm_memory *kept;         /* for what code points to */
    pm_memory *memory;       /* for what is wanted until it is built; pm_kernel_build sets it */
} pm_kernel_request;

#endif
