/* A kernel of a module, with the parameters of its compilation for the host.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_IR_KERNEL_REQUEST_H
#define PM_COLLECTOR_ENGINE_BACKEND_IR_KERNEL_REQUEST_H

#include <llvm-c/Target.h>

#include "base/memory.h"
#include "collector/engine/backend/costs/costs.h"

typedef struct {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    size_t number; /* index of the kernel in the module */
    const pm_costs *costs;
    LLVMTargetDataRef layout; /* LLVM's data layout of the host */
    unsigned warp_width;
    unsigned register_limit; /* maximum registers of a work-item; UINT_MAX: no limit */
    /* true: slices, which compute only addresses and branches, are compiled, too */
    bool sliced;
    const struct pm_marks *marks; /* PTX blocks that the module's basic blocks belong to */
    /* memory for data that outlive the compilation, because the generated code refers to them */
    pm_memory *kept;
    pm_memory *memory; /* memory of temporary data; pm_kernel_build sets it */
} pm_kernel_request;

#endif
