/* Emits LLVM IR for PTX instructions that compare numbers (setp, set) or select one of two (selp).
 * See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "base/strings.h"
#include "compiler/ptx/emit/emitter.h"

/* ---- comparisons ----------------------------------------------------------------------------- */

static const struct {
    const char *name;
    LLVMIntPredicate by_sign,
        without; /* predicates for signed integers (by_sign) and for other integers (without) */
    LLVMRealPredicate real;
    bool is_real, is_integer;
} comparisons[] = {
    {"eq", LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ, true, true},
    {"ne", LLVMIntNE, LLVMIntNE, LLVMRealONE, true, true},
    {"lt", LLVMIntSLT, LLVMIntULT, LLVMRealOLT, true, true},
    {"le", LLVMIntSLE, LLVMIntULE, LLVMRealOLE, true, true},
    {"gt", LLVMIntSGT, LLVMIntUGT, LLVMRealOGT, true, true},
    {"ge", LLVMIntSGE, LLVMIntUGE, LLVMRealOGE, true, true},
    {"lo", LLVMIntULT, LLVMIntULT, LLVMRealOLT, false, true},
    {"ls", LLVMIntULE, LLVMIntULE, LLVMRealOLE, false, true},
    {"hi", LLVMIntUGT, LLVMIntUGT, LLVMRealOGT, false, true},
    {"hs", LLVMIntUGE, LLVMIntUGE, LLVMRealOGE, false, true},
    {"equ", LLVMIntEQ, LLVMIntEQ, LLVMRealUEQ, true, false},
    {"neu", LLVMIntNE, LLVMIntNE, LLVMRealUNE, true, false},
    {"ltu", LLVMIntULT, LLVMIntULT, LLVMRealULT, true, false},
    {"leu", LLVMIntULE, LLVMIntULE, LLVMRealULE, true, false},
    {"gtu", LLVMIntUGT, LLVMIntUGT, LLVMRealUGT, true, false},
    {"geu", LLVMIntUGE, LLVMIntUGE, LLVMRealUGE, true, false},
    {"num", LLVMIntEQ, LLVMIntEQ, LLVMRealORD, true, false},
    {"nan", LLVMIntEQ, LLVMIntEQ, LLVMRealUNO, true, false},
};

/* Compares operands 1 and 2 of an instruction as numbers of `type`. The comparison is the first
 * modifier of the instruction that names one, such as .lt. */
static LLVMValueRef compare(pm_ptx_emitter *e, const pm_ptx_instruction *i, const pm_ptx_type *type)
{
    const bool is_real = type->number == PM_PTX_FLOAT || type->number == PM_PTX_BFLOAT;
    LLVMValueRef a = pm_ptx_value(e, i, &i->operands[1], type);
    LLVMValueRef b = pm_ptx_value(e, i, &i->operands[2], type);

    for (size_t k = 0; k < sizeof comparisons / sizeof *comparisons; k++) {
        if (!pm_ptx_has(i, comparisons[k].name))
            continue;
        if (is_real ? !comparisons[k].is_real : !comparisons[k].is_integer)
            break;
        if (is_real)
            return LLVMBuildFCmp(e->b, comparisons[k].real, a, b, "");
        return LLVMBuildICmp(
            e->b, type->number == PM_PTX_SIGNED ? comparisons[k].by_sign : comparisons[k].without,
            a, b, "");
    }
    pm_ptx_refuse(e, i, "it has no comparison for numbers of type .%s", type->name);
}

/* Combines the result of a comparison with operand 3, a predicate, by .and, .or or .xor. */
static LLVMValueRef combine(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef value)
{
    LLVMValueRef other;

    if (i->operand_count < 4)
        return value;
    other = pm_ptx_source_as(e, i, 3, "pred");
    if (pm_ptx_has(i, "and"))
        return LLVMBuildAnd(e->b, value, other, "");
    if (pm_ptx_has(i, "or"))
        return LLVMBuildOr(e->b, value, other, "");
    if (pm_ptx_has(i, "xor"))
        return LLVMBuildXor(e->b, value, other, "");
    pm_ptx_refuse(e, i, "its last operand needs .and, .or or .xor");
}

