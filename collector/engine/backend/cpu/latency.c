/* Finds the longest dependency chains of a kernel's arithmetic, for a CPU core.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "collector/engine/backend/cpu/latency.h"

#include "collector/engine/backend/ir/ir.h"

/* Latencies in units of four cycles. Four cycles are the latency of a floating-point addition or
 * multiply-add on cores from Skylake and Zen 3 on (Fog, Instruction tables). INTEGER: one cycle.
 * PRODUCT: integer product, three cycles. QUOTIENT: quotient or square root, about twelve cycles.
 * FUNCTION: a call of a mathematical function. The latency of loads is not part of this
 * analysis. */
static const double INTEGER = 0.25, PRODUCT = 0.75, FLOAT = 1, QUOTIENT = 3, FUNCTION = 8;

/* Maximum number of phis of a loop header that are followed through an iteration. Most of them
 * are counters. */
enum { MOST_PHIS = 64 };

static bool is_float(LLVMValueRef value)
{
    LLVMTypeRef type = pm_element_type(LLVMTypeOf(value));

    return LLVMGetTypeKind(type) == LLVMFloatTypeKind ||
           LLVMGetTypeKind(type) == LLVMDoubleTypeKind || LLVMGetTypeKind(type) == LLVMHalfTypeKind;
}

static double latency_of_call(LLVMValueRef call)
{
    const char *name = pm_callee_name(call);

    if (!pm_starts(name, "llvm."))
        return is_float(call) ? FUNCTION : INTEGER;
    if (pm_starts(name, "llvm.sqrt"))
        return QUOTIENT;
    return is_float(call) ? FLOAT : INTEGER;
}

static double latency_of(LLVMValueRef i)
{
    if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) || LLVMIsALoadInst(i) ||
        LLVMIsAStoreInst(i) || LLVMIsAGetElementPtrInst(i))
        return 0;
    if (LLVMIsACallInst(i))
        return latency_of_call(i);
    if (PM_IS(i, LLVMFDiv, LLVMFRem, LLVMSDiv, LLVMUDiv, LLVMSRem, LLVMURem))
        return QUOTIENT;
    if (PM_IS(i, LLVMFAdd, LLVMFSub, LLVMFMul, LLVMSIToFP, LLVMUIToFP, LLVMFPToSI, LLVMFPToUI,
              LLVMFPExt, LLVMFPTrunc, LLVMFCmp))
        return FLOAT;
    return PM_IS(i, LLVMMul) ? PRODUCT : INTEGER;
}

typedef struct {
    const pm_structure *structure;
    const pm_values *values;
    /* way[i]: latency of the longest dependency chain from the current start value (a phi) to value
     * i; negative: value i does not depend on the start value */
    double *way;
} search;

static double *way_of(const search *s, LLVMValueRef value)
{
    const pm_code_value *known = pm_code_value_of(s->values, value);

    return known ? &s->way[known - s->values->values] : NULL;
}

/* Returns the latency of the longest dependency chain from the start value to an operand of the
 * instruction; negative: no operand depends on the start value. */
static double way_before(const search *s, LLVMValueRef instruction)
{
    double most = -1;

    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(instruction); k++) {
        const double *way = way_of(s, LLVMGetOperand(instruction, k));

        if (way && *way > most)
            most = *way;
    }
    return most;
}

static void forget(const search *s)
{
    for (size_t i = 0; i < s->values->count; i++)
        s->way[i] = -1;
}

/* Computes the longest dependency chains from a phi of the loop's header to all values of one
 * iteration. Segments (basic blocks, cut at barriers) are visited after their predecessors. */
static void follow(const search *s, unsigned loop, LLVMValueRef phi)
{
    const pm_structure *structure = s->structure;
    const uint32_t head = structure->loops[loop].head;
    LLVMBasicBlockRef top = structure->segments[head].block;

    forget(s);
    *way_of(s, phi) = 0;
    for (uint32_t k = head; k < structure->count; k++) {
        if (!pm_loop_is_within(structure->loops, structure->segments[k].loop, loop))
            continue;
        PM_EACH_OF_SEGMENT(i, &structure->segments[k]) {
            const bool of_head = LLVMIsAPHINode(i) && LLVMGetInstructionParent(i) == top;
            const double before = of_head ? -1 : way_before(s, i);
            double *way = way_of(s, i);

            if (way && before >= 0)
                *way = before + latency_of(i);
        }
    }
}

/* Returns the latency of the loop-carried dependency from a phi of the loop's header to its value
 * in the next iteration; 0: there is none. */
static double way_round(const search *s, unsigned loop, LLVMValueRef phi)
{
    double most = 0;

    follow(s, loop, phi);
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, k));
        const pm_code_value *from = pm_code_value_of(s->values, end);
        const double *way = way_of(s, LLVMGetIncomingValue(phi, k));

        if (from && way && *way > most &&
            pm_loop_is_within(s->structure->loops, s->structure->segments[from->segment].loop,
                              loop))
            most = *way;
    }
    return most;
}

static double longest_round(const search *s, unsigned loop)
{
    const pm_code_segment *head = &s->structure->segments[s->structure->loops[loop].head];
    double most = 0;
    unsigned followed = 0;

    PM_EACH_PHI(phi, head->block) {
        double way;

        if (followed++ == MOST_PHIS)
            break;
        way = way_round(s, loop, phi);
        most = way > most ? way : most;
    }
    return most;
}

static double longest_through(const search *s, const pm_code_segment *segment)
{
    double most = 0;

    forget(s);
    PM_EACH_OF_SEGMENT(i, segment) {
        const double before = way_before(s, i);
        double *way = way_of(s, i);

        if (!way)
            continue;
        *way = (before > 0 ? before : 0) + latency_of(i);
        most = *way > most ? *way : most;
    }
    return most;
}

const double *pm_latency_find(const pm_structure *structure, const pm_values *values,
                              pm_memory *memory)
{
    const search s = {structure, values, pm_take(memory, values->count, sizeof *s.way)};
    double *latency = pm_take(memory, structure->count, sizeof *latency);

    for (uint32_t k = 0; k < structure->count; k++)
        if (structure->segments[k].loop == 0)
            latency[k] = longest_through(&s, &structure->segments[k]);
    for (unsigned l = 1; l < structure->loop_count; l++)
        latency[structure->loops[l].head] = longest_round(&s, l);
    return latency;
}
