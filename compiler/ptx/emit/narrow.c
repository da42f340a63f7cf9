/* Emits LLVM IR for PTX instructions that convert pairs of 8-bit floating-point numbers (FP8). See
 * emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

/* A format of 8-bit numbers. most: code of the largest finite number */
typedef struct {
    unsigned mantissa, bias, most;
} format;

enum {
    NOT_A_NUMBER = 0x7f, /* code in both formats */
    SIGN = 0x80,
    SINGLE_MANTISSA = 23,
    SINGLE_BIAS = 127
};

bool pm_ptx_is_narrow_pair(const pm_ptx_type *type)
{
    return type->number == PM_PTX_NARROW && type->bits == 8 && type->lanes == 2;
}

static format format_of(const pm_ptx_type *type)
{
    return strcmp(type->name, "e4m3x2") == 0 ? (format){3, 7, 0x7e} : (format){2, 15, 0x7b};
}

/* ---- to FP8 ---------------------------------------------------------------------------------- */

/* Returns the code of a normal number of the format. magnitude: bits of a float without its sign */
static LLVMValueRef normal_code(pm_ptx_emitter *e, LLVMValueRef magnitude, const format *to)
{
    const unsigned dropped = SINGLE_MANTISSA - to->mantissa;
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef odd =
        LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, magnitude, pm_ptx_constant(word, dropped), ""),
                     pm_ptx_constant(word, 1), "");
    LLVMValueRef sum = LLVMBuildAdd(e->b, magnitude, odd, "");

    sum = LLVMBuildAdd(e->b, sum, pm_ptx_constant(word, (1u << (dropped - 1)) - 1), "");
    sum = LLVMBuildLShr(e->b, sum, pm_ptx_constant(word, dropped), "");
    return LLVMBuildSub(e->b, sum, pm_ptx_constant(word, (SINGLE_BIAS - to->bias) << to->mantissa),
                        "");
}

/* Returns the bits of a number in the format `to`. magnitude: bits of the number as a float; it is
 * less than the least normal number of the format. Such (subnormal) numbers are all multiples of
 * the same distance. */
static LLVMValueRef subnormal_code(pm_ptx_emitter *e, LLVMValueRef magnitude, const format *to)
{
    LLVMTypeRef single = LLVMFloatTypeInContext(e->context);
    const double per_unit = (double)(1u << (to->mantissa + to->bias - 1));
    LLVMValueRef value = LLVMBuildFMul(e->b, LLVMBuildBitCast(e->b, magnitude, single, ""),
                                       pm_ptx_real(single, per_unit), "");

    value = pm_ptx_intrinsic(e, "llvm.rint", single, &value, 1);
    return LLVMBuildFPToUI(e->b, value, pm_ptx_integer_type(e, 32), "");
}

/* Returns the bits of a float in the format `to`, as an integer of 32 bits. It is rounded to the
 * nearest number, or to the largest finite number if it is larger. */
static LLVMValueRef narrow(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value,
                           const format *to)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef bits = LLVMBuildBitCast(e->b, value, word, "");
    LLVMValueRef magnitude = LLVMBuildAnd(e->b, bits, pm_ptx_constant(word, INT32_MAX), "");
    LLVMValueRef most = pm_ptx_constant(word, to->most), code, is_small, is_nan;
    LLVMValueRef sign = LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, bits, pm_ptx_constant(word, 24), ""),
                                     pm_ptx_constant(word, SIGN), "");

    is_small =
        LLVMBuildICmp(e->b, LLVMIntULT, magnitude,
                      pm_ptx_constant(word, (SINGLE_BIAS + 1 - to->bias) << SINGLE_MANTISSA), "");
    is_nan = LLVMBuildICmp(e->b, LLVMIntUGT, magnitude, pm_ptx_constant(word, 0x7f800000), "");
    code = LLVMBuildSelect(e->b, is_small, subnormal_code(e, magnitude, to),
                           normal_code(e, magnitude, to), "");
    code = pm_ptx_intrinsic(e, "llvm.umin", word, (LLVMValueRef[]){code, most}, 2);
    code = pm_ptx_has(i, "relu")
               ? LLVMBuildSelect(e->b,
                                 LLVMBuildICmp(e->b, LLVMIntEQ, sign, pm_ptx_constant(word, 0), ""),
                                 code, pm_ptx_constant(word, 0), "")
               : LLVMBuildOr(e->b, code, sign, "");
    return LLVMBuildSelect(e->b, is_nan, pm_ptx_constant(word, NOT_A_NUMBER), code, "");
}

/* Returns number k of the pair that the instruction converts, as a float: number 0 is the low one.
 */
