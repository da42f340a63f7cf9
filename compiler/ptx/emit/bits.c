/* Emits LLVM IR for PTX instructions on bits: logic, shifts, permutations of bytes and bit fields.
 * See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/emit/emitter.h"

/* ---- logic ----------------------------------------------------------------------------------- */

void pm_ptx_emit_logic(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2);

    pm_ptx_result(e, i,
                  i->opcode[0] == 'a'   ? LLVMBuildAnd(e->b, a, b, "")
                  : i->opcode[0] == 'o' ? LLVMBuildOr(e->b, a, b, "")
                                        : LLVMBuildXor(e->b, a, b, ""));
}

/* not: all bits inverted. cnot: 1 if the operand is 0, else 0. */
void pm_ptx_emit_not(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), zero = LLVMConstNull(LLVMTypeOf(a));

    if (i->opcode[0] == 'n')
        a = LLVMBuildNot(e->b, a, "");
    else
        a = LLVMBuildZExt(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, a, zero, ""), LLVMTypeOf(a), "");
    pm_ptx_result(e, i, a);
}

/* lop3: a function of three bits. The result for the bits a, b and c is bit 4 a + 2 b + c of the
 * constant `table`. */
void pm_ptx_emit_lop3(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef in[3], sum = NULL;
    uint64_t table;

    if (i->operands[4].kind != PM_PTX_NUMBER || i->types[0]->bits != 32)
        pm_ptx_refuse(e, i, "its last operand is a number, and its type .b32");
    table = i->operands[4].bits & 255;
    for (unsigned k = 0; k < 3; k++)
        in[k] = pm_ptx_source(e, i, k + 1);
    for (unsigned row = 0; row < 8; row++) {
        LLVMValueRef term = NULL;

        if (!(table >> row & 1))
            continue;
        for (unsigned k = 0; k < 3; k++) {
            LLVMValueRef bit = row >> (2 - k) & 1 ? in[k] : LLVMBuildNot(e->b, in[k], "");

            term = term ? LLVMBuildAnd(e->b, term, bit, "") : bit;
        }
        sum = sum ? LLVMBuildOr(e->b, sum, term, "") : term;
    }
    pm_ptx_result(e, i, sum ? sum : LLVMConstNull(LLVMTypeOf(in[0])));
}

/* ---- shifts ---------------------------------------------------------------------------------- */

/* Emits shl and shr. A shift by as many bits as the value has, or by more, shifts all bits out. */
void pm_ptx_emit_shift(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const unsigned bits = i->types[0]->bits;
    const bool left = i->opcode[2] == 'l', by_sign = i->types[0]->number == PM_PTX_SIGNED && !left;
    LLVMValueRef value = pm_ptx_source(e, i, 1), by = pm_ptx_source_as(e, i, 2, "u32"), within;
    LLVMValueRef shifted, out;
    LLVMTypeRef type = LLVMTypeOf(value), word = LLVMTypeOf(by);

    if (i->types[0]->lanes > 1 || bits > 64)
        pm_ptx_refuse(e, i, "its type has 16, 32 or 64 bits");
    if (LLVMIsAConstantInt(by) && LLVMConstIntGetZExtValue(by) < bits) {
        by = LLVMConstInt(type, LLVMConstIntGetZExtValue(by), 0);
        pm_ptx_result(e, i,
                      left      ? LLVMBuildShl(e->b, value, by, "")
                      : by_sign ? LLVMBuildAShr(e->b, value, by, "")
                                : LLVMBuildLShr(e->b, value, by, ""));
        return;
    }
    within = LLVMBuildICmp(e->b, LLVMIntULT, by, pm_ptx_constant(word, bits), "");
    out = by_sign ? LLVMBuildAShr(e->b, value, pm_ptx_constant(type, bits - 1), "")
                  : LLVMConstNull(type);
    by = LLVMBuildAnd(e->b, by, pm_ptx_constant(word, bits - 1), "");
    by = LLVMBuildIntCast2(e->b, by, type, 0, "");
    shifted = left      ? LLVMBuildShl(e->b, value, by, "")
              : by_sign ? LLVMBuildAShr(e->b, value, by, "")
                        : LLVMBuildLShr(e->b, value, by, "");
    pm_ptx_result(e, i, LLVMBuildSelect(e->b, within, shifted, out, ""));
}

/* shf: shifts the 64 bits of operands 1 (low) and 2 (high). .l returns the high word, .r the low
 * one. */
