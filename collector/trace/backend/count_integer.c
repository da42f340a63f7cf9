/* What integer arithmetic costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exceptions to one machine instruction for one of IR: multiply-add and shift-add, additions
 * and logic of three operands, 64-bit integers, bytes, divisions, and sums that are addresses.
 */
#include "collector/trace/backend/addresses.h"
#include "collector/trace/backend/count_mix.h"
#include "collector/trace/backend/ir.h"

/* Words of an integer result that anything uses. */
static double used_words(LLVMValueRef instruction)
{
    return pm_is_low_word(instruction) ? 1.0 : pm_integer_words(LLVMTypeOf(instruction));
}

static bool is_sum(LLVMValueRef value)
{
    return PM_IS(value, LLVMAdd, LLVMSub);
}

static bool is_logic(LLVMValueRef value)
{
    return PM_IS(value, LLVMAnd, LLVMOr, LLVMXor);
}

/* Sums and logic take three operands at once (IADD3, LOP3): of a tree of n operations of two
 * operands half, rounded up, are left. Its root counts one, the others half each. */
static double share_of_three(LLVMValueRef instruction, bool (*like)(LLVMValueRef))
{
    LLVMValueRef user = pm_only_user(instruction);

    return user && like(user) && LLVMTypeOf(user) == LLVMTypeOf(instruction) ? 0.5 : 1.0;
}

/* A product and a sum are one IMAD, a shift and a sum one LEA: the sum is counted alone. */
static bool is_fused(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user && is_sum(user);
}

/* A 64-bit product of what fits 32 bits is one IMAD.WIDE. */
static bool is_wide_product(LLVMValueRef product)
{
    LLVMValueRef right;

    if (!pm_is_opcode(product, LLVMMul))
        return false;
    right = LLVMGetOperand(product, 1);
    return pm_integer_bits(LLVMTypeOf(product)) == 64 &&
           pm_is_extended(LLVMGetOperand(product, 0)) &&
           (pm_is_extended(right) || LLVMIsConstant(right));
}

static bool is_product(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMMul) ||
           (pm_is_opcode(value, LLVMShl) && LLVMIsConstant(LLVMGetOperand(value, 1)));
}

/* Whether the sum alone uses an operand that is `like` this. */
static bool has_operand(LLVMValueRef sum, bool (*like)(LLVMValueRef))
{
    for (unsigned i = 0; i < 2; i++)
        if (like(LLVMGetOperand(sum, i)) && pm_only_user(LLVMGetOperand(sum, i)) == sum)
            return true;
    return false;
}

void pm_count_sum(const pm_mix_tally *t, LLVMValueRef sum)
{
    if (pm_is_index_sum(sum))
        return;
    if (has_operand(sum, is_wide_product))
        pm_tally_integer(t, sum, 1.0);
    else if (has_operand(sum, is_product))
        pm_tally_integer(t, sum, used_words(sum));
    else
        pm_tally_integer(t, sum, used_words(sum) * share_of_three(sum, is_sum));
}

void pm_count_product(const pm_mix_tally *t, LLVMValueRef product)
{
    LLVMTypeRef type = LLVMTypeOf(product);

    if (pm_integer_bits(type) > 32 && !is_wide_product(product) && !pm_is_low_word(product))
        pm_tally_add(t, PM_COST_mul_i64, pm_type_elements(type));
    else if (!is_fused(product))
        pm_tally_integer(t, product, pm_type_elements(type));
}

/* Bytes are taken out of a word by one permutation, whether IR shifts, masks or truncates; but a
 * byte that is an index is scaled and masked at once, after a shift. */
static bool is_byte_mask(LLVMValueRef value)
{
    LLVMValueRef mask;

    if (!pm_is_opcode(value, LLVMAnd) || pm_is_index_only(value))
        return false;
    mask = LLVMGetOperand(value, 1);
    return LLVMIsAConstantInt(mask) && pm_integer_bits(LLVMTypeOf(mask)) <= 64 &&
           LLVMConstIntGetZExtValue(mask) == 0xff;
}

static bool feeds_byte(LLVMValueRef shift)
{
    LLVMValueRef user = pm_only_user(shift);

    return user && (is_byte_mask(user) ||
                    (pm_is_opcode(user, LLVMTrunc) && pm_integer_bits(LLVMTypeOf(user)) <= 16));
}

void pm_count_shift(const pm_mix_tally *t, LLVMValueRef shift)
{
    bool constant = LLVMIsConstant(LLVMGetOperand(shift, 1));

    if (pm_is_opcode(shift, LLVMShl) && constant && is_fused(shift))
        return;
    if (pm_is_opcode(shift, LLVMLShr) && constant && feeds_byte(shift))
        return;
    if (pm_is_word_move(shift))
        return;
    if (pm_is_sign_extension(shift))
        pm_tally_integer(t, shift, pm_is_index_only(shift) ? 0.0 : 1.0);
    else
        pm_tally_integer(t, shift, used_words(shift));
}

void pm_count_logic(const pm_mix_tally *t, LLVMValueRef logic)
{
    LLVMTypeRef type = LLVMTypeOf(logic);

    if (pm_integer_bits(type) == 1)
        return; /* part of the comparisons */
    if (pm_is_opcode(logic, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(logic, 1)) &&
        pm_is_index_only(logic))
        return; /* an addition without carries: the offset of a load or store */
    if (is_byte_mask(logic))
        pm_tally_add(t, PM_COST_permute, pm_integer_words(type));
    else
        pm_tally_integer(t, logic, used_words(logic) * share_of_three(logic, is_logic));
}

static pm_cost cost_of_division(LLVMOpcode opcode, bool wide)
{
    switch (opcode) {
    case LLVMUDiv:
        return wide ? PM_COST_udiv_i64 : PM_COST_udiv_i32;
    case LLVMSDiv:
        return wide ? PM_COST_sdiv_i64 : PM_COST_sdiv_i32;
    case LLVMURem:
        return wide ? PM_COST_urem_i64 : PM_COST_urem_i32;
    default:
        return wide ? PM_COST_srem_i64 : PM_COST_srem_i32;
    }
}

void pm_count_division(const pm_mix_tally *t, LLVMValueRef division)
{
    LLVMTypeRef type = LLVMTypeOf(division);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(division);

    if (!LLVMIsConstant(LLVMGetOperand(division, 1)))
        pm_tally_add(t, cost_of_division(opcode, pm_integer_bits(type) > 32),
                     pm_type_elements(type));
    else
        pm_tally_add(
            t, PM_IS(division, LLVMURem, LLVMSRem) ? PM_COST_rem_constant : PM_COST_div_constant,
            pm_integer_words(type));
}
