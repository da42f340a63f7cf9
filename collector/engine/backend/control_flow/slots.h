/* Facts about each instruction of a kernel, and the layout of a warp's frame (memory for values
 * that one segment of the code, a basic block cut at barriers, defines and another uses).
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
    /* Offset of the value in the warp's frame, the memory for values that one segment (basic block,
     * cut at barriers) defines and another reads. PM_NO_SLOT: no other segment reads the value. If
     * the value is a private variable, the slot is the variable's offset in private memory
     * instead. */
    int64_t slot;
    /* site: index of the first site (memory access of machine code) that this instruction becomes;
     * sites: number of its sites */
    uint32_t site, sites;
    /* Number of machine instructions on the longest dependency chain that ends with this
     * instruction, within its segment (basic block, cut at barriers). */
    double depth;
    /* number of waits for loads of its scheduling region (code that the compiler reorders as one
     * sequence) that must precede the value */
    uint32_t waits;
    bool decides; /* true: an address or a branch may depend on the value */
    /* true: a store to shared or private memory, if a load may read the stored data and an address
     * or a branch may depend on the loaded value */
    bool feeds;
} pm_code_value;

typedef struct {
    pm_code_value *values; /* sorted by instruction */
    size_t count;
    size_t frame_bytes, private_bytes;
} pm_values;

/* Finds the values that one segment (basic block, cut at barriers) defines and another uses. Lays
 * out the warp's frame, which stores these values, and private memory, for warps of warp_width
 * work-items. layout: LLVM's data layout of the host. */
pm_values pm_values_find(const pm_structure *structure, LLVMTargetDataRef layout,
                         unsigned warp_width, pm_memory *memory);

/* Returns the data about an instruction of the kernel; NULL: the value is not one. */
pm_code_value *pm_code_value_of(const pm_values *values, LLVMValueRef instruction);

/* Returns whether a value is recomputed at each use and so needs no slot in the warp's frame
 * (memory for values that several basic blocks use). This is so for ids, sizes, and addresses of
 * private variables. */
bool pm_value_is_free(LLVMValueRef instruction);

#endif