void pm_ptx_emit_funnel(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool left = pm_ptx_has(i, "l");
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef low = pm_ptx_source_as(e, i, 1, "b32"), high = pm_ptx_source_as(e, i, 2, "b32");
    LLVMValueRef by = pm_ptx_source_as(e, i, 3, "u32"), limit = pm_ptx_constant(word, 32), shifted;

    if (i->types[0]->bits != 32)
        pm_ptx_refuse(e, i, "its type is .b32");
    shifted = pm_ptx_intrinsic(e, left ? "llvm.fshl" : "llvm.fshr", word,
                               (LLVMValueRef[]){high, low, by}, 3);
    if (!pm_ptx_has(i, "wrap"))
        shifted = LLVMBuildSelect(e->b, LLVMBuildICmp(e->b, LLVMIntULT, by, limit, ""), shifted,
                                  left ? low : high, "");
    pm_ptx_result_as(e, i, shifted, "b32");
}

/* ---- permutations ---------------------------------------------------------------------------- */

/* Returns one byte of the 64 bits `both`, extended to 32 bits. The LLVM value `which` is the byte's
 * number, 0 to 7. by_sign: LLVM value of one bit; if it is 1, the result is instead eight copies of
 * the byte's highest bit. */
static LLVMValueRef select_byte(pm_ptx_emitter *e, LLVMValueRef both, LLVMValueRef which,
                                LLVMValueRef by_sign)
{
    LLVMTypeRef wide = LLVMTypeOf(both), word = pm_ptx_integer_type(e, 32);
    LLVMTypeRef byte = pm_ptx_integer_type(e, 8);
    LLVMValueRef shift =
        LLVMBuildShl(e->b, LLVMBuildZExt(e->b, which, wide, ""), pm_ptx_constant(wide, 3), "");
    LLVMValueRef found = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, both, shift, ""), byte, "");
    LLVMValueRef sign = LLVMBuildAShr(e->b, found, pm_ptx_constant(byte, 7), "");

    return LLVMBuildZExt(e->b, LLVMBuildSelect(e->b, by_sign, sign, found, ""), word, "");
}

/* Returns the selector with which prmt in its default mode gives the same result as in `mode` (such
 * as f4e), if the low two bits of operand 3 are `low`. A selector has four bits for each byte of
 * the result: the index of a source byte. */
static unsigned mode_selector(const char *mode, unsigned low)
{
    static const struct {
        const char *mode;
        unsigned selectors[4];
    } modes[] = {
        {"f4e", {0x3210, 0x4321, 0x5432, 0x6543}}, {"b4e", {0x5670, 0x6701, 0x7012, 0x0123}},
        {"rc8", {0x0000, 0x1111, 0x2222, 0x3333}}, {"ecl", {0x3210, 0x3211, 0x3222, 0x3333}},
        {"ecr", {0x0000, 0x1110, 0x2210, 0x3210}}, {"rc16", {0x1010, 0x3232, 0x1010, 0x3232}}};

    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        if (strcmp(modes[k].mode, mode) == 0)
            return modes[k].selectors[low];
    return 0;
}

/* Returns the selector of prmt, which names a source byte for each byte of the result: operand 3
 * or, if the instruction has a mode, the selector with the same effect. */
static LLVMValueRef selector_of(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef by = pm_ptx_source_as(e, i, 3, "b32"), low, made = NULL;
    LLVMTypeRef word = LLVMTypeOf(by);

    if (i->modifier_count == 0)
        return by;
    low = LLVMBuildAnd(e->b, by, pm_ptx_constant(word, 3), "");
    for (unsigned k = 4; k-- > 0;) {
        LLVMValueRef value = pm_ptx_constant(word, mode_selector(i->modifiers[0], k));
        LLVMValueRef same = LLVMBuildICmp(e->b, LLVMIntEQ, low, pm_ptx_constant(word, k), "");

        made = made ? LLVMBuildSelect(e->b, same, value, made, "") : value;
    }
    return made;
}

/* Emits prmt with a constant selector: takes the bytes that the selector names from the words a and
 * b, and returns the word that they form. Emitted as a vector shuffle, which LLVM makes into one
 * byte permutation. The selector must not ask for copies of signs. */
static LLVMValueRef shuffle_bytes(pm_ptx_emitter *e, LLVMValueRef a, LLVMValueRef b,
                                  uint64_t selector)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32), byte = pm_ptx_integer_type(e, 8);
    LLVMTypeRef bytes = LLVMVectorType(byte, 4);
    LLVMValueRef order[4];

    for (unsigned k = 0; k < 4; k++)
        order[k] = LLVMConstInt(word, selector >> 4 * k & 7, 0);
    a = LLVMBuildShuffleVector(e->b, LLVMBuildBitCast(e->b, a, bytes, ""),
                               LLVMBuildBitCast(e->b, b, bytes, ""), LLVMConstVector(order, 4), "");
    return LLVMBuildBitCast(e->b, a, word, "");
}

