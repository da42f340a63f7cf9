/* Finds addresses that are always computed before another address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/addresses/earlier.h"

#include <stddef.h>

#include "collector/engine/backend/ir/ir.h"

enum {
    MOST_OF_SIDE = 12
}; /* maximum number of instructions, with the terminator, of a side of a branch that counts as
      predicated */

/* Sets found[] to the predecessors of a basic block (NULL: none). false if there are more than
 * two. */
static bool find_predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef found[2])
{
    found[0] = found[1] = NULL;
    PM_EACH_USE(use, LLVMBasicBlockAsValue(block)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef from;

        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        from = LLVMGetInstructionParent(user);
        if (from == found[0] || from == found[1])
            continue;
        if (found[1])
            return false;
        found[found[0] ? 1 : 0] = from;
    }
    return true;
}

/* Returns whether basic block `side` has only the predecessor `branch` and is short enough to be
 * predicated. The compiler then computes the addresses in `side` unconditionally. */
static bool is_side_of(LLVMBasicBlockRef side, LLVMBasicBlockRef branch)
{
    LLVMBasicBlockRef from[2];
    unsigned count = 0;

    if (!find_predecessors(side, from) || from[0] != branch || from[1])
        return false;
    PM_EACH_INSTRUCTION(i, side)
        count++;
    return count <= MOST_OF_SIDE;
}

LLVMBasicBlockRef pm_block_before(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from[2];

    if (!find_predecessors(block, from))
        return NULL;
    if (!from[1] || is_side_of(from[0], from[1]))
        return from[0];
    return is_side_of(from[1], from[0]) ? from[1] : NULL;
}

bool pm_has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep))
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(gep);
    LLVMValueRef at = LLVMGetPreviousInstruction(gep);
    unsigned steps = 0;

    for (unsigned blocks = 0; block && blocks < PM_MOST_BLOCKS; blocks++) {
        for (; at && steps < PM_MOST_INSTRUCTIONS; at = LLVMGetPreviousInstruction(at), steps++)
            if (LLVMGetInstructionOpcode(at) == LLVMGetElementPtr && like(at, gep))
                return true;
        block = pm_block_before(block);
        at = block ? LLVMGetLastInstruction(block) : NULL;
    }
    return false;
}