/* Writes the result of setp, whose destination is a predicate p or a pair p|q: p gets `first`, and
 * q gets `second`. */
static void set_predicates(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef first,
                           LLVMValueRef second)
{
    const pm_ptx_type *type = pm_ptx_type_named("pred");
    const pm_ptx_operand *to = &i->operands[0];

    if (to->kind != PM_PTX_PAIR) {
        pm_ptx_set(e, i, to, first, type);
        return;
    }
    pm_ptx_set(e, i, &to->parts[0], first, type);
    pm_ptx_set(e, i, &to->parts[1], second, type);
}

void pm_ptx_emit_setp(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef result = compare(e, i, i->types[0]), lanes[2];

    /* two 16-bit numbers per operand: p gets the result for the low numbers, q for the high ones */
    if (i->types[0]->lanes == 2) {
        for (unsigned k = 0; k < 2; k++)
            lanes[k] =
                combine(e, i,
                        LLVMBuildExtractElement(
                            e->b, result, LLVMConstInt(pm_ptx_integer_type(e, 32), k, 0), ""));
        set_predicates(e, i, lanes[0], lanes[1]);
        return;
    }
    set_predicates(
        e, i, combine(e, i, result),
        i->operands[0].kind == PM_PTX_PAIR ? combine(e, i, LLVMBuildNot(e->b, result, "")) : NULL);
}

/* Emits set, a comparison with a number as result. If the comparison is true, the result is 1.0 for
 * a floating-point type, or has all bits set for an integer. Otherwise it is 0. */
void pm_ptx_emit_set(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const pm_ptx_type *to = i->types[0], *from = i->type_count > 1 ? i->types[1] : NULL;
    LLVMTypeRef type = pm_ptx_llvm_type(e, to);
    const bool is_real = to->number == PM_PTX_FLOAT || to->number == PM_PTX_BFLOAT;

    if (!from || from->number == PM_PTX_PREDICATE || from->number == PM_PTX_NARROW ||
        (to->lanes != from->lanes && to->lanes * to->bits != from->lanes * from->bits))
        pm_ptx_refuse(e, i, "it needs two types of numbers");
    if (to->lanes != from->lanes)
        pm_ptx_refuse(e, i, "comparisons of pairs into one number cannot be traced");
    pm_ptx_result(e, i,
                  LLVMBuildSelect(e->b, combine(e, i, compare(e, i, from)),
                                  is_real ? pm_ptx_real(type, 1) : LLVMConstAllOnes(type),
                                  LLVMConstNull(type), ""));
}

/* ---- selections ------------------------------------------------------------------------------ */

void pm_ptx_emit_selp(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMValueRef a = pm_ptx_source(e, i, 1), b = pm_ptx_source(e, i, 2);

    pm_ptx_result(e, i, LLVMBuildSelect(e->b, pm_ptx_source_as(e, i, 3, "pred"), a, b, ""));
}

/* slct: operand 1 if operand 3 is not negative, else operand 2. */
void pm_ptx_emit_slct(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool is_real = i->type_count > 1 && i->types[1]->number == PM_PTX_FLOAT;
    LLVMValueRef by = pm_ptx_source_as(e, i, 3, is_real ? "f32" : "s32"), positive;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(by));

    positive = is_real ? LLVMBuildFCmp(e->b, LLVMRealOGE, by, zero, "")
                       : LLVMBuildICmp(e->b, LLVMIntSGE, by, zero, "");
    pm_ptx_result(
        e, i, LLVMBuildSelect(e->b, positive, pm_ptx_source(e, i, 1), pm_ptx_source(e, i, 2), ""));
}
