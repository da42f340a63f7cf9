/* Removes the private copies of struct arguments that CUDA kernels only read.
 *
 * A kernel may change a struct that it takes by value, so clang first copies the struct argument to
 * a private variable. If the kernel only reads the variable, NVIDIA's compiler reads the argument
 * itself in constant memory, also at indices that are not constant.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cuda/cuda.h"

#include "collector/engine/backend/ir/ir.h"

enum { DEEPEST = 24 };

static bool is_copy(LLVMValueRef user)
{
    return LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user);
}

static bool is_only_read(LLVMValueRef address, LLVMValueRef copy, unsigned depth);

static bool reads(LLVMValueRef user, LLVMValueRef address, LLVMValueRef copy, unsigned depth)
{
    if (PM_IS(user, LLVMGetElementPtr, LLVMAddrSpaceCast, LLVMBitCast))
        return is_only_read(user, copy, depth);
    if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user) || user == copy)
        return true;
    return (is_copy(user) && LLVMGetOperand(user, 0) != address) ||
           (LLVMIsACallInst(user) && pm_starts(pm_callee_name(user), "llvm.lifetime"));
}

/* Returns whether a private variable is only read, apart from the instruction `copy`, which fills
 * it. address: the variable, or an address in it. */
static bool is_only_read(LLVMValueRef address, LLVMValueRef copy, unsigned depth)
{
    if (depth == DEEPEST)
        return false;
    PM_EACH_USE(use, address)
        if (!reads(LLVMGetUser(use), address, copy, depth + 1))
            return false;
    return true;
}

/* Removes the calls of llvm.lifetime for a variable, before the variable is removed. */
static void drop_lifetimes(LLVMValueRef variable)
{
    LLVMUseRef next;

    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);

        next = LLVMGetNextUse(use);
        if (LLVMIsACallInst(user) && pm_starts(pm_callee_name(user), "llvm.lifetime"))
            LLVMInstructionEraseFromParent(user);
    }
}

/* `copy` is an instruction that copies a struct argument to a private variable. If the variable is
 * only read otherwise, uses the argument in its place and removes the variable. */
static void drop_copy(LLVMValueRef kernel, LLVMValueRef copy)
{
    LLVMValueRef variable = LLVMGetOperand(copy, 0), argument = LLVMGetOperand(copy, 1);
    const int i = pm_parameter_index(kernel, argument);

    if (i < 0 || !pm_parameter_attribute(kernel, (unsigned)i, "byval") ||
        !LLVMIsAAllocaInst(variable) || !is_only_read(variable, copy, 0))
        return;
    LLVMInstructionEraseFromParent(copy);
    drop_lifetimes(variable);
    LLVMReplaceAllUsesWith(variable, argument);
    LLVMInstructionEraseFromParent(variable);
}

void pm_cuda_drop_copies(LLVMModuleRef module)
{
    PM_EACH_FUNCTION(f, module)
        PM_EACH_BLOCK(block, f)
            for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
                next = LLVMGetNextInstruction(i);
                /* Skip private variables, because drop_copy may erase one of them, which could be
                 * the next instruction. */
                while (next && LLVMIsAAllocaInst(next))
                    next = LLVMGetNextInstruction(next);
                if (is_copy(i) && pm_cuda_is_lifted(f))
                    drop_copy(f, i);
            }
}
