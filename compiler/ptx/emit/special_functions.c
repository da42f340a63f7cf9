/* Emits the functions of the special-function unit: reciprocals, roots, sine, exponential and
 * logarithm. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace engine takes the cost of a function from the rows of instructions.ini. A call with all
 * fast-math flags has the costs of NAME.fast_float. The results are more exact than a GPU's.
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

static LLVMValueRef make_fast(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        LLVMSetFastMathFlags(value, LLVMFastMathAll);
    return value;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static LLVMValueRef call_one(pm_ptx_emitter *e, const char *name, LLVMValueRef value)
{
    return pm_ptx_intrinsic(e, name, LLVMTypeOf(value), &value, 1);
}

static LLVMValueRef reciprocal(pm_ptx_emitter *e, LLVMValueRef value)
{
    return LLVMBuildFDiv(e->b, pm_ptx_real(LLVMTypeOf(value), 1), value, "");
}

static LLVMValueRef square_root(pm_ptx_emitter *e, LLVMValueRef value)
{
    return call_one(e, "llvm.sqrt", value);
}

static LLVMValueRef reciprocal_root(pm_ptx_emitter *e, LLVMValueRef value)
{
    return reciprocal(e, square_root(e, value));
}

static LLVMValueRef sine(pm_ptx_emitter *e, LLVMValueRef value)
{
    return call_one(e, "llvm.sin", value);
}

static LLVMValueRef cosine(pm_ptx_emitter *e, LLVMValueRef value)
{
    return call_one(e, "llvm.cos", value);
}

static LLVMValueRef logarithm(pm_ptx_emitter *e, LLVMValueRef value)
{
    return call_one(e, "llvm.log2", value);
}

static LLVMValueRef power_of_two(pm_ptx_emitter *e, LLVMValueRef value)
{
    return call_one(e, "llvm.exp2", value);
}

/* tanh(x) = 1 - 2 / (e^(2x) + 1), with e^(2x) = 2^(2x / ln 2) */
static LLVMValueRef hyperbolic_tangent(pm_ptx_emitter *e, LLVMValueRef value)
{
    static const double factor = 2.8853900817779268; /* 2 / ln 2 */
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef one = pm_ptx_real(type, 1), sum;

    sum = power_of_two(e, LLVMBuildFMul(e->b, value, pm_ptx_real(type, factor), ""));
    sum = LLVMBuildFAdd(e->b, sum, one, "");
    return LLVMBuildFSub(e->b, one, LLVMBuildFDiv(e->b, pm_ptx_real(type, 2), sum, ""), "");
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Rows of instructions.ini with the costs of functions of f32. flushing: row for .approx.ftz, whose
 * call gets all fast-math flags. plain: row for .approx without .ftz, where the GPU scales denormal
 * numbers by further instructions. */
static const struct {
    const char *opcode, *flushing, *plain;
    pm_ptx_body body;
} functions[] = {
    {"sqrt", "pm_sqrt_fast", "native_sqrt", square_root},
    {"rsqrt", "rsqrt", "rsqrt", reciprocal_root},
    {"sin", "sin", "native_sin", sine},
    {"cos", "cos", "native_cos", cosine},
    {"lg2", "log2", "native_log2", logarithm},
    {"ex2", "exp2", "exp2", power_of_two},
    {"tanh", "pm_tanh_fast", "pm_tanh_fast", hyperbolic_tangent},
};

static LLVMValueRef emit_float(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    const bool approximate = pm_ptx_has(i, "approx"), flushes = pm_ptx_has(i, "ftz");

    if (strcmp(i->opcode, "rcp") == 0)
        return approximate ? make_fast(reciprocal(e, value)) : reciprocal(e, value);
    if (strcmp(i->opcode, "sqrt") == 0 && !approximate)
        return pm_ptx_counted(e, "pm_sqrt_ieee", square_root, value);
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp(functions[k].opcode, i->opcode) == 0) {
            LLVMValueRef call = pm_ptx_counted(
                e, flushes ? functions[k].flushing : functions[k].plain, functions[k].body, value);

            return flushes ? make_fast(call) : call;
        }
    pm_ptx_refuse(e, i, "this function is not known");
}

/* Emits a function of a double. PTX has only rcp, sqrt and rsqrt for doubles. */
static LLVMValueRef emit_double(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    const bool approximate = pm_ptx_has(i, "approx");
    LLVMValueRef made;

    if (strcmp(i->opcode, "sqrt") == 0)
        return square_root(e, value);
    made = reciprocal(e, strcmp(i->opcode, "rsqrt") == 0 ? square_root(e, value) : value);
    return approximate ? make_fast(made) : made;
}

void pm_ptx_emit_function_of_one(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const pm_ptx_type single = {"f32", PM_PTX_FLOAT, 32, 1};
    const pm_ptx_type *type = i->types[0];
    LLVMValueRef value = pm_ptx_source(e, i, 1), lanes[2];

    if (type->bits == 64) {
        if (strcmp(i->opcode, "rcp") != 0 && strcmp(i->opcode, "sqrt") != 0 &&
            strcmp(i->opcode, "rsqrt") != 0)
            pm_ptx_refuse(e, i, "PTX has this function only for .f32 and 16 bits");
        pm_ptx_result(e, i, emit_double(e, i, value));
        return;
    }
    if (type->bits == 32 && type->lanes == 1) {
        pm_ptx_result(e, i, emit_float(e, i, value));
        return;
    }
    /* numbers of 16 bits are computed as floats */
    for (unsigned k = 0; k < type->lanes; k++) {
        LLVMValueRef at = LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0);
        LLVMValueRef lane = type->lanes > 1 ? LLVMBuildExtractElement(e->b, value, at, "") : value;

        lane = LLVMBuildFPExt(e->b, lane, pm_ptx_llvm_type(e, &single), "");
        lane = emit_float(e, i, lane);
        lanes[k] = LLVMBuildFPTrunc(e->b, lane,
                                    type->lanes > 1 ? LLVMGetElementType(pm_ptx_llvm_type(e, type))
                                                    : LLVMTypeOf(value),
                                    "");
        if (type->lanes > 1)
            value = LLVMBuildInsertElement(e->b, value, lanes[k], at, "");
        else
            value = lanes[k];
    }
    pm_ptx_result(e, i, value);
}
