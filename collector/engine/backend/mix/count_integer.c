/* Counts the machine instructions of integer arithmetic.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Most IR instructions are one machine instruction. The exceptions in this file are multiply-add
 * and shift-add, additions and logic of three operands, 64-bit integers, bytes, divisions, and sums
 * that are part of addresses.
 */
#include <stdint.h>

#include "collector/engine/backend/addresses/addresses.h"
#include "collector/engine/backend/ir/ir.h"
#include "collector/engine/backend/mix/count_mix.h"
#include "collector/engine/backend/mix/words.h"

/* Returns the number of machine instructions of an operation that needs one instruction for each
 * computed 32-bit word. */
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

/* Returns the number of operations on 32-bit word `word` (0: low, 1: high) in the expression tree
 * of `root`. The tree's inner nodes are the operations for which like() is true. */
static unsigned tree_size(LLVMValueRef root, bool (*like)(LLVMValueRef), unsigned word)
{
    unsigned size = pm_computes_word(root, word);

    for (unsigned i = 0; i < 2; i++)
        if (is_inner(LLVMGetOperand(root, i), like))
            size += tree_size(LLVMGetOperand(root, i), like, word);
    return size;
}

/* Returns the number of machine instructions of an expression tree of sums or logic, for the 32-bit
 * words from `word` to `end` - 1. An instruction takes three operands (IADD3, LOP3), so n
 * operations of two operands need n / 2 instructions, rounded up. All are counted at the root; the
 * result is 0 for inner nodes. */
static double of_three(LLVMValueRef root, bool (*like)(LLVMValueRef), unsigned word, unsigned end)
{
    unsigned left = 0;

    if (is_inner(root, like))
        return 0.0;
    for (; word < end; word++)
        left += (tree_size(root, like, word) + 1) / 2;
    return (double)pm_type_elements(LLVMTypeOf(root)) * left;
}

static bool is_product(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMMul) ||
           (pm_is_opcode(value, LLVMShl) && LLVMIsConstant(LLVMGetOperand(value, 1)));
}

/* Returns whether a product of up to 32 bits is computed again in each sum that uses it, so that
 * each of these sums is an IMAD. This is so if all users of the product are sums in the product's
 * basic block that have no other product as operand. */
static bool feeds_sums(LLVMValueRef product)
{
    if (!pm_is_opcode(product, LLVMMul) || pm_integer_bits(LLVMTypeOf(product)) > 32 ||
        !LLVMGetFirstUse(product))
        return false;
    PM_EACH_USE(use, product) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!is_sum(user) || LLVMGetInstructionParent(user) != LLVMGetInstructionParent(product) ||
            is_product(LLVMGetOperand(user, LLVMGetOperand(user, 0) == product)))
            return false;
    }
    return true;
}

/* Returns true if a product or shift is fused into the sum or address that uses it, and counted
 * there. A product and a sum become one IMAD, a shift and a sum one LEA. */
static bool is_fused(LLVMValueRef product)
{
    LLVMValueRef user = pm_only_user(product);

    if (!user)
        return feeds_sums(product);
    return pm_is_opcode(user, LLVMGetElementPtr) ||
           (is_sum(user) && pm_is_first_of(product, user, LLVMGetInstructionOpcode(product)));
}

/* Returns whether the low word of a 64-bit integer determines the high word: the integer is an
 * extended 32-bit value, or masked to 32 bits. */
static bool is_one_word(LLVMValueRef value)
{
    return pm_is_extended(value) || pm_is_low_mask(value);
}

/* Returns whether a product has 64 bits and 32-bit factors, so that it is one IMAD.WIDE. */
static bool is_wide_product(LLVMValueRef product)
{
    LLVMValueRef right;

    if (!pm_is_opcode(product, LLVMMul))
        return false;
    right = LLVMGetOperand(product, 1);
    return pm_integer_bits(LLVMTypeOf(product)) == 64 && is_one_word(LLVMGetOperand(product, 0)) &&
           (is_one_word(right) || LLVMIsConstant(right));
}

/* Returns whether a sum has an operand that is fused into it and for which like() is true. The
 * operand must have no other user, or be a product that each user computes again. */
static bool has_operand(LLVMValueRef sum, bool (*like)(LLVMValueRef))
{
    for (unsigned i = 0; i < 2; i++)
        if (like(LLVMGetOperand(sum, i)) &&
            (pm_only_user(LLVMGetOperand(sum, i)) == sum || feeds_sums(LLVMGetOperand(sum, i))))
            return true;
    return false;
}

/* Returns whether a value is a sum into which no product is fused. */
static bool is_plain_sum(LLVMValueRef value)
{
    return is_sum(value) && !has_operand(value, is_product);
}

static bool is_multiplication(LLVMValueRef value)
{
    return pm_is_opcode(value, LLVMMul);
}

