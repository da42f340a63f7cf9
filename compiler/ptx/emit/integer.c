/* Emits integer arithmetic. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

static bool is_signed(const pm_ptx_instruction *i)
{
    return i->types[0]->number == PM_PTX_SIGNED;
}

/* Converts an integer, or a vector of integers, to a wider type. by_sign: true to extend the sign,
 * false to extend by zeros. */
static LLVMValueRef widen(pm_ptx_emitter *e, LLVMValueRef value, LLVMTypeRef type, bool by_sign)
{
    return by_sign ? LLVMBuildSExt(e->b, value, type, "") : LLVMBuildZExt(e->b, value, type, "");
}

/* Returns the type of integers, or of vectors of integers, with twice the bits of a type. */
static LLVMTypeRef double_type(const pm_ptx_emitter *e, const pm_ptx_type *type)
{
    LLVMTypeRef wide = pm_ptx_integer_type(e, 2 * type->bits);

    return type->lanes > 1 ? LLVMVectorType(wide, type->lanes) : wide;
}

static const pm_ptx_type *wide_type(const pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *type = i->types[0];
    const pm_ptx_type *wide = pm_ptx_type_find(
        pm_format(e->memory, "%c%u", type->number == PM_PTX_SIGNED ? 's' : 'u', 2 * type->bits));

    if (!wide || type->lanes > 1)
        pm_ptx_refuse(e, i, "there is no wider type");
    return wide;
}

static LLVMValueRef call_two(pm_ptx_emitter *e, const char *name, LLVMValueRef a, LLVMValueRef b)
{
    return pm_ptx_intrinsic(e, name, LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}

/* ---- sums ------------------------------------------------------------------------------------ */

void pm_ptx_emit_sum(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool adds = strcmp(i->opcode, "add") == 0;
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2), sum;

    if (pm_ptx_has(i, "sat"))
        sum = call_two(e, adds ? "llvm.sadd.sat" : "llvm.ssub.sat", a, b);
    else
        sum = adds ? LLVMBuildAdd(e->b, a, b, "") : LLVMBuildSub(e->b, a, b, "");
    pm_ptx_result(e, i, sum);
}

/* ---- carries --------------------------------------------------------------------------------- */

static LLVMValueRef carry_address(pm_ptx_emitter *e)
{
    if (!e->carry)
        e->carry = pm_ptx_variable_of(e, pm_ptx_integer_type(e, 1), 0);
    return e->carry;
}

/* Adds (adds) or subtracts two integers. takes: true if the carry flag that an earlier instruction
 * set is added, too. gives: true if the instruction sets the flag, from bit `bits` of a result with
 * one more bit. After a subtraction, the flag is a borrow. */
static LLVMValueRef sum_with_carry(pm_ptx_emitter *e, LLVMValueRef a, LLVMValueRef b, bool adds,
                                   bool takes, bool gives)
{
    LLVMTypeRef type = LLVMTypeOf(a), bit = pm_ptx_integer_type(e, 1);
    const unsigned bits = LLVMGetIntTypeWidth(type);
    LLVMTypeRef wide = pm_ptx_integer_type(e, bits + 1);
    LLVMValueRef sum;

    a = LLVMBuildZExt(e->b, a, wide, "");
    b = LLVMBuildZExt(e->b, b, wide, "");
    sum = adds ? LLVMBuildAdd(e->b, a, b, "") : LLVMBuildSub(e->b, a, b, "");
    if (takes) {
        LLVMValueRef carry = LLVMBuildLoad2(e->b, bit, carry_address(e), "");

        carry = LLVMBuildZExt(e->b, carry, wide, "");
        sum = adds ? LLVMBuildAdd(e->b, sum, carry, "") : LLVMBuildSub(e->b, sum, carry, "");
    }
    if (gives) {
        LLVMValueRef top = LLVMBuildLShr(e->b, sum, pm_ptx_constant(wide, bits), "");

        LLVMBuildStore(e->b, LLVMBuildTrunc(e->b, top, bit, ""), carry_address(e));
    }
    return LLVMBuildTrunc(e->b, sum, type, "");
}

