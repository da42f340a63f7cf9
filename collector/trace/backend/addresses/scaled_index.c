/* Indices of 64-bit addresses. See scaled_index.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/trace/backend/addresses/scaled_index.h"

#include "collector/trace/backend/addresses/earlier.h"
#include "collector/trace/backend/ir/ir.h"

enum { MOST_VISITS = 256 }; /* of uses of an index */

bool pm_is_narrow_index(LLVMValueRef index)
{
    return pm_integer_bits(LLVMTypeOf(index)) <= 32 || pm_is_extended(index);
}

bool pm_is_masked_index(LLVMValueRef index)
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
        return pm_has_before(gep, scales_alike) ? 0.0 : 2.0;
    return pm_is_sign_extension(index) ? 1.0 : 0.0;
}

/* Of the blocks that always come before an address's own, how many scale its index for another
 * address. */
static unsigned blocks_that_scale(LLVMValueRef gep)
{
    LLVMBasicBlockRef before[PM_MOST_BLOCKS];
    bool scales[PM_MOST_BLOCKS] = {false};
    LLVMBasicBlockRef block = pm_block_before(LLVMGetInstructionParent(gep));
    unsigned count = 0, visits = 0, found = 0;

    for (; block && count < PM_MOST_BLOCKS; block = pm_block_before(block))
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

    for (LLVMValueRef i = LLVMGetPreviousInstruction(gep); i && steps < PM_MOST_INSTRUCTIONS;
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
    else if (!pm_has_before(gep, scales_alike))
        cost->shared += 1.0;
    else
        cost->again += 1.0;
}

void pm_add_wide_index(LLVMValueRef gep, LLVMValueRef index, pm_address_cost *cost)
{
    if (LLVMIsConstant(index))
        return;
    if (!pm_is_narrow_index(index)) {
        const bool added = element_bytes(gep) == 1 || is_scaled_again(gep, index);

        cost->integer += 1.0 + scale_cost(gep, index) + (pm_is_global_offset(index) ? 1.0 : 0.0);
        *(added ? &cost->sum : &cost->integer) += 1.0;
    } else if (pm_is_masked_index(index) || element_bytes(gep) == 1) {
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
