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
 * is none. Usually it is the only predecessor of `block`. If `block` comes after a branch with only
 * one path that has code of its own, and that code is short, it is the block on that path: the
 * compiler predicates its loads, but computes its addresses unconditionally. */
LLVMBasicBlockRef pm_block_before(LLVMBasicBlockRef block);

/* Searches the address computations (getelementptr) that are always executed before `gep`, and
 * returns whether like(before, gep) is true for one of them. */
bool pm_has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep));

#endif
