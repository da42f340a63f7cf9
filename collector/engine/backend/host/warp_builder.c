/* Generates the host code of a kernel's basic blocks, which executes them for all work-items of a
 * warp.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A basic block becomes a loop over the warp's work-items around a copy of its instructions. Values
 * that one block defines and another uses are stored in the warp's frame, which has an array for
 * each of them with one element per work-item. A block also stores there the values of the phis of
 * its successors. Each memory access is checked against the bounds of the variable or buffer. An
 * access outside of these bounds is redirected to spare memory. Its address is recorded, so that
 * the caller of the generated code can report it.
 */
#include "collector/engine/backend/host/warp_builder.h"

#include "collector/engine/backend/host/block_builder.h"
#include "collector/engine/backend/host/bounds.h"
#include "collector/engine/backend/host/exchange.h"
#include "collector/engine/backend/host/vector_builder.h"
#include "collector/engine/backend/ir/intrinsics.h"
#include "collector/engine/backend/ir/ir.h"

/* ---- memory ------------------------------------------------------------------------------- */

/* Returns whether an access is atomic. The host requires that atomic accesses are aligned. */
static bool is_atomic(LLVMValueRef access)
{
    return !(LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) ||
           LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef is_aligned(pm_block_builder *w, LLVMValueRef host, unsigned bytes)
{
    LLVMValueRef low = LLVMBuildAnd(w->builder, host, pm_number(w, (uint64_t)bytes - 1), "");

    return LLVMBuildICmp(w->builder, LLVMIntEQ, low, pm_number(w, 0), "");
}

/* Generates code that records the address of a memory access and checks it. Returns the pointer to
 * use for the access, which is always valid. The address is frozen first, because LLVM could
 * otherwise use the undefined result of an overflow to remove the check. */
static LLVMValueRef write_address(pm_block_builder *w, const pm_code_value *value,
                                  LLVMValueRef pointer)
{
    const pm_warp_builder *lanes = w->lanes;
    const pm_site *site = &lanes->sites.sites[value->site];
    LLVMBuilderRef b = w->builder;
    LLVMValueRef frozen = LLVMBuildFreeze(b, pointer, "");
    LLVMValueRef host = LLVMBuildPtrToInt(b, frozen, w->i64, "");
    pm_host_bounds in =
        pm_host_bounds_of(w, site, pm_site_object(pm_site_pointer(value->instruction)), host);
    LLVMValueRef offset = LLVMBuildSub(b, host, in.base, "");
    LLVMValueRef last = LLVMBuildAdd(b, offset, pm_number(w, value->sites * site->bytes - 1), "");
    LLVMValueRef sound = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, offset, in.bytes, ""),
                                      LLVMBuildICmp(b, LLVMIntULT, last, in.bytes, ""), "");
    LLVMValueRef spare = LLVMBuildPointerCast(b, w->spare, LLVMTypeOf(pointer), "");
    LLVMValueRef address = LLVMBuildAdd(b, offset, in.address, "");
    uint32_t row = value->site - w->first_site;

    for (uint32_t i = 0; i < value->sites; i++) {
        LLVMValueRef index =
            LLVMBuildAdd(b, w->lane, pm_number(w, (uint64_t)(row + i) * lanes->r.warp_width), "");
        LLVMValueRef cell = pm_member(b, w->i64, w->addresses, index);
        LLVMValueRef piece = pm_number(w, (uint64_t)i * site->bytes);

        LLVMBuildStore(b, LLVMBuildAdd(b, address, piece, ""), cell);
    }
    if (is_atomic(value->instruction))
        sound = LLVMBuildAnd(b, sound, is_aligned(w, host, site->bytes), "");
    return LLVMBuildSelect(b, sound, frozen, spare, "");
}