void pm_ptx_emit_carry(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool adds = strncmp(i->opcode, "add", 3) == 0;

    if (i->types[0]->lanes > 1)
        pm_ptx_refuse(e, i, "vectors have no carry");
    pm_ptx_result(e, i,
                  sum_with_carry(e, pm_ptx_source(e, i, 1), pm_ptx_source(e, i, 2), adds,
                                 i->opcode[strlen(i->opcode) - 1] == 'c', pm_ptx_has(i, "cc")));
}

/* ---- products -------------------------------------------------------------------------------- */

/* Returns an operand of mul24 or mad24: its low 24 bits, with the sign extended to the operand's
 * type if the instruction is signed. */
static LLVMValueRef low_24(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    LLVMTypeRef narrow = pm_ptx_integer_type(e, 24);

    return widen(e, LLVMBuildTrunc(e->b, value, narrow, ""), LLVMTypeOf(value), is_signed(i));
}

/* Returns the upper bits of the product of a and b, which has twice as many bits as they have:
 * those from bit `from` on. */
static LLVMValueRef high_bits(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef a,
                              LLVMValueRef b, unsigned from)
{
    LLVMTypeRef wide = double_type(e, i->types[0]);
    LLVMValueRef product =
        LLVMBuildMul(e->b, widen(e, a, wide, is_signed(i)), widen(e, b, wide, is_signed(i)), "");

    product = LLVMBuildLShr(e->b, product, pm_ptx_constant(wide, from), "");
    return LLVMBuildTrunc(e->b, product, LLVMTypeOf(a), "");
}

/* Returns the product of operands 1 and 2. The product has twice the bits of the operands if the
 * modifier is .wide. */
static LLVMValueRef product_of(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool of_24 = strstr(i->opcode, "24") != NULL;
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2), product;
    LLVMTypeRef wide;

    if (of_24) {
        if (i->types[0]->bits != 32)
            pm_ptx_refuse(e, i, "its type is .u32 or .s32");
        a = low_24(e, i, a);
        b = low_24(e, i, b);
    }
    if (pm_ptx_has(i, "hi"))
        return high_bits(e, i, a, b, of_24 ? 16 : i->types[0]->bits);
    if (!pm_ptx_has(i, "wide"))
        return LLVMBuildMul(e->b, a, b, "");
    wide = pm_ptx_llvm_type(e, wide_type(e, i));
    product =
        LLVMBuildMul(e->b, widen(e, a, wide, is_signed(i)), widen(e, b, wide, is_signed(i)), "");
    /* A product of extended numbers cannot overflow. Tell LLVM, which otherwise cannot split an
     * index into a sum. */
    if (LLVMIsAInstruction(product)) {
        LLVMSetNSW(product, is_signed(i));
        LLVMSetNUW(product, !is_signed(i));
    }
    return product;
}

void pm_ptx_emit_product(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *type = pm_ptx_has(i, "wide") ? wide_type(e, i) : i->types[0];
    const bool takes = strcmp(i->opcode, "madc") == 0, gives = pm_ptx_has(i, "cc");
    LLVMValueRef value = product_of(e, i), addend;

    if (i->operand_count == 4) {
        addend = pm_ptx_value(e, i, &i->operands[3], type);
        if ((takes || gives) && type->lanes == 1)
            value = sum_with_carry(e, value, addend, true, takes, gives);
        else if (pm_ptx_has(i, "sat"))
            value = call_two(e, "llvm.sadd.sat", value, addend);
        else
            value = LLVMBuildAdd(e->b, value, addend, "");
    }
    pm_ptx_set(e, i, &i->operands[0], value, type);
}

/* ---- quotients ------------------------------------------------------------------------------- */

