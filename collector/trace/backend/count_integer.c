/* What integer arithmetic costs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The exceptions to one machine instruction for one of IR: multiply-add and shift-add, additions
 * and logic of three operands, 64-bit integers, bytes, divisions, and sums that are addresses.
 */
#include <stdint.h>

#include "collector/trace/backend/addresses.h"
#include "collector/trace/backend/count_mix.h"
#include "collector/trace/backend/ir.h"
#include "collector/trace/backend/words.h"

/* Machine instructions of an operation whose words are computed one by one. */
static double word_operations(LLVMValueRef operation)
{
    return (double)pm_type_elements(LLVMTypeOf(operation)) * pm_computed_words(operation);
}

static bool is_sum(LLVMValueRef value)
{
    return PM_IS(value, LLVMAdd, LLVMSub);
}

static bool is_logic(LLVMValueRef value)
{
    return PM_IS(value, LLVMAnd, LLVMOr, LLVMXor);
}

static bool is_inner(LLVMValueRef value, bool (*like)(LLVMValueRef))
{
    LLVMValueRef user = pm_only_user(value);

    return like(value) && user && like(user) && LLVMTypeOf(user) == LLVMTypeOf(value);
}

/* Operations on a word in a tree of those that are `like` its root. */
static unsigned tree_size(LLVMValueRef root, bool (*like)(LLVMValueRef), unsigned word)
{
    unsigned size = pm_computes_word(root, word);

    for (unsigned i = 0; i < 2; i++)
        if (is_inner(LLVMGetOperand(root, i), like))
            size += tree_size(LLVMGetOperand(root, i), like, word);
    return size;
}

/* Sums and logic take three operands at once (IADD3, LOP3): of a tree of n operations of two
 * operands half, rounded up, are left. The root counts them. */
static double of_three(LLVMValueRef root, bool (*like)(LLVMValueRef))
{
    unsigned left = 0;

    if (is_inner(root, like))
        return 0.0;
    for (unsigned word = 0; word < pm_words_of(root); word++)
        left += (tree_size(root, like, word) + 1) / 2;
    return (double)pm_type_elements(LLVMTypeOf(root)) * left;
}

/* A product and a sum are one IMAD, a shift and a sum one LEA: the sum is counted alone. */
static bool is_fused(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    return user &&
           (pm_is_opcode(user, LLVMGetElementPtr) ||
            (is_sum(user) && pm_is_first_of(product, user, LLVMGetInstructionOpcode(product))));
}

/* A 64-bit integer made of one word. */
static bool is_one_word(LLVMValueRef value)
{
    return pm_is_extended(value) || pm_is_low_mask(value);
}

/* A 64-bit product of what fits 32 bits is one IMAD.WIDE. */
static bool is_wide_product(LLVMValueRef product)
{
    LLVMValueRef right;

    if (!pm_is_opcode(product, LLVMMul))
        return false;
    right = LLVMGetOperand(product, 1);
    return pm_integer_bits(LLVMTypeOf(product)) == 64 && is_one_word(LLVMGetOperand(product, 0)) &&
           (is_one_word(right) || LLVMIsConstant(right));
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

/* Without a product in it. */
static bool is_plain_sum(LLVMValueRef value)
{
    return is_sum(value) && !has_operand(value, is_product);
}

static bool is_multiplication(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMMul);
}

void pm_count_sum(const pm_mix_tally *t, LLVMValueRef sum)
{
    if (pm_is_index_sum(sum))
        return;
    if (has_operand(sum, is_wide_product))
        pm_tally_integer(t, sum, PM_COST_multiply, 1.0);
    else if (has_operand(sum, is_product))
        pm_tally_integer(t, sum,
                         has_operand(sum, is_multiplication) ? PM_COST_multiply : PM_COST_integer,
                         word_operations(sum));
    else if (pm_computed_words(sum) > 1 && (pm_is_global_offset(LLVMGetOperand(sum, 0)) ||
                                            pm_is_global_offset(LLVMGetOperand(sum, 1))))
        pm_tally_integer(t, sum, PM_COST_integer, 3.0); /* SHF, IADD3, LEA.HI.X */
    else
        pm_tally_integer(t, sum,
                         tree_size(sum, is_plain_sum, 0) <= 1 ? PM_COST_sum : PM_COST_integer,
                         of_three(sum, is_plain_sum));
}