static void write_memory(pm_block_builder *w, LLVMValueRef instruction, LLVMValueRef copy)
{
    const pm_code_value *value = pm_code_value_of(&w->lanes->values, instruction);
    unsigned operand = LLVMIsAStoreInst(instruction) ? 1 : 0;
    LLVMValueRef pointer = write_address(w, value, LLVMGetOperand(copy, operand));

    LLVMSetOperand(copy, operand, pointer);
    /* A misaligned access is an error that is reported later from the recorded address. Until then
     * the host must be able to execute it. */
    if (!is_atomic(copy))
        LLVMSetAlignment(copy, 1);
}

/* ---- division ----------------------------------------------------------------------------- */

/* Generates a division or remainder that cannot fault on the host. After a division by zero, all
 * bits of the quotient are set and the remainder is the dividend, as on NVIDIA's GPUs. The smallest
 * number divided by -1 overflows and is computed as a negation. The divisor is frozen, because LLVM
 * could otherwise assume that it is not 0 although it has overflowed to 0. */
static LLVMValueRef write_division(pm_block_builder *w, LLVMOpcode opcode, LLVMValueRef a,
                                   LLVMValueRef d)
{
    LLVMBuilderRef b = w->builder;
    LLVMTypeRef type = LLVMTypeOf(a);
    bool is_signed = opcode == LLVMSDiv || opcode == LLVMSRem;
    bool remainder = opcode == LLVMSRem || opcode == LLVMURem;
    LLVMValueRef zero = LLVMConstNull(type), ones = LLVMConstAllOnes(type);
    LLVMValueRef divisor = LLVMBuildFreeze(b, d, "");
    LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, divisor, zero, "");
    LLVMValueRef by_minus = LLVMBuildICmp(b, LLVMIntEQ, divisor, ones, ""), bad = by_zero, result;

    if (is_signed)
        bad = LLVMBuildOr(b, by_zero, by_minus, "");
    /* If the divisor is 0, or the division overflows, the divisor is replaced by 1. The 1 is
     * computed as the negation of a number with all bits set, because this also works for
     * vectors. */
    divisor = LLVMBuildSelect(b, bad, LLVMBuildNeg(b, ones, ""), divisor, "");
    result = LLVMBuildBinOp(b, opcode, a, divisor, "");
    if (is_signed)
        result =
            LLVMBuildSelect(b, by_minus, remainder ? zero : LLVMBuildNeg(b, a, ""), result, "");
    return LLVMBuildSelect(b, by_zero, remainder ? a : ones, result, "");
}

/* ---- instructions ------------------------------------------------------------------------- */

static void keep(pm_block_builder *w, LLVMValueRef instruction, LLVMValueRef result)
{
    const pm_code_value *value = pm_code_value_of(&w->lanes->values, instruction);

    pm_block_builder_define(w, instruction, result);
    if (value->slot != PM_NO_SLOT && !LLVMIsAAllocaInst(instruction))
        LLVMBuildStore(w->builder, result,
                       pm_block_builder_slot(w, value->slot, LLVMTypeOf(instruction)));
}

/* Removes metadata of an instruction that promises facts, such as the range of a boolean. These
 * facts hold only in a correct program, and LLVM could remove bounds checks because of them. Only
 * the types of accesses (tbaa) remain. */
static void drop_promises(const pm_block_builder *w, LLVMValueRef copy)
{
    unsigned types = LLVMGetMDKindIDInContext(LLVMGetModuleContext(w->lanes->r.module), "tbaa", 4);
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(copy, &count);

    for (unsigned i = 0; i < count; i++)
        if (LLVMValueMetadataEntriesGetKind(entries, i) != types)
            LLVMSetMetadata(copy, LLVMValueMetadataEntriesGetKind(entries, i), NULL);
    LLVMDisposeValueMetadataEntries(entries);
}

static bool is_division(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
}

/* Returns whether the generated function executes an instruction of the basic block. A slice
 * executes only the instructions on which an address or a branch may depend. */
