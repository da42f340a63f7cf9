/* Register spills: values that a kernel stores in private memory because of a register limit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SPILL_H
#define PM_COLLECTOR_ENGINE_BACKEND_REGISTERS_SPILL_H

#include "collector/engine/backend/registers/liveness.h"

/* Numbers of 32-bit values that a basic block stores to private memory, and loads from it, each
 * time it executes. */
typedef struct {
    LLVMBasicBlockRef block;
    double loads, stores;
} pm_block_spills;

typedef struct {
    size_t count;
    pm_block_spills *blocks; /* sorted by address of the basic block */
    /* largest number of 32-bit values that are in private memory at the same time */
    unsigned words;
} pm_spills;

/* Chooses the values to spill and counts the resulting loads and stores. Evicts the value with the
 * furthest next use whenever more than `room` registers are live. This is Belady's algorithm,
 * extended to control flow by Braun and Hack ("Register Spilling and Live-Range Splitting for
 * SSA-Form Programs", 2009). Each basic block starts with those values in registers that it uses
 * soonest. A value is stored once, at its definition, and loaded before each use at which it is not
 * in a register. The next use is searched as pm_next_use_distance does. */
pm_spills pm_spills_find(LLVMValueRef function, pm_liveness *liveness, unsigned room,
                         pm_memory *memory);
/* Returns the spills of a basic block; zeros if it has none. */
pm_block_spills pm_spills_of(const pm_spills *spills, LLVMBasicBlockRef block);

#endif