bool pm_is_difference(LLVMValueRef select)
{
    LLVMValueRef condition, left, right;

    if (!pm_is_opcode(select, LLVMSelect) || pm_integer_bits(LLVMTypeOf(select)) > 32)
        return false;
    condition = LLVMGetOperand(select, 0);
    left = LLVMGetOperand(select, 1);
    right = LLVMGetOperand(select, 2);
    return pm_is_opcode(condition, LLVMICmp) && pm_is_opcode(left, LLVMSub) &&
           pm_is_opcode(right, LLVMSub) && LLVMGetOperand(left, 0) == LLVMGetOperand(right, 1) &&
           LLVMGetOperand(left, 1) == LLVMGetOperand(right, 0) &&
           (LLVMGetOperand(condition, 0) == LLVMGetOperand(left, 0) ||
            LLVMGetOperand(condition, 0) == LLVMGetOperand(left, 1));
}

/* Counts a sum without products as terms. IADD3 adds the low words of 64-bit integers, because only
 * IADD3 produces a carry. IADD3.X or IMAD.X adds the high words. */
static void count_plain_sum(const pm_mix_tally *t, LLVMValueRef sum)
{
    const unsigned words = pm_word_count(sum);
    const bool alone = words == 1 && tree_size(sum, is_plain_sum, 0) <= 1;

    pm_tally_integer(t, sum, alone ? PM_COST_sum : PM_COST_integer,
                     of_three(sum, is_plain_sum, 0, 1));
    pm_tally_integer(t, sum, PM_COST_sum, of_three(sum, is_plain_sum, 1, words));
}

/* Returns whether an operand of a 64-bit sum is an extended 32-bit value. If the sum's other
 * operand is a product, IMAD.WIDE adds both words of the extended value, so that its high word must
 * be computed. */
static bool adds_extended(LLVMValueRef sum)
{
    return pm_is_extended(LLVMGetOperand(sum, 0)) || pm_is_extended(LLVMGetOperand(sum, 1));
}

static bool is_long_product(LLVMValueRef value)
{
    return is_multiplication(value) && pm_integer_bits(LLVMTypeOf(value)) > 32 &&
           !is_wide_product(value);
}

void pm_count_sum(const pm_mix_tally *t, LLVMValueRef sum)
{
    if (pm_is_index_sum(sum) || (pm_only_user(sum) && pm_is_difference(pm_only_user(sum))))
        return;
    if (has_operand(sum, is_wide_product)) {
        pm_tally_integer(t, sum, PM_COST_multiply, 1.0);
        if (adds_extended(sum))
            pm_tally_integer(t, sum, PM_COST_move, 1.0);
    } else if (has_operand(sum, is_long_product))
        return; /* no instruction: the product's IMAD.WIDE includes the addition */
    else if (has_operand(sum, is_product))
        pm_tally_integer(t, sum,
                         has_operand(sum, is_multiplication) ? PM_COST_multiply : PM_COST_integer,
                         word_operations(sum));
    else if (pm_computed_words(sum) > 1 && (pm_is_global_offset(LLVMGetOperand(sum, 0)) ||
                                            pm_is_global_offset(LLVMGetOperand(sum, 1))))
        pm_tally_integer(t, sum, PM_COST_integer, 3.0); /* SHF, IADD3, LEA.HI.X */
    else
        count_plain_sum(t, sum);
}

/* Returns whether the kernel also computes the 64-bit product of the same two factors. `product`,
 * which has 32 bits, is then the low word of that 64-bit product and needs no instruction. */
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

/* Returns whether `logic` masks the distance of a shift to five bits. The mask needs no
 * instruction, because 32-bit shifts use only the low five bits of the distance. */
static bool is_shift_mask(LLVMValueRef logic)
{
    LLVMValueRef mask = LLVMGetOperand(logic, 1);

    if (!pm_is_opcode(logic, LLVMAnd) || !LLVMIsAConstantInt(mask) ||
        pm_integer_bits(LLVMTypeOf(mask)) != 32 || LLVMConstIntGetZExtValue(mask) != 31)
        return false;
    PM_EACH_USE(use, logic) {
        LLVMValueRef user = LLVMGetUser(use);

        if (!PM_IS(user, LLVMShl, LLVMLShr, LLVMAShr) || LLVMGetOperand(user, 0) == logic)
            return false;
    }
    return true;
}

