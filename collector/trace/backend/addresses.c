/* The cost of addresses. See addresses.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/addresses.h"

#include <stddef.h>

#include "collector/trace/backend/ir.h"
#include "collector/trace/backend/linear.h"

enum {
    MOST_BLOCKS = 16,         /* looked back through for an address to share */
    MOST_INSTRUCTIONS = 4096, /* likewise */
    MOST_OF_SIDE = 12,        /* instructions of a side of a branch, its end too */
    MOST_VISITS = 256         /* of values between a sum and the addresses made of it */
};

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

bool pm_is_constant_operand(LLVMValueRef pointer)
{
    LLVMValueRef base = pm_address_base(pointer);

    while (LLVMIsAConstantExpr(base) && LLVMGetConstOpcode(base) == LLVMGetElementPtr)
        base = LLVMGetOperand(base, 0);
    return LLVMIsAGlobalVariable(base) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == CONSTANT_SPACE;
}

/* Such memory is global to NVIDIA's compilers, see pm_unit_reads_constants. */
static bool is_of_constant_argument(LLVMValueRef pointer)
{
    while (pm_is_opcode(pointer, LLVMGetElementPtr))
        pointer = LLVMGetOperand(pointer, 0);
    return LLVMIsAArgument(pointer) &&
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

/* Up to two blocks that lead to one; false: more do. */
static bool find_predecessors(LLVMBasicBlockRef block, LLVMBasicBlockRef found[2])
{
    found[0] = found[1] = NULL;
    PM_EACH_USE(use, LLVMBasicBlockAsValue(block)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMBasicBlockRef from;

        if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user))
            continue;
        from = LLVMGetInstructionParent(user);
        if (from == found[0] || from == found[1])
            continue;
        if (found[1])
            return false;
        found[found[0] ? 1 : 0] = from;
    }
    return true;
}

/* Short enough to be under a predicate, all but its addresses. */
static bool is_side_of(LLVMBasicBlockRef side, LLVMBasicBlockRef branch)
{
    LLVMBasicBlockRef from[2];
    unsigned count = 0;

    if (!find_predecessors(side, from) || from[0] != branch || from[1])
        return false;
    PM_EACH_INSTRUCTION(i, side)
        count++;
    return count <= MOST_OF_SIDE;
}

/* What runs before a block, if its addresses are known here; NULL: nothing does. Where work-items
 * meet behind the one side of a branch, that side: what it loads is under a predicate, but the
 * address is computed all the same. */
static LLVMBasicBlockRef block_before(LLVMBasicBlockRef block)
{
    LLVMBasicBlockRef from[2];

    if (!find_predecessors(block, from))
        return NULL;
    if (!from[1] || is_side_of(from[0], from[1]))
        return from[0];
    return is_side_of(from[1], from[0]) ? from[1] : NULL;
}

/* Whether an address that always comes before it is like this one. */
static bool has_before(LLVMValueRef gep, bool (*like)(LLVMValueRef before, LLVMValueRef gep))
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(gep);
    LLVMValueRef at = LLVMGetPreviousInstruction(gep);
    unsigned steps = 0;

    for (unsigned blocks = 0; block && blocks < MOST_BLOCKS; blocks++) {
        for (; at && steps < MOST_INSTRUCTIONS; at = LLVMGetPreviousInstruction(at), steps++)
            if (LLVMGetInstructionOpcode(at) == LLVMGetElementPtr && like(at, gep))
                return true;
        block = block_before(block);
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
    return pm_integer_bits(LLVMTypeOf(index)) <= 32 || pm_is_extended(index);
}

/* A mask is moved to where the index is wanted, scaled: what is left is a sum, none at all where
 * the base is in the instruction. */
static bool is_masked(LLVMValueRef index)
{
    if (pm_is_opcode(index, LLVMZExt))
        index = LLVMGetOperand(index, 0);
    return pm_is_opcode(index, LLVMAnd) && LLVMIsAConstantInt(LLVMGetOperand(index, 1));
}

static unsigned long long element_bytes(LLVMValueRef gep)
{
    return LLVMABISizeOfType(pm_layout_at(gep), LLVMGetGEPSourceElementType(gep));
}

/* Of two addresses with one index each: whether the same index is scaled by the same size. */
static bool scales_alike(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMGetNumOperands(a) >= 2 && LLVMGetNumOperands(b) >= 2 &&
           LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1) && element_bytes(a) == element_bytes(b);
}

/* Whether a use of an index is another address that scales it like this one. */
static bool is_alike(LLVMValueRef user, LLVMValueRef gep)
{
    return user != gep && pm_is_opcode(user, LLVMGetElementPtr) && scales_alike(user, gep);
}

static bool is_scaled_again(LLVMValueRef gep, LLVMValueRef index)
{
    PM_EACH_USE(use, index)
        if (is_alike(LLVMGetUser(use), gep))
            return true;
    return false;
}

/* Two words are shifted once for all bases that they are added to; LEA and LEA.HI.X shift and add
 * for a single base, after one more shift where the sign's word is to be made. */
static double scale_cost(LLVMValueRef gep, LLVMValueRef index)
{
    if (element_bytes(gep) == 1)
        return 0.0;
    if (is_scaled_again(gep, index))
        return has_before(gep, scales_alike) ? 0.0 : 2.0;
    return pm_is_sign_extension(index) ? 1.0 : 0.0;
}

/* Of the blocks that always come before an address's own, how many scale its index for another
 * address. */
