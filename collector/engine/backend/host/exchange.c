/* Translates calls that exchange data between the work-items of a warp (shuffles, votes,
 * reductions) to host code.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/host/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "collector/engine/backend/host/fragments.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

enum { SHUFFLE_MASK = 0, SHUFFLE_VALUE, SHUFFLE_BY, SHUFFLE_LIMITS };

/* ---- kinds of calls ------------------------------------------------------------------------ */

/* Returns the rest of the called function's name after `prefix`; NULL if the name does not start
 * with it. */
static const char *called(LLVMValueRef call, const char *prefix)
{
    const char *name = pm_callee_name(call);

    return pm_starts(name, prefix) ? name + strlen(prefix) : NULL;
}

static bool is_reduction(LLVMValueRef call)
{
    return called(call, "llvm.nvvm.redux.sync.") != NULL;
}

static bool is_active_mask(LLVMValueRef call)
{
    return called(call, "llvm.nvvm.activemask") != NULL;
}

/* Returns whether a work-item's result of the call is independent of the operands of all other
 * work-items. */
static bool is_alone(LLVMValueRef call)
{
    return is_active_mask(call) || called(call, "pm.warp.first.") ||
           called(call, "pm.warp.elect") || called(call, "pm.warp.zero");
}

/* Returns the index of the call's operand that other work-items read. It is 0 for reductions and
 * for perfmodel's own functions. Other calls have the mask of participating work-items as operand
 * 0, so that the result for them is 1. */
static unsigned given_operand(LLVMValueRef call)
{
    return is_reduction(call) || called(call, "pm.warp.") || pm_changes_group(call) ? 0 : 1;
}

/* ---- cuts ---------------------------------------------------------------------------------- */

static void add_cut(pm_cuts *cuts, LLVMValueRef after, pm_memory *memory)
{
    *pm_add(memory, cuts->after, cuts->count) = after;
}

static void prepare_call(LLVMValueRef call, LLVMBuilderRef b, pm_cuts *cuts, pm_memory *memory)
{
    const unsigned operand = given_operand(call);
    LLVMValueRef given;

    LLVMPositionBuilderBefore(b, call);
    /* Copies the operand into an instruction, so that it gets a slot in the warp's frame (memory
     * for the values of all work-items), from which the other work-items read it. The instruction
     * is a freeze, because LLVM's builder would not create another copy of a constant. */
    given = LLVMBuildFreeze(b, LLVMGetOperand(call, operand), "");
    LLVMSetOperand(call, operand, given);
    if (LLVMIsAInstruction(given))
        add_cut(cuts, given, memory);
}

void pm_exchange_prepare(LLVMValueRef kernel, pm_cuts *cuts, pm_memory *memory)
{
    LLVMBuilderRef b = LLVMCreateBuilderInContext(pm_context_of(kernel));

    PM_EACH_BLOCK(block, kernel)
        PM_EACH_INSTRUCTION(i, block) {
            pm_call kind = LLVMIsACallInst(i) ? pm_call_kind(i) : PM_CALL_ORDINARY;

            if (kind == PM_CALL_EXCHANGE && !is_alone(i))
                prepare_call(i, b, cuts, memory);
            /* A call that waits for a condition may be executed again. It must therefore be the
             * only instruction of a segment (part of the basic block), so the block is cut after
             * it. */
            if (pm_call_waits_for(i) != PM_WAITS_FOR_NOTHING)
                add_cut(cuts, i, memory);
            if (kind == PM_CALL_WARP_SYNC)
                add_cut(cuts, i, memory);
        }
    LLVMDisposeBuilder(b);
}

/* ---- operands from other work-items --------------------------------------------------------- */

/* Generates the address of an array with the operand `given` of each work-item of the warp,
 * beginning with work-item 0. The array is in the warp's frame, the memory for values that several
 * basic blocks use. */
static LLVMValueRef place_of(pm_block_builder *w, LLVMValueRef given)
{
    const pm_code_value *value = pm_code_value_of(&w->lanes->values, given);

    return pm_member(w->builder, w->i8, w->frame, pm_number(w, (uint64_t)value->slot));
}

/* Generates the load of a vector that contains the operand `given` of each work-item of the warp.
 */
static LLVMValueRef all_of(pm_block_builder *w, LLVMValueRef given)
{
    LLVMTypeRef type = LLVMTypeOf(given);
    /* a boolean is stored as a byte in the warp's frame, the memory for values of all its
     * work-items */
    LLVMTypeRef stored = pm_integer_bits(type) == 1 ? w->i8 : type;
    LLVMValueRef all = LLVMBuildLoad2(w->builder, LLVMVectorType(stored, w->lanes->r.warp_width),
                                      place_of(w, given), "");

    LLVMSetAlignment(all, 1);
    return all;
}

