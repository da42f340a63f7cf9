/* What has to come before what inside a segment. See order.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "order.h"

#include "ir.h"
#include "sites.h"

/* Waits until all operands that the segment itself computes are there. A phi's come from before. */
static uint32_t waits_for_operands(LLVMValueRef instruction, uint32_t segment,
                                   const pm_values *values)
{
    uint32_t most = 0;

    if (LLVMIsAPHINode(instruction))
        return 0;
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        const pm_value *value = LLVMIsAInstruction(operand) ? pm_value_of(values, operand) : NULL;

        if (value && value->segment == segment && value->waits > most)
            most = value->waits;
    }
    return most;
}

static bool writes_global(LLVMValueRef instruction)
{
    LLVMValueRef pointer = LLVMIsALoadInst(instruction) ? NULL : pm_site_pointer(instruction);

    return pointer && LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != SHARED_SPACE &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) != PRIVATE_SPACE;
}

/* A warp starts its instructions in order and waits where one needs a load that is not there yet;
 * the compiler moves loads up to where their addresses are known, but not past a store. So loads
 * that need the same number of waits before them are under way together. */
void pm_order_waits(const pm_segment *segment, uint32_t number, pm_values *values)
{
    uint32_t since_store = 0;

    for (LLVMValueRef i = segment->first;; i = LLVMGetNextInstruction(i)) {
        pm_value *value = pm_value_of(values, i);
        uint32_t waits = waits_for_operands(i, number, values);

        if (writes_global(i) && waits > since_store)
            since_store = waits;
        if (LLVMIsALoadInst(i))
            waits = (waits > since_store ? waits : since_store) + 1;
        if (value)
            value->waits = waits;
        if (i == segment->last)
            break;
    }
}

double pm_order_depth(LLVMValueRef instruction, double instructions, const pm_values *values)
{
    pm_value *value = pm_value_of(values, instruction);
    double most = 0;

    for (unsigned i = 0;
         !LLVMIsAPHINode(instruction) && i < (unsigned)LLVMGetNumOperands(instruction); i++) {
        LLVMValueRef operand = LLVMGetOperand(instruction, i);
        const pm_value *before = LLVMIsAInstruction(operand) ? pm_value_of(values, operand) : NULL;

        if (before && before->segment == value->segment && before->depth > most)
            most = before->depth;
    }
    value->depth = most + instructions;
    return value->depth;
}