static unsigned blocks_that_scale(LLVMValueRef gep)
{
    LLVMBasicBlockRef before[MOST_BLOCKS];
    bool scales[MOST_BLOCKS] = {false};
    LLVMBasicBlockRef block = block_before(LLVMGetInstructionParent(gep));
    unsigned count = 0, visits = 0, found = 0;

    for (; block && count < MOST_BLOCKS; block = block_before(block))
        before[count++] = block;
    PM_EACH_USE(use, LLVMGetOperand(gep, 1)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (visits++ == MOST_VISITS)
            break;
        for (unsigned i = 0; i < count && is_alike(user, gep); i++)
            scales[i] = scales[i] || LLVMGetInstructionParent(user) == before[i];
    }
    for (unsigned i = 0; i < count; i++)
        found += scales[i];
    return found;
}

/* Whether others are constants away from an address: its index is then computed anew. */
static bool has_neighbours(LLVMValueRef gep)
{
    PM_EACH_USE(use, gep)
        if (pm_is_opcode(LLVMGetUser(use), LLVMGetElementPtr))
            return true;
    return false;
}

/* How many earlier blocks scale an index that LEA can scale, too. */
static unsigned blocks_far_from(LLVMValueRef gep)
{
    const unsigned long long bytes = element_bytes(gep);

    return (bytes & (bytes - 1)) == 0 && !has_neighbours(gep) ? blocks_that_scale(gep) : 0;
}

/* Whether another address of the same block scales the same index. */
static bool is_scaled_beside(LLVMValueRef gep)
{
    unsigned visits = 0;

    PM_EACH_USE(use, LLVMGetOperand(gep, 1)) {
        LLVMValueRef user = LLVMGetUser(use);

        if (visits++ == MOST_VISITS)
            break;
        if (is_alike(user, gep) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(gep))
            return true;
    }
    return false;
}

/* Whether one that stands before it does. */
static bool is_scaled_above(LLVMValueRef gep)
{
    unsigned steps = 0;

    for (LLVMValueRef i = LLVMGetPreviousInstruction(gep); i && steps < MOST_INSTRUCTIONS;
         i = LLVMGetPreviousInstruction(i), steps++)
        if (is_alike(i, gep))
            return true;
    return false;
}

/* Of an address whose index of 32 bits an earlier block has scaled. The compiler has its product
 * from there, and the assembler, which would have to keep it, makes it again: LEA and LEA.HI.X for
 * a single base, two shifts and two additions for several, after the word of the sign, which is
 * kept. */
static double far_cost(LLVMValueRef gep, LLVMValueRef index, unsigned blocks)
{
    const bool several = is_scaled_beside(gep);
    const bool again = several && is_scaled_above(gep);
    double cost = 2.0;

    if (several && !again)
        cost += 2.0;
    if (!again && pm_is_opcode(index, LLVMSExt) && blocks == 1)
        cost += 1.0;
    return cost;
}

/* Of a 64-bit address whose index of 32 bits is scaled: IMAD.WIDE, and before compute
 * capability 7.0 what scales and adds two words. */
static void add_scaled_index(LLVMValueRef gep, LLVMValueRef index, pm_address_cost *cost)
{
    const unsigned long long bytes = element_bytes(gep);

    if ((bytes & (bytes - 1)) != 0)
        cost->multiplied += 1.0;
    else if (!is_scaled_again(gep, index))
        cost->scaled += 1.0;
    else if (!has_before(gep, scales_alike))
        cost->shared += 1.0;
    else
        cost->again += 1.0;
}

/* Of a 64-bit address: an index of 32 bits that is scaled, else a sum of two words. */
static void add_wide_index(LLVMValueRef gep, LLVMValueRef index, pm_address_cost *cost)
{
    if (LLVMIsConstant(index))
        return;
    if (!is_narrow(index)) {
        const bool added = element_bytes(gep) == 1 || is_scaled_again(gep, index);

        cost->integer += 1.0 + scale_cost(gep, index) + (pm_is_global_offset(index) ? 1.0 : 0.0);
        *(added ? &cost->sum : &cost->integer) += 1.0;
    } else if (is_masked(index) || element_bytes(gep) == 1) {
        cost->integer += 1.0;
        cost->sum += 1.0;
    } else {
        const unsigned blocks = blocks_far_from(gep);

        if (blocks > 0)
            cost->integer += far_cost(gep, index, blocks);
        else
            add_scaled_index(gep, index, cost);
    }
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
    pm_address_cost cost = {0};

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
    pm_address_cost cost = {0};

    if (constant_indices(gep) || has_before(gep, same_but_offset)) {
        cost.integer = is_address_only(gep) ? 0.0 : words;
        return cost;
    }
    if (words == 1 && !is_of_constant_argument(gep))
        return short_cost(gep);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++)
        add_wide_index(gep, LLVMGetOperand(gep, i), &cost);
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

/* Whether nothing is made of a value but addresses that others come to by an offset. */
static bool offset_only(LLVMValueRef value, unsigned *visits)
{
    if (!LLVMGetFirstUse(value) || *visits == 0)
        return false;
    --*visits;
    PM_EACH_USE(use, value) {
        LLVMValueRef user = LLVMGetUser(use);
        bool step = pm_is_extended(user) || PM_IS(user, LLVMAdd, LLVMSub, LLVMOr, LLVMShl, LLVMMul);

        if (!(is_index_of(value, user) && has_before(user, same_but_offset)) &&
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

/* Whether adding to what is extended is extending the sum, one way or the other. */
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
            is_narrow(LLVMGetOperand(user, 1)))
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
