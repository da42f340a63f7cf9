/* Emits LLVM IR for PTX instructions by which the threads of a warp exchange data (shfl, vote,
 * redux). See emitter.h.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "compiler/ptx/emit/emitter.h"

static void demand_sync(const pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    if (!pm_ptx_has(i, "sync"))
        pm_ptx_refuse(e, i, "it needs .sync: compile for compute capability 7.0 or later");
}

/* ---- shuffles -------------------------------------------------------------------------------- */

/* Returns the predicate result of shfl: whether the lane from which the thread reads is within its
 * segment of the warp. `by` and `limits` are the operands b (lane or distance) and c (segment and
 * clamp) of the PTX manual. */
static LLVMValueRef is_in_range(pm_ptx_emitter *e, const pm_ptx_instruction *i, LLVMValueRef by,
                                LLVMValueRef limits)
{
    LLVMTypeRef word = pm_ptx_integer_type(e, 32);
    LLVMValueRef low = pm_ptx_constant(word, 31), lane = pm_ptx_special(e, i, "%laneid");
    LLVMValueRef part = LLVMBuildLShr(e->b, limits, pm_ptx_constant(word, 8), "");
    LLVMValueRef first, last, from;

    part = LLVMBuildAnd(e->b, part, low, "");
    first = LLVMBuildAnd(e->b, lane, part, "");
    last =
        LLVMBuildAnd(e->b, LLVMBuildAnd(e->b, limits, low, ""), LLVMBuildNot(e->b, part, ""), "");
    last = LLVMBuildOr(e->b, first, last, "");
    by = LLVMBuildAnd(e->b, by, low, "");
    if (pm_ptx_has(i, "up"))
        from = LLVMBuildSub(e->b, lane, by, "");
    else if (pm_ptx_has(i, "down"))
        from = LLVMBuildAdd(e->b, lane, by, "");
    else if (pm_ptx_has(i, "bfly"))
        from = LLVMBuildXor(e->b, lane, by, "");
    else
        from =
            LLVMBuildOr(e->b, first, LLVMBuildAnd(e->b, by, LLVMBuildNot(e->b, part, ""), ""), "");
    return LLVMBuildICmp(e->b, pm_ptx_has(i, "up") ? LLVMIntSGE : LLVMIntSLE, from, last, "");
}

void pm_ptx_emit_shfl(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx", NULL};
    const char *mode = pm_ptx_choice(i, modes);
    const pm_ptx_operand *to = &i->operands[0];
    const pm_ptx_type *type = pm_ptx_type_named("b32");
    LLVMValueRef in[4], value;

    demand_sync(e, i);
    if (!mode || i->operand_count != 5 || i->type_count != 1 || pm_ptx_type_bits(i->types[0]) != 32)
        pm_ptx_refuse(e, i, "it needs .up, .down, .bfly or .idx, five operands and type .b32");
    in[0] = pm_ptx_source_as(e, i, 4, "b32");
    in[1] = pm_ptx_source_as(e, i, 1, "b32");
    in[2] = pm_ptx_source_as(e, i, 2, "b32");
    in[3] = pm_ptx_source_as(e, i, 3, "b32");
    value =
        pm_ptx_intrinsic(e, pm_format(e->memory, "llvm.nvvm.shfl.sync.%s.i32", mode), NULL, in, 4);
    if (to->kind == PM_PTX_PAIR) {
        pm_ptx_set(e, i, &to->parts[1], is_in_range(e, i, in[2], in[3]), pm_ptx_type_named("pred"));
        to = &to->parts[0];
    }
    pm_ptx_set(e, i, to, value, type);
}

/* ---- votes ----------------------------------------------------------------------------------- */

void pm_ptx_emit_vote(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const char *const modes[] = {"all", "any", "uni", "ballot", NULL};
    const char *mode = pm_ptx_choice(i, modes);
    LLVMValueRef in[2], value;

    demand_sync(e, i);
    if (!mode || i->operand_count != 3)
        pm_ptx_refuse(e, i, "it needs .all, .any, .uni or .ballot, and three operands");
    in[0] = pm_ptx_source_as(e, i, 2, "b32");
    in[1] = pm_ptx_source_as(e, i, 1, "pred");
    value = pm_ptx_intrinsic(e, pm_format(e->memory, "llvm.nvvm.vote.%s.sync", mode), NULL, in, 2);
    pm_ptx_result_as(e, i, value, strcmp(mode, "ballot") == 0 ? "b32" : "pred");
}

