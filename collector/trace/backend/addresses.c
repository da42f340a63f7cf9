/* The cost of addresses. See addresses.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/addresses.h"

#include <stddef.h>

#include "collector/trace/backend/ir.h"

enum {
    MOST_BLOCKS = 16,         /* looked back through for an address to share */
    MOST_INSTRUCTIONS = 4096, /* likewise */
    MOST_VISITS = 256         /* of values between a sum and the addresses made of it */
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
    return PM_IS(value, LLVMAdd, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* An index without the constant added to it and without its extension to 64 bits. */
static LLVMValueRef strip_index(LLVMValueRef index)
{
    while (pm_is_extended(index) || adds_constant(index))
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

    PM_EACH_USE(use, LLVMBasicBlockAsValue(block)) {
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
    PM_EACH_USE(use, pointer) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!PM_IS(user, LLVMLoad, LLVMGetElementPtr) &&
            !(pm_is_opcode(user, LLVMStore) && LLVMGetOperand(user, 1) == pointer))
            return false;
    }
    return true;
}

/* 32-bit integers reach a 64-bit address in one multiply-add with a wide result. */
static bool is_narrow(LLVMValueRef index)
{
    return pm_integer_bits(LLVMTypeOf(index)) <= 32 || pm_is_extended(index) ||
           pm_is_sign_extension(index);
}

/* A mask is moved to where the index is wanted, scaled: what is left is a sum, none at all where
 * the base is in the instruction. */
static bool is_masked(LLVMValueRef index)
{
    if (pm_is_opcode(index, LLVMZExt))
        index = LLVMGetOperand(index, 0);
    return pm_is_opcode(index, LLVMAnd) && LLVMIsAConstantInt(LLVMGetOperand(index, 1));
}

/* Of a 64-bit address. */
static double wide_index_cost(LLVMValueRef index)
{
    if (LLVMIsConstant(index))
        return 0.0;
    return is_narrow(index) && !is_masked(index) ? 1.0 : 2.0;
}

static bool has_uniform_index(LLVMValueRef gep)
{
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (!LLVMIsConstant(index) && pm_is_uniform(index))
            return true;
    }
    return false;
}

static bool is_defined_beside(LLVMValueRef index, LLVMValueRef gep)
{
    index = strip_index(index);
    return LLVMIsAInstruction(index) &&
           LLVMGetInstructionParent(index) == LLVMGetInstructionParent(gep);
}

/* Of a 32-bit address, in shared or private memory. */
static pm_address_cost short_cost(LLVMValueRef gep)
{
    bool uniform = has_uniform_index(gep);
    pm_address_cost cost = {0.0, 0.0};

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (LLVMIsConstant(index) || is_masked(index))
            continue;
        if (pm_is_uniform(index))
            cost.uniform += 1.0;
        else if (!uniform || is_defined_beside(index, gep))
            cost.integer += 1.0;
    }
    return cost;
}

pm_address_cost pm_address_cost_of(LLVMValueRef gep)
{
    unsigned words = pm_type_words(pm_element_type(LLVMTypeOf(gep)));
    pm_address_cost cost = {0.0, 0.0};

    if (constant_indices(gep) || is_shared(gep)) {
        cost.integer = is_address_only(gep) ? 0.0 : words;
        return cost;
    }
    if (words == 1)
        return short_cost(gep);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        cost.integer += wide_index_cost(LLVMGetOperand(gep, i));
    return cost;
}

static bool is_index_step(LLVMValueRef user)
{
    return pm_is_extended(user) || pm_is_opcode(user, LLVMAdd) || adds_constant(user);
}

static bool is_index_of(LLVMValueRef value, LLVMValueRef user)
{
    return pm_is_opcode(user, LLVMGetElementPtr) && LLVMGetOperand(user, 0) != value;
}

/* visits: how many values the search may still look at. */
static bool index_only(LLVMValueRef value, unsigned *visits)
{
    if (!LLVMGetFirstUse(value) || *visits == 0)
        return false;
    --*visits;
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!is_index_of(value, user) && !(is_index_step(user) && index_only(user, visits)))
            return false;
    }
    return true;
}

bool pm_is_index_only(LLVMValueRef value)
{
    unsigned visits = MOST_VISITS;

    return index_only(value, &visits);
}

/* Whether an address is made of the value itself, extended or not. */
static bool has_address(LLVMValueRef value)
{
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);

        if (is_index_of(value, user))
            return true;
        if (!pm_is_extended(user))
            continue;
        PM_EACH_USE(wide, user)
            if (is_index_of(user, LLVMGetUser(wide)))
                return true;
    }
    return false;
}

bool pm_is_index_sum(LLVMValueRef sum)
{
    if (!pm_is_index_only(sum))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if (LLVMIsAConstantInt(operand) || (LLVMIsAInstruction(operand) && has_address(operand)))
            return true;
    }
    return false;
}

bool pm_is_wide_base(LLVMValueRef pointer)
{
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind)
        return false;
    PM_EACH_USE(use, pointer) {
        LLVMValueRef user = LLVMGetUser(use);

        if (pm_is_opcode(user, LLVMGetElementPtr) && !constant_indices(user) &&
            is_narrow(LLVMGetOperand(user, 1)))
            return true;
    }
    return false;
}
