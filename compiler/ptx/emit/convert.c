/* Emits LLVM IR for PTX instructions that convert a number to another type (cvt). See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

static bool is_real(const pm_ptx_type *type)
{
    return type->number == PM_PTX_FLOAT || type->number == PM_PTX_BFLOAT;
}

static bool is_signed(const pm_ptx_type *type)
{
    return type->number == PM_PTX_SIGNED;
}

LLVMValueRef pm_ptx_saturate(pm_ptx_emitter *e, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef above =
        pm_ptx_intrinsic(e, "llvm.maxnum", type, (LLVMValueRef[]){value, pm_ptx_real(type, 0)}, 2);

    return pm_ptx_intrinsic(e, "llvm.minnum", type, (LLVMValueRef[]){above, pm_ptx_real(type, 1)},
                            2);
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* Returns the intrinsic that rounds to an integer in the direction of the modifier; NULL: the
 * instruction does not round to an integer. */
static const char *integer_rounding(const pm_ptx_instruction *i)
{
    static const char *const names[][2] = {
        {"rni", "llvm.rint"}, {"rzi", "llvm.trunc"}, {"rmi", "llvm.floor"}, {"rpi", "llvm.ceil"}};

    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (pm_ptx_has(i, names[k][0]))
            return names[k][1];
    return NULL;
}

static LLVMValueRef round_value(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    const char *name = integer_rounding(i);

    return name ? pm_ptx_intrinsic(e, name, LLVMTypeOf(value), &value, 1) : value;
}

/* ---- between floating-point types ------------------------------------------------------------ */

static LLVMValueRef resize(pm_ptx_emitter *e, LLVMValueRef value, const pm_ptx_type *from,
                           const pm_ptx_type *to)
{
    static const pm_ptx_type single = {"f32", PM_PTX_FLOAT, 32, 1};
    LLVMTypeRef type = pm_ptx_llvm_type(e, to);

    if (from->number == to->number && from->bits == to->bits)
        return value;
    if (from->bits == to->bits) /* between f16 and bf16 */
        value = LLVMBuildFPExt(e->b, value, pm_ptx_llvm_type(e, &single), "");
    else if (from->bits < to->bits)
        return LLVMBuildFPExt(e->b, value, type, "");
    return LLVMBuildFPTrunc(e->b, value, type, "");
}

static LLVMValueRef real_to_real(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value,
                                 const pm_ptx_type *from, const pm_ptx_type *to)
{
    value = resize(e, round_value(e, i, value), from, to);
    if (pm_ptx_has(i, "sat"))
        value = pm_ptx_saturate(e, value);
    if (pm_ptx_has(i, "relu"))
        value = pm_ptx_intrinsic(e, "llvm.maxnum", LLVMTypeOf(value),
                                 (LLVMValueRef[]){value, pm_ptx_real(LLVMTypeOf(value), 0)}, 2);
    return value;
}

/* ---- integers -------------------------------------------------------------------------------- */

/* Limits an integer to the range of another type. */
static LLVMValueRef limit_integer(pm_ptx_emitter *e, LLVMValueRef value, const pm_ptx_type *from,
                                  const pm_ptx_type *to)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    const unsigned bits = is_signed(to) ? to->bits - 1 : to->bits;
    const unsigned own = is_signed(from) ? from->bits - 1 : from->bits;
    LLVMValueRef most = pm_ptx_constant(type, bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1);
    LLVMValueRef least =
        is_signed(to) ? LLVMConstInt(type, UINT64_MAX << (bits & 63), 1) : LLVMConstNull(type);

    if (is_signed(from) && (to->bits < from->bits || !is_signed(to)))
        value = pm_ptx_intrinsic(e, "llvm.smax", type, (LLVMValueRef[]){value, least}, 2);
    if (bits < own)
        value = pm_ptx_intrinsic(e, is_signed(from) ? "llvm.smin" : "llvm.umin", type,
                                 (LLVMValueRef[]){value, most}, 2);
    return value;
}