/* Emits the PTX instruction match. match.any returns a mask of the lanes (threads of the warp) that
 * have the same value as this lane. match.all returns the mask of all lanes if all have the same
 * value, else 0. Its second result is a predicate: whether all have the same value. */
void pm_ptx_emit_match(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    const bool is_wide = i->types[0]->bits == 64;
    const pm_ptx_operand *to = &i->operands[0];
    LLVMValueRef in[2] = {pm_ptx_source_as(e, i, 2, "b32"), pm_ptx_source(e, i, 1)}, found, all;

    demand_sync(e, i);
    if (i->types[0]->lanes > 1 || (i->types[0]->bits != 32 && !is_wide))
        pm_ptx_refuse(e, i, "its type is .b32 or .b64");
    found = pm_ptx_intrinsic(
        e, is_wide ? "llvm.nvvm.match.any.sync.i64" : "llvm.nvvm.match.any.sync.i32", NULL, in, 2);
    if (pm_ptx_has(i, "all")) {
        all = LLVMBuildICmp(e->b, LLVMIntEQ, found, in[0], "");
        found = LLVMBuildSelect(e->b, all, found, LLVMConstNull(LLVMTypeOf(found)), "");
        if (to->kind == PM_PTX_PAIR)
            pm_ptx_set(e, i, &to->parts[1], all, pm_ptx_type_named("pred"));
    }
    if (to->kind == PM_PTX_PAIR)
        to = &to->parts[0];
    pm_ptx_set(e, i, to, found, pm_ptx_type_named("b32"));
}

void pm_ptx_emit_redux(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    static const char *const modes[] = {"add", "min", "max", "and", "or", "xor", NULL};
    const char *mode = pm_ptx_choice(i, modes);
    LLVMValueRef in[2] = {pm_ptx_source_as(e, i, 1, "b32"), pm_ptx_source_as(e, i, 2, "b32")};
    bool is_limit;

    demand_sync(e, i);
    if (!mode || i->types[0]->bits != 32)
        pm_ptx_refuse(e, i, "it needs an operation such as .add, and a type of 32 bits");
    is_limit = mode[0] == 'm' && i->types[0]->number == PM_PTX_UNSIGNED;
    pm_ptx_result_as(e, i,
                     pm_ptx_intrinsic(e,
                                      pm_format(e->memory, "llvm.nvvm.redux.sync.%s%s",
                                                is_limit ? "u" : "", mode),
                                      NULL, in, 2),
                     "b32");
}

void pm_ptx_emit_activemask(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    pm_ptx_result_as(
        e, i, pm_ptx_known_function(e, "llvm.nvvm.activemask", pm_ptx_integer_type(e, 32), NULL, 0),
        "b32");
}

/* elect.sync: chooses one thread of the warp, the first one. Its lane and a predicate are the
 * results. */
void pm_ptx_emit_elect(pm_ptx_emitter *e, const pm_ptx_instruction *i)
{
    LLVMTypeRef truth = pm_ptx_integer_type(e, 1);
    const pm_ptx_operand *to = &i->operands[0];
    LLVMValueRef mask = pm_ptx_source_as(e, i, 1, "b32"), first;
    LLVMValueRef in[2] = {mask, LLVMConstInt(truth, 0, 0)};

    demand_sync(e, i);
    if (to->kind != PM_PTX_PAIR)
        pm_ptx_refuse(e, i, "it needs a pair of results, such as _|%%p1");
    pm_ptx_set(e, i, &to->parts[1], pm_ptx_warp_function(e, "pm.warp.elect", truth, NULL, 0),
               pm_ptx_type_named("pred"));
    if (to->parts[0].kind == PM_PTX_NOTHING)
        return;
    first = pm_ptx_intrinsic(e, "llvm.cttz", LLVMTypeOf(mask), in, 2);
    pm_ptx_set(e, i, &to->parts[0], first, pm_ptx_type_named("b32"));
}
