/* What the engine knows of each instruction of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_SLOTS_H
#define PM_COLLECTOR_TRACE_BACKEND_CONTROL_FLOW_SLOTS_H

#include <llvm-c/Target.h>

#include "collector/trace/backend/control_flow/structure.h"

enum { PM_NO_SLOT = -1 };

typedef struct {
    LLVMValueRef instruction;
    uint32_t segment;
    /* Where the warp's frame keeps it, for other segments to read; PM_NO_SLOT: nobody does. Of a
     * variable in private memory: its offset there. */
    int64_t slot;
    uint32_t site, sites; /* memory instructions that it is */
    double depth;         /* instructions up to it, one after the other, of its segment */
    uint32_t waits;       /* for loads of its stretch, before what it computes is there */
    bool decides;         /* an address or a branch may depend on what it computes */
    bool feeds;           /* is a store to local or private memory that a deciding load may read */
} pm_code_value;

typedef struct {
    pm_code_value *values; /* sorted by instruction */
    size_t count;
    size_t frame_bytes, private_bytes;
} pm_values;

/* Finds the values that one segment defines and another uses and lays out frame and private memory
 * for warps of warp_width. layout is the host's. */
pm_values pm_values_find(const pm_structure *structure, LLVMTargetDataRef layout,
                         unsigned warp_width, pm_memory *memory);

/* NULL for what is no instruction of the kernel. */
pm_code_value *pm_code_value_of(const pm_values *values, LLVMValueRef instruction);

/* Computed wherever it is used, so never kept: ids and sizes, private variables' addresses. */
bool pm_value_is_free(LLVMValueRef instruction);

#endif
