/* Finds address computations that are always executed before another address computation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_EARLIER_H
#define PM_COLLECTOR_ENGINE_BACKEND_ADDRESSES_EARLIER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

enum {
    /* maximum number of basic blocks that a search for an earlier address visits */
    PM_MOST_BLOCKS = 16,
    /* maximum number of instructions that a search for an earlier address visits */
    PM_MOST_INSTRUCTIONS = 4096
};

/* Returns the basic block whose addresses are always computed before those of `block`; NULL: there
 * is none. This is the only predecessor of `block`. If `block` comes after a branch with one short
 * side, it is that side: the compiler predicates the loads of the side, but computes its addresses
 * unconditionally. */
LLVMBasicBlockRef pm_block_before(LLVMBasicBlockRef block);

/* Searches the address computations (getelementptr) that are always executed before `gep`, and
 * returns whether like(before, gep) is true for one of them. */
bool pm_has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep));

#endif
