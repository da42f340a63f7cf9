/* Emits LLVM IR for PTX instructions that load and store memory (ld, st). See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cache operators and eviction priorities do not change what is counted.
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/emit/emitter.h"

static pm_ptx_space space_of(const pm_ptx_instruction *i)
{
    static const struct {
        const char *name;
        pm_ptx_space space;
    } spaces[] = {{"global", PM_PTX_GLOBAL},
                  {"shared", PM_PTX_SHARED},
                  {"shared::cta", PM_PTX_SHARED},
                  {"shared::cluster", PM_PTX_SHARED},
                  /* the cluster has one block */ {"const", PM_PTX_CONST},
                  {"local", PM_PTX_LOCAL},
                  {"param", PM_PTX_PARAM},
                  {"param::entry", PM_PTX_PARAM},
                  {"param::func", PM_PTX_PARAM}};

    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++)
        if (pm_ptx_has(i, spaces[k].name))
            return spaces[k].space;
    return PM_PTX_GENERIC;
}

LLVMValueRef pm_ptx_pointer(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k)
{
    return pm_ptx_pointer_in(e, i, k, space_of(i));
}

LLVMValueRef pm_ptx_pointer_in(pm_ptx_emitter *e, const pm_ptx_instruction *i, size_t k,
                               pm_ptx_space space)
{
    const pm_ptx_operand *address = &i->operands[k], *base;
    LLVMTypeRef type = LLVMPointerTypeInContext(e->context, pm_ptx_address_space(space));
    LLVMTypeRef wide = pm_ptx_integer_type(e, 64), byte = pm_ptx_integer_type(e, 8);
    LLVMValueRef pointer, offset;

    if (address->kind != PM_PTX_ADDRESS || address->part_count > 1)
        pm_ptx_refuse(e, i, "it needs an address such as [%%rd1+4]");
    offset = LLVMConstInt(wide, address->bits, 0);
    if (address->part_count == 0)
        return LLVMBuildIntToPtr(e->b, offset, type, "");
    base = &address->parts[0];
    if (base->kind == PM_PTX_SYMBOL) {
        pointer = pm_ptx_symbol(e, i, base->variable);
        if (LLVMTypeOf(pointer) != type)
            pointer = LLVMBuildAddrSpaceCast(e->b, pointer, type, "");
    } else if (base->kind == PM_PTX_REGISTER) {
        const pm_ptx_type *number =
            pm_ptx_type_named(pm_ptx_type_bits(base->reg->type) == 32 ? "u32" : "u64");

        pointer = LLVMBuildIntToPtr(e->b, pm_ptx_value(e, i, base, number), type, "");
    } else {
        pm_ptx_refuse(e, i, "its address is no register and no variable");
    }
    return address->bits ? LLVMBuildGEP2(e->b, byte, pointer, &offset, 1, "") : pointer;
}

/* Returns the number of elements of a vector access such as .v4; 1 for a scalar access. */
static unsigned width_of(const pm_ptx_instruction *i)
{
    return pm_ptx_has(i, "v8") ? 8 : pm_ptx_has(i, "v4") ? 4 : pm_ptx_has(i, "v2") ? 2 : 1;
}

/* Returns the operand with the data of an access. A list with one register is treated as this
 * register. */
static const pm_ptx_operand *accessed(const pm_ptx_operand *operand)
{
    return operand->kind == PM_PTX_LIST && operand->part_count == 1 ? &operand->parts[0] : operand;
}

/* Returns the LLVM type of the data of an access, a scalar or a vector. Raises an error for a
 * predicate, which cannot be in memory. */
static LLVMTypeRef accessed_type(const pm_ptx_emitter *e, const pm_ptx_instruction *i,
                                 const pm_ptx_operand *value)
{
    const unsigned width = width_of(i);
    LLVMTypeRef type;

    if (i->type_count != 1 || i->types[0]->number == PM_PTX_PREDICATE)
        pm_ptx_refuse(e, i, "it needs the type of a number");
    if ((width > 1) != (value->kind == PM_PTX_LIST) || (width > 1 && value->part_count != width) ||
        (width > 1 && i->types[0]->lanes > 1 && i->types[0]->bits != 16))
        pm_ptx_refuse(e, i, "it needs %u registers", width);
    type = i->types[0]->lanes > 1 ? pm_ptx_integer_type(e, pm_ptx_type_bits(i->types[0]))
                                  : pm_ptx_llvm_type(e, i->types[0]);
    return width > 1 ? LLVMVectorType(type, width) : type;
}

static bool is_volatile(const pm_ptx_instruction *i)
{
    static const char *const words[] = {"volatile", "relaxed", "acquire", "release", "mmio", NULL};

    return pm_ptx_choice(i, words) != NULL;
}

/* Sets the alignment of an access, which PTX demands to be its size. */
static void finish_access(const pm_ptx_instruction *i, LLVMValueRef access)
{
    LLVMSetAlignment(access, width_of(i) * pm_ptx_type_bits(i->types[0]) / 8);
    LLVMSetVolatile(access, is_volatile(i));
}

void pm_ptx_emit_ld(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_operand *to = accessed(&i->operands[0]);
    LLVMTypeRef type = accessed_type(e, i, to), single = pm_ptx_llvm_type(e, i->types[0]);
    LLVMValueRef loaded = LLVMBuildLoad2(e->b, type, pm_ptx_pointer(e, i, 1), "");

    finish_access(i, loaded);
    if (to->kind != PM_PTX_LIST) {
        pm_ptx_set(e, i, to, LLVMBuildBitCast(e->b, loaded, single, ""), i->types[0]);
        return;
    }
    for (unsigned k = 0; k < to->part_count; k++) {
        LLVMValueRef at = LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0);
        LLVMValueRef element = LLVMBuildExtractElement(e->b, loaded, at, "");

        pm_ptx_set(e, i, &to->parts[k], LLVMBuildBitCast(e->b, element, single, ""), i->types[0]);
    }
}

void pm_ptx_emit_st(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_operand *from = accessed(&i->operands[1]);
    LLVMTypeRef type = accessed_type(e, i, from), single;
    LLVMValueRef value;

    if (from->kind == PM_PTX_LIST) {
        single = LLVMGetElementType(type);
        value = LLVMGetUndef(type);
        for (unsigned k = 0; k < from->part_count; k++) {
            LLVMValueRef element = pm_ptx_value(e, i, &from->parts[k], i->types[0]);

            value = LLVMBuildInsertElement(e->b, value, LLVMBuildBitCast(e->b, element, single, ""),
                                           LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0), "");
        }
    } else {
        value = LLVMBuildBitCast(e->b, pm_ptx_value(e, i, from, i->types[0]), type, "");
    }
    finish_access(i, LLVMBuildStore(e->b, value, pm_ptx_pointer(e, i, 0)));
}

/* createpolicy: a number that accesses pass with .cache_hint. Hints do not change the counts. */
void pm_ptx_emit_policy(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_result_as(e, i, pm_ptx_constant(pm_ptx_integer_type(e, 64), 0), "b64");
}

/* Prefetches, pauses and the like: they compute nothing. */
void pm_ptx_emit_nothing(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    (void)e;
    (void)i;
}
