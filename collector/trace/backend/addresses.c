/* The cost of addresses. See addresses.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "addresses.h"

#include <stddef.h>

#include "ir.h"

enum {
    MOST_BLOCKS = 16,         /* looked back through for an address to share */
    MOST_INSTRUCTIONS = 4096, /* likewise */
    MOST_DEPTH = 4            /* of extensions between a sum and an address */
};

static bool constant_indices(LLVMValueRef gep)
{
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        if (!LLVMIsConstant(LLVMGetOperand(gep, i)))
            return false;
    return true;
}

/* An address without its constant offset. */
static LLVMValueRef strip_offset(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr) && constant_indices(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool adds_constant(LLVMValueRef value)
{
    return (pm_is_opcode(value, LLVMAdd) || pm_is_opcode(value, LLVMOr)) &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* An index without the constant added to it and without its extension to 64 bits. */
static LLVMValueRef strip_index(LLVMValueRef index)
{
    while (pm_is_opcode(index, LLVMSExt) || pm_is_opcode(index, LLVMZExt) || adds_constant(index))
        index = LLVMGetOperand(index, 0);
    return index;
}

static bool same_but_offset(LLVMValueRef a, LLVMValueRef b)
{
    unsigned operands = (unsigned)LLVMGetNumOperands(a);

    if (operands != (unsigned)LLVMGetNumOperands(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b) ||
        strip_offset(LLVMGetOperand(a, 0)) != strip_offset(LLVMGetOperand(b, 0)))
        return false;
    for (unsigned i = 1; i < operands; i++) {
        LLVMValueRef left = LLVMGetOperand(a, i), right = LLVMGetOperand(b, i);

        if (LLVMIsConstant(left) && LLVMIsConstant(right))
            continue;
        if (strip_index(left) != strip_index(right))
            return false;
    }
    return true;
}

static LLVMBasicBlockRef only_predecessor(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef found = NULL;

    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
         use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        if (found && found != LLVMGetInstructionParent(user))
            return NULL;
        found = LLVMGetInstructionParent(user);
    }
    return found;
}

/* Whether an address that always comes before it differs by a constant alone. */
static bool is_shared(LLVMValueRef gep)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(gep);
    LLVMValueRef at = LLVMGetPreviousInstruction(gep);
    unsigned steps = 0;

    for (unsigned blocks = 0; block && blocks < MOST_BLOCKS; blocks++) {
        for (; at && steps < MOST_INSTRUCTIONS; at = LLVMGetPreviousInstruction(at), steps++)
            if (LLVMGetInstructionOpcode(at) == LLVMGetElementPtr && same_but_offset(at, gep))
                return true;
        block = only_predecessor(block);
        at = block ? LLVMGetLastInstruction(block) : NULL;
    }
    return false;
}

/* Whether a pointer only ends as the address of loads and stores, or in further addresses. */
static bool is_address_only(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!pm_is_opcode(user, LLVMLoad) && !pm_is_opcode(user, LLVMGetElementPtr) &&
            !(pm_is_opcode(user, LLVMStore) && LLVMGetOperand(user, 1) == pointer))
            return false;
    }
    return true;
}

/* 32-bit integers reach a 64-bit address in one multiply-add with a wide result. */
static bool is_narrow(LLVMValueRef index)
{
    return pm_integer_bits(LLVMTypeOf(index)) <= 32 || pm_is_opcode(index, LLVMSExt) ||
           pm_is_opcode(index, LLVMZExt);
}

double pm_address_cost(LLVMValueRef gep)
{
    unsigned words = pm_type_words(pm_element_type(LLVMTypeOf(gep)));
    double cost = 0.0;

    if (constant_indices(gep))
        return is_address_only(gep) ? 0.0 : words;
    if (is_shared(gep))
        return is_address_only(gep) ? 0.0 : words;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (!LLVMIsConstant(index))
            cost += words == 1 || is_narrow(index) ? 1.0 : 2.0;
    }
    return cost;
}

static bool index_only(LLVMValueRef value, unsigned depth)
{
    if (!LLVMGetFirstUse(value) || depth == MOST_DEPTH)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (pm_is_opcode(user, LLVMGetElementPtr) && LLVMGetOperand(user, 0) != value)
            continue;
        if (!(pm_is_opcode(user, LLVMSExt) || pm_is_opcode(user, LLVMZExt) ||
              adds_constant(user)) ||
            !index_only(user, depth + 1))
            return false;
    }
    return true;
}

bool pm_is_index_only(LLVMValueRef value)
{
    return index_only(value, 0);
}