static bool is_computed(const pm_block_builder *w, LLVMValueRef instruction)
{
    const pm_code_value *value = pm_code_value_of(&w->lanes->values, instruction);

    return !w->is_slice || value->decides || value->feeds;
}

/* Generates code that records the address of a memory instruction, although the slice (code that
 * computes only addresses and branches) does not execute the access itself. */
static void note_addresses(pm_block_builder *w, LLVMValueRef instruction)
{
    LLVMValueRef pointer = pm_site_pointer(instruction);

    if (pointer)
        write_address(w, pm_code_value_of(&w->lanes->values, instruction),
                      pm_block_builder_value(w, pointer));
}

static void write_instruction(pm_block_builder *w, LLVMValueRef instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    LLVMValueRef copy;

    if (opcode == LLVMPHI || pm_value_is_free(instruction))
        return;
    if (pm_site_pointer(instruction) && pm_is_bulk(instruction)) {
        note_addresses(w, instruction);
        if (LLVMIsALoadInst(instruction))
            keep(w, instruction, LLVMConstNull(LLVMTypeOf(instruction)));
        return;
    }
    if (!is_computed(w, instruction)) {
        note_addresses(w, instruction);
        return;
    }
    if (opcode == LLVMCall && pm_call_kind(instruction) == PM_CALL_OFFSET) {
        keep(w, instruction, pm_block_builder_call(w, instruction));
        return;
    }
    if (opcode == LLVMCall && pm_call_kind(instruction) == PM_CALL_EXCHANGE) {
        keep(w, instruction, pm_exchange_write(w, instruction));
        return;
    }
    if (opcode == LLVMCall && pm_call_kind(instruction) != PM_CALL_ORDINARY)
        return;
    if (is_division(opcode)) {
        LLVMValueRef a = pm_block_builder_value(w, LLVMGetOperand(instruction, 0));
        LLVMValueRef d = pm_block_builder_value(w, LLVMGetOperand(instruction, 1));

        keep(w, instruction, write_division(w, opcode, a, d));
        return;
    }
    copy = LLVMInstructionClone(instruction);
    drop_promises(w, copy);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(copy); i++)
        LLVMSetOperand(copy, i, pm_block_builder_value(w, LLVMGetOperand(instruction, i)));
    LLVMInsertIntoBuilder(w->builder, copy);
    if (pm_site_pointer(instruction)) {
        /* The code that checks the address must come before the access. */
        LLVMPositionBuilderBefore(w->builder, copy);
        write_memory(w, instruction, copy);
        LLVMPositionBuilderAtEnd(w->builder, w->body);
    }
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMVoidTypeKind)
        keep(w, instruction, copy);
}

/* ---- the end of a block ------------------------------------------------------------------- */

/* Generates next[k] |= bit, so that the current work-item continues at successor k. */
static void go_to(pm_block_builder *w, unsigned k, LLVMValueRef bit)
{
    LLVMBuilderRef b = w->builder;
    LLVMValueRef cell = pm_member(b, w->i64, w->next, pm_number(w, k));

    LLVMBuildStore(b, LLVMBuildOr(b, LLVMBuildLoad2(b, w->i64, cell, ""), bit, ""), cell);
}

/* Generates a mask with only the bit of the current work-item. */
static LLVMValueRef lane_bit(pm_block_builder *w)
{
    return LLVMBuildShl(w->builder, pm_number(w, 1), w->lane, "");
}

static void write_phis(pm_block_builder *w, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    PM_EACH_PHI(phi, to) {
        const pm_code_value *value = pm_code_value_of(&w->lanes->values, phi);

        if (!is_computed(w, phi))
            continue;
        LLVMBuildStore(w->builder, pm_block_builder_value(w, pm_phi_incoming(phi, from)),
                       pm_block_builder_slot(w, value->slot, LLVMTypeOf(phi)));
    }
}

/* Generates the loads of all values for the phis of the edge from basic block `from` to block `to`.
 * The loads must come before any phi is stored, because the value of a phi may be another phi of
 * the same block. */
