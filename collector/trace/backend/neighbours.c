/* Helps LLVM to see that accesses are neighbours. See neighbours.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "neighbours.h"

#include <llvm/Config/llvm-config.h>
#include <stdbool.h>

/* x | low with low = 2^k - 1, of at most 64 bits. */
static bool sets_low_bits(LLVMValueRef instruction, unsigned long long *low)
{
    LLVMValueRef constant;

    if (LLVMGetInstructionOpcode(instruction) != LLVMOr)
        return false;
    constant = LLVMGetOperand(instruction, 1);
    if (!LLVMIsAConstantInt(constant) || LLVMGetIntTypeWidth(LLVMTypeOf(constant)) > 64)
        return false;
    *low = LLVMConstIntGetZExtValue(constant);
    return *low != 0 && (*low & (*low + 1)) == 0;
}

static void rewrite(LLVMBuilderRef builder, LLVMValueRef instruction, unsigned long long low)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMValueRef base, sum;

    LLVMPositionBuilderBefore(builder, instruction);
    base = LLVMBuildAnd(builder, LLVMGetOperand(instruction, 0), LLVMConstInt(type, ~low, 0), "");
    sum = LLVMBuildAdd(builder, base, LLVMConstInt(type, low, 0), "");
    if (LLVMIsAInstruction(sum)) { /* the low bits of base are 0: nothing is carried */
        LLVMSetNUW(sum, 1);
        LLVMSetNSW(sum, 1);
    }
    LLVMReplaceAllUsesWith(instruction, sum);
    LLVMInstructionEraseFromParent(instruction);
}

void pm_neighbours_show(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef next;
    unsigned long long low;

    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (sets_low_bits(i, &low))
                    rewrite(builder, i, low);
            }
    LLVMDisposeBuilder(builder);
}
