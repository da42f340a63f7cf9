/* Types, registers and operands. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A register of PTX becomes a variable of the LLVM function. Its type is float or double for .f32
 * and .f64, else an integer with as many bits. LLVM's pass sroa later turns these variables into
 * values. If an instruction reads a register in another type, a bit cast converts the value.
 */
#include "compiler/ptx/emit/emitter.h"

/* ---- types ----------------------------------------------------------------------------------- */

LLVMTypeRef pm_ptx_integer_type(const pm_ptx_emitter *e, unsigned bits)
{
    return LLVMIntTypeInContext(e->context, bits);
}

static LLVMTypeRef element_type(const pm_ptx_emitter *e, const pm_ptx_type *type)
{
    if (type->number == PM_PTX_BFLOAT)
        return LLVMBFloatTypeInContext(e->context);
    if (type->number != PM_PTX_FLOAT)
        return pm_ptx_integer_type(e, type->bits);
    return type->bits == 16   ? LLVMHalfTypeInContext(e->context)
           : type->bits == 32 ? LLVMFloatTypeInContext(e->context)
                              : LLVMDoubleTypeInContext(e->context);
}

LLVMTypeRef pm_ptx_llvm_type(const pm_ptx_emitter *e, const pm_ptx_type *type)
{
    LLVMTypeRef element = element_type(e, type);

    return type->lanes > 1 ? LLVMVectorType(element, type->lanes) : element;
}

const pm_ptx_type *pm_ptx_type_named(const char *name)
{
    return pm_ptx_type_find(name);
}

static LLVMTypeRef scalar_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

/* Returns a vector with the same constant in all elements, or the constant if the type is no
 * vector. */
static LLVMValueRef spread(LLVMTypeRef type, LLVMValueRef constant)
{
    LLVMValueRef elements[4];
    unsigned count;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return constant;
    count = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < count && i < 4; i++)
        elements[i] = constant;
    return LLVMConstVector(elements, count < 4 ? count : 4);
}

LLVMValueRef pm_ptx_constant(LLVMTypeRef type, unsigned long long value)
{
    return spread(type, LLVMConstInt(scalar_of(type), value, 0));
}

LLVMValueRef pm_ptx_real(LLVMTypeRef type, double value)
{
    return spread(type, LLVMConstReal(scalar_of(type), value));
}

/* ---- registers ------------------------------------------------------------------------------- */

LLVMValueRef pm_ptx_variable_of(pm_ptx_emitter *e, LLVMTypeRef type, uint64_t align)
{
    LLVMValueRef variable = LLVMBuildAlloca(e->entry, type, "");

    if (align > 0)
        LLVMSetAlignment(variable, (unsigned)align);
    return variable;
}

/* Returns the type of the variable in which a register is stored. */
static LLVMTypeRef stored_type(const pm_ptx_emitter *e, const pm_ptx_type *type)
{
    const bool is_float = type->number == PM_PTX_FLOAT && type->lanes == 1 && type->bits >= 32;

    return is_float ? pm_ptx_llvm_type(e, type) : pm_ptx_integer_type(e, pm_ptx_type_bits(type));
}

LLVMValueRef pm_ptx_register_address(pm_ptx_emitter *e, const pm_ptx_register *reg)
{
    LLVMValueRef *address = &e->registers[reg->number];

    if (!*address)
        *address = pm_ptx_variable_of(e, stored_type(e, reg->type), 0);
    return *address;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Converts a value of `bits` bits to a type with at most as many bits, which keeps its low bits. */
static LLVMValueRef low_bits(pm_ptx_emitter *e, LLVMValueRef value, unsigned bits,
                             const pm_ptx_type *type)
{
    const unsigned wanted = pm_ptx_type_bits(type);
    LLVMTypeRef to = pm_ptx_llvm_type(e, type);

    if (bits == wanted)
        return LLVMBuildBitCast(e->b, value, to, "");
    value = LLVMBuildBitCast(e->b, value, pm_ptx_integer_type(e, bits), "");
    value = LLVMBuildTrunc(e->b, value, pm_ptx_integer_type(e, wanted), "");
    return LLVMBuildBitCast(e->b, value, to, "");
}

static LLVMValueRef read_register(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                  const pm_ptx_register *reg, const pm_ptx_type *type)
{
    const unsigned bits = pm_ptx_type_bits(reg->type);

    if (bits < pm_ptx_type_bits(type) ||
        (reg->type->number == PM_PTX_PREDICATE) != (type->number == PM_PTX_PREDICATE))
        pm_ptx_refuse(e, i, "register %.60s is .%s, which is no operand of type .%s", reg->name,
                      reg->type->name, type->name);
    return low_bits(
        e, LLVMBuildLoad2(e->b, stored_type(e, reg->type), pm_ptx_register_address(e, reg), ""),
        bits, type);
}

static LLVMValueRef read_number(pm_ptx_emitter *e, const pm_ptx_operand *operand,
                                const pm_ptx_type *type)
{
    LLVMTypeRef to = pm_ptx_llvm_type(e, type);
    const bool is_float = type->number == PM_PTX_FLOAT || type->number == PM_PTX_BFLOAT;
    LLVMValueRef bits;

    if (is_float && type->lanes == 1 && (operand->is_real || operand->is_single)) {
        const bool exact = operand->is_single ? type->bits == 32 : type->bits == 64;

        if (!exact)
            return pm_ptx_real(to, operand->real);
    } else if (is_float && type->lanes == 1 && type->bits >= 32) {
        return pm_ptx_real(to, (double)(int64_t)operand->bits);
    }
    if (type->number == PM_PTX_PREDICATE)
        return LLVMConstInt(to, operand->bits != 0, 0);
    if (pm_ptx_type_bits(type) > 64)
        return LLVMConstInt(to, operand->bits, 1);
    bits = LLVMConstInt(pm_ptx_integer_type(e, pm_ptx_type_bits(type)), operand->bits, 0);
    return LLVMConstBitCast(bits, to);
}

/* Returns the address of a variable as a number, plus the operand's offset. */
static LLVMValueRef read_symbol(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                const pm_ptx_operand *operand, const pm_ptx_type *type)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 64);
    LLVMValueRef address =
        LLVMBuildPtrToInt(e->b, pm_ptx_symbol(e, i, operand->variable), word, "");

    if (operand->bits != 0)
        address = LLVMBuildAdd(e->b, address, LLVMConstInt(word, operand->bits, 0), "");
    if (pm_ptx_type_bits(type) > 64)
        pm_ptx_refuse(e, i, "an address has 64 bits");
    return low_bits(e, address, 64, type);
}

