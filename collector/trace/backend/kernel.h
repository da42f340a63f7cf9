/* One kernel of a module: its description and the host's code of its blocks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_KERNEL_H
#define PM_COLLECTOR_TRACE_BACKEND_KERNEL_H

#include <llvm-c/Target.h>

#include "base/memory.h"
#include "collector/trace/backend/costs.h"
#include "collector/trace/program.h"

typedef struct {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    size_t number; /* of the kernel in the module */
    const pm_costs *costs;
    LLVMTargetDataRef layout; /* the host's */
    unsigned warp_width;
    pm_memory *kept;   /* for what code points to */
    pm_memory *memory; /* for what is wanted until it is built; pm_kernel_build sets it */
} pm_kernel_request;

/* Fills code but for the blocks' code, which is compiled later: its functions, called by
 * pm_kernel_block_name, are added to the module. */
pm_status pm_kernel_build(const pm_kernel_request *request, pm_kernel_code *code, pm_error *err);

void pm_kernel_block_name(size_t kernel, uint32_t block, char *name, size_t size);

#endif
