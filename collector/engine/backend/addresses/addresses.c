/* Estimates the number of machine instructions for the computation of addresses.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/addresses/addresses.h"

#include <stddef.h>

#include "collector/engine/backend/addresses/earlier.h"
#include "collector/engine/backend/addresses/linear.h"
#include "collector/engine/backend/addresses/scaled_index.h"
#include "collector/engine/backend/cuda/cuda.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/ir/texture.h"

enum {
    MOST_VISITS = 256
}; /* maximum number of values visited between a sum and the addresses that use it */

static bool constant_indices(LLVMValueRef gep)
{
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        if (!LLVMIsConstant(LLVMGetOperand(gep, i)))
            return false;
    return true;
}

LLVMValueRef pm_address_base(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr) && constant_indices(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static bool adds_constant(LLVMValueRef value)
{
    return PM_IS(value, LLVMAdd, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* Removes from an index all extensions to 64 bits and all additions of constants, and returns the
 * value that remains. */
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
        pm_address_base(LLVMGetOperand(a, 0)) != pm_address_base(LLVMGetOperand(b, 0)))
        return false;
    for (unsigned i = 1; i < operands; i++) {
        LLVMValueRef left = LLVMGetOperand(a, i), right = LLVMGetOperand(b, i);

        if (LLVMIsConstant(left) && LLVMIsConstant(right))
            continue;
        if (!pm_differ_by_constant(left, right))
            return false;
    }
    return true;
}

/* Returns whether an address is a constant offset from the start of a __constant variable. */
static bool is_constant_address(LLVMValueRef pointer)
{
    LLVMValueRef base = pm_address_base(pointer);

    while (LLVMIsAConstantExpr(base) && LLVMGetConstOpcode(base) == LLVMGetElementPtr)
        base = LLVMGetOperand(base, 0);
    return pm_cuda_is_constant_variable(base) ||
           (LLVMIsAGlobalVariable(base) &&
            LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == CONSTANT_SPACE);
}

bool pm_is_constant_operand(LLVMValueRef value)
{
    return LLVMIsALoadInst(value) &&
           (is_constant_address(LLVMGetOperand(value, 0)) || pm_is_descriptor_read(value));
}

/* Returns true if a pointer is computed from a pointer argument to __constant memory. NVIDIA's
 * compilers treat the argument's memory as global memory. */
static bool is_of_constant_argument(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAArgument(pointer) && !pm_cuda_is_constant_variable(pointer) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == CONSTANT_SPACE;
}

bool pm_is_offset_from(LLVMValueRef a, LLVMValueRef b)
{
    if (a == b)
        return false;
    return pm_address_base(a) == pm_address_base(b) ||
           (pm_is_opcode(a, LLVMGetElementPtr) && pm_is_opcode(b, LLVMGetElementPtr) &&
            same_but_offset(a, b));
}

/* Returns whether a pointer is used only as the address of loads and stores, or to compute other
 * addresses. */
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

/* Returns the cost of computing an address in shared or private memory. Such addresses have 32
 * bits. */
static pm_address_cost short_cost(LLVMValueRef gep)
{
    bool uniform = has_uniform_index(gep);
    pm_address_cost cost = {0};

    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);

        if (LLVMIsConstant(index) || pm_is_masked_index(index))
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
    pm_address_cost cost = {0};

    if (pm_fetch_of(gep) != PM_FETCH_NONE)
        return cost;
    if (constant_indices(gep) || pm_has_before(gep, same_but_offset)) {
        cost.integer = is_address_only(gep) ? 0.0 : words;
        return cost;
    }
    if (words == 1 && !is_of_constant_argument(gep))
        return short_cost(gep);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        pm_add_wide_index(gep, LLVMGetOperand(gep, i), &cost);
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

/* Returns whether a value is used only in indices of addresses (pm_is_index_only). *visits: number
 * of values that the search may still visit. */
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

/* Returns whether a value is used only in indices of addresses that differ from earlier addresses
 * by a constant (pm_is_offset_only). *visits: number of values that the search may still visit. */
static bool offset_only(LLVMValueRef value, unsigned *visits)
{
    if (!LLVMGetFirstUse(value) || *visits == 0)
        return false;
    --*visits;
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);
        bool step = pm_is_extended(user) || PM_IS(user, LLVMAdd, LLVMSub, LLVMOr, LLVMShl, LLVMMul);

        if (!(is_index_of(value, user) && pm_has_before(user, same_but_offset)) &&
            !(step && offset_only(user, visits)))
            return false;
    }
    return true;
}

bool pm_is_offset_only(LLVMValueRef value)
{
    unsigned visits = MOST_VISITS;

    return offset_only(value, &visits);
}

/* Returns whether an address computation uses the value as an index, directly or extended to 64
 * bits. */
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

/* Returns whether a sum has the same value if its operands are extended to 64 bits first. This
 * holds if the sum has 64 bits already, or if LLVM knows that it does not overflow. */
static bool may_extend(LLVMValueRef sum)
{
    return pm_integer_bits(LLVMTypeOf(sum)) == 64 || LLVMGetNSW(sum) || LLVMGetNUW(sum);
}

bool pm_is_index_sum(LLVMValueRef sum)
{
    if (pm_is_offset_only(sum))
        return true;
    if (!pm_is_index_only(sum))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if ((LLVMIsAConstantInt(operand) && may_extend(sum)) ||
            (LLVMIsAInstruction(operand) && has_address(operand)))
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
            pm_is_narrow_index(LLVMGetOperand(user, 1)))
            return true;
    }
    return false;
}

bool pm_is_uniform_address(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!pm_is_uniform(LLVMGetOperand(pointer, i)))
                return false;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return LLVMIsAArgument(pointer) || LLVMIsAConstant(pointer);
}