static LLVMValueRef read_special(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                 const pm_ptx_operand *operand, const pm_ptx_type *type)
{
    LLVMValueRef value = pm_ptx_special(e, i, operand->text);
    const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));

    if (bits < pm_ptx_type_bits(type))
        value = LLVMBuildZExt(e->b, value, pm_ptx_integer_type(e, pm_ptx_type_bits(type)), "");
    return low_bits(e, value, bits < pm_ptx_type_bits(type) ? pm_ptx_type_bits(type) : bits, type);
}

LLVMValueRef pm_ptx_value(pm_ptx_emitter *e, const pm_ptx_instruction *i,
                          const pm_ptx_operand *operand, const pm_ptx_type *type)
{
    switch (operand->kind) {
    case PM_PTX_REGISTER:
        return read_register(e, i, operand->reg, type);
    case PM_PTX_NUMBER:
        return read_number(e, operand, type);
    case PM_PTX_SYMBOL:
        return read_symbol(e, i, operand, type);
    case PM_PTX_SPECIAL:
        return read_special(e, i, operand, type);
    case PM_PTX_NEGATED:
        if (type->number != PM_PTX_PREDICATE)
            break;
        return LLVMBuildNot(e->b, pm_ptx_value(e, i, &operand->parts[0], type), "");
    case PM_PTX_LABEL:
        pm_ptx_refuse(e, i, "%.60s is not declared", operand->text);
    case PM_PTX_CALLEE:
        pm_ptx_refuse(e, i, "addresses of functions cannot be traced; call the function itself");
    default:
        break;
    }
    pm_ptx_refuse(e, i, "one of its operands has another form than this instruction takes");
}

LLVMValueRef pm_ptx_source(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k)
{
    return pm_ptx_value(e, i, &i->operands[k], i->types[0]);
}

LLVMValueRef pm_ptx_source_as(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                              const char *type)
{
    return pm_ptx_value(e, i, &i->operands[k], pm_ptx_type_named(type));
}

/* ---- writing --------------------------------------------------------------------------------- */

void pm_ptx_set(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_operand *operand,
                LLVMValueRef value, const pm_ptx_type *type)
{
    const unsigned bits = pm_ptx_type_bits(type);
    const pm_ptx_register *reg = operand->reg;
    LLVMTypeRef wide;

    if (operand->kind == PM_PTX_NOTHING)
        return;
    if (operand->kind != PM_PTX_REGISTER)
        pm_ptx_refuse(e, i, "its result needs a register");
    if (pm_ptx_type_bits(reg->type) < bits ||
        (reg->type->number == PM_PTX_PREDICATE) != (type->number == PM_PTX_PREDICATE))
        pm_ptx_refuse(e, i, "register %.60s is .%s, which takes no result of type .%s", reg->name,
                      reg->type->name, type->name);
    if (pm_ptx_type_bits(reg->type) > bits) {
        value = LLVMBuildBitCast(e->b, value, pm_ptx_integer_type(e, bits), "");
        wide = pm_ptx_integer_type(e, pm_ptx_type_bits(reg->type));
        value = type->number == PM_PTX_SIGNED ? LLVMBuildSExt(e->b, value, wide, "")
                                              : LLVMBuildZExt(e->b, value, wide, "");
    }
    value = LLVMBuildBitCast(e->b, value, stored_type(e, reg->type), "");
    LLVMBuildStore(e->b, value, pm_ptx_register_address(e, reg));
}

void pm_ptx_result(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    pm_ptx_set(e, i, &i->operands[0], value, i->types[0]);
}

void pm_ptx_result_as(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value,
                      const char *type)
{
    pm_ptx_set(e, i, &i->operands[0], value, pm_ptx_type_named(type));
}