/* Whether the product of the same two with a wide result is there too, whose low word it is. */
static bool is_part_of_wide(LLVMValueRef product)
{
    LLVMValueRef left = LLVMGetOperand(product, 0), right = LLVMGetOperand(product, 1);

    if (pm_integer_bits(LLVMTypeOf(product)) != 32 || !LLVMIsAConstantInt(right))
        return false;
    PM_EACH_USE(use, left) {
        LLVMValueRef wide = LLVMGetUser(use);

        if (!pm_is_opcode(wide, LLVMZExt))
            continue;
        PM_EACH_USE(other, wide) {
            LLVMValueRef user = LLVMGetUser(other), by;

            if (!pm_is_opcode(user, LLVMMul))
                continue;
            by = LLVMGetOperand(user, 1);
            if (LLVMIsAConstantInt(by) && pm_integer_bits(LLVMTypeOf(by)) == 64 &&
                (uint32_t)LLVMConstIntGetZExtValue(by) == (uint32_t)LLVMConstIntGetZExtValue(right))
                return true;
        }
    }
    return false;
}

void pm_count_product(const pm_mix_tally *t, LLVMValueRef product)
{
    LLVMTypeRef type = LLVMTypeOf(product);

    if (pm_is_offset_only(product) || is_part_of_wide(product))
        return;
    if (pm_integer_bits(type) > 32 && !is_wide_product(product) && !pm_is_low_word(product))
        pm_tally_add(t, PM_COST_mul_i64, pm_type_elements(type));
    else if (!is_fused(product))
        pm_tally_integer(t, product, PM_COST_multiply, pm_type_elements(type));
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
    if (pm_is_offset_only(shift))
        return;
    if (pm_is_sign_extension(shift))
        pm_tally_integer(t, shift, PM_COST_integer, pm_is_index_only(shift) ? 0.0 : 1.0);
    else
        pm_tally_integer(t, shift,
                         pm_is_opcode(shift, LLVMShl) && constant ? PM_COST_shift_left
                                                                  : PM_COST_integer,
                         word_operations(shift));
}

void pm_count_logic(const pm_mix_tally *t, LLVMValueRef logic)
{
    LLVMTypeRef type = LLVMTypeOf(logic);

    if (pm_integer_bits(type) == 1)
        return; /* part of the comparisons */
    if (pm_is_opcode(logic, LLVMOr) && pm_is_offset_only(logic))
        return;
    if (pm_is_opcode(logic, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(logic, 1)) &&
        pm_is_index_only(logic))
        return; /* an addition without carries: the offset of a load or store */
    if (pm_is_low_mask(logic) && !pm_is_index(logic))
        return; /* the high word is RZ */
    if (is_byte_mask(logic))
        pm_tally_add(t, PM_COST_permute, word_operations(logic));
    else
        pm_tally_integer(t, logic, PM_COST_integer, of_three(logic, is_logic));
}

static bool is_divided_before(LLVMValueRef division, bool with_sign)
{
    return with_sign ? PM_SAME_BEFORE(division, LLVMSDiv, LLVMSRem)
                     : PM_SAME_BEFORE(division, LLVMUDiv, LLVMURem);
}

static pm_cost cost_of_division(LLVMValueRef division)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(division);
    bool wide = pm_integer_bits(LLVMTypeOf(division)) > 32,
         with_sign = opcode == LLVMSDiv || opcode == LLVMSRem;

    if (!wide && is_divided_before(division, with_sign))
        return with_sign ? PM_COST_sdiv_again : PM_COST_udiv_again;
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

    if (!LLVMIsConstant(LLVMGetOperand(division, 1)))
        pm_tally_add(t, cost_of_division(division), pm_type_elements(type));
    else
        pm_tally_add(
            t, PM_IS(division, LLVMURem, LLVMSRem) ? PM_COST_rem_constant : PM_COST_div_constant,
            pm_integer_words(type));
}
