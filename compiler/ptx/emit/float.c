/* Emits floating-point arithmetic. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces count instructions, so results need not have the exact rounding. All results are rounded
 * to nearest, also for .rz, .rm and .rp. Denormal numbers are kept, also for .ftz.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

/* Writes a result of the instruction's type, limited to [0, 1] for .sat, and to positive numbers
 * for .relu. */
static void finish(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);

    if (pm_ptx_has(i, "sat"))
        value = pm_ptx_saturate(e, value);
    if (pm_ptx_has(i, "relu"))
        value = pm_ptx_intrinsic(e, "llvm.maxnum", type,
                                 (LLVMValueRef[]){value, pm_ptx_real(type, 0)}, 2);
    pm_ptx_result(e, i, value);
}

void pm_ptx_emit_float_sum(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2);

    finish(e, i,
           i->opcode[0] == 'a'   ? LLVMBuildFAdd(e->b, a, b, "")
           : i->opcode[0] == 's' ? LLVMBuildFSub(e->b, a, b, "")
                                 : LLVMBuildFMul(e->b, a, b, ""));
}

void pm_ptx_emit_fma(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef in[3] = {pm_ptx_source(e, i, 1), pm_ptx_source(e, i, 2), pm_ptx_source(e, i, 3)};

    finish(e, i, pm_ptx_intrinsic(e, "llvm.fma", LLVMTypeOf(in[0]), in, 3));
}

void pm_ptx_emit_float_sign(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef value = pm_ptx_source(e, i, 1);

    pm_ptx_result(e, i,
                  i->opcode[0] == 'n'
                      ? LLVMBuildFNeg(e->b, value, "")
                      : pm_ptx_intrinsic(e, "llvm.fabs", LLVMTypeOf(value), &value, 1));
}

/* copysign: operand 2 with the sign of operand 1. */
void pm_ptx_emit_copysign(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef in[2] = {pm_ptx_source(e, i, 2), pm_ptx_source(e, i, 1)};

    pm_ptx_result(e, i, pm_ptx_intrinsic(e, "llvm.copysign", LLVMTypeOf(in[0]), in, 2));
}

/* ---- minima and maxima ----------------------------------------------------------------------- */

static LLVMValueRef limit_two(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef a,
                              LLVMValueRef b)
{
    const bool is_min = strcmp(i->opcode, "min") == 0;
    const char *name = pm_ptx_has(i, "NaN") ? is_min ? "llvm.minimum" : "llvm.maximum"
                       : is_min             ? "llvm.minnum"
                                            : "llvm.maxnum";

    return pm_ptx_intrinsic(e, name, LLVMTypeOf(a), (LLVMValueRef[]){a, b}, 2);
}

/* Returns the absolute value of `value` with the sign of the product of `a` and `b`. */
static LLVMValueRef sign_of_product(pm_ptx_emitter *e, LLVMValueRef value, LLVMValueRef a,
                                    LLVMValueRef b, const pm_ptx_type *type)
{
    LLVMTypeRef real = LLVMTypeOf(a), bits = pm_ptx_integer_type(e, type->bits);
    LLVMValueRef sign;

    bits = type->lanes > 1 ? LLVMVectorType(bits, type->lanes) : bits;
    sign = LLVMBuildXor(e->b, LLVMBuildBitCast(e->b, a, bits, ""),
                        LLVMBuildBitCast(e->b, b, bits, ""), "");
    sign = LLVMBuildBitCast(e->b, sign, real, "");
    return pm_ptx_intrinsic(e, "llvm.copysign", real, (LLVMValueRef[]){value, sign}, 2);
}

/* Emits the PTX instructions min and max. The modifier .NaN makes the result NaN if an operand is
 * NaN. The modifiers .xorsign.abs compare absolute values, and give the result the sign of the
 * operands' product. */
void pm_ptx_emit_float_limit(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2), x = a, y = b, value;

    if (pm_ptx_has(i, "xorsign") || pm_ptx_has(i, "abs")) {
        x = pm_ptx_intrinsic(e, "llvm.fabs", LLVMTypeOf(a), &a, 1);
        y = pm_ptx_intrinsic(e, "llvm.fabs", LLVMTypeOf(b), &b, 1);
    }
    value = limit_two(e, i, x, y);
    if (i->operand_count == 4)
        value = limit_two(e, i, value, pm_ptx_source(e, i, 3));
    if (pm_ptx_has(i, "xorsign"))
        value = sign_of_product(e, value, a, b, i->types[0]);
    pm_ptx_result(e, i, value);
}

/* ---- quotients ------------------------------------------------------------------------------- */

/* Emits div. A GPU computes .approx.ftz by a reciprocal and a product; the trace engine counts
 * these for an LLVM division with all fast-math flags. .full takes more instructions, and the
 * default is rounded exactly. */
void pm_ptx_emit_division(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2);
    LLVMValueRef value = LLVMBuildFDiv(e->b, a, b, "");

    if ((pm_ptx_has(i, "approx") || pm_ptx_has(i, "full")) && LLVMIsAInstruction(value))
        LLVMSetFastMathFlags(value, LLVMFastMathAll);
    finish(e, i, value);
}

/* ---- tests ----------------------------------------------------------------------------------- */

/* Bits of llvm.is.fpclass. */
enum {
    IS_NAN = 3,
    IS_INFINITE = 4 | 512,
    IS_NORMAL = 8 | 256,
    IS_SUBNORMAL = 16 | 128,
    IS_ZERO = 32 | 64
};

void pm_ptx_emit_testp(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const unsigned classes = pm_ptx_has(i, "finite")       ? IS_NORMAL | IS_SUBNORMAL | IS_ZERO
                             : pm_ptx_has(i, "infinite")   ? IS_INFINITE
                             : pm_ptx_has(i, "notanumber") ? IS_NAN
                             : pm_ptx_has(i, "number")     ? 1023 & ~IS_NAN
                             : pm_ptx_has(i, "normal")     ? IS_NORMAL
                                                           : IS_SUBNORMAL;
    LLVMValueRef in[2] = {pm_ptx_source(e, i, 1),
                          LLVMConstInt(pm_ptx_integer_type(e, 32), classes, 0)};

    if (i->types[0]->lanes > 1)
        pm_ptx_refuse(e, i, "its type is .f32 or .f64");
    pm_ptx_result_as(e, i, pm_ptx_intrinsic(e, "llvm.is.fpclass", LLVMTypeOf(in[0]), in, 2),
                     "pred");
}
