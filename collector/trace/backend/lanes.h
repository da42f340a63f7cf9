/* Writes the host's code of a kernel's blocks: each runs for all work-items of a warp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_LANES_H
#define PM_COLLECTOR_TRACE_BACKEND_LANES_H

#include "sites.h"

typedef struct {
    LLVMModuleRef module;
    LLVMValueRef kernel;
    const pm_structure *structure;
    const pm_values *values;
    const pm_sites *sites;
    LLVMTargetDataRef layout; /* the host's */
    unsigned warp_width;
    /* Shared variables of the module and where they start in a group's shared memory. */
    LLVMValueRef *shared;
    uint64_t *shared_offset;
    size_t shared_count;
} pm_lanes;

/* Adds a function of type pm_block_code, called name, that runs a segment. */
pm_status pm_lanes_write(const pm_lanes *lanes, uint32_t segment, const char *name, pm_error *err);

#endif
