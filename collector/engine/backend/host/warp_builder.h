/* Generates the host code of a kernel's basic blocks: for each block, a function that executes the
 * block for all work-items of a warp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_HOST_WARP_BUILDER_H
#define PM_COLLECTOR_ENGINE_BACKEND_HOST_WARP_BUILDER_H

#include "collector/engine/backend/accesses/sites.h"

typedef struct {
    LLVMValueRef variable;
    uint64_t offset; /* offset in a work-group's shared memory */
} pm_shared_variable;

typedef struct {
    pm_kernel_request r;
    const pm_parameter *parameters; /* the kernel's parameters */
    pm_structure structure;
    pm_values values;
    pm_sites sites;
    pm_shared_variable *shared; /* the kernel's own shared variables */
    size_t shared_count;
    /* LLVM builders: `builder` in the body of the loop over work-items, `uniform` in the function's
     * entry, as in pm_block_builder */
    LLVMBuilderRef builder, uniform;
} pm_warp_builder;

/* Adds a function `name` of type pm_block_code that executes a segment (basic block, cut at
 * barriers). slice: true if the function computes only the values that addresses and branches
 * depend on (PM_CODE_SLICE). */
void pm_warp_builder_write(const pm_warp_builder *lanes, uint32_t segment, bool slice,
                           const char *name);

#endif