void pm_ptx_emit_quotient(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2), value;

    if (strcmp(i->opcode, "div") == 0)
        value = is_signed(i) ? LLVMBuildSDiv(e->b, a, b, "") : LLVMBuildUDiv(e->b, a, b, "");
    else
        value = is_signed(i) ? LLVMBuildSRem(e->b, a, b, "") : LLVMBuildURem(e->b, a, b, "");
    pm_ptx_result(e, i, value);
}

/* ---- signs and limits ------------------------------------------------------------------------ */

void pm_ptx_emit_sign(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef value = pm_ptx_source(e, i, 1);
    LLVMValueRef arguments[2] = {value, LLVMConstInt(pm_ptx_integer_type(e, 1), 0, 0)};

    pm_ptx_result(e, i,
                  strcmp(i->opcode, "neg") == 0
                      ? LLVMBuildNeg(e->b, value, "")
                      : pm_ptx_intrinsic(e, "llvm.abs", LLVMTypeOf(value), arguments, 2));
}

void pm_ptx_emit_limit(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool is_min = strcmp(i->opcode, "min") == 0;
    const char *name = is_signed(i) ? is_min ? "llvm.smin" : "llvm.smax"
                       : is_min     ? "llvm.umin"
                                    : "llvm.umax";
    LLVMValueRef value = call_two(e, name, pm_ptx_source(e, i, 1), pm_ptx_source(e, i, 2));

    if (pm_ptx_has(i, "relu"))
        value = call_two(e, "llvm.smax", value, pm_ptx_constant(LLVMTypeOf(value), 0));
    pm_ptx_result(e, i, value);
}

/* ---- sums of differences and products -------------------------------------------------------- */

/* sad: c + |a - b| */
void pm_ptx_emit_sad(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2), larger, smaller;

    larger = call_two(e, is_signed(i) ? "llvm.smax" : "llvm.umax", a, b);
    smaller = call_two(e, is_signed(i) ? "llvm.smin" : "llvm.umin", a, b);
    pm_ptx_result(
        e, i,
        LLVMBuildAdd(e->b, LLVMBuildSub(e->b, larger, smaller, ""), pm_ptx_source(e, i, 3), ""));
}

/* Returns bits [from, from + bits) of a word as a number of 32 bits. by_sign: true if the number is
 * signed, so that its highest bit is repeated in the upper bits. */
static LLVMValueRef piece(pm_ptx_emitter *e, LLVMValueRef word, unsigned from, unsigned bits,
                          bool by_sign)
{
    LLVMTypeRef type = LLVMTypeOf(word), narrow = pm_ptx_integer_type(e, bits);

    word = LLVMBuildLShr(e->b, word, pm_ptx_constant(type, from), "");
    return widen(e, LLVMBuildTrunc(e->b, word, narrow, ""), type, by_sign);
}

/* Emits the dot products dp4a, of four bytes with four bytes, and dp2a, of two 16-bit numbers with
 * two bytes. Operand 3 is added. */
void pm_ptx_emit_dot(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool of_4 = strcmp(i->opcode, "dp4a") == 0;
    const unsigned count = of_4 ? 4 : 2, bits = of_4 ? 8 : 16;
    const unsigned first = pm_ptx_has(i, "hi") ? 16 : 0;
    const bool b_signed = i->type_count > 1 && i->types[1]->number == PM_PTX_SIGNED;
    LLVMValueRef a = pm_ptx_source_as(e, i, 1, "b32"), b = pm_ptx_source_as(e, i, 2, "b32");
    LLVMValueRef sum = pm_ptx_source_as(e, i, 3, "b32");

    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef product = LLVMBuildMul(e->b, piece(e, a, k * bits, bits, is_signed(i)),
                                            piece(e, b, first + k * 8, 8, b_signed), "");

        sum = LLVMBuildAdd(e->b, sum, product, "");
    }
    pm_ptx_result_as(e, i, sum, "b32");
}
