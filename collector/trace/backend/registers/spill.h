/* What a kernel keeps in private memory if its values do not fit into the registers it may have.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_TRACE_BACKEND_REGISTERS_SPILL_H
#define PM_COLLECTOR_TRACE_BACKEND_REGISTERS_SPILL_H

#include "collector/trace/backend/registers/liveness.h"

/* Registers that a basic block stores to private memory and loads from there, each time it is
 * executed. */
typedef struct {
    LLVMBasicBlockRef block;
    double loads, stores;
} pm_block_spills;

typedef struct {
    size_t count;
    pm_block_spills *blocks; /* by address of the block */
    unsigned words;          /* registers that have a place in private memory at once, at most */
} pm_spills;

/* Evicts the value whose next use is furthest away whenever more than room registers are alive, as
 * Braun and Hack extend Belady's algorithm to control flow ("Register Spilling and Live-Range
 * Splitting for SSA-Form Programs", 2009): each block starts with the values in registers that it
 * uses soonest; a value is stored once, where it is defined, and loaded where it is used without a
 * register. Next uses are looked up in the block, in its successors and by loop. */
pm_spills pm_spills_find(LLVMValueRef function, pm_liveness *liveness, unsigned room,
                         pm_memory *memory);
/* Those of a block; zeros where it has none. */
pm_block_spills pm_spills_of(const pm_spills *spills, LLVMBasicBlockRef block);

#endif