void pm_ptx_emit_prmt(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32), wide = pm_ptx_integer_type(e, 64);
    LLVMValueRef a = pm_ptx_source_as(e, i, 1, "b32"), b = pm_ptx_source_as(e, i, 2, "b32");
    LLVMValueRef selector = selector_of(e, i), both, sum = NULL;

    if (LLVMIsAConstantInt(selector) && (LLVMConstIntGetZExtValue(selector) & 0x8888) == 0) {
        pm_ptx_result_as(e, i, shuffle_bytes(e, a, b, LLVMConstIntGetZExtValue(selector)), "b32");
        return;
    }
    both = LLVMBuildOr(
        e->b, LLVMBuildZExt(e->b, a, wide, ""),
        LLVMBuildShl(e->b, LLVMBuildZExt(e->b, b, wide, ""), pm_ptx_constant(wide, 32), ""), "");
    for (unsigned k = 0; k < 4; k++) {
        LLVMValueRef part = LLVMBuildLShr(e->b, selector, pm_ptx_constant(word, 4 * k), "");
        LLVMValueRef which = LLVMBuildAnd(e->b, part, pm_ptx_constant(word, 7), "");
        LLVMValueRef by_sign =
            LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, part, pm_ptx_constant(word, 3), ""),
                           pm_ptx_integer_type(e, 1), "");
        LLVMValueRef byte = LLVMBuildShl(e->b, select_byte(e, both, which, by_sign),
                                         pm_ptx_constant(word, 8 * k), "");

        sum = sum ? LLVMBuildOr(e->b, sum, byte, "") : byte;
    }
    pm_ptx_result_as(e, i, sum, "b32");
}

/* ---- bit fields ------------------------------------------------------------------------------ */

/* Returns the low 8 bits of operand k, extended by zeros to the type of `like`. */
static LLVMValueRef low_byte(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                             LLVMValueRef like)
{
    LLVMValueRef value = pm_ptx_source_as(e, i, k, "u32");

    value = LLVMBuildAnd(e->b, value, pm_ptx_constant(LLVMTypeOf(value), 255), "");
    return LLVMBuildIntCast2(e->b, value, LLVMTypeOf(like), 0, "");
}

/* Shifts a value left or right by `by` bits. If `by` is the number of bits of the value or more,
 * the result is 0. */
static LLVMValueRef shift_out(pm_ptx_emitter *e, LLVMValueRef value, LLVMValueRef by, bool left)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef limit = pm_ptx_constant(type, LLVMGetIntTypeWidth(type));
    LLVMValueRef within = LLVMBuildICmp(e->b, LLVMIntULT, by, limit, "");
    LLVMValueRef safe =
        LLVMBuildAnd(e->b, by, pm_ptx_constant(type, LLVMGetIntTypeWidth(type) - 1), "");

    value = left ? LLVMBuildShl(e->b, value, safe, "") : LLVMBuildLShr(e->b, value, safe, "");
    return LLVMBuildSelect(e->b, within, value, LLVMConstNull(type), "");
}

/* Returns a mask of the `length` lowest bits. */
static LLVMValueRef low_mask(pm_ptx_emitter *e, LLVMValueRef length)
{
    LLVMValueRef one = pm_ptx_constant(LLVMTypeOf(length), 1);

    return LLVMBuildSub(e->b, shift_out(e, one, length, true), one, "");
}

/* bfe.s32 and bfe.s64 extract a bit field as a signed number. The sign is the field's highest bit.
 * If the field extends beyond the value, the sign is the value's highest bit. */
static LLVMValueRef extract_signed(pm_ptx_emitter *e, LLVMValueRef value, LLVMValueRef from,
                                   LLVMValueRef length)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef top = pm_ptx_constant(type, LLVMGetIntTypeWidth(type) - 1), last, sign, field;
    LLVMValueRef one = pm_ptx_constant(type, 1), is_empty;

    is_empty = LLVMBuildICmp(e->b, LLVMIntEQ, length, LLVMConstNull(type), "");
    last = LLVMBuildSub(e->b, LLVMBuildAdd(e->b, from, length, ""), one, "");
    last = pm_ptx_intrinsic(e, "llvm.umin", type, (LLVMValueRef[]){last, top}, 2);
    sign = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, value, last, ""), one, "");
    sign = LLVMBuildSelect(e->b, is_empty, LLVMConstNull(type), LLVMBuildNeg(e->b, sign, ""), "");
    field = LLVMBuildAnd(e->b, shift_out(e, value, from, false), low_mask(e, length), "");
    /* bits of the field that are above the value's highest bit, and bits of the result above the
     * field, are the sign */
    last = LLVMBuildAdd(e->b, LLVMBuildSub(e->b, last, from, ""), one, "");
    last = pm_ptx_intrinsic(e, "llvm.smax", type, (LLVMValueRef[]){last, LLVMConstNull(type)}, 2);
    sign = LLVMBuildAnd(e->b, sign, LLVMBuildNot(e->b, low_mask(e, last), ""), "");
    return LLVMBuildOr(e->b, LLVMBuildAnd(e->b, field, low_mask(e, last), ""), sign, "");
}

