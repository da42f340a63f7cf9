/* Expands integer indices into sums of products of values and constants, to compare them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/addresses/linear.h"

#include <stdint.h>

#include "collector/engine/backend/ir/ir.h"

enum {
    MOST_TERMS = 12,
    MOST_DEPTH = 24,
    /* Maximum number of visited values. Without it, a value that is used twice at each step would
     * be visited 2^MOST_DEPTH times. */
    MOST_VISITS = 512
};

typedef struct {
    struct {
        LLVMValueRef value;
        /* constant factor, modulo 2^64 because addresses are computed modulo 2^64 */
        uint64_t factor;
        LLVMOpcode extension;
    } terms[MOST_TERMS];
    unsigned count, visits;
    bool full; /* true: the expansion into a sum of products is incomplete, because it has more than
                  MOST_TERMS terms or visited more than MOST_VISITS values */
} linear;

static void add_term(linear *l, LLVMValueRef value, uint64_t factor, LLVMOpcode extension)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->terms[i].value == value && l->terms[i].extension == extension) {
            l->terms[i].factor += factor;
            return;
        }
    if (l->count == MOST_TERMS) {
        l->full = true;
        return;
    }
    l->terms[l->count].value = value;
    l->terms[l->count].factor = factor;
    l->terms[l->count++].extension = extension;
}

/* Returns whether extending the result of an operation gives the same value as computing with
 * extended operands. extension: LLVMSExt or LLVMZExt; 0: the result is not extended. */
static bool extends_apart(LLVMValueRef value, LLVMOpcode extension)
{
    return !extension || (extension == LLVMSExt ? LLVMGetNSW(value) : LLVMGetNUW(value));
}

static bool has_constant(LLVMValueRef value)
{
    LLVMValueRef right = LLVMGetOperand(value, 1);

    return LLVMIsAConstantInt(right) && pm_integer_bits(LLVMTypeOf(right)) <= 64;
}

static void add(linear *l, LLVMValueRef value, uint64_t factor, LLVMOpcode extension,
                unsigned depth)
{
    bool plain = LLVMIsAInstruction(value) && depth < MOST_DEPTH;
    LLVMOpcode opcode = plain ? LLVMGetInstructionOpcode(value) : (LLVMOpcode)0;

    if (LLVMIsAConstantInt(value) || l->full)
        return;
    l->full = ++l->visits > MOST_VISITS;
    if (plain && pm_is_extended(value) && (!extension || extension == opcode)) {
        add(l, LLVMGetOperand(value, 0), factor, opcode, depth + 1);
    } else if ((opcode == LLVMAdd || opcode == LLVMSub) && extends_apart(value, extension)) {
        add(l, LLVMGetOperand(value, 0), factor, extension, depth + 1);
        add(l, LLVMGetOperand(value, 1), opcode == LLVMAdd ? factor : 0 - factor, extension,
            depth + 1);
    } else if (opcode == LLVMOr && LLVMGetIsDisjoint(value)) {
        add(l, LLVMGetOperand(value, 0), factor, extension, depth + 1);
        add(l, LLVMGetOperand(value, 1), factor, extension, depth + 1);
    } else if ((opcode == LLVMMul || opcode == LLVMShl) && has_constant(value) &&
               extends_apart(value, extension)) {
        uint64_t by = opcode == LLVMMul
                          ? (uint64_t)LLVMConstIntGetSExtValue(LLVMGetOperand(value, 1))
                          : UINT64_C(1) << LLVMConstIntGetZExtValue(LLVMGetOperand(value, 1)) % 64;

        add(l, LLVMGetOperand(value, 0), factor * by, extension, depth + 1);
    } else {
        add_term(l, value, factor, extension);
    }
}

static bool has_term(const linear *l, LLVMValueRef value, uint64_t factor, LLVMOpcode extension)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->terms[i].value == value && l->terms[i].extension == extension)
            return l->terms[i].factor == factor;
    return factor == 0;
}

static bool is_within(const linear *a, const linear *b)
{
    for (unsigned i = 0; i < a->count; i++)
        if (!has_term(b, a->terms[i].value, a->terms[i].factor, a->terms[i].extension))
            return false;
    return true;
}

/* Returns whether a value is a term of its own, because it cannot be expanded further into a sum of
 * products. */
static bool is_term(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value))
        return !LLVMIsAConstantInt(value);
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
        return false;
    case LLVMOr:
        return !LLVMGetIsDisjoint(value);
    case LLVMMul:
    case LLVMShl:
        return !has_constant(value);
    default:
        return !pm_is_extended(value);
    }
}

bool pm_differ_by_constant(LLVMValueRef a, LLVMValueRef b)
{
    linear left, right;

    if (a == b)
        return true;
    /* An address is compared with all addresses before it. Usually neither index can be expanded,
     * and the indices are different values. */
    if (is_term(a) && is_term(b))
        return false;
    left.count = right.count = left.visits = right.visits = 0;
    left.full = right.full = false;
    add(&left, a, 1, (LLVMOpcode)0, 0);
    add(&right, b, 1, (LLVMOpcode)0, 0);
    return !left.full && !right.full && is_within(&left, &right) && is_within(&right, &left);
}