static LLVMValueRef source_number(pm_ptx_emitter *e, const pm_ptx_instruction *i, unsigned k)
{
    LLVMValueRef value;

    if (i->operand_count == 3) /* the first operand becomes the high number */
        return pm_ptx_value(e, i, &i->operands[2 - k], i->types[1]);
    value = pm_ptx_value(e, i, &i->operands[1], i->types[1]);
    value =
        LLVMBuildExtractElement(e->b, value, LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0), "");
    return LLVMBuildFPExt(e->b, value, LLVMFloatTypeInContext(e->context), "");
}

static void to_narrow(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const format to = format_of(i->types[0]);
    LLVMValueRef low = narrow(e, i, source_number(e, i, 0), &to);
    LLVMValueRef high = narrow(e, i, source_number(e, i, 1), &to);

    high = LLVMBuildShl(e->b, high, pm_ptx_constant(pm_ptx_integer_type(e, 32), 8), "");
    pm_ptx_result_as(
        e, i,
        LLVMBuildTrunc(e->b, LLVMBuildOr(e->b, low, high, ""), pm_ptx_integer_type(e, 16), ""),
        "b16");
}

/* ---- from FP8 -------------------------------------------------------------------------------- */

/* Returns the f16 of a code in the low 8 bits of an integer of 16 bits, whose other bits are zeros.
 */
static LLVMValueRef widen(pm_ptx_emitter *e, LLVMValueRef code, const format *from)
{
    enum { HALF_MANTISSA = 10, HALF_BIAS = 15 };
    LLVMTypeRef word = pm_ptx_integer_type(e, 16), half = LLVMHalfTypeInContext(e->context);
    LLVMValueRef magnitude = LLVMBuildAnd(e->b, code, pm_ptx_constant(word, SIGN - 1), "");
    LLVMValueRef sign =
        LLVMBuildShl(e->b, LLVMBuildAnd(e->b, code, pm_ptx_constant(word, SIGN), ""),
                     pm_ptx_constant(word, 8), "");
    LLVMValueRef bits =
        LLVMBuildShl(e->b, magnitude, pm_ptx_constant(word, HALF_MANTISSA - from->mantissa), "");
    LLVMValueRef value = LLVMBuildBitCast(e->b, LLVMBuildOr(e->b, bits, sign, ""), half, "");

    if (from->bias == HALF_BIAS)
        return value;
    /* Correct the exponent. f16 has all numbers of the format, so that the product is exact. */
    value = LLVMBuildFMul(e->b, value, pm_ptx_real(half, 1u << (HALF_BIAS - from->bias)), "");
    return LLVMBuildSelect(
        e->b, LLVMBuildICmp(e->b, LLVMIntEQ, magnitude, pm_ptx_constant(word, NOT_A_NUMBER), ""),
        LLVMConstBitCast(pm_ptx_constant(word, 0x7fff), half), value, "");
}

static void from_narrow(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const format from = format_of(i->types[1]);
    LLVMTypeRef half = LLVMHalfTypeInContext(e->context), word = pm_ptx_integer_type(e, 16);
    LLVMValueRef codes = pm_ptx_source_as(e, i, 1, "b16");
    LLVMValueRef pair = LLVMGetUndef(pm_ptx_llvm_type(e, i->types[0]));

    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef code =
            LLVMBuildAnd(e->b, LLVMBuildLShr(e->b, codes, pm_ptx_constant(word, 8ull * k), ""),
                         pm_ptx_constant(word, UINT8_MAX), "");
        LLVMValueRef value = widen(e, code, &from);

        if (pm_ptx_has(i, "relu"))
            value = pm_ptx_intrinsic(e, "llvm.maxnum", half,
                                     (LLVMValueRef[]){value, pm_ptx_real(half, 0)}, 2);
        pair = LLVMBuildInsertElement(e->b, pair, value,
                                      LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0), "");
    }
    pm_ptx_result(e, i, pair);
}

void pm_ptx_emit_narrow(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *to = i->types[0], *from = i->types[1];
    const pm_ptx_type *wide = pm_ptx_is_narrow_pair(to) ? from : to;
    const bool is_pair = wide->number == PM_PTX_FLOAT && wide->bits == 16 && wide->lanes == 2;
    const bool is_single = wide->number == PM_PTX_FLOAT && wide->bits == 32 && wide->lanes == 1;

    if (i->operand_count == 2 ? !is_pair : !is_single || wide == to)
        pm_ptx_refuse(e, i, "this conversion cannot be traced; convert through .f16x2");
    if (wide == from)
        to_narrow(e, i);
    else
        from_narrow(e, i);
}