/* Returns whether `value` masks a byte. A GPU extracts a byte by one byte permutation (PRMT),
 * whether the IR shifts, masks or truncates. The result is false for a value that is used only as
 * an index: a GPU masks and scales an index in one instruction. */
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

    /* A constant that is shifted must be moved to a register first. */
    if (LLVMIsConstant(LLVMGetOperand(shift, 0)))
        pm_tally_integer(t, shift, PM_COST_move, 1.0);
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
        return; /* no instruction: AND, OR and XOR of conditions are computed by the comparison
                   instructions themselves */
    if (pm_is_opcode(logic, LLVMOr) && pm_is_offset_only(logic))
        return;
    if (pm_is_opcode(logic, LLVMOr) && LLVMIsAConstantInt(LLVMGetOperand(logic, 1)) &&
        pm_is_index_only(logic))
        /* An OR with a constant adds the constant, if the other operand has zeros in all bits of
         * the constant. The load or store adds it as the offset of its address, so no instruction
         * is needed. */
        return;
    if ((pm_is_low_mask(logic) && !pm_is_index(logic)) || is_shift_mask(logic))
        return; /* no instruction: the high word is 0, for which the register RZ is used */
    if (is_byte_mask(logic))
        pm_tally_add(t, PM_COST_permute, word_operations(logic));
    else
        pm_tally_integer(t, logic, PM_COST_integer,
                         of_three(logic, is_logic, 0, pm_word_count(logic)));
}

static bool is_divided_before(LLVMValueRef division, bool with_sign)
{
    return with_sign ? PM_SAME_BEFORE(division, LLVMSDiv, LLVMSRem)
                     : PM_SAME_BEFORE(division, LLVMUDiv, LLVMURem);
}

/* Rows of instructions.ini for signed and unsigned quotients and remainders. */
typedef struct {
    pm_cost sdiv, udiv, srem, urem;
} division_costs;

static pm_cost cost_of(LLVMValueRef division, const division_costs *costs)
{
    switch (LLVMGetInstructionOpcode(division)) {
    case LLVMUDiv:
        return costs->udiv;
    case LLVMSDiv:
        return costs->sdiv;
    case LLVMURem:
        return costs->urem;
    default:
        return costs->srem;
    }
}

static pm_cost cost_of_narrow_division(LLVMValueRef division)
{
    static const division_costs first = {PM_COST_sdiv_i32, PM_COST_udiv_i32, PM_COST_srem_i32,
                                         PM_COST_urem_i32};
    static const division_costs again = {PM_COST_sdiv_again, PM_COST_udiv_again, PM_COST_sdiv_again,
                                         PM_COST_udiv_again};
    const bool with_sign = PM_IS(division, LLVMSDiv, LLVMSRem);

    return cost_of(division, is_divided_before(division, with_sign) ? &again : &first);
}

/* Returns the row of instructions.ini for a 64-bit division by a variable. The compiled code tests
 * whether both operands fit into 32 bits, and takes a short path if they do. We assume that they
 * do, unless the dividend is a product. */
static pm_cost cost_of_wide_division(LLVMValueRef division)
{
    static const division_costs full = {PM_COST_sdiv_i64, PM_COST_udiv_i64, PM_COST_srem_i64,
                                        PM_COST_urem_i64};
    static const division_costs brief = {PM_COST_sdiv_i64_short, PM_COST_udiv_i64_short,
                                         PM_COST_srem_i64_short, PM_COST_urem_i64_short};

    return cost_of(division, is_multiplication(LLVMGetOperand(division, 0)) ? &full : &brief);
}

static bool is_power(LLVMValueRef value)
{
    unsigned long long number;

    if (!LLVMIsAConstantInt(value) || pm_integer_bits(LLVMTypeOf(value)) > 64)
        return false;
    number = LLVMConstIntGetZExtValue(value);
    return number != 0 && (number & (number - 1)) == 0;
}

static pm_cost cost_of_constant_division(LLVMValueRef division, bool wide)
{
    static const division_costs word = {PM_COST_sdiv_constant, PM_COST_udiv_constant,
                                        PM_COST_srem_constant, PM_COST_urem_constant};
    static const division_costs words = {PM_COST_sdiv_constant_i64, PM_COST_udiv_constant_i64,
                                         PM_COST_srem_constant_i64, PM_COST_urem_constant_i64};

    static const division_costs power = {PM_COST_sdiv_power, PM_COST_udiv_constant,
                                         PM_COST_srem_power, PM_COST_urem_constant};

    if (is_power(LLVMGetOperand(division, 1)))
        return cost_of(division, &power);
    return cost_of(division, wide ? &words : &word);
}

void pm_count_division(const pm_mix_tally *t, LLVMValueRef division)
{
    LLVMTypeRef type = LLVMTypeOf(division);
    const bool wide = pm_integer_bits(type) > 32;

    pm_tally_add(t,
                 LLVMIsConstant(LLVMGetOperand(division, 1))
                     ? cost_of_constant_division(division, wide)
                 : wide ? cost_of_wide_division(division)
                        : cost_of_narrow_division(division),
                 pm_type_elements(type));
}
