/* What integer arithmetic costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exceptions to one machine instruction for one of IR: multiply-add and shift-add, additions
 * and logic of three operands, 64-bit integers, bytes, divisions, and sums that are addresses.
 */
#include "addresses.h"
#include "count_parts.h"
#include "ir.h"

/* Words of an integer result that anything uses. */
static double used_words(LLVMValueRef instruction)
{
    return pm_is_low_word(instruction) ? 1.0 : pm_integer_words(LLVMTypeOf(instruction));
}

static bool is_sum(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMAdd) || pm_is_opcode(value, LLVMSub);
}

static bool is_logic(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMAnd) || pm_is_opcode(value, LLVMOr) ||
           pm_is_opcode(value, LLVMXor);
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

static bool has_fused_operand(LLVMValueRef sum)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if ((pm_is_opcode(operand, LLVMMul) ||
             (pm_is_opcode(operand, LLVMShl) && LLVMIsConstant(LLVMGetOperand(operand, 1)))) &&
            pm_only_user(operand) == sum)
            return true;
    }
    return false;
}

static bool is_extended(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMSExt) || pm_is_opcode(value, LLVMZExt);
}

/* A 64-bit product of what fits 32 bits is one IMAD.WIDE. */
static bool is_wide_product(LLVMValueRef product)
{
    LLVMValueRef right = LLVMGetOperand(product, 1);

    return pm_integer_bits(LLVMTypeOf(product)) == 64 && is_extended(LLVMGetOperand(product, 0)) &&
           (is_extended(right) || LLVMIsConstant(right));
}

static bool has_wide_operand(LLVMValueRef sum)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef operand = LLVMGetOperand(sum, i);

        if (pm_is_opcode(operand, LLVMMul) && is_wide_product(operand) &&
            pm_only_user(operand) == sum)
            return true;
    }
    return false;
}

static void add_sum(const pm_tally *t, LLVMValueRef sum)
{
    if (pm_is_index_sum(sum))
        return;
    if (has_wide_operand(sum))
        pm_tally_integer(t, sum, 1.0);
    else if (has_fused_operand(sum))
        pm_tally_integer(t, sum, used_words(sum));
    else
        pm_tally_integer(t, sum, used_words(sum) * share_of_three(sum, is_sum));
}

static void add_product(const pm_tally *t, LLVMValueRef product)
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

static void add_shift(const pm_tally *t, LLVMValueRef shift)
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

static void add_logic(const pm_tally *t, LLVMValueRef logic)
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

static void add_division(const pm_tally *t, LLVMValueRef division, pm_cost narrow, pm_cost wide)
{
    LLVMTypeRef type = LLVMTypeOf(division);
    bool rest = pm_is_opcode(division, LLVMURem) || pm_is_opcode(division, LLVMSRem);

    if (LLVMIsConstant(LLVMGetOperand(division, 1)))
        pm_tally_add(t, rest ? PM_COST_rem_constant : PM_COST_div_constant, pm_integer_words(type));
    else
        pm_tally_add(t, pm_integer_bits(type) > 32 ? wide : narrow, pm_type_elements(type));
}

bool pm_count_integer(const pm_tally *t, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
        add_sum(t, i);
        return true;
    case LLVMMul:
        add_product(t, i);
        return true;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        add_shift(t, i);
        return true;
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        add_logic(t, i);
        return true;
    case LLVMUDiv:
        add_division(t, i, PM_COST_udiv_i32, PM_COST_udiv_i64);
        return true;
    case LLVMSDiv:
        add_division(t, i, PM_COST_sdiv_i32, PM_COST_sdiv_i64);
        return true;
    case LLVMURem:
        add_division(t, i, PM_COST_urem_i32, PM_COST_urem_i64);
        return true;
    case LLVMSRem:
        add_division(t, i, PM_COST_srem_i32, PM_COST_srem_i64);
        return true;
    default:
        return false;
    }
}
