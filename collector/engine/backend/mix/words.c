/* Finds which 32-bit words of 64-bit integers machine code must compute.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/mix/words.h"

#include <stdint.h>

#include "collector/engine/backend/ir/ir.h"

enum {
    WORD = 32,
    MOST_DEEP = 8,   /* maximum number of operations that are followed from a value to its users */
    MOST_LOOKS = 256 /* maximum number of values visited for one query */
};

static bool is_wide(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
           pm_integer_bits(LLVMTypeOf(value)) == 2 * WORD;
}

unsigned pm_word_count(LLVMValueRef value)
{
    return pm_integer_bits(LLVMTypeOf(value)) > WORD ? 2 : 1;
}

/* Sets *bits to 32-bit word `word` (0: low) of a constant. false if the value is not a 64-bit
 * constant. */
static bool constant_word(LLVMValueRef value, unsigned word, uint32_t *bits)
{
    if (!LLVMIsAConstantInt(value) || !is_wide(value))
        return false;
    *bits = (uint32_t)(LLVMConstIntGetZExtValue(value) >> (word * WORD));
    return true;
}

static bool is_constant_word(LLVMValueRef value, unsigned word, uint32_t bits)
{
    uint32_t found;

    return constant_word(value, word, &found) && found == bits;
}

/* Sets *by to the distance of a shift by a constant below 64. false if the value is not such a
 * shift. */
static bool shift_by(LLVMValueRef shift, uint64_t *by)
{
    if (!PM_IS(shift, LLVMShl, LLVMLShr, LLVMAShr) || !LLVMIsAConstantInt(LLVMGetOperand(shift, 1)))
        return false;
    *by = LLVMConstIntGetZExtValue(LLVMGetOperand(shift, 1));
    return *by < 2 * WORD;
}

static bool is_zero(LLVMValueRef value, unsigned word, unsigned depth);

static bool zero_by_shift(LLVMValueRef shift, unsigned word, uint64_t by, unsigned depth)
{
    const bool left = pm_is_opcode(shift, LLVMShl);
    LLVMValueRef from = LLVMGetOperand(shift, 0);

    if (pm_is_opcode(shift, LLVMAShr))
        return false;
    if (word == (left ? 0 : 1)) /* the shift fills at least a part of this word with zeros */
        return by >= WORD || is_zero(from, word, depth);
    return is_zero(from, 1 - word, depth) && (by >= WORD || is_zero(from, word, depth));
}

static bool is_zero(LLVMValueRef value, unsigned word, unsigned depth)
{
    uint64_t by;

    if (is_constant_word(value, word, 0))
        return true;
    if (depth == MOST_DEEP || !is_wide(value))
        return false;
    if (pm_is_opcode(value, LLVMZExt))
        return word == 1;
    if (pm_is_opcode(value, LLVMAnd))
        return is_zero(LLVMGetOperand(value, 0), word, depth + 1) ||
               is_zero(LLVMGetOperand(value, 1), word, depth + 1);
    if (PM_IS(value, LLVMOr, LLVMXor))
        return is_zero(LLVMGetOperand(value, 0), word, depth + 1) &&
               is_zero(LLVMGetOperand(value, 1), word, depth + 1);
    if (pm_is_opcode(value, LLVMSelect))
        return is_zero(LLVMGetOperand(value, 1), word, depth + 1) &&
               is_zero(LLVMGetOperand(value, 2), word, depth + 1);
    return shift_by(value, &by) && zero_by_shift(value, word, by, depth + 1);
}

static bool is_wanted(LLVMValueRef value, unsigned word, unsigned depth, unsigned *looks);

/* Returns whether 32-bit word `word` of the value that is shifted affects a used word of the
 * shift's result. The shift's distance `by` is in bits, below 64. depth: number of operations
 * between the value and the query. *looks: number of values that the search may still visit. */
static bool wanted_by_shift(LLVMValueRef shift, unsigned word, uint64_t by, unsigned depth,
                            unsigned *looks)
{
    const bool left = pm_is_opcode(shift, LLVMShl);
    /* number of the 32-bit word of the operand from which the shift moves bits into the other word
     * of the result: low for a left shift, high for a right shift */
    const unsigned from = left ? 0 : 1;

    if (by >= WORD)
        return word == from &&
               (is_wanted(shift, 1 - from, depth, looks) ||
                (pm_is_opcode(shift, LLVMAShr) && is_wanted(shift, from, depth, looks)));
    return is_wanted(shift, word, depth, looks) ||
           (word == from && by > 0 && is_wanted(shift, 1 - word, depth, looks));
}

static bool wanted_by(LLVMValueRef user, LLVMValueRef value, unsigned word, unsigned depth,
                      unsigned *looks)
{
    uint64_t by;

    if (!LLVMIsAInstruction(user))
        return true;
    if (pm_is_opcode(user, LLVMTrunc))
        return word == 0 || pm_integer_bits(LLVMTypeOf(user)) > WORD;
    if (!is_wide(user) || pm_is_index(user))
        return true;
    if (pm_is_opcode(user, LLVMAnd))
        return !is_constant_word(LLVMGetOperand(user, 1), word, 0) &&
               is_wanted(user, word, depth, looks);
    if (PM_IS(user, LLVMOr, LLVMXor))
        return is_wanted(user, word, depth, looks);
    /* If the high word of a product or sum is used, both words of its operands are needed, because
     * of carries. */
    if (PM_IS(user, LLVMAdd, LLVMSub, LLVMMul))
        return is_wanted(user, 1, depth, looks) || (word == 0 && is_wanted(user, 0, depth, looks));
    if (LLVMGetOperand(user, 0) == value && shift_by(user, &by))
        return wanted_by_shift(user, word, by, depth, looks);
    return true;
}

static bool is_wanted(LLVMValueRef value, unsigned word, unsigned depth, unsigned *looks)
{
    if (depth == MOST_DEEP || *looks == 0)
        return true;
    --*looks;
    PM_EACH_USE(use, value)
        if (wanted_by(LLVMGetUser(use), value, word, depth + 1, looks))
            return true;
    return false;
}

/* Returns whether 32-bit word `word` of the operation's result is a copy of a word of an operand,
 * so that it needs no instruction. */
static bool is_copy(LLVMValueRef operation, unsigned word)
{
    uint64_t by;

    if (PM_IS(operation, LLVMOr, LLVMXor))
        return is_zero(LLVMGetOperand(operation, 0), word, 0) ||
               is_zero(LLVMGetOperand(operation, 1), word, 0);
    if (pm_is_opcode(operation, LLVMAnd))
        return is_constant_word(LLVMGetOperand(operation, 1), word, UINT32_MAX);
    return shift_by(operation, &by) && !pm_is_opcode(operation, LLVMAShr) && by == WORD;
}

bool pm_computes_word(LLVMValueRef operation, unsigned word)
{
    unsigned looks = MOST_LOOKS;

    if (!is_wide(operation))
        return word < pm_word_count(operation);
    return !is_zero(operation, word, 0) && !is_copy(operation, word) &&
           is_wanted(operation, word, 0, &looks);
}

unsigned pm_computed_words(LLVMValueRef operation)
{
    unsigned count = 0;

    for (unsigned word = 0; word < pm_word_count(operation); word++)
        count += pm_computes_word(operation, word);
    return count;
}
