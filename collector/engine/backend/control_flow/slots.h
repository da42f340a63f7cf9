/* Facts about each instruction of a kernel, and the layout of a warp's frame.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_SLOTS_H
#define PM_COLLECTOR_ENGINE_BACKEND_CONTROL_FLOW_SLOTS_H

#include <llvm-c/Target.h>

#include "collector/engine/backend/control_flow/structure.h"

enum { PM_NO_SLOT = -1 };

typedef struct {
    LLVMValueRef instruction;
    uint32_t segment;
    /* Offset in the warp's frame, if another segment reads the value; PM_NO_SLOT: no other segment
     * does. A private variable has its offset in private memory here. */
    int64_t slot;
    uint32_t site, sites; /* site: index of the first of the value's memory instructions; sites:
                             their number */
    /* Number of instructions on the longest dependency chain that ends with this instruction and
     * lies in its segment. */
    double depth;
    uint32_t waits; /* load waits in its scheduling region before the value is available */
    bool decides;   /* an address or a branch may depend on the value */
    /* True for a store to shared or private memory if a load that `decides` may read the stored
     * data. */
    bool feeds;
} pm_code_value;

typedef struct {
    pm_code_value *values; /* sorted by instruction */
    size_t count;
    size_t frame_bytes, private_bytes;
} pm_values;

/* Finds the values that one segment defines and another uses. Lays out the frame and private memory
 * for warps of warp_width. layout: of the host. */
pm_values pm_values_find(const pm_structure *structure, LLVMTargetDataRef layout,
                         unsigned warp_width, pm_memory *memory);

/* NULL if the value is not an instruction of the kernel. */
pm_code_value *pm_code_value_of(const pm_values *values, LLVMValueRef instruction);

/* Returns whether a value is recomputed at each use and needs no slot: ids, sizes, addresses of
 * private variables. */
bool pm_value_is_free(LLVMValueRef instruction);

#endif
