/* Emits LLVM IR for PTX instructions that copy registers (mov), pack several into one, or convert
 * addresses (cvta). See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

/* ---- mov ------------------------------------------------------------------------------------- */

/* Returns the type of untyped bits, such as .b32, for one of `parts` equal parts of a value of type
 * `whole`. */
static const pm_ptx_type *part_type(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                    const pm_ptx_type *whole, size_t parts)
{
    const pm_ptx_type *type =
        parts > 0 ? pm_ptx_type_find(
                        pm_format(e->memory, "b%u", pm_ptx_type_bits(whole) / (unsigned)parts))
                  : NULL;

    if (!type || pm_ptx_type_bits(type) * parts != pm_ptx_type_bits(whole))
        pm_ptx_refuse(e, i, "%zu registers are no equal parts of .%s", parts, whole->name);
    return type;
}

/* mov.b64 %rd, {%r0, %r1}: the first register is the lowest part. */
static LLVMValueRef pack(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_operand *list,
                         const pm_ptx_type *whole)
{
    const pm_ptx_type *part = part_type(e, i, whole, list->part_count);
    LLVMTypeRef wide = pm_ptx_integer_type(e, pm_ptx_type_bits(whole));
    LLVMValueRef sum = NULL;

    for (size_t k = 0; k < list->part_count; k++) {
        LLVMValueRef bits =
            LLVMBuildZExt(e->b, pm_ptx_value(e, i, &list->parts[k], part), wide, "");

        if (k > 0)
            bits = LLVMBuildShl(e->b, bits, pm_ptx_constant(wide, k * pm_ptx_type_bits(part)), "");
        sum = sum ? LLVMBuildOr(e->b, sum, bits, "") : bits;
    }
    return LLVMBuildBitCast(e->b, sum, pm_ptx_llvm_type(e, whole), "");
}

static void unpack(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_operand *list,
                   LLVMValueRef value, const pm_ptx_type *whole)
{
    const pm_ptx_type *part = part_type(e, i, whole, list->part_count);
    LLVMTypeRef wide = pm_ptx_integer_type(e, pm_ptx_type_bits(whole));

    value = LLVMBuildBitCast(e->b, value, wide, "");
    for (size_t k = 0; k < list->part_count; k++) {
        LLVMValueRef shift = pm_ptx_constant(wide, k * pm_ptx_type_bits(part));
        LLVMValueRef bits = LLVMBuildLShr(e->b, value, shift, "");

        pm_ptx_set(e, i, &list->parts[k], LLVMBuildTrunc(e->b, bits, pm_ptx_llvm_type(e, part), ""),
                   part);
    }
}

void pm_ptx_emit_mov(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *type = i->types[0];
    LLVMValueRef value;

    if (i->type_count == 0)
        pm_ptx_refuse(e, i, "it needs a type");
    value = i->operands[1].kind == PM_PTX_LIST ? pack(e, i, &i->operands[1], type)
                                               : pm_ptx_source(e, i, 1);
    if (i->operands[0].kind == PM_PTX_LIST)
        unpack(e, i, &i->operands[0], value, type);
    else
        pm_ptx_result(e, i, value);
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* cvta, which converts an address between a state space and the generic space, is a copy, because
 * the emitted IR uses the same number for an address in both. */
void pm_ptx_emit_cvta(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (i->type_count != 1)
        pm_ptx_refuse(e, i, "it needs the type .u64");
    pm_ptx_result(e, i, pm_ptx_source(e, i, 1));
}

/* mapa: the address of a shared variable in another block of the cluster. Traced clusters have only
 * one block, so the address stays the same. */
void pm_ptx_emit_mapa(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_result(e, i, pm_ptx_source(e, i, 1));
}

void pm_ptx_emit_getctarank(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_result_as(e, i, LLVMConstInt(pm_ptx_integer_type(e, 32), 0, 0), "u32");
}

/* isspacep: whether an address is in a given state space. This is not known when the code is
 * translated, so every address is taken as one of global memory. */
void pm_ptx_emit_isspacep(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_result_as(e, i,
                     LLVMConstInt(pm_ptx_integer_type(e, 1), (unsigned)pm_ptx_has(i, "global"), 0),
                     "pred");
}