static void extract(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef value = pm_ptx_source(e, i, 1);
    LLVMValueRef from = low_byte(e, i, 2, value), length = low_byte(e, i, 3, value);

    if (i->types[0]->number == PM_PTX_SIGNED)
        value = extract_signed(e, value, from, length);
    else
        value = LLVMBuildAnd(e->b, shift_out(e, value, from, false), low_mask(e, length), "");
    pm_ptx_result(e, i, value);
}

/* bfi: inserts operand 1 as a field into operand 2, at the bit in operand 3 and with the length in
 * operand 4. */
static void insert(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef field = pm_ptx_source(e, i, 1), value = pm_ptx_source(e, i, 2), mask;
    LLVMValueRef from = low_byte(e, i, 3, value), length = low_byte(e, i, 4, value);

    mask = shift_out(e, low_mask(e, length), from, true);
    field = LLVMBuildAnd(e->b, shift_out(e, field, from, true), mask, "");
    value = LLVMBuildAnd(e->b, value, LLVMBuildNot(e->b, mask, ""), "");
    pm_ptx_result(e, i, LLVMBuildOr(e->b, value, field, ""));
}

void pm_ptx_emit_field(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (i->types[0]->lanes > 1 || i->types[0]->bits < 32 || i->types[0]->bits > 64)
        pm_ptx_refuse(e, i, "its type has 32 or 64 bits");
    if (strcmp(i->opcode, "bfe") == 0)
        extract(e, i);
    else
        insert(e, i);
}

/* bmsk: a mask of `length` bits from bit `from` on. */
void pm_ptx_emit_mask(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef from = pm_ptx_source_as(e, i, 1, "u32"), length = pm_ptx_source_as(e, i, 2, "u32");
    LLVMValueRef low = pm_ptx_constant(LLVMTypeOf(from), 31);

    if (pm_ptx_has(i, "wrap")) {
        from = LLVMBuildAnd(e->b, from, low, "");
        length = LLVMBuildAnd(e->b, length, low, "");
    }
    pm_ptx_result_as(e, i, shift_out(e, low_mask(e, length), from, true), "b32");
}

/* ---- counts of bits -------------------------------------------------------------------------- */

static LLVMValueRef leading_zeros(pm_ptx_emitter *e, LLVMValueRef value)
{
    LLVMValueRef arguments[2] = {value, LLVMConstInt(pm_ptx_integer_type(e, 1), 0, 0)};

    return pm_ptx_intrinsic(e, "llvm.ctlz", LLVMTypeOf(value), arguments, 2);
}

/* Emits brev, which reverses the order of bits, and clz (number of leading zeros) and popc (number
 * of set bits), whose results have 32 bits for all types. */
void pm_ptx_emit_bit_count(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef value = pm_ptx_source(e, i, 1);

    if (i->types[0]->lanes > 1 || i->types[0]->bits > 64)
        pm_ptx_refuse(e, i, "its type has 32 or 64 bits");
    if (i->opcode[0] == 'b') {
        pm_ptx_result(e, i, pm_ptx_intrinsic(e, "llvm.bitreverse", LLVMTypeOf(value), &value, 1));
        return;
    }
    value = i->opcode[0] == 'c' ? leading_zeros(e, value)
                                : pm_ptx_intrinsic(e, "llvm.ctpop", LLVMTypeOf(value), &value, 1);
    pm_ptx_result_as(e, i, LLVMBuildIntCast2(e->b, value, pm_ptx_integer_type(e, 32), 0, ""),
                     "u32");
}

/* bfind: position of the highest bit that differs from the sign, or the distance by which a shift
 * brings it to the top (.shiftamt); -1 if there is none. */
void pm_ptx_emit_find_bit(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const unsigned bits = i->types[0]->bits;
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef value = pm_ptx_source(e, i, 1), found, none;
    LLVMTypeRef type = LLVMTypeOf(value);

    if (i->types[0]->lanes > 1 || bits > 64)
        pm_ptx_refuse(e, i, "its type has 32 or 64 bits");
    if (i->types[0]->number == PM_PTX_SIGNED)
        value = LLVMBuildXor(e->b, value,
                             LLVMBuildAShr(e->b, value, pm_ptx_constant(type, bits - 1), ""), "");
    none = LLVMBuildICmp(e->b, LLVMIntEQ, value, LLVMConstNull(type), "");
    found = LLVMBuildIntCast2(e->b, leading_zeros(e, value), word, 0, "");
    if (!pm_ptx_has(i, "shiftamt"))
        found = LLVMBuildSub(e->b, pm_ptx_constant(word, bits - 1), found, "");
    pm_ptx_result_as(e, i, LLVMBuildSelect(e->b, none, LLVMConstAllOnes(word), found, ""), "u32");
}