/* Generates the conversion of a vector of booleans to a mask with one bit per work-item. */
static LLVMValueRef bits_of(pm_block_builder *w, LLVMValueRef truths)
{
    LLVMContextRef context = LLVMGetModuleContext(w->lanes->r.module);
    LLVMTypeRef bits = LLVMIntTypeInContext(context, w->lanes->r.warp_width);

    return LLVMBuildZExt(w->builder, LLVMBuildBitCast(w->builder, truths, bits, ""), w->i64, "");
}

/* Number of bits of CUDA's masks of work-items. A warp of 64 work-items acts like two CUDA warps of
 * 32. A mask argument applies to each half, and a mask that is a result contains the bits of the
 * work-item's own half. */
enum { MASK_BITS = 32 };

static bool has_halves(const pm_block_builder *w)
{
    return w->lanes->r.warp_width > MASK_BITS;
}

/* Generates the mask of the work-items that execute the call and are included in the call's
 * mask. */
static LLVMValueRef present(pm_block_builder *w, LLVMValueRef mask)
{
    LLVMValueRef asked = LLVMBuildZExt(w->builder, pm_block_builder_value(w, mask), w->i64, "");

    if (has_halves(w))
        asked = LLVMBuildOr(w->builder, asked,
                            LLVMBuildShl(w->builder, asked, pm_number(w, MASK_BITS), ""), "");
    return LLVMBuildAnd(w->builder, w->mask, asked, "");
}

/* Generates the conversion of `bits`, with one bit per work-item of the warp, to a CUDA mask of 32
 * bits. */
static LLVMValueRef mask_of(pm_block_builder *w, LLVMValueRef bits)
{
    LLVMValueRef half;

    if (has_halves(w)) {
        half =
            LLVMBuildZExt(w->builder, LLVMBuildTrunc(w->builder, w->lane, w->i32, ""), w->i64, "");
        half = LLVMBuildAnd(w->builder, half, pm_number(w, MASK_BITS), "");
        bits = LLVMBuildLShr(w->builder, bits, half, "");
    }
    return LLVMBuildTrunc(w->builder, bits, w->i32, "");
}

/* ---- shuffles ------------------------------------------------------------------------------ */

/* Generates the number of the lane whose value a shuffle returns, as PTX defines it for shfl. kind:
 * "up", "down", "bfly" or "idx". The distance or lane is operand b (`by`), and `limits` is operand
 * c. Shuffles work within equal parts of the warp. The bits of `limits` from bit 8 on say which
 * bits of a lane number select the part. Its low five bits (six in a warp of 64) give the first or
 * last lane of a part that may be read. */
static LLVMValueRef source_of(pm_block_builder *w, const char *kind, LLVMValueRef by,
                              LLVMValueRef limits)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef low = LLVMConstInt(w->i32, w->lanes->r.warp_width - 1, 0);
    LLVMValueRef lane = LLVMBuildTrunc(b, w->lane, w->i32, "");
    LLVMValueRef clamp = LLVMBuildAnd(b, limits, low, "");
    LLVMValueRef part =
        LLVMBuildAnd(b, LLVMBuildLShr(b, limits, LLVMConstInt(w->i32, 8, 0), ""), low, "");
    LLVMValueRef within = LLVMBuildNot(b, part, ""), first = LLVMBuildAnd(b, lane, part, "");
    LLVMValueRef last = LLVMBuildOr(b, first, LLVMBuildAnd(b, clamp, within, ""), ""), from, sound;

    by = LLVMBuildAnd(b, by, low, "");
    if (pm_starts(kind, "up"))
        from = LLVMBuildSub(b, lane, by, "");
    else if (pm_starts(kind, "down"))
        from = LLVMBuildAdd(b, lane, by, "");
    else if (pm_starts(kind, "bfly"))
        from = LLVMBuildXor(b, lane, by, "");
    else
        from = LLVMBuildOr(b, first, LLVMBuildAnd(b, by, within, ""), "");
    sound = LLVMBuildICmp(b, pm_starts(kind, "up") ? LLVMIntSGE : LLVMIntSLE, from, last, "");
    from = LLVMBuildSelect(b, sound, from, lane, "");
    return LLVMBuildZExt(b, LLVMBuildAnd(b, from, low, ""), w->i64, "");
}

