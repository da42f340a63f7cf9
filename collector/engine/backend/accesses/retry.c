/* Finds compare-and-swap retry loops: loops that repeat until memory contains their update.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examples are an atomic sum of floats by compare-and-swap, and a tagged counter in shared memory
 * that is stored and read back. Of a warp's work-items that change the same address, one succeeds
 * per iteration. A loop is a retry loop if an exit branch depends on the result of an atomic, or of
 * a load that follows a store to the same address. The address must be the same in all iterations.
 */
#include "collector/engine/backend/accesses/retry.h"

#include "collector/engine/backend/accesses/sites.h"
#include "collector/engine/backend/ir/ir.h"

typedef struct {
    LLVMValueRef instruction, pointer;
    uint32_t segment, loop;
    bool writes, is_atomic;
} seen_access;

typedef struct {
    const pm_structure *structure;
    pm_memory *memory;
    seen_access *accesses;
    size_t access_count;
    LLVMValueRef *seen; /* values that the exit branches of the examined loop depend on */
    size_t seen_count;
} search;

static bool is_block_within(const pm_structure *s, LLVMBasicBlockRef block, uint32_t loop)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->segments[i].block == block)
            return pm_loop_is_within(s->loops, s->segments[i].loop, loop);
    return false;
}

static bool is_instruction_within(const pm_structure *s, LLVMValueRef value, uint32_t loop)
{
    return LLVMIsAInstruction(value) && is_block_within(s, LLVMGetInstructionParent(value), loop);
}

/* ---- accesses ------------------------------------------------------------------------------ */

static LLVMValueRef without_casts(LLVMValueRef pointer)
{
    while (PM_IS(pointer, LLVMBitCast, LLVMAddrSpaceCast))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* Lists the memory accesses inside loops whose address is the same in all iterations. */
static void find_accesses(search *s)
{
    for (uint32_t k = 0; k < s->structure->count; k++) {
        const pm_code_segment *segment = &s->structure->segments[k];

        PM_EACH_OF_SEGMENT(i, segment) {
            LLVMValueRef pointer = segment->loop ? pm_site_pointer(i) : NULL;

            pointer = pointer ? without_casts(pointer) : NULL;
            if (pointer && !is_instruction_within(s->structure, pointer, segment->loop))
                *pm_add(s->memory, s->accesses, s->access_count) =
                    (seen_access){.instruction = i,
                                  .pointer = pointer,
                                  .segment = k,
                                  .loop = segment->loop,
                                  .writes = !LLVMIsALoadInst(i),
                                  .is_atomic = PM_IS(i, LLVMAtomicRMW, LLVMAtomicCmpXchg)};
        }
    }
}

/* ---- exit conditions ------------------------------------------------------------------------ */

static bool has_seen(const search *s, LLVMValueRef value)
{
    for (size_t i = 0; i < s->seen_count; i++)
        if (s->seen[i] == value)
            return true;
    return false;
}

static void see(search *s, LLVMValueRef value, uint32_t loop)
{
    if (is_instruction_within(s->structure, value, loop) && !has_seen(s, value))
        *pm_add(s->memory, s->seen, s->seen_count) = value;
}

static bool is_way_out(const pm_structure *s, const pm_code_segment *segment, uint32_t loop)
{
    if (segment->end != PM_END_BRANCH || !pm_loop_is_within(s->loops, segment->loop, loop))
        return false;
    for (uint32_t k = 0; k < segment->successors; k++)
        if (!pm_loop_is_within(s->loops,
                               s->segments[s->successors[segment->first_successor + k]].loop, loop))
            return true;
    return false;
}

/* Adds the operands of a value to the values on which a loop's exit depends. A phi also depends on
 * the branches that select its value. */
static void see_operands(search *s, LLVMValueRef value, uint32_t loop)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        see(s, LLVMGetOperand(value, i), loop);
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(value, i));

        if (LLVMGetNumSuccessors(end) > 1)
            see(s, LLVMGetOperand(end, 0), loop);
    }
}

static void see_ways_out(search *s, uint32_t loop)
{
    s->seen_count = 0;
    for (size_t k = 0; k < s->structure->count; k++)
        if (is_way_out(s->structure, &s->structure->segments[k], loop))
            see(s, LLVMGetOperand(s->structure->segments[k].last, 0), loop);
    for (size_t i = 0; i < s->seen_count; i++)
        see_operands(s, s->seen[i], loop);
}

/* Returns whether the loop's exit depends on the result of an atomic on the address, or of a load
 * from the address after a store to it. s->accesses is in program order. */
static bool is_tried_again(const search *s, LLVMValueRef pointer, uint32_t loop)
{
    bool written = false;

    for (size_t i = 0; i < s->access_count; i++) {
        const seen_access *a = &s->accesses[i];

        if (a->loop != loop || a->pointer != pointer)
            continue;
        if ((a->is_atomic || written) && has_seen(s, a->instruction))
            return true;
        written = written || a->writes;
    }
    return false;
}

/* ---- cuts ---------------------------------------------------------------------------------- */

/* Returns the last access before s->accesses[i] to the same address, if it is in the same segment
 * (basic block without barriers); NULL: there is none. */
static const seen_access *before(const search *s, size_t i)
{
    const seen_access *this = &s->accesses[i];

    while (i-- > 0 && s->accesses[i].segment == this->segment)
        if (s->accesses[i].pointer == this->pointer)
            return &s->accesses[i];
    return NULL;
}

static void cut_loop(search *s, uint32_t loop, pm_cuts *cuts)
{
    for (size_t i = 0; i < s->access_count; i++) {
        const seen_access *this = &s->accesses[i], *last = before(s, i);

        if (this->loop == loop && last && (this->writes || last->writes) &&
            is_tried_again(s, this->pointer, loop))
            *pm_add(s->memory, cuts->after, cuts->count) =
                LLVMGetPreviousInstruction(this->instruction);
    }
}

/* ---- kinds --------------------------------------------------------------------------------- */

static pm_again kind_of(const search *s, uint32_t loop)
{
    for (size_t i = 0; i < s->access_count; i++) {
        const seen_access *a = &s->accesses[i];

        if (a->loop == loop && a->is_atomic && has_seen(s, a->instruction))
            return LLVMGetPointerAddressSpace(LLVMTypeOf(a->pointer)) == SHARED_SPACE
                       ? PM_AGAIN_SHARED
                       : PM_AGAIN_GLOBAL;
    }
    return PM_AGAIN_NONE;
}

const pm_again *pm_retry_find(const pm_structure *structure, pm_cuts *cuts, pm_memory *memory)
{
    search s = {.structure = structure, .memory = memory};
    pm_again *again = pm_take(memory, structure->loop_count, sizeof *again);

    find_accesses(&s);
    for (uint32_t loop = 1; loop < structure->loop_count; loop++) {
        see_ways_out(&s, loop);
        cut_loop(&s, loop, cuts);
        again[loop] = kind_of(&s, loop);
    }
    for (uint32_t loop = 1; loop < structure->loop_count; loop++)
        for (uint32_t out = loop; out && !again[loop]; out = structure->loops[out].parent)
            again[loop] = again[out];
    return again;
}