static LLVMValueRef integer_to_integer(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                       LLVMValueRef value, const pm_ptx_type *from,
                                       const pm_ptx_type *to)
{
    LLVMTypeRef type = pm_ptx_llvm_type(e, to);

    if (pm_ptx_has(i, "sat"))
        value = limit_integer(e, value, from, to);
    return LLVMBuildIntCast2(e->b, value, type, is_signed(from), "");
}

/* ---- integers and floating-point numbers ----------------------------------------------------- */

/* Converts a floating-point number to an integer. If the number is outside of the integer's range,
 * a GPU returns the nearest integer of the range, but the result of LLVM's conversion is undefined
 * (poison). The freeze makes it an arbitrary, but fixed, value. */
static LLVMValueRef real_to_integer(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                    LLVMValueRef value, const pm_ptx_type *to)
{
    LLVMTypeRef type = pm_ptx_llvm_type(e, to);

    /* conversions in LLVM round to zero */
    if (!pm_ptx_has(i, "rzi"))
        value = round_value(e, i, value);
    value = is_signed(to) ? LLVMBuildFPToSI(e->b, value, type, "")
                          : LLVMBuildFPToUI(e->b, value, type, "");
    return LLVMBuildFreeze(e->b, value, "");
}

static LLVMValueRef integer_to_real(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                    LLVMValueRef value, const pm_ptx_type *from,
                                    const pm_ptx_type *to)
{
    LLVMTypeRef type = pm_ptx_llvm_type(e, to);

    value = is_signed(from) ? LLVMBuildSIToFP(e->b, value, type, "")
                            : LLVMBuildUIToFP(e->b, value, type, "");
    return pm_ptx_has(i, "sat") ? pm_ptx_saturate(e, value) : value;
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* Emits cvt.rn.f16x2.f32 d, a, b or cvt.rn.bf16x2.f32 d, a, b: a becomes the high half of d, b the
 * low half. */
static void convert_pair(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *to = i->types[0], *from = i->types[1];
    const pm_ptx_type lane = {to->name, to->number, to->bits, 1};
    LLVMValueRef pair = LLVMGetUndef(pm_ptx_llvm_type(e, to));

    if (!is_real(to) || to->bits != 16 || to->lanes != 2 || from->number != PM_PTX_FLOAT ||
        from->bits != 32 || from->lanes != 1)
        pm_ptx_refuse(e, i, "this conversion cannot be traced; convert through .f32");
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef value = pm_ptx_value(e, i, &i->operands[2 - k], from);

        pair = LLVMBuildInsertElement(e->b, pair, real_to_real(e, i, value, from, &lane),
                                      LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0), "");
    }
    pm_ptx_result(e, i, pair);
}

void pm_ptx_emit_cvt(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *to = i->types[0], *from = i->types[1];
    LLVMValueRef value;

    if (i->type_count != 2 || to->number == PM_PTX_PREDICATE || from->number == PM_PTX_PREDICATE)
        pm_ptx_refuse(e, i, "it needs two types of numbers");
    if (pm_ptx_is_narrow_pair(to) || pm_ptx_is_narrow_pair(from)) {
        pm_ptx_emit_narrow(e, i);
        return;
    }
    if (i->operand_count == 3) {
        convert_pair(e, i);
        return;
    }
    if (to->lanes > 1 || from->lanes > 1 || to->number == PM_PTX_NARROW ||
        from->number == PM_PTX_NARROW || to->bits > 64 || from->bits > 64)
        pm_ptx_refuse(e, i, "this conversion cannot be traced; convert through .f32");
    value = pm_ptx_source_as(e, i, 1, from->name);
    if (is_real(from))
        value =
            is_real(to) ? real_to_real(e, i, value, from, to) : real_to_integer(e, i, value, to);
    else
        value = is_real(to) ? integer_to_real(e, i, value, from, to)
                            : integer_to_integer(e, i, value, from, to);
    pm_ptx_result(e, i, value);
}