static LLVMValueRef write_shuffle(pm_block_builder *w, LLVMValueRef call, const char *kind)
{
    LLVMValueRef given = LLVMGetOperand(call, SHUFFLE_VALUE);
    LLVMValueRef by = pm_block_builder_value(w, LLVMGetOperand(call, SHUFFLE_BY));
    LLVMValueRef limits = pm_block_builder_value(w, LLVMGetOperand(call, SHUFFLE_LIMITS));
    LLVMValueRef from;

    by = LLVMBuildFreeze(w->builder, by, "");
    limits = LLVMBuildFreeze(w->builder, limits, "");
    from = source_of(w, kind, by, limits);
    return LLVMBuildLoad2(w->builder, LLVMTypeOf(given),
                          pm_member(w->builder, LLVMTypeOf(given), place_of(w, given), from), "");
}

/* ---- votes --------------------------------------------------------------------------------- */

static LLVMValueRef write_vote(pm_block_builder *w, LLVMValueRef call, const char *kind)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef truths = all_of(w, LLVMGetOperand(call, 1)), here, yes, all, none;

    truths = LLVMBuildICmp(b, LLVMIntNE, truths, LLVMConstNull(LLVMTypeOf(truths)), "");
    here = present(w, LLVMGetOperand(call, 0));
    yes = LLVMBuildAnd(b, bits_of(w, truths), here, "");
    if (pm_starts(kind, "ballot"))
        return mask_of(w, yes);
    all = LLVMBuildICmp(b, LLVMIntEQ, yes, here, "");
    none = LLVMBuildICmp(b, LLVMIntEQ, yes, pm_number(w, 0), "");
    if (pm_starts(kind, "all"))
        return all;
    return pm_starts(kind, "any") ? LLVMBuildNot(b, none, "") : LLVMBuildOr(b, all, none, "");
}

/* Generates the mask of the work-items of the warp that have the same operand as the work-item for
 * which the code runs. */
static LLVMValueRef write_match(pm_block_builder *w, LLVMValueRef call)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef given = LLVMGetOperand(call, 1), all = all_of(w, given);
    LLVMValueRef own = pm_block_builder_value(w, given), mine = LLVMGetUndef(LLVMTypeOf(all)), same;

    for (unsigned i = 0; i < w->lanes->r.warp_width; i++)
        mine = LLVMBuildInsertElement(b, mine, own, LLVMConstInt(w->i32, i, 0), "");
    same = bits_of(w, LLVMBuildICmp(b, LLVMIntEQ, all, mine, ""));
    return mask_of(w, LLVMBuildAnd(b, same, present(w, LLVMGetOperand(call, 0)), ""));
}

/* ---- reductions ---------------------------------------------------------------------------- */

typedef struct {
    /* kind: last part of the name of NVIDIA's intrinsic redux.sync. name: LLVM's intrinsic that
     * reduces a vector in the same way */
    const char *kind, *name;
    unsigned long long neutral;
} reduction;

static const reduction *reduction_of(const char *kind)
{
    static const reduction all[] = {{"add", "llvm.vector.reduce.add", 0},
                                    {"and", "llvm.vector.reduce.and", UINT32_MAX},
                                    {"or", "llvm.vector.reduce.or", 0},
                                    {"xor", "llvm.vector.reduce.xor", 0},
                                    {"umin", "llvm.vector.reduce.umin", UINT32_MAX},
                                    {"umax", "llvm.vector.reduce.umax", 0},
                                    {"min", "llvm.vector.reduce.smin", INT32_MAX},
                                    {"max", "llvm.vector.reduce.smax", 0x80000000}};
    size_t i = 0;

    while (i + 1 < sizeof all / sizeof *all && strcmp(all[i].kind, kind) != 0)
        i++;
    return &all[i];
}

static LLVMValueRef write_reduction(pm_block_builder *w, LLVMValueRef call, const char *kind)
{
    LLVMBuilderRef b = w->builder;
    const reduction *r = reduction_of(kind);
    LLVMContextRef context = LLVMGetModuleContext(w->lanes->r.module);
    const unsigned width = w->lanes->r.warp_width;
    LLVMTypeRef bits = LLVMIntTypeInContext(context, width);
    LLVMValueRef all = all_of(w, LLVMGetOperand(call, 0)), here, others[64], function;
    LLVMTypeRef type = LLVMTypeOf(all);

    for (unsigned i = 0; i < width; i++)
        others[i] = LLVMConstInt(w->i32, r->neutral, 0);
    here = LLVMBuildTrunc(b, present(w, LLVMGetOperand(call, 1)), bits, "");
    here = LLVMBuildBitCast(b, here, LLVMVectorType(LLVMInt1TypeInContext(context), width), "");
    all = LLVMBuildSelect(b, here, all, LLVMConstVector(others, width), "");
    function = LLVMGetIntrinsicDeclaration(
        w->lanes->r.module, LLVMLookupIntrinsicID(r->name, strlen(r->name)), &type, 1);
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &all, 1, "");
}