static void read_phis(pm_block_builder *w, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    PM_EACH_PHI(phi, to)
        if (is_computed(w, phi))
            pm_block_builder_value(w, pm_phi_incoming(phi, from));
}

/* Generates the condition of the branch or switch at the end of a segment (basic block, cut at
 * barriers). The condition is frozen, because a branch on an undefined value is undefined behaviour
 * on the host. */
static LLVMValueRef decision(pm_block_builder *w, const pm_code_segment *segment)
{
    return LLVMBuildFreeze(w->builder, pm_block_builder_value(w, LLVMGetOperand(segment->last, 0)),
                           "");
}

/* Generates the branch at the end of a basic block: a copy of the kernel's terminator, whose
 * targets are new blocks. Each new block stores the phis of one successor and records that the
 * work-item continues there. */
static void write_edges(pm_block_builder *w, const pm_code_segment *segment)
{
    LLVMValueRef copy;

    for (unsigned k = 0; k < segment->successors; k++)
        read_phis(w, segment->block, LLVMGetSuccessor(segment->last, k));
    copy = LLVMInstructionClone(segment->last);
    drop_promises(w, copy);
    if (segment->end == PM_END_BRANCH) /* operand 0 of a branch or switch is the condition */
        LLVMSetOperand(copy, 0, decision(w, segment));
    LLVMInsertIntoBuilder(w->builder, copy);
    for (unsigned k = 0; k < segment->successors; k++) {
        LLVMBasicBlockRef edge = pm_block_builder_block(w, "edge");

        LLVMSetSuccessor(copy, k, edge);
        LLVMPositionBuilderAtEnd(w->builder, edge);
        write_phis(w, segment->block, LLVMGetSuccessor(segment->last, k));
        if (segment->end == PM_END_BRANCH)
            go_to(w, k, lane_bit(w));
        LLVMBuildBr(w->builder, w->skip);
    }
}

/* Returns whether a segment (basic block, cut at barriers) ends in a conditional branch to two
 * successors without phis. The successor can then be selected by the bit of the condition, without
 * a branch in the host's code. */
static bool is_plain_branch(const pm_code_segment *segment)
{
    if (segment->successors != 2 || !LLVMIsABranchInst(segment->last))
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetSuccessor(segment->last, k))))
            return false;
    return true;
}

static void write_end(pm_block_builder *w, const pm_code_segment *segment)
{
    LLVMBuilderRef b = w->builder;

    if (segment->end == PM_END_BARRIER || segment->end == PM_END_RETURN) {
        LLVMBuildBr(b, w->skip);
    } else if (is_plain_branch(segment)) {
        LLVMValueRef taken = LLVMBuildZExt(b, decision(w, segment), w->i64, "");

        taken = LLVMBuildShl(b, taken, w->lane, "");
        go_to(w, 0, taken);
        go_to(w, 1, LLVMBuildXor(b, lane_bit(w), taken, ""));
        LLVMBuildBr(b, w->skip);
    } else {
        write_edges(w, segment);
    }
}

void pm_warp_builder_write(const pm_warp_builder *lanes, uint32_t segment, bool slice,
                           const char *name)
{
    const pm_code_segment *s = &lanes->structure.segments[segment];
    pm_block_builder w;

    if (slice && pm_vector_builder_can(lanes, segment)) {
        pm_vector_builder_write(lanes, segment, name);
        return;
    }
    w = pm_block_builder_start(lanes, segment, 1, name);
    w.is_slice = slice;
    for (LLVMValueRef i = s->first; i != s->last; i = LLVMGetNextInstruction(i))
        write_instruction(&w, i);
    if (pm_segment_is_cut(s)) {
        write_instruction(&w, s->last);
        LLVMBuildBr(w.builder, w.skip);
    } else {
        write_end(&w, s);
    }
    pm_block_builder_finish(&w);
}
