/* Returns what a memory instruction accesses: its pointer, the type of its value, and the variable
 * or argument that it points into.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/accesses/sites.h"

#include "collector/engine/backend/addresses/pointer.h"

LLVMValueRef pm_site_pointer(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(instruction, 0);
    case LLVMStore:
        return LLVMGetOperand(instruction, 1);
    default:
        return NULL;
    }
}

LLVMTypeRef pm_site_type(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
        return LLVMTypeOf(instruction);
    case LLVMStore:
        return LLVMTypeOf(LLVMGetOperand(instruction, 0));
    default:
        return LLVMTypeOf(LLVMGetOperand(instruction, 1));
    }
}

LLVMValueRef pm_site_object(LLVMValueRef pointer)
{
    uint64_t offset, stride;

    return pm_pointer_object(pointer, NULL, &offset, &stride);
}