/* ---- fragments of matrices ------------------------------------------------------------------ */

/* Generates a comparison that is true for the first `count` work-items of each 32 work-items of the
 * warp. */
static LLVMValueRef write_first(pm_block_builder *w, const char *count)
{
    LLVMValueRef lane = LLVMBuildAnd(w->builder, w->lane, pm_number(w, MASK_BITS - 1), "");

    return LLVMBuildICmp(w->builder, LLVMIntULT, lane, pm_number(w, strtoul(count, NULL, 10)), "");
}

/* Generates a comparison that is true only for one work-item in each 32 work-items of the warp: the
 * work-item with the lowest lane number among the work-items that execute the call. */
static LLVMValueRef write_election(pm_block_builder *w)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef own = LLVMBuildShl(b, pm_number(w, 1), w->lane, "");
    LLVMValueRef half = LLVMBuildAnd(b, w->lane, pm_number(w, MASK_BITS), "");
    LLVMValueRef first = LLVMBuildShl(b, pm_number(w, 1), half, "");
    LLVMValueRef before = LLVMBuildSub(b, own, first, "");

    return LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, w->mask, before, ""), pm_number(w, 0), "");
}

static LLVMValueRef host_pointer(const pm_block_builder *w, uintptr_t address)
{
    return LLVMConstIntToPtr(pm_number(w, address), w->pointer);
}

/* Generates the call of a function of fragments.h, and the load of its result. */
static LLVMValueRef write_fragment(pm_block_builder *w, LLVMValueRef call)
{
    LLVMValueRef given = LLVMGetOperand(call, 0);
    const uint64_t bytes = LLVMABISizeOfType(w->lanes->r.layout, LLVMTypeOf(given));
    const pm_fragment_function function =
        pm_fragment_function_of(pm_callee_name(call), w->is_slice, w->lanes->r.kept);
    LLVMTypeRef types[] = {w->pointer, w->pointer, w->i64, w->i64, w->pointer, w->pointer, w->i64};
    LLVMTypeRef nothing = LLVMVoidTypeInContext(LLVMGetModuleContext(w->lanes->r.module));
    const unsigned count = function.group_code ? 7 : 5;
    LLVMTypeRef type = LLVMFunctionType(nothing, types, count, 0);
    LLVMValueRef place = LLVMBuildAlloca(w->uniform, LLVMTypeOf(call), "");
    LLVMValueRef arguments[] = {host_pointer(w, (uintptr_t)function.what),
                                place_of(w, given),
                                pm_number(w, bytes / sizeof(uint32_t)),
                                w->lane,
                                place,
                                w->group,
                                w->mask};

    if (!function.code && !function.group_code)
        pm_leave(w->lanes->r.memory, PM_FAILED, "the engine has no function %s",
                 pm_callee_name(call));
    LLVMBuildCall2(
        w->builder, type,
        host_pointer(w, function.code ? (uintptr_t)function.code : (uintptr_t)function.group_code),
        arguments, count, "");
    return LLVMBuildLoad2(w->builder, LLVMTypeOf(call), place, "");
}

LLVMValueRef pm_exchange_write(pm_block_builder *w, LLVMValueRef call)
{
    const char *kind;

    if ((kind = called(call, "pm.warp.first.")))
        return write_first(w, kind);
    if (called(call, "pm.warp.elect"))
        return write_election(w);
    if (called(call, "pm.warp.zero"))
        return LLVMConstNull(LLVMTypeOf(call));
    if (called(call, "pm.warp.") || pm_changes_group(call))
        return write_fragment(w, call);
    if (is_active_mask(call))
        return mask_of(w, w->mask);
    if ((kind = called(call, "llvm.nvvm.shfl.sync.")))
        return write_shuffle(w, call, kind);
    if ((kind = called(call, "llvm.nvvm.vote.")))
        return write_vote(w, call, kind);
    if ((kind = called(call, "llvm.nvvm.redux.sync.")))
        return write_reduction(w, call, kind);
    return write_match(w, call);
}
