/* Emits atomic operations. See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

static bool is_real(const pm_ptx_type *type)
{
    return type->number == PM_PTX_FLOAT || type->number == PM_PTX_BFLOAT;
}

/* Returns LLVM's atomic operation for the modifier of a PTX atomic instruction, such as .add. */
static LLVMAtomicRMWBinOp operation_of(const pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool by_sign = i->types[0]->number == PM_PTX_SIGNED, real = is_real(i->types[0]);

    if (pm_ptx_has(i, "add"))
        return real ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    if (pm_ptx_has(i, "exch"))
        return LLVMAtomicRMWBinOpXchg;
    if (real)
        pm_ptx_refuse(e, i, "floating-point numbers have only .add and .exch");
    if (pm_ptx_has(i, "min"))
        return by_sign ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    if (pm_ptx_has(i, "max"))
        return by_sign ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    if (pm_ptx_has(i, "inc"))
        return LLVMAtomicRMWBinOpUIncWrap;
    if (pm_ptx_has(i, "dec"))
        return LLVMAtomicRMWBinOpUDecWrap;
    if (pm_ptx_has(i, "and"))
        return LLVMAtomicRMWBinOpAnd;
    if (pm_ptx_has(i, "or"))
        return LLVMAtomicRMWBinOpOr;
    if (pm_ptx_has(i, "xor"))
        return LLVMAtomicRMWBinOpXor;
    pm_ptx_refuse(e, i, "it needs an operation such as .add");
}

static LLVMValueRef exchange(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef pointer)
{
    LLVMValueRef pair, compared, stored;
    LLVMTypeRef bits = pm_ptx_integer_type(e, i->types[0]->bits);

    if (i->operand_count < 4)
        pm_ptx_refuse(e, i, "it needs a number to compare with and a number to store");
    compared = LLVMBuildBitCast(e->b, pm_ptx_source(e, i, 2), bits, "");
    stored = LLVMBuildBitCast(e->b, pm_ptx_source(e, i, 3), bits, "");
    pair = LLVMBuildAtomicCmpXchg(e->b, pointer, compared, stored, LLVMAtomicOrderingMonotonic,
                                  LLVMAtomicOrderingMonotonic, 0);
    return LLVMBuildBitCast(e->b, LLVMBuildExtractValue(e->b, pair, 0, ""),
                            pm_ptx_llvm_type(e, i->types[0]), "");
}

/* Emits "atom d, [a], b" and "red [a], b". Both are atomic operations on memory; red has no
 * result. */
void pm_ptx_emit_atom(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool has_result = i->opcode[0] == 'a';
    const pm_ptx_type *type = i->types[0];
    LLVMValueRef pointer, old;

    if (i->type_count != 1 || type->number == PM_PTX_PREDICATE || type->number == PM_PTX_NARROW ||
        type->bits < 16 || type->bits > 64 || (type->lanes > 1 && !is_real(type)) ||
        (type->bits == 16 && !pm_ptx_has(i, "cas") && !is_real(type)))
        pm_ptx_refuse(e, i, "atomics of this type cannot be traced");
    pointer = pm_ptx_pointer(e, i, has_result);
    if (pm_ptx_has(i, "cas"))
        old = exchange(e, i, pointer);
    else
        old = LLVMBuildAtomicRMW(e->b, operation_of(e, i), pointer,
                                 pm_ptx_source(e, i, has_result ? 2 : 1),
                                 LLVMAtomicOrderingMonotonic, 0);
    if (has_result)
        pm_ptx_result(e, i, old);
}
