/* Creates the LLVM basic blocks of the PTX function that is being translated. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "compiler/ptx/emit/emitter.h"

LLVMBasicBlockRef pm_ptx_add_block(pm_ptx_emitter *e)
{
    return LLVMAppendBasicBlockInContext(e->context, e->function, "");
}

void pm_ptx_continue_in(pm_ptx_emitter *e, LLVMBasicBlockRef next)
{
    if (!e->ended)
        LLVMBuildBr(e->b, next);
    LLVMMoveBasicBlockAfter(next, LLVMGetLastBasicBlock(e->function));
    LLVMPositionBuilderAtEnd(e->b, next);
    e->ended = false;
}

LLVMBasicBlockRef pm_ptx_begin_if(pm_ptx_emitter *e, LLVMValueRef condition)
{
    LLVMBasicBlockRef then = pm_ptx_add_block(e), next = pm_ptx_add_block(e);

    LLVMBuildCondBr(e->b, condition, then, next);
    LLVMPositionBuilderAtEnd(e->b, then);
    return next;
}

void pm_ptx_end_if(pm_ptx_emitter *e, LLVMBasicBlockRef next)
{
    pm_ptx_continue_in(e, next);
}
