/* Cuts long basic blocks into short ones, so that LLVM compiles them faster.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/long_blocks.h"

#include <stdbool.h>
#include <stddef.h>

#include "collector/engine/backend/ir/ir.h"

static size_t length_of(LLVMBasicBlockRef block)
{
    size_t length = 0;

    PM_EACH_INSTRUCTION(i, block)
        length++;
    return length;
}

/* Replaces a phi by a copy in which the incoming basic block `old` is replaced by `now`. */
static void redo_phi(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef old,
                     LLVMBasicBlockRef now)
{
    LLVMValueRef other;

    LLVMPositionBuilderBefore(builder, phi);
    other = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);

        from = from == old ? now : from;
        LLVMAddIncoming(other, &value, &from, 1);
    }
    LLVMReplaceAllUsesWith(phi, other);
    LLVMInstructionEraseFromParent(phi);
}

/* Updates the phis in the successors of a basic block that was split: their incoming block is no
 * longer `old`, but the block's last part `now`. */
static void redo_phis(LLVMBuilderRef builder, LLVMBasicBlockRef old, LLVMBasicBlockRef now)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(now);

    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++)
        for (LLVMValueRef phi = LLVMGetFirstInstruction(LLVMGetSuccessor(end, k)), next;
             phi && LLVMIsAPHINode(phi); phi = next) {
            next = LLVMGetNextInstruction(phi);
            redo_phi(builder, phi, old, now);
        }
}

/* Moves the last `count` instructions of a basic block into a new block, which follows it, and
 * returns the new block. The caller must add a jump to the new block. */
static LLVMBasicBlockRef take_end(LLVMBuilderRef builder, LLVMBasicBlockRef block, size_t count)
{
    LLVMBasicBlockRef next = LLVMGetNextBasicBlock(block), end;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(LLVMGetFirstInstruction(block)));

    end = next ? LLVMInsertBasicBlockInContext(context, next, "")
               : LLVMAppendBasicBlockInContext(context, LLVMGetBasicBlockParent(block), "");
    LLVMPositionBuilderAtEnd(builder, end);
    while (count-- > 0) {
        LLVMValueRef last = LLVMGetLastInstruction(block), first = LLVMGetFirstInstruction(end);

        LLVMInstructionRemoveFromParent(last);
        if (first)
            LLVMPositionBuilderBefore(builder, first);
        LLVMInsertIntoBuilder(builder, last);
    }
    return end;
}

static void cut(LLVMBuilderRef builder, LLVMBasicBlockRef block, size_t most)
{
    size_t length = length_of(block), phis = 0;
    bool first = true;

    PM_EACH_PHI(phi, block)
        phis++;
    while (length > phis + most) {
        LLVMBasicBlockRef end = take_end(builder, block, most - 1);

        if (first)
            redo_phis(builder, block, end);
        first = false;
        LLVMPositionBuilderAtEnd(builder, block);
        LLVMBuildBr(builder, end);
        length -= most - 2;
    }
}

void pm_long_blocks_cut(LLVMModuleRef module, size_t most)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    PM_EACH_FUNCTION(f, module)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f), next; b; b = next) {
            next = LLVMGetNextBasicBlock(b);
            cut(builder, b, most);
        }
    LLVMDisposeBuilder(builder);
}
