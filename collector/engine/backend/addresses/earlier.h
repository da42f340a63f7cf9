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
    PM_MOST_INSTRUCTIONS = 4096 /* maximum number of instructions that the search visits */
};

/* Returns the basic block that always executes before `block`, and whose addresses are then
 * available; NULL: there is none. If `block` follows a branch with one short side, the result is
 * that side, because its loads are predicated, but its addresses are computed unconditionally. */
LLVMBasicBlockRef pm_block_before(LLVMBasicBlockRef block);

/* Returns whether an address that is always computed before `gep` satisfies like(before, gep). */
bool pm_has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep));

#endif
