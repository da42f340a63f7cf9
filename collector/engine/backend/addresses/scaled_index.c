/* Estimates the number of instructions for adding a scaled index to a 64-bit base address.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/addresses/scaled_index.h"

#include "collector/engine/backend/addresses/earlier.h"
#include "collector/engine/backend/ir/ir.h"

enum { MOST_VISITS = 256 }; /* maximum number of visited uses of an index */

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

/* Returns whether two address computations have the same first index, and scale it by the same
 * element size. */
static bool scales_alike(LLVMValueRef a, LLVMValueRef b)
{
    return LLVMGetNumOperands(a) >= 2 && LLVMGetNumOperands(b) >= 2 &&
           LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1) && element_bytes(a) == element_bytes(b);
}

/* Returns whether `user`, an instruction that uses the index of the address computation `gep`, is
 * another address computation that scales the index by the same element size. */
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

/* Returns the number of additional instructions for scaling a 64-bit index. If the scaled index is
 * added to several bases, its two words are shifted once, for the first base. If there is a single
 * base, LEA and LEA.HI.X shift and add at once. A sign-extended index needs one instruction more
 * for its upper word. */
static double scale_cost(LLVMValueRef gep, LLVMValueRef index)
{
    if (element_bytes(gep) == 1)
        return 0.0;
    if (is_scaled_again(gep, index))
        return pm_has_before(gep, scales_alike) ? 0.0 : 2.0;
    return pm_is_sign_extension(index) ? 1.0 : 0.0;
}

/* Returns the number of basic blocks that are always executed before the block of `gep` and that
 * scale the same index for another address. */
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

/* Returns whether other addresses are computed from this one. The compiler then scales the index of
 * this address again, although an earlier block has already computed the product. */
static bool has_neighbours(LLVMValueRef gep)
{
    PM_EACH_USE(use, gep)
        if (pm_is_opcode(LLVMGetUser(use), LLVMGetElementPtr))
            return true;
    return false;
}

/* Returns the number of earlier basic blocks that scale the same index. Returns 0 if the element
 * size is not a power of two, because the instruction LEA then cannot scale the index, or if other
 * addresses are computed from this one. */
static unsigned blocks_far_from(LLVMValueRef gep)
{
    const unsigned long long bytes = element_bytes(gep);

    return (bytes & (bytes - 1)) == 0 && !has_neighbours(gep) ? blocks_that_scale(gep) : 0;
}

/* Returns whether another address computation in the same basic block scales the same index. */
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

/* Returns whether an earlier address computation in the same basic block scales the same index. */
static bool is_scaled_above(LLVMValueRef gep)
{
    unsigned steps = 0;

    for (LLVMValueRef i = LLVMGetPreviousInstruction(gep); i && steps < PM_MOST_INSTRUCTIONS;
         i = LLVMGetPreviousInstruction(i), steps++)
        if (is_alike(i, gep))
            return true;
    return false;
}

/* Returns the number of integer instructions of an address whose 32-bit index was scaled in an
 * earlier basic block. NVIDIA's compiler reuses that product in PTX, but its assembler computes it
 * again to save registers: by LEA and LEA.HI.X for a single base, by two shifts and two additions
 * for several. The upper word of a sign-extended index takes one more instruction and then stays in
 * a register. */
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

/* Adds to *cost the cost of adding a scaled 32-bit index to a 64-bit address: one IMAD.WIDE, or
 * several instructions before compute capability 7.0. */
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
