/* Finds the calls that record from which PTX basic block a part of an LLVM module was translated,
 * stores the block numbers in a list, and removes the calls. See marks.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/module/marks.h"

#include <stdlib.h>

#include "compiler/ptx/emit/compile.h"

static int by_block(const void *a, const void *b)
{
    const uintptr_t x = (uintptr_t)((const pm_mark *)a)->block;
    const uintptr_t y = (uintptr_t)((const pm_mark *)b)->block;

    return (x > y) - (x < y);
}

pm_marks pm_marks_take(LLVMModuleRef module, pm_memory *memory)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, PM_PTX_MARK);
    pm_marks marks = {.count = 0};
    LLVMUseRef use;

    while (function && (use = LLVMGetFirstUse(function))) {
        LLVMValueRef call = LLVMGetUser(use);

        *pm_add(memory, marks.marks, marks.count) =
            (pm_mark){LLVMGetInstructionParent(call),
                      (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0))};
        LLVMInstructionEraseFromParent(call);
    }
    if (function)
        LLVMDeleteFunction(function);
    if (marks.count > 0)
        qsort(marks.marks, marks.count, sizeof *marks.marks, by_block);
    return marks;
}

const pm_mark *pm_marks_of(const pm_marks *marks, LLVMBasicBlockRef block, uint32_t *count)
{
    size_t low = 0, high = marks->count;

    while (low < high) {
        const size_t middle = (low + high) / 2;

        if ((uintptr_t)marks->marks[middle].block < (uintptr_t)block)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < marks->count && marks->marks[low + *count].block == block)
        ++*count;
    return &marks->marks[low];
}
