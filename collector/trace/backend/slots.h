/* What the engine knows of each instruction of a kernel.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_SLOTS_H
#define PM_COLLECTOR_TRACE_BACKEND_SLOTS_H

#include <llvm-c/Target.h>

#include "structure.h"

enum { PM_NO_SLOT = -1 };

typedef struct {
    LLVMValueRef instruction;
    uint32_t segment;
    /* Where the warp's frame keeps it, for other segments to read; PM_NO_SLOT: nobody does. Of a
     * variable in private memory: its offset there. */
    int64_t slot;
    uint32_t site, sites; /* memory instructions that it is */
    double depth;         /* instructions up to it, one after the other, of its segment */
    uint32_t waits;       /* for loads of its segment, before what it computes is there */
} pm_value;

typedef struct {
    pm_value *values; /* sorted by instruction */
    size_t count;
    size_t frame_bytes, private_bytes;
} pm_values;

/* Finds the values that one segment defines and another uses and lays out frame and private memory
 * for warps of warp_width. layout is the host's. */
pm_status pm_values_find(const pm_structure *structure, LLVMTargetDataRef layout,
                         unsigned warp_width, pm_values *values, pm_error *err);
void pm_values_free(pm_values *values);

/* NULL for what is no instruction of the kernel. */
pm_value *pm_value_of(const pm_values *values, LLVMValueRef instruction);

/* Computed wherever it is used, so never kept: ids and sizes, private variables' addresses. */
bool pm_value_is_free(LLVMValueRef instruction);

/* The last segment of a basic block, where its edges leave. */
uint32_t pm_values_tail(const pm_values *values, LLVMBasicBlockRef block);

#endif
